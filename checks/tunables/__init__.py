"""The form of a table of tunables: the numbers of a room of checks, each with its reason.

Each room has its table in a module `tunables`, and uses a number as `tunables.NAME`. This package
holds no number, and imports nothing of `checks`.
"""

from __future__ import annotations

from typing import NamedTuple, TypeVar

Value = TypeVar("Value")


class Tunable(NamedTuple):
    name: str
    default: object
    reason: str


class Table(dict[str, Tunable]):
    """The tunables of one room by their names, in the order of their declaration."""

    def declare(self, name: str, default: Value, reason: str) -> Value:
        """Add a number and return it, for the constant of that name in capital letters."""
        if name in self:
            raise ValueError(f"{name} is declared twice")
        self[name] = Tunable(name, default, reason)
        return default
