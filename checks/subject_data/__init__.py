"""Checks of what was attested about people and businesses, without a document."""
