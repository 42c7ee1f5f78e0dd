"""Escaping of cells in CSV files that people open in a spreadsheet program."""

from __future__ import annotations

import re

from compliance.http.responses import hidden_characters

# The first character of a file of people: without it Excel reads UTF-8 as the old code page of the
# computer, and names with other letters than English ones are scrambled.
BYTE_ORDER_MARK = "\ufeff"
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
# Where the comma is the decimal sign, programs split a CSV file at semicolons, and some at tabs. Then
# our quotes no longer stand at the start of a cell, and what follows a semicolon, a tab or a line
# break begins a cell of its own.
_INNER_FORMULA = re.compile(r"([;\t\r\n][ \"]*)([=+\-@\uff1d\uff0b\uff0d\uff20])")


def escape(cell: str) -> str:
    """The cell as text that no spreadsheet program runs as a formula, without hidden characters,
    also if the program splits the line at other characters than commas.
    """
    # Tabs and line breaks are kept, so a cell that begins with one is still found below.
    cell = hidden_characters.show(cell)
    cell = _INNER_FORMULA.sub(r"\1'\2", cell)
    if cell.startswith(FORMULA_STARTS):
        return f"'{cell}"
    return cell
