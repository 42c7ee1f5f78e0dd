"""The words of a search in an address: read by one person, for a day, and by nobody else."""

from __future__ import annotations

import time_machine

from compliance.security import encryption, sealed_values

WORDS = {"q": "Jane Doe", "tag": "new owner"}


def test_who_sealed_it_reads_it():
    token = sealed_values.seal(WORDS, reader=7)
    assert "Jane" not in token
    assert sealed_values.open_sealed(token, reader=7) == WORDS


def test_nobody_else_reads_it():
    token = sealed_values.seal(WORDS, reader=7)
    assert sealed_values.open_sealed(token, reader=8) == {}


def test_it_ends_with_the_login():
    with time_machine.travel("2026-03-02 08:00", tick=False) as clock:
        token = sealed_values.seal(WORDS, reader=7)
        clock.shift(sealed_values.SECONDS - 1)
        assert sealed_values.open_sealed(token, reader=7) == WORDS
        clock.shift(2)
        assert sealed_values.open_sealed(token, reader=7) == {}


def test_what_was_never_sealed_means_nothing():
    changed = sealed_values.seal(WORDS, reader=7)[:-4] + "AAAA"
    for token in ("", "x", "Jane Doe", "é", "\0", changed):
        assert sealed_values.open_sealed(token, reader=7) == {}


def test_another_secret_of_the_installation_is_no_search():
    token = encryption.encrypt("the key of a service")
    assert sealed_values.open_sealed(token, reader=7) == {}
