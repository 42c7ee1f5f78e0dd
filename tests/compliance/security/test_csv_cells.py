from __future__ import annotations

import pytest

from compliance.security import csv_cells


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
def test_a_formula_becomes_text(cell):
    assert csv_cells.escape(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", ["", "Northwind", "1-2", " =1", "'=1"])
def test_what_is_no_formula_stays(cell):
    assert csv_cells.escape(cell) == cell
