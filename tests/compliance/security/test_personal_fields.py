from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import FieldError, ValidationError
from django.db import connection, models
from django.test.utils import isolate_apps

from compliance.db import fast_sql
from compliance.security import data_keys
from compliance.security.personal_fields import (
    PersonalBytesField,
    PersonalJSONField,
    PersonalTextField,
    Sealed,
    sealed,
)

with isolate_apps("compliance"):

    class Person(models.Model):  # noqa: DJ008
        key = models.BigIntegerField(default=0)
        name = PersonalTextField(max_length=40)
        remark = PersonalTextField(blank=True)
        data = PersonalJSONField(default=dict)
        words = PersonalJSONField(default=list)
        body = PersonalBytesField(default=b"")

        class Meta:
            app_label = "compliance"

        def data_key_id_for_personal(self) -> int:
            return self.key


People: Any = Person._default_manager


@pytest.fixture
def table(db):
    with connection.schema_editor(atomic=False) as editor:
        editor.create_model(Person)
    yield
    with connection.schema_editor(atomic=False) as editor:
        editor.delete_model(Person)


pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("table")]


def raw(column: str, pk: int) -> bytes:
    with connection.cursor() as cursor:
        columns = "name, remark, data, words, body"
        cursor.execute(f"SELECT {columns} FROM compliance_person WHERE id = %s", [pk])  # noqa: S608
        values = dict(zip(columns.split(", "), cursor.fetchone(), strict=True))
    return bytes(values[column])


def ana(**fields: Any) -> Any:
    key = data_keys.create().pk
    return People.create(key=key, name="Ana Köhler-Szymańska", **fields)


VALUES = {
    "remark": "spoke to her\non Monday \U0001f600 \ud800",
    "data": {"a": [1, 2.5, None, True, "ü"], "big": 2**70, "": {}},
    "words": [["Ana", 0.1, 0.2, 0.3, 0.4]],
    "body": bytes(range(256)),
}


@pytest.mark.parametrize("name", VALUES)
def test_a_value_is_read_as_it_was_written(name):
    row = ana(**{name: VALUES[name]})
    fresh = People.get()
    assert getattr(fresh, name) == VALUES[name]
    assert fresh.name == "Ana Köhler-Szymańska"
    assert data_keys.key_id_of(raw(name, row.pk)) == row.key


def test_nothing_of_it_is_in_the_database():
    row = ana(remark="Szymańska", data={"name": "Szymańska"}, body=b"Szyma")
    for column in ("name", "remark", "data", "body"):
        assert b"Szyma" not in raw(column, row.pk)


def test_empty_values_have_no_token():
    row = ana()
    assert raw("remark", row.pk) == raw("data", row.pk) == raw("words", row.pk) == b""
    fresh = People.get()
    assert (fresh.remark, fresh.data, fresh.words, fresh.body) == ("", {}, [], b"")


def test_many_rows_at_once_and_past_the_orm():
    keys = data_keys.create_many(3)
    People.bulk_create([Person(key=key.pk, name=f"n{key.pk}") for key in keys])
    fast_sql.insert([Person(key=keys[0].pk, name="fast", data={"a": 1})])
    rows = fast_sql.fetch_models(Person, order="id", body=b"")
    assert [row.name for row in rows] == [*(f"n{key.pk}" for key in keys), "fast"]
    assert rows[3].data == {"a": 1}


def test_a_row_that_was_not_read_is_saved_without_its_key(django_assert_num_queries):
    row = ana(data={"a": 1})
    before = raw("name", row.pk)
    fresh = People.get()
    data_keys.forget()
    fresh.key = row.key
    with django_assert_num_queries(1):
        fresh.save()
    assert raw("name", row.pk) == before


def test_a_changed_member_is_saved():
    ana(data={"a": 1})
    fresh = People.get()
    fresh.data["b"] = 2
    fresh.save()
    assert People.get().data == {"a": 1, "b": 2}


def test_a_list_reads_its_keys_with_one_query(django_assert_num_queries):
    for key in data_keys.create_many(20):
        People.create(key=key.pk, name="Ana")
    data_keys.forget()
    with django_assert_num_queries(2):
        rows = list(People.all())
        assert {row.name for row in rows} == {"Ana"}


def test_a_plain_value_is_not_written_by_an_update():
    row = ana()
    for write in (
        lambda: People.update(name="Ben"),
        lambda: People.update(data={"a": 1}),
        lambda: People.update(body=b"Ben"),
        lambda: fast_sql.update(Person, {"name": "Ben"}, pk=row.pk),
        lambda: People.bulk_update([row], ["name"]),
    ):
        with pytest.raises(TypeError, match="encrypted"):
            write()
    assert People.get().name == "Ana Köhler-Szymańska"


