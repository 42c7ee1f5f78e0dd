"""Readers for the formats of single publishers: Switzerland, Canada, Australia, the UK's XML,
OFAC's advanced XML, the World Bank.

The folder above calls them like its own readers. They know no table of the hub."""
