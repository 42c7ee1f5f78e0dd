"""Escaping of cells in CSV files that people open in a spreadsheet program."""

from __future__ import annotations

# A spreadsheet program treats a cell with such a start as a formula (OWASP: CSV injection). A
# formula could read other cells or start a program.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def escape(cell: str) -> str:
    """The cell as text that no spreadsheet program runs as a formula."""
    if cell.startswith(FORMULA_STARTS):
        return f"'{cell}"
    return cell
