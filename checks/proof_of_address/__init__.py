"""Statements, bills, leases and the like, by which somebody shows where they are at home."""
