"""Passports, visas and identity cards."""
