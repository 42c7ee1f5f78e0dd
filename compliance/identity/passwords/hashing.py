"""Passwords are hashed by a few threads that give way to all others.

A hash takes a processor for a third of a second, and Python's lock is free meanwhile. Whatever asks for
one (a login, a new password, the administration), no more than LOGINS_AT_A_TIME are made at a time, and
webhooks, health and pages have the processors first.
"""

from __future__ import annotations

import contextlib
import os
import threading
from concurrent.futures import ThreadPoolExecutor

from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher

# As of nice(1): the others get ten times the time.
NICE = 10


def _give_way() -> None:
    # Of one thread: that is what Linux understands by the id. Elsewhere it stays as it is.
    with contextlib.suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)


_pool = ThreadPoolExecutor(
    settings.LOGINS_AT_A_TIME, thread_name_prefix="hashing", initializer=_give_way
)


class PooledHasher(PBKDF2PasswordHasher):
    """Django's own hash, with the same name: stored passwords stay good."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        return _pool.submit(super().encode, password, salt, iterations).result()
