"""Erases the secrets from this process' environment and memory. The import has the effect.

The fork server imports it first: the processes that parse untrusted files are its children, and
cannot read a secret that is not in their memory.
"""

from __future__ import annotations

import ctypes
import os
from typing import Any

# Variables that Python and the libraries read. All others are erased.
KEPT = ("PATH", "HOME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "VIRTUAL_ENV")
KEPT_PREFIXES = ("LC_", "LD_", "PYTHON", "OMP_", "OPENBLAS_", "MALLOC_", "TESSDATA_")


def is_kept(name: str) -> bool:
    return name in KEPT or name.startswith(KEPT_PREFIXES)


def erase() -> None:
    """Overwrite the values in the C environment and in Python's copies."""
    libc = ctypes.CDLL(None)
    # The C environment: an array of pointers to `NAME=value`, which ends with a null pointer.
    entries = ctypes.POINTER(ctypes.c_void_p).in_dll(libc, "environ")
    place = 0
    while address := entries[place]:
        entry = ctypes.string_at(address)
        name, _, value = entry.partition(b"=")
        if not is_kept(os.fsdecode(name)):
            ctypes.memset(address + len(name) + 1, 0, len(value))
        place += 1
    # Python's copies: os.environ keeps name and value as bytes objects.
    copies: Any = os.environ
    for name, value in list(copies._data.items()):
        if not is_kept(os.fsdecode(name)):
            # The content of a bytes object is stored at its end, followed by a zero byte.
            start = id(value) + bytes.__basicsize__ - 1
            if len(value) > 1:  # Python shares bytes objects of one character
                ctypes.memset(start, 0, len(value))
            del os.environ[os.fsdecode(name)]


if os.name == "posix":
    erase()
