"""Registers of companies that the installation loads itself: what enrichment and checks ask."""
