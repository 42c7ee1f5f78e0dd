"""Exceptions of the functions that change versions."""

from __future__ import annotations


class RefusedError(Exception):
    """The rules do not allow the act. `faults` are the reasons, as sentences for the user."""

    def __init__(self, *faults: str) -> None:
        super().__init__(" ".join(faults))
        self.faults = faults
