"""The data map names every field of every model."""

from __future__ import annotations

from dataclasses import replace

from compliance.security import data_map
from compliance.security.data_map import Act, tables
from tests.docs.pages import first_cells, read


def test_every_field_of_every_model_is_declared():
    assert data_map.faults() == []


def test_a_new_field_and_a_wrong_name_are_faults(monkeypatch):
    declared = dict(tables._tables)
    monkeypatch.setattr(tables, "_tables", declared)
    wrong = replace(declared["reviews.Note"], plain="id case by at mentions colour")
    declared["reviews.Note"] = wrong
    assert data_map.faults() == [
        "reviews.Note.edited_at is declared neither personal nor plain.",
        "reviews.Note.colour is in the map, and is no field.",
    ]
    del declared["reviews.Note"]
    assert data_map.faults() == ["reviews.Note is not in the map."]


def test_what_is_erased_has_a_way_to_its_case():
    for table in data_map.of_app("reviews", "webhooks", "agenthub"):
        if table.act is not Act.STAY:
            assert table.path or table.rows, table.model
            if table.path:
                # A wrong lookup raises here.
                table.cls._default_manager.filter(**{table.path: None}).query  # noqa: B018


def test_the_documentation_has_the_map():
    page = read("docs/privacy.md")
    block = page.partition("<!-- data map -->\n")[2].partition("<!-- end -->")[0]
    assert block.strip() == data_map.markdown().strip(), (
        "Run: python manage.py data_map --write docs/privacy.md"
    )


def test_every_personal_column_has_a_level_that_the_page_defines():
    page = read("docs/privacy.md")
    section = page.partition("## Levels of protection\n")[2].partition("\n## ")[0]
    defined = set(first_cells(section)) - {"Level"}
    used = {
        tables.protection(table.cls._meta.get_field(name))
        for table in data_map.of_app("reviews", "webhooks", "agenthub")
        for name in table.personal
    }
    assert used == defined
