"""Escaping of cells in CSV files that people open in a spreadsheet program."""

from __future__ import annotations

from compliance.http.responses import hidden_characters

# A spreadsheet program treats a cell with such a start as a formula (OWASP: CSV injection). A
# formula could read other cells or start a program. The last four are the full-width forms of the first:
# programs for East Asian languages read them as the same.
FORMULA_STARTS = (
    "=",
    "+",
    "-",
    "@",
    "\t",
    "\r",
    "\n",
    "\uff1d",
    "\uff0b",
    "\uff0d",
    "\uff20",
)


def escape(cell: str) -> str:
    """The cell as text that no spreadsheet program runs as a formula, without hidden characters."""
    # Tabs and line breaks are kept, so a cell that begins with one is still found below.
    cell = hidden_characters.show(cell)
    if cell.startswith(FORMULA_STARTS):
        return f"'{cell}"
    return cell
