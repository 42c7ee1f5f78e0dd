"""How a document looks: its kind, its layout, its marks, and whether it agrees with itself."""
