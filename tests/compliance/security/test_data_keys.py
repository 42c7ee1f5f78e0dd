from __future__ import annotations

import time
from io import StringIO

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.db import connection

from compliance.security import data_keys
from compliance.security.data_keys import DataKey, DataKeyError, ErasedError

pytestmark = pytest.mark.django_db
LABEL = "reviews.Case.subject"
TEXTS = [b"", b"x", "Żółć Größe 株式会社".encode(), b"\0" * 5, b"a long text " * 5000]


@pytest.mark.parametrize("plain", TEXTS)
def test_what_is_sealed_is_opened(plain):
    key = data_keys.create()
    token = data_keys.seal(key.pk, plain, LABEL)

    assert data_keys.is_token(token)
    assert data_keys.key_id_of(token) == key.pk
    assert data_keys.unseal(token, LABEL) == plain
    assert not plain.strip(b"\0x") or plain not in token


def test_a_long_text_takes_less_room_than_before():
    key = data_keys.create()
    assert len(data_keys.seal(key.pk, b"a long text " * 5000, LABEL)) < 1000


def test_the_same_text_is_another_token_each_time():
    key = data_keys.create()
    tokens = {data_keys.seal(key.pk, b"Ana", LABEL) for _ in range(50)}
    assert len(tokens) == 50


