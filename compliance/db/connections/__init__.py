"""Connections to the database: what is set on each, and how long they wait."""
