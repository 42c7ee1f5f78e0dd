"""A backup brings erased cases back, and a command erases them again."""

from __future__ import annotations

import pytest
from django.core.management import call_command

from compliance.security import data_keys
from compliance.storage import erased_keys
from reviews.audit import trail
from reviews.models import Case, CaseEvent
from tests.factories import make_case, make_connection

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _own_list(settings, tmp_path):
    settings.ERASED_KEYS = tmp_path / "kept" / "erased-keys.txt"


def test_what_a_backup_brings_back_is_erased_again():
    case = make_case(make_connection(), subject="Wombatsnuffle Ltd")
    assert case.data_key_id
    key = data_keys.DataKey.objects.get(pk=case.data_key_id)
    other = make_case(case.connection, subject="Another Ltd", reference="other")
    data_keys.erase(key.pk)
    assert erased_keys.listed() == {key.pk}
    # As a backup has the row.
    key.save()
    data_keys.forget()
    assert Case.objects.get(pk=case.pk).subject == "Wombatsnuffle Ltd"
    call_command("erase_again")
    again = Case.objects.get(pk=case.pk)
    assert (again.subject, bool(again.erased_at)) == ("[erased]", True)
    assert not again.search_texts.filter(text__icontains="wombat").exists()
    assert Case.objects.get(pk=other.pk).subject == "Another Ltd"
    assert CaseEvent.objects.filter(case=case, what="case_erased").count() == 1
    trail.seal_all()
    assert list(trail.verify()) == []
    call_command("erase_again")
    assert CaseEvent.objects.filter(case=case, what="case_erased").count() == 1


def test_a_key_that_the_full_disk_kept_off_the_list_comes_with_the_next(settings):
    first, second = data_keys.create_many(2)
    path = settings.ERASED_KEYS
    path.parent.mkdir()
    path.mkdir()
    data_keys.erase(first.pk)
    path.rmdir()
    data_keys.erase(second.pk)
    assert erased_keys.listed() == {first.pk, second.pk}


def test_an_incomplete_line_harms_no_other(settings):
    path = settings.ERASED_KEYS
    path.parent.mkdir()
    path.write_text("12")
    erased_keys.add([34])
    assert erased_keys.listed() == {12, 34}
