"""Inspects how a document looks: its kind, its layout, its marks, and whether it is consistent."""
