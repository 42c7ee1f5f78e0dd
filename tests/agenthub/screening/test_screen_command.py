"""Many at once: no row goes through in silence."""

from __future__ import annotations

import csv
import io

import pytest
from django.core.management import CommandError, call_command

from agenthub.screening import catalogue, loading, sample_lists
from compliance.security import csv_cells

pytestmark = pytest.mark.django_db

HEAD = "name,type,date_of_birth,nationality,identifiers\n"


@pytest.fixture
def lists(tmp_path):
    (tmp_path / "sdn").write_bytes(sample_lists.ofac_sdn_xml())
    return loading.load(catalogue.source("ofac_sdn"), tmp_path / "sdn")


def screened(folder, rows: str) -> tuple[list[dict[str, str]], str, str]:
    (folder / "rows.csv").write_text(HEAD + rows)
    errors, why = io.StringIO(), ""
    try:
        data = {"output": folder / "hits.csv", "stderr": errors}
        call_command("screen", str(folder / "rows.csv"), **data)
    except CommandError as exc:
        why = str(exc)
    with (folder / "hits.csv").open(newline="") as stream:
        return list(csv.DictReader(stream)), errors.getvalue(), why


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("Ada Marsh,persn,,,", "type"),
        ("Ada Marsh,person,13/01/1967,,", "date of birth"),
        ("Ada Marsh,person,1967-13-01,,", "date of birth"),
        (",person,,,", "name is empty"),
        (" ; ,person,,,", "name is empty"),
        ("Ada Marsh,person,,Atlantis,", "nationality"),
        ("Ada Marsh,company,,,leei:12345", "identifier"),
        ("Ada Marsh,person", "columns"),
    ],
)
def test_a_row_that_cannot_be_read_is_refused_with_its_line(lists, tmp_path, row, why):
    lines, errors, failure = screened(tmp_path, f"Ada Marsh,person,,,\n{row}\n")
    assert [line["outcome"].partition(":")[0] for line in lines] == [
        "no match",
        "refused",
    ]
    assert "Line 3: refused" in errors
    assert why in errors
    assert failure == "1 of 2 rows were refused, and not screened."


@pytest.mark.parametrize(
    "kind", ["natural person", "Individual", "person", "", "natural_person"]
)
def test_every_row_leaves_a_line_with_what_it_was_screened_against(
    lists, tmp_path, kind
):
    rows = f"Teodor Korbutski,{kind},1961-03-14,BY,\nMarguerite Oyelaran,{kind},,,\n"
    lines, _, failure = screened(tmp_path, rows)
    assert [line["outcome"] for line in lines] == ["hit", "no match"]
    assert {line["screened_against"] for line in lines} == {
        f"ofac_sdn version {lists.pk}"
    }
    assert failure == ""


def test_organisations_and_typed_numbers_are_known(lists, tmp_path):
    rows = "Coral Tern,organization,,,registration:CN-4471902\nสมชาย,person,,,\n"
    lines, _, _ = screened(tmp_path, rows)
    assert lines[0]["band"] == "identifier_match"
    assert lines[1]["outcome"].startswith("inconclusive: Names in Thai")


def test_a_quote_that_was_left_open_swallows_nobody(lists, tmp_path):
    rows = '"Ada Marsh,person,,,\nTeodor Korbutski,person,,,\nMarguerite Oyelaran",person,,,\nNgozi Adeyemi,person,,,\n'
    lines, errors, failure = screened(tmp_path, rows)
    assert [line["outcome"].partition(":")[0] for line in lines] == [
        "refused",
        "no match",
    ]
    assert "a quote was left open" in errors
    assert failure == "1 of 2 rows were refused, and not screened."


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\uff1d", "\t="])
def test_no_name_is_a_formula_for_a_spreadsheet(lists, tmp_path, start):
    """Of a row that is screened and of one that is refused."""
    name = f"{start}HYPERLINK(1)"
    rows = f'"{name}",person,,,\n"{name}","{name}",,,\n'
    lines, _, _ = screened(tmp_path, rows)
    assert len(lines) == 2
    for line in lines:
        for cell in line.values():
            assert not cell.startswith(csv_cells.FORMULA_STARTS), cell
