"""Formats of single publishers: Switzerland, Canada, Australia, the UK's XML, OFAC's advanced XML, the
World Bank. Readers as those of the folder above, which calls them; they know no table of the hub."""
