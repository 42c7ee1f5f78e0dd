"""Whether documents could be opened safely, and why not."""
