"""Wrong passwords: how many, how many at a time, and what is told of them."""

from __future__ import annotations

import threading
from datetime import UTC, datetime

import pytest
import time_machine
from django.conf import settings as django_settings
from django.contrib.auth.models import User

from compliance.security import logins
from tests.factories import make_user

pytestmark = pytest.mark.django_db
MOMENT = datetime(
    2026, 3, 2, 10, 0, 30, tzinfo=UTC
)  # of a window of five minutes, half a minute
WRONG = "wrong horse"


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(MOMENT, tick=False) as travelling:
        yield travelling


@pytest.fixture
def ana(settings):
    settings.LOGIN_TRIES = 3
    return make_user("ana", is_staff=True)


def log_in(client, name: str = "ana", password: str = WRONG, **values):
    return client.post("/login/", {"login": name, "password": password}, **values)


def test_too_many_tries_are_refused_with_words_and_a_time(client, ana):
    assert [log_in(client).status_code for _ in range(4)] == [200, 200, 200, 429]
    # The right password is not looked at either: else it could be found by going on.
    answer = log_in(client, password="correct horse")
    assert answer.status_code == 429
    assert "Too many tries. Try again in 5 minutes." in answer.content.decode()
    assert answer["Retry-After"] == "270"
    assert "_auth_user_id" not in client.session


def test_to_confirm_who_one_is_counts_like_a_login(client, ana):
    client.force_login(ana)
    page = "/account/reauthenticate/"
    statuses = [client.post(page, {"password": WRONG}).status_code for _ in range(4)]
    assert statuses == [200, 200, 200, 429]
    client.logout()
    assert log_in(client).status_code == 429


def test_after_the_time_the_right_password_is_right(client, ana, clock):
    for _ in range(5):
        log_in(client)
    clock.shift(270)
    assert log_in(client, password="correct horse").status_code == 302


def test_a_right_password_begins_the_count_anew(client, ana):
    for _ in range(4):
        assert [log_in(client).status_code for _ in range(2)] == [200, 200]
        assert log_in(client, password="correct horse").status_code == 302
        client.post("/logout/")


def test_who_tries_from_elsewhere_locks_nobody_out(client, ana):
    for _ in range(5):
        log_in(client, REMOTE_ADDR="198.51.100.7")
    answer = log_in(client, password="correct horse", REMOTE_ADDR="203.0.113.9")
    assert answer.status_code == 302


def test_an_address_that_tries_many_names_is_refused(client, ana, settings):
    settings.LOGIN_ADDRESS_TRIES = 4
    tried = [log_in(client, name=f"user-{number}") for number in range(5)]
    assert [answer.status_code for answer in tried] == [200] * 4 + [429]
    # A right password gives back its own try, and no others.
    other = {"REMOTE_ADDR": "203.0.113.9"}
    for _ in range(6):
        assert log_in(client, password="correct horse", **other).status_code == 302
        client.post("/logout/")
    assert log_in(client).status_code == 429


def test_nothing_tells_whether_the_name_exists(client, ana):
    User.objects.create_user("gone", password=WRONG, is_active=False, is_staff=True)
    data = {}
    for name in ("ana", "gone", "nobody"):
        answers = [log_in(client, name=name) for _ in range(5)]
        data[name] = [
            (
                answer.status_code,
                answer.content.decode().replace(name, "").partition("<form")[2],
            )
            for answer in answers
        ]
        for pages in data.values():
            assert [status for status, _ in pages] == [200, 200, 200, 429, 429]
    words = {name: ["belong together" in page or "correct" in page for _, page in pages] for name, pages in data.items()}  # fmt: skip
    assert words["ana"] == words["gone"] == words["nobody"]


def test_capital_letters_are_no_way_around(client, ana):
    for name in ("ana", "Ana", "ANA"):
        log_in(client, name=name)
    assert log_in(client, name="aNa").status_code == 429


def test_the_log_names_neither_names_nor_addresses(client, ana, caplog):
    for _ in range(5):
        log_in(client, REMOTE_ADDR="198.51.100.7")
    rows = [
        record.getMessage()
        for record in caplog.records
        if record.name == "compliance.security.logins"
    ]
    assert [words.partition(",")[0] for words in rows] == [
        *["Login failed: wrong name or password"] * 3,
        *["Login refused: too many tries"] * 2,
    ]
    assert not any(word in words for words in rows for word in ("ana", "198.51", WRONG))
    assert len({words.rpartition("from ")[2] for words in rows}) == 1


def test_no_more_than_two_passwords_are_checked_at_a_time(client, ana, monkeypatch):
    """Those beyond a short queue are told to come back; what they tried is not counted."""
    going, hold = threading.Semaphore(0), threading.Event()
    under_way: list[int] = []

    def check() -> None:
        with logins._turn():
            under_way.append(1)
            going.release()
            hold.wait(30)
            under_way.pop()

    monkeypatch.setattr(logins, "_waiting", threading.BoundedSemaphore(3))
    threads = [threading.Thread(target=check) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(django_settings.LOGINS_AT_A_TIME):
            assert going.acquire(timeout=30)
        while logins._waiting._value:  # until the third has come
            pass
        answer = log_in(client)
        assert len(under_way) == django_settings.LOGINS_AT_A_TIME
    finally:
        hold.set()
        for thread in threads:
            thread.join()
    assert answer.status_code == 429
    assert answer["Retry-After"] == "5"
    assert "Try again in 5 seconds." in answer.content.decode()
    assert [log_in(client).status_code for _ in range(4)] == [
        200,
        200,
        200,
        429,
    ]
