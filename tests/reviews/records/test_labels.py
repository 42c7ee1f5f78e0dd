"""`manage.py export_labels`: the values that people settled, as `manage.py evaluate` reads them."""

from __future__ import annotations

import json

import pytest
from django.core.files.base import ContentFile
from django.core.management import CommandError, call_command

from checks.samples import good_certificate
from reviews.decisions import value_choices
from tests.reviews.pages.case.test_value_choices import key_of
from tests.reviews.pages.case.unsure_rows import unsure_case
from tests.reviews.rows import someone

pytestmark = pytest.mark.django_db


@pytest.fixture
def sample():
    return good_certificate()


def settled_case(sample, **values):
    case, document = unsure_case()
    document.file.save("good.pdf", ContentFile(sample.content), save=False)
    document.sha256 = ""
    document.save()
    value_choices.choose(case, key_of(case), actor=someone("analyst"), **values)
    return case, document


def test_what_was_settled_is_measured(sample, tmp_path, capsys):
    name = sample.attested["business_name"]
    case, document = settled_case(sample, value=name)
    folder = tmp_path / "labels"
    call_command("export_labels", folder)
    assert "1 documents with 1 values were written, 0" in capsys.readouterr().out
    assert folder.stat().st_mode & 0o777 == 0o700
    label = json.loads((folder / f"{document.pk}.pdf.json").read_text())
    assert label == {"kind": "incorporation_documents", "business_name": [name]}
    assert case.events.latest("pk").what == "original_taken"
    call_command("evaluate", folder)
    assert (
        "| incorporation_documents | name | 1 | 1 | 0 | 0 | 0 |"
        in capsys.readouterr().out
    )


def test_a_choice_that_was_taken_back_is_not_exported(sample, tmp_path, capsys):
    case, _document = settled_case(sample, candidate=1)
    value_choices.take_back(case.value_choices.get(), actor=someone("senior"))
    call_command("export_labels", tmp_path / "labels")
    assert "0 documents with 0 values" in capsys.readouterr().out


def test_a_folder_with_something_in_it_is_refused(tmp_path):
    (tmp_path / "a").write_text("a")
    with pytest.raises(CommandError, match="not empty"):
        call_command("export_labels", tmp_path)
