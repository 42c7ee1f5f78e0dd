"""Lists at the hub: read from files, kept in versions, searched."""
