from __future__ import annotations

import csv
import io
from itertools import product

import pytest

from compliance.security import csv_cells


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\ta", "\ra"])
def test_a_formula_becomes_text(cell):
    assert csv_cells.escape(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", ["", "Northwind", "1-2", " =1", "'=1"])
def test_what_is_no_formula_stays(cell):
    assert csv_cells.escape(cell) == cell


@pytest.mark.parametrize("cell", ["a; b", "a;b=1", "a\nb", "12;34", "a;'=1"])
def test_a_separator_before_other_text_stays(cell):
    assert csv_cells.escape(cell) == cell


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_no_cell_is_a_formula_wherever_the_program_splits(separator):
    """Programs of many languages split at semicolons, whatever the file was written with."""
    parts = ["a", ";", "\t", "\n", "\r", '"', "=1", "-1", "\uff1d1", ",", " "]
    formulas = []
    for texts in product(parts, repeat=4):
        cell = "".join(texts)
        file = io.StringIO(newline="")
        csv.writer(file).writerow(["case-1", csv_cells.escape(cell), "end"])
        rows = csv.reader(io.StringIO(file.getvalue(), newline=""), delimiter=separator)
        for found in (found for row in rows for found in row):
            if found.startswith(csv_cells.FORMULA_STARTS[:4]):
                formulas.append((cell, found))
    assert formulas == []
