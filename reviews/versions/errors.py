"""What the verbs of versions refuse."""

from __future__ import annotations


class RefusedError(Exception):
    """The rules do not allow it. `faults` say why, for the person who asked."""

    def __init__(self, *faults: str) -> None:
        super().__init__(" ".join(faults))
        self.faults = faults
