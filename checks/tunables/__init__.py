"""The format of a table of tunables: the thresholds of a package of checks, each with its reason.

Each package has its table in a module `tunables` and uses a value as `tunables.NAME`. This package
has no values and imports nothing from `checks`.
"""

from __future__ import annotations

from typing import NamedTuple, TypeVar

Value = TypeVar("Value")


class Tunable(NamedTuple):
    name: str
    default: object
    reason: str


class Table(dict[str, Tunable]):
    """The tunables of one package by name, in the order of their declaration."""

    def declare(self, name: str, default: Value, reason: str) -> Value:
        """Add a value and return it, for the constant of the same name in capitals."""
        if name in self:
            raise ValueError(f"{name} is declared twice")
        self[name] = Tunable(name, default, reason)
        return default
