"""After an erasure and `vacuum_erased`, the files of PostgreSQL do not have the bytes of erased rows."""

from __future__ import annotations

import threading
from contextlib import contextmanager

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection, models, transaction
from django.utils.timezone import now

from compliance.models import DataKey
from compliance.security import data_keys
from reviews.models import SavedView, SearchText, Tag
from reviews.privacy import erasing, traces
from tests.factories import make_case, make_user

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        connection.vendor != "postgresql", reason="SQLite overwrites what it frees."
    ),
]


def file_of(model: type[models.Model]) -> bytes:
    return file_of_table(model._meta.db_table)


def file_of_table(name: str) -> bytes:
    """The file of a table, as a superuser of the database can read it."""
    with connection.cursor() as cursor:
        cursor.execute("CHECKPOINT")
        cursor.execute(
            "SELECT pg_read_binary_file(pg_relation_filepath(%s))",
            [name],
        )
        return bytes(cursor.fetchone()[0])


def test_erased_rows_and_keys_are_gone_from_the_files():
    # Its row is in the same page of the file, and stays. It is older, so nothing moves over the other.
    other = make_case(subject="Northwind Ltd")
    case = make_case(other.connection, subject="Quillbottom Holdings")
    key = data_keys.create()
    wrapped = bytes(DataKey.objects.get(pk=key.pk).wrapped)
    # They are in the files, so the look below can find them.
    assert b"quillbottom" in file_of(SearchText)
    assert wrapped in file_of(DataKey)
    SearchText.objects.filter(case=case).delete()
    data_keys.erase(key.pk)
    call_command("vacuum_erased")
    assert b"quillbottom" not in file_of(SearchText)
    assert b"northwind" in file_of(SearchText)
    assert wrapped not in file_of(DataKey)


def statistics_with(word: str) -> list[str]:
    """The columns whose statistics quote the word."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tablename || '.' || attname FROM pg_stats"
            " WHERE histogram_bounds::text ~* %s OR most_common_vals::text ~* %s",
            [word, word],
        )
        return [name for (name,) in cursor]


def test_what_names_the_subject_beside_the_case_is_gone_from_the_files():
    case = make_case(subject="Quillbottom Holdings")
    make_case(case.connection, subject="Northwind Ltd")
    owner = make_user()
    SavedView.objects.create(owner=owner, name="Quillbottom", query="?view=all")
    SavedView.objects.create(owner=owner, name="Other", query="?view=mine")
    for name in ("quillbottom group", "other"):
        Tag.objects.create(name=name)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    for model in (SavedView, Tag):
        assert b"quillbottom" in file_of(model).lower()
    assert "reviews_searchtext.name" in statistics_with("quillbottom")
    assert "reviews_tag.name" in statistics_with("quillbottom")
    with transaction.atomic():
        erasing.erase(case, at=now())
    call_command("vacuum_erased")
    for model in (SavedView, Tag):
        content = file_of(model).lower()
        assert b"quillbottom" not in content
        assert b"other" in content
    assert statistics_with("quillbottom") == []
    assert b"quillbottom" not in file_of_table("pg_catalog.pg_statistic").lower()


@contextmanager
def transaction_elsewhere(database: str):
    """A transaction that has written, in another session, open until the end of the block."""
    settings = {**connection.get_connection_params(), "dbname": database}
    settings.pop("cursor_factory", None)
    settings.pop("context", None)
    with psycopg.connect(**settings) as session:
        session.execute("SELECT pg_current_xact_id()")
        yield session


def test_it_waits_for_older_transactions_of_other_databases():
    case = make_case(subject="Quillbottom Holdings")
    with transaction_elsewhere("postgres") as session:
        SearchText.objects.filter(case=case).delete()
        end = threading.Timer(1, session.rollback)
        end.start()
        call_command("vacuum_erased")
        end.join()
    assert b"quillbottom" not in file_of(SearchText)


def test_it_says_that_a_transaction_stays_open(monkeypatch):
    case = make_case(subject="Quillbottom Holdings")
    with transaction_elsewhere("postgres"), monkeypatch.context() as patch:
        patch.setattr(traces, "WAIT_SECONDS", 0)
        SearchText.objects.filter(case=case).delete()
        with pytest.raises(CommandError, match="is still open"):
            call_command("vacuum_erased")
        assert b"quillbottom" in file_of(SearchText)
    # It waits now: other tests have transactions on the same server.
    call_command("vacuum_erased")
    assert b"quillbottom" not in file_of(SearchText)
