"""Writes PDFs: reports, and safe copies of drawn pages."""
