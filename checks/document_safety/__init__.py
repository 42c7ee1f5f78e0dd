"""Which documents could be opened safely, and why others could not."""
