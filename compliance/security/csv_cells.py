"""Cells of CSV files, for people who open them in a spreadsheet."""

from __future__ import annotations

# What a spreadsheet takes for the start of a formula (OWASP: CSV injection).
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def escape(cell: str) -> str:
    """The cell as a text that no spreadsheet runs as a formula."""
    return f"'{cell}" if cell.startswith(FORMULA_STARTS) else cell
