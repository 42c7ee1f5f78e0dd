"""`python -m checks match`: what it writes is opened in a spreadsheet program."""

from __future__ import annotations

import csv
import io

import pytest

from checks.commands import match


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\uff1d", "\t="])
def test_no_name_is_a_formula(tmp_path, capsys, start):
    name = f"{start}HYPERLINK(1)"
    pairs = tmp_path / "pairs.csv"
    pairs.write_text(
        f'name1,name2,schema,"{name}"\n"{name}","{name}",Person,"{name}"\n'
    )
    assert match.main([str(pairs)]) == 0
    rows = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == 2
    for cell in (cell for row in rows for cell in row):
        assert not cell.startswith(match.FORMULA_STARTS), cell
