"""Traces that the program which wrote a file left in it, and where they break off."""
