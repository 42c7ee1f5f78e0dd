"""Sanctions and other lists at the hub: read from files, stored in versions, searched."""
