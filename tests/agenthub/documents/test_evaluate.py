"""`manage.py evaluate`: the figures of labelled documents, for a person and for a program."""

from __future__ import annotations

import json
import mmap

import pytest
from django.core.management import CommandError, call_command

from checks.samples import good_certificate


@pytest.fixture
def folder(tmp_path):
    sample = good_certificate()
    (tmp_path / "good.pdf").write_bytes(sample.content)
    (tmp_path / "labels.csv").write_text(
        "file,kind,name,date\n"
        f'good.pdf,certificate,"{sample.attested["business_name"]}",1999-01-01\n'
    )
    return tmp_path


def test_the_table_names_what_is_wrong(folder, capsys):
    call_command("evaluate", folder)

    output = capsys.readouterr().out
    assert "| certificate | name | 1 | 1 | 0 | 0 | 0 | 100% (21% to 100%)" in output
    assert "wrong: good.pdf, date: read" in output
    assert "1999-01-01" in output


def test_json_has_the_rows_and_may_leave_the_values_out(folder, capsys):
    call_command("evaluate", folder, "--json", "--figures-only")

    report = json.loads(capsys.readouterr().out)
    assert report["documents"] == 1
    assert report["faults"] == []
    dates = [row for row in report["rows"] if row["field"] == "date"]
    assert dates[0]["wrong"] == 1


def test_a_large_process_leaves_the_reader_its_memory(folder, capsys):
    with mmap.mmap(-1, 3 << 30):
        call_command("evaluate", folder)
    output = capsys.readouterr().out
    assert "| certificate | name | 1 | 1 | 0 | 0 | 0 |" in output


def test_what_cannot_be_used_is_an_error(folder, tmp_path):
    with pytest.raises(CommandError, match="at least 1"):
        call_command("evaluate", folder, "--processes", "0")
    (folder / "labels.csv").write_text("file,check\ngood.pdf,kyb.nothing\n")
    with pytest.raises(CommandError, match="nothing"):
        call_command("evaluate", folder)
