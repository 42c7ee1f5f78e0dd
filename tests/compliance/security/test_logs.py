from __future__ import annotations

import logging
import sys

from compliance.security.logs import Formatter


def fails(name: str) -> None:
    try:
        raise KeyError(name)
    except KeyError as exc:
        raise ValueError(f"{name} is not known") from exc


def test_a_fault_is_told_by_place_and_class_only():
    try:
        fails("".join(["Jane ", "Doe"]))
    except ValueError:
        record = logging.LogRecord(
            "x", logging.ERROR, "", 0, "It broke", (), sys.exc_info()
        )
    said = Formatter("%(message)s").format(record)
    assert "Jane Doe" not in said
    assert "builtins.ValueError" in said
    assert "builtins.KeyError" in said
    assert "in fails" in said
