"""The inputs of a rating: the values of each factor, and where they were read.

They are stored with the rating, so that it can be computed again, also by another policy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from reviews.risk.engine.factors import FACTORS

# The version of the code that reads inputs from a case. Increase it when that code changes.
READING = 3
MOST_VALUES = 50
LONGEST = 120  # characters of a text


class InputsError(ValueError):
    """The stored inputs cannot be read. The text says why."""


@dataclass(frozen=True, slots=True)
class Value:
    """The values of one factor, without order; none if it is unknown.

    A value is a label; for countries it is the ISO code. `sources` says in words where each
    value was read.
    """

    values: Sequence[str]
    sources: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_unknown(self) -> bool:
        return not self.values

    def to_json(self) -> dict[str, object]:
        return {
            "values": sorted(set(self.values)),
            "sources": dict(sorted(self.sources.items())),
        }


@dataclass(frozen=True, slots=True)
class Inputs:
    """The values by factor. A missing factor does not apply: a person has no company structure."""

    values: Mapping[str, Value]
    reading: int = READING

    def to_json(self) -> dict[str, object]:
        members = {}
        for name in sorted(self.values):
            members[name] = self.values[name].to_json()
        return {"reading": self.reading, "factors": members}

    @classmethod
    def from_json(cls, content: object) -> Inputs:
        """Read stored inputs. Raises InputsError."""
        members = _mapping(content, "the inputs")
        reading = members.get("reading")
        if isinstance(reading, bool) or not isinstance(reading, int):
            raise InputsError("The inputs have no version of their reading.")
        factors = _mapping(members.get("factors"), "the factors")
        values = {}
        for name, value in factors.items():
            if name not in FACTORS:
                raise InputsError(f"There is no factor {str(name)[:LONGEST]!r}.")
            values[name] = _value(name, value)
        return cls(values, reading=reading)


def _mapping(content: object, what: str) -> Mapping[str, object]:
    if not isinstance(content, dict):
        raise InputsError(f"{what.capitalize()} are not an object.")
    return content


def _value(name: str, content: object) -> Value:
    members = _mapping(content, f"the values of {name}")
    values = members.get("values")
    if not isinstance(values, list) or len(values) > MOST_VALUES:
        raise InputsError(f"The values of {name} are not a list.")
    sources = _mapping(members.get("sources", {}), f"the sources of {name}")
    texts = []
    for value in values:
        texts.append(_text(name, value))
    source_texts = {}
    for key, value in sources.items():
        source_texts[key] = _text(name, value)
    return Value(texts, source_texts)


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise InputsError(f"A value of {name} is not a text.")
    return value