def test_each_changed_bit_of_a_token_is_noticed():
    key = data_keys.create()
    token = data_keys.seal(key.pk, b"Ana", LABEL)
    for place in range(len(token) * 8):
        changed = bytearray(token)
        changed[place // 8] ^= 1 << place % 8
        with pytest.raises(DataKeyError):
            data_keys.unseal(bytes(changed), LABEL)


def test_each_shortened_or_longer_token_is_noticed():
    key = data_keys.create()
    token = data_keys.seal(key.pk, b"Ana", LABEL)
    for length in range(len(token)):
        with pytest.raises(DataKeyError):
            data_keys.unseal(token[:length], LABEL)
    with pytest.raises(DataKeyError):
        data_keys.unseal(token + b"\0", LABEL)


def test_a_token_of_another_column_is_not_opened():
    key = data_keys.create()
    token = data_keys.seal(key.pk, b"Ana", "reviews.Note.text")
    with pytest.raises(DataKeyError, match="another place"):
        data_keys.unseal(token, LABEL)


def test_a_token_under_the_id_of_another_key_is_not_opened():
    ours, theirs = data_keys.create_many(2)
    token = data_keys.seal(ours.pk, b"Ana", LABEL)
    other = data_keys.seal(theirs.pk, b"Ben", LABEL)
    with pytest.raises(DataKeyError):
        data_keys.unseal(other[:9] + token[9:], LABEL)


def test_keys_that_were_exchanged_in_the_table_are_not_used():
    ours, theirs = data_keys.create_many(2)
    DataKey.objects.filter(pk=ours.pk).update(wrapped=theirs.wrapped)
    data_keys.forget()
    with pytest.raises(DataKeyError, match="changed"):
        data_keys.seal(ours.pk, b"Ana", LABEL)


def test_the_table_has_no_key_in_the_clear():
    key = data_keys.create()
    secret = data_keys._key(key.pk).secret
    assert secret not in bytes(DataKey.objects.get(pk=key.pk).wrapped)


def test_an_erased_key_opens_and_seals_nothing():
    key = data_keys.create()
    token = data_keys.seal(key.pk, b"Ana", LABEL)
    assert data_keys.erase(key.pk)

    row = DataKey.objects.get(pk=key.pk)
    assert bytes(row.wrapped) == b""
    assert row.erased_at
    with pytest.raises(ErasedError):
        data_keys.unseal(token, LABEL)
    with pytest.raises(ErasedError):
        data_keys.seal(key.pk, b"Ana", LABEL)
    with pytest.raises(ErasedError):
        data_keys.derive(key.pk, b"salt")
    assert not data_keys.erase(key.pk)


def test_a_token_without_a_text_is_erased():
    key = data_keys.create()
    with pytest.raises(ErasedError):
        data_keys.unseal(data_keys.erased_token(key.pk), LABEL)


def test_the_key_of_the_installation_is_there_and_cannot_be_erased():
    token = data_keys.seal(data_keys.INSTALLATION, b"Ana", LABEL)
    data_keys.forget()
    assert data_keys.unseal(token, LABEL) == b"Ana"
    with pytest.raises(ValueError, match="installation"):
        data_keys.erase(data_keys.INSTALLATION)
    before = DataKey.objects.get(pk=0).wrapped
    data_keys.ensure_installation_key()
    assert bytes(DataKey.objects.get(pk=0).wrapped) == bytes(before)


def test_another_process_forgets_a_key_after_a_minute(monkeypatch):
    key = data_keys.create()
    token = data_keys.seal(key.pk, b"Ana", LABEL)
    # Erased by another process.
    DataKey.objects.filter(pk=key.pk).update(wrapped=b"", erased_at="2026-01-01T00:00Z")
    assert data_keys.unseal(token, LABEL) == b"Ana"
    monkeypatch.setattr(time, "monotonic", _later())
    with pytest.raises(ErasedError):
        data_keys.unseal(token, LABEL)


def _later():
    moment = time.monotonic() + data_keys.CACHE_SECONDS + 1
    return lambda: moment


def test_memory_holds_a_limited_number_of_keys(monkeypatch):
    monkeypatch.setattr(data_keys, "CACHED_KEYS", 10)
    keys = data_keys.create_many(50)
    assert len(data_keys._cache) == 10
    token = data_keys.seal(keys[0].pk, b"Ana", LABEL)
    assert data_keys.unseal(token, LABEL) == b"Ana"


def test_the_keys_of_a_list_are_read_by_one_query(django_assert_num_queries):
    keys = data_keys.create_many(60)
    tokens = [data_keys.seal(key.pk, b"Ana", LABEL) for key in keys]
    data_keys.forget()
    with django_assert_num_queries(1):
        for token in tokens:
            data_keys.note(token)
        for token in tokens:
            assert data_keys.unseal(token, LABEL) == b"Ana"


def test_a_list_with_an_erased_key_is_read(django_assert_num_queries):
    keys = data_keys.create_many(3)
    tokens = [data_keys.seal(key.pk, b"Ana", LABEL) for key in keys]
    data_keys.erase(keys[1].pk)
    data_keys.forget()
    for token in tokens:
        data_keys.note(token)
    assert data_keys.unseal(tokens[0], LABEL) == b"Ana"
    with pytest.raises(ErasedError):
        data_keys.unseal(tokens[1], LABEL)
    assert data_keys.unseal(tokens[2], LABEL) == b"Ana"


def test_ids_say_nothing_and_are_not_given_twice():
    ids = {key.pk for key in data_keys.create_many(500)}
    assert len(ids) == 500
    assert min(ids) > 0
    assert max(ids) - min(ids) > 1 << 50


def test_the_wrapping_key_turns(settings):
    settings.ENCRYPTION_KEY = "old"
    DataKey.objects.all().delete()
    data_keys.ensure_installation_key()
    stored, erased = data_keys.create_many(2)
    token = data_keys.seal(stored.pk, b"Ana", LABEL)
    data_keys.erase(erased.pk)

    settings.ENCRYPTION_KEY = "new,old"
    call_command("reencrypt", stdout=StringIO())
    settings.ENCRYPTION_KEY = "new"
    data_keys.forget()

    assert data_keys.unseal(token, LABEL) == b"Ana"
    assert bytes(DataKey.objects.get(pk=erased.pk).wrapped) == b""
    assert data_keys.rewrap_all() == 0


def test_without_its_wrapping_key_a_data_key_says_so(settings):
    key = data_keys.create()
    data_keys.forget()
    settings.ENCRYPTION_KEY = "another"
    with pytest.raises(ImproperlyConfigured, match="ENCRYPTION_KEY"):
        data_keys.seal(key.pk, b"Ana", LABEL)


def test_a_key_that_was_rolled_back_seals_nothing_that_stays():
    """Its id is never given again, so no row can refer to it."""
    key = data_keys.create()
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM compliance_datakey WHERE id = %s", [key.pk])
    data_keys.forget()
    with pytest.raises(DataKeyError, match="does not exist"):
        data_keys.seal(key.pk, b"Ana", LABEL)
