"""Signs that a file was edited, and signs that it was not made for real."""
