"""Migrations run with the code of any later day: they carry what they need."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import call_command

from reviews.findings import related_cases
from reviews.models import Identifier, SearchText
from reviews.models.trail import plain, sign
from tests import factories

FILES = sorted((Path(__file__).parents[2] / "reviews/migrations").glob("0*.py"))
# Modules of ours without models, whose names stay.
STABLE = {"compliance.security.encryption", "reviews.models.fields"}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_no_migration_stands_on_live_code(file):
    named: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            named |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            named.add(node.module or "")
    ours = {name for name in named if name.partition(".")[0] in {"reviews", "compliance"}}
    assert ours <= STABLE


@pytest.mark.django_db
def test_no_migration_is_missing():
    call_command("makemigrations", "reviews", check=True, dry_run=True, verbosity=0)


@pytest.mark.django_db
def test_earlier_cases_are_found_as_new_ones_are():
    data = {
        "business_name": "Nørd  Ltd.", "tin_number": "12-3456789", "website": ["a.example", 7],
        "address_of_operation": {"street_1": "1 Main St", "city": "Oslo", "postal_code": "0150"},
        "registered_business_name": None, "tax_id": "", "partners": {"document_number": "000000000"},
    }  # fmt: skip
    case = factories.make_case(subject="Nørd Ltd", self_attested_data=data)
    related_cases.keep(case)
    for migration, act, model, shown in (
        ("0004_queue", "describe_what_is_there", SearchText, ("text", "reference", "name")),
        ("0007_identifiers_of_earlier_cases", "identify", Identifier, ("kind", "digest")),
    ):
        live = set(model.objects.values_list("case", *shown))
        model.objects.all().delete()
        getattr(import_module(f"reviews.migrations.{migration}"), act)(apps, None)
        assert set(model.objects.values_list("case", *shown)) == live
        assert live


def test_earlier_lines_are_signed_as_new_ones_are():
    then = import_module("reviews.migrations.0003_sign_earlier_lines")
    data = {"a\0": [1, True, None, 0.5, ("x", {"\ud800": "é"})]}
    assert then.plain(data) == plain(data)
    assert then.sign(plain(data), key=" k ") == sign(plain(data), key=" k ")
