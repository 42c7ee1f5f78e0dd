"""Cells of CSV files, for people who open them in a spreadsheet."""

from __future__ import annotations

# A cell that begins so is a formula for a spreadsheet program (OWASP: CSV injection). It could read
# other cells, or call a program.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def escape(cell: str) -> str:
    """The cell as a text that no spreadsheet runs as a formula."""
    if cell.startswith(FORMULA_STARTS):
        return f"'{cell}"
    return cell
