"""Rows that an installation starts with have names in the reader's language; others stay as written."""

from __future__ import annotations

import pytest
from django.utils import translation

from reviews.decisions import policy
from reviews.models import FourEyesRule
from reviews.people import sla
from reviews.results import words
from tests.factories import make_user

pytestmark = pytest.mark.django_db


def test_all_of_them_are_known():
    names = {name for name, *_ in policy.RULES} | {
        name for name, *_ in sla.FIRST_CLOCKS
    }
    assert names == words.RULES


@pytest.mark.parametrize(
    ("table", "german"),
    [
        ("four-eyes-rules", "Nichts wurde untersucht"),
        ("reasons", "Dokument gefälscht oder verändert"),
        ("time-limits", "Jeder Fall"),
    ],
)
def test_they_are_translated(client, table, german):
    policy.ensure()
    sla.ensure()
    own = FourEyesRule.objects.create(name="Mein Name", condition="always")
    first = FourEyesRule.objects.get(name="Nothing was examined")
    client.force_login(make_user("runa", role="rule owner"))
    client.cookies["django_language"] = "de"
    page = client.get(f"/settings/{table}/").content.decode()
    assert german in page
    # The form has what is stored, and what people wrote is not touched.
    form = client.get(f"/settings/four-eyes-rules/{first.pk}/").content.decode()
    assert 'value="Nothing was examined"' in form
    form = client.get(f"/settings/four-eyes-rules/{own.pk}/").content.decode()
    assert "Mein Name" in form
    with translation.override("en"):
        assert words.translated("Every case") == "Every case"
