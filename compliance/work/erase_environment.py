"""Import this to erase the secrets in the environment of this process, also from its memory.

The fork server loads it before all else: the process that reads foreign files is its child, and
what is not in its memory cannot be read from there.
"""

from __future__ import annotations

import ctypes
import os
from typing import Any

# What libraries and Python itself read. All other variables go.
KEPT = ("PATH", "HOME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "VIRTUAL_ENV")
KEPT_PREFIXES = ("LC_", "LD_", "PYTHON", "OMP_", "OPENBLAS_", "MALLOC_", "TESSDATA_")


def is_kept(name: str) -> bool:
    return name in KEPT or name.startswith(KEPT_PREFIXES)


def erase() -> None:
    """Overwrite the values where the kernel put them, and where Python copied them."""
    libc = ctypes.CDLL(None)
    entries = ctypes.POINTER(ctypes.c_void_p).in_dll(libc, "environ")
    place = 0
    while address := entries[place]:
        entry = ctypes.string_at(address)
        name, _, value = entry.partition(b"=")
        if not is_kept(os.fsdecode(name)):
            ctypes.memset(address + len(name) + 1, 0, len(value))
        place += 1
    copies: Any = os.environ
    for name, value in list(copies._data.items()):
        if not is_kept(os.fsdecode(name)):
            # The bytes of a bytes object stand at the end of it, before a zero.
            start = id(value) + bytes.__basicsize__ - 1
            if len(value) > 1:  # Python shares those of one character
                ctypes.memset(start, 0, len(value))
            del os.environ[os.fsdecode(name)]


if os.name == "posix":
    erase()
