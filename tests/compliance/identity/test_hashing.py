"""No more than two passwords are hashed at a time, whoever asks."""

from __future__ import annotations

import os
import threading

from django.conf import settings as django_settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher, check_password

from compliance import settings as installation
from compliance.identity.passwords.hashing import PooledHasher


def test_a_stored_password_of_django_is_checked_in_the_pool(settings):
    settings.PASSWORD_HASHERS = installation.PASSWORD_HASHERS
    stored = PBKDF2PasswordHasher().encode("correct horse", "salt", 1000)
    assert PooledHasher().encode("correct horse", "salt", 1000) == stored
    assert check_password("correct horse", stored)
    assert not check_password("wrong", stored)


def test_a_few_threads_hash_and_give_way_to_others(monkeypatch):
    threads: set[str] = set()
    nice: set[int] = set()
    gate = threading.Barrier(django_settings.LOGINS_AT_A_TIME)

    def encode(self, password, salt, iterations=None):
        gate.wait(30)
        threads.add(threading.current_thread().name)
        nice.add(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
        return "x"

    monkeypatch.setattr(PBKDF2PasswordHasher, "encode", encode)
    callers = [
        threading.Thread(target=PooledHasher().encode, args=("x", "y"))
        for _ in range(django_settings.LOGINS_AT_A_TIME * 4)
    ]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert len(threads) == django_settings.LOGINS_AT_A_TIME
    assert all(name.startswith("hashing") for name in threads)
    assert min(nice) >= min(10, os.getpriority(os.PRIO_PROCESS, os.getpid()) + 10)
