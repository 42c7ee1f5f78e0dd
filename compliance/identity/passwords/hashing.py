"""Hashes passwords in a few threads with low priority.

A hash occupies a processor for a third of a second and releases Python's global lock meanwhile. For
all purposes together (login, new password, administration) at most LOGINS_AT_A_TIME are computed at
a time, and webhooks, health checks and pages take precedence.
"""

from __future__ import annotations

import contextlib
import os
import threading
from concurrent.futures import ThreadPoolExecutor

from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher

# A nice(1) value: other threads get about ten times the CPU time.
NICE = 10


def _give_way() -> None:
    # On Linux this sets the priority of one thread. On other systems it fails or has no effect.
    with contextlib.suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)


_pool = ThreadPoolExecutor(
    settings.LOGINS_AT_A_TIME, thread_name_prefix="hashing", initializer=_give_way
)


class PooledHasher(PBKDF2PasswordHasher):
    """Django's own hasher under the same name, so stored passwords stay valid."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        return _pool.submit(super().encode, password, salt, iterations).result()
