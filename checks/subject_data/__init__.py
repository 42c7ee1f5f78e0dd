"""Checks of attested data about people and businesses, without documents."""
