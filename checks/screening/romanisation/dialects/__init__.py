"""Dialects of Chinese as people write them in Latin letters, and the Mandarin syllables of their characters."""