def test_a_sealed_value_is_written_by_an_update():
    row = ana()
    People.update(name=sealed(row, "name", "Ben"))
    assert People.get().name == "Ben"
    fast_sql.update(Person, {"data": sealed(row, "data", {"a": 1})}, pk=row.pk)
    assert People.get().data == {"a": 1}
    value = sealed(row, "remark", "moved")
    row.remark = value
    assert row.remark == "moved"


def test_values_are_opened_one_by_one():
    ana(data={"a": 1})
    name, data = People.values_list("name", "data").get()
    assert isinstance(name, Sealed)
    assert (name.open(), data.open()) == ("Ana Köhler-Szymańska", {"a": 1})
    with pytest.raises(TypeError, match="open"):
        str(name)


@pytest.mark.parametrize(
    "lookup",
    [
        {"name": "Ana"},
        {"name__icontains": "Ana"},
        {"name__in": ["Ana"]},
        {"name__gt": "A"},
        {"data__a": 1},
        {"data__has_key": "a"},
        {"data__contains": {"a": 1}},
        {"body": b"x"},
    ],
)
def test_nobody_filters_by_it(lookup):
    with pytest.raises(FieldError, match="is encrypted"):
        list(People.filter(**lookup))


def test_whether_it_is_empty_can_be_asked():
    ana()
    assert People.filter(remark="", data={}, words=[], body=b"").exists()
    assert not People.filter(name="").exists()
    assert People.exclude(name="").filter(name__isnull=False).exists()


def test_after_the_erasure_a_row_is_read_and_saved():
    row = ana(data={"a": 1}, words=[1], body=b"x", remark="r")
    data_keys.erase(row.key)
    fresh = People.get()
    assert (fresh.name, fresh.remark) == ("[erased]", "[erased]")
    assert (fresh.data, fresh.words, fresh.body) == ({}, [], b"")
    fresh.save()
    again = People.get()
    assert again.name == "[erased]"
    token, *_ = People.values_list("name").get()
    assert token.is_erased()


def test_after_the_erasure_nothing_new_is_written():
    row = ana()
    data_keys.erase(row.key)
    fresh = People.get()
    fresh.remark = "Ana was here"
    with pytest.raises(data_keys.ErasedError):
        fresh.save()


def test_an_erasure_writes_its_words_without_a_key():
    row = ana(data={"a": 1}, remark="r", body=b"x")
    data_keys.erase(row.key)
    People.update(name="[erased]", remark="", data={}, body=b"")
    fresh = People.get()
    assert (fresh.name, fresh.remark, fresh.data, fresh.body) == (
        "[erased]",
        "",
        {},
        b"",
    )
    fresh.save()
    assert People.get().name == "[erased]"


def test_rows_of_a_version_that_did_not_encrypt_are_read_and_then_encrypted():
    row = ana()
    with connection.cursor() as cursor:
        values: list[Any] = ["Änne".encode(), b'{"a": 1}', b"raw"]
        cursor.execute(
            "UPDATE compliance_person SET name = %s, data = %s, body = %s", values
        )
    fresh = People.get()
    assert (fresh.name, fresh.data, fresh.body) == ("Änne", {"a": 1}, b"raw")
    fresh.save()
    assert data_keys.is_token(raw("name", row.pk))
    assert data_keys.is_token(raw("data", row.pk))
    assert People.get().name == "Änne"


def test_text_of_an_earlier_version_on_sqlite():
    if connection.vendor != "sqlite":
        pytest.skip("SQLite keeps text as text in any column")
    ana()
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE compliance_person SET name = 'Änne', remark = '', data = '{}'"
        )
    fresh = People.get()
    assert (fresh.name, fresh.remark, fresh.data) == ("Änne", "", {})
    assert People.filter(remark="").exists()


def test_a_changed_column_is_noticed_when_it_is_read():
    row = ana(remark="r")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE compliance_person SET name = remark")
    with pytest.raises(data_keys.DataKeyError, match="another place"):
        People.get().name  # noqa: B018
    assert row.pk


def test_a_row_survives_defer_and_refresh():
    ana(data={"a": 1})
    deferred = People.defer("data").get()
    assert "data" in deferred.get_deferred_fields()
    assert deferred.data == {"a": 1}
    assert People.only("key").get().name == "Ana Köhler-Szymańska"
    deferred.refresh_from_db()
    assert deferred.data == {"a": 1}


def test_a_form_keeps_the_longest_length():
    with pytest.raises(ValidationError):
        Person(name="x" * 41).clean_fields()
    field: Any = Person._meta.get_field("name")
    assert field.formfield().max_length == 40


def test_no_table_is_ordered_by_it():
    with isolate_apps("compliance"):

        class Ordered(models.Model):  # noqa: DJ008
            name = PersonalTextField()

            class Meta:
                app_label = "compliance"
                ordering = ["-name"]

    assert any("is encrypted" in str(error) for error in Ordered.check())
