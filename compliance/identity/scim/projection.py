"""Which attributes of a resource a directory asks for (RFC 7644, 3.9)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from compliance.identity.scim import values
from compliance.identity.scim.values import JsonObject

# Attributes that every response has.
ALWAYS = frozenset({"schemas", "id"})
MOST_NAMES = 100


@dataclass(frozen=True)
class Projection:
    """`attributes`: only these. `excluded`: all but these. Names in lower case, without a URN.

    A name may have a part: "name.givenname".
    """

    attributes: frozenset[str] = frozenset()
    excluded: frozenset[str] = frozenset()

    @classmethod
    def of(cls, attributes: Iterable[str], excluded: Iterable[str]) -> Projection:
        """Raises Problem if both are given, or too many names."""
        projection = cls(_names(attributes), _names(excluded))
        if projection.attributes and projection.excluded:
            raise values.bad("Give attributes or excludedAttributes, not both.")
        return projection

    def apply(self, wire: JsonObject) -> JsonObject:
        """The resource with the attributes that were asked for."""
        if self.attributes:
            return _only(wire, self.attributes | ALWAYS)
        if self.excluded:
            return _without(wire, self.excluded - ALWAYS)
        return wire


def names_in_body(body: JsonObject, name: str) -> list[str]:
    """A list of names of attributes in a search; empty if it is absent. Raises Problem."""
    names = values.member(body, name)
    if names is None:
        return []
    if isinstance(names, list) and all(isinstance(item, str) for item in names):
        return names
    raise values.bad(f"{name} must be a list of texts.")


def _names(names: Iterable[str]) -> frozenset[str]:
    result = set()
    for name in names:
        # The URN of the schema ends at the last colon.
        short = name.strip().lower().rpartition(":")[2]
        if short:
            result.add(short)
    if len(result) > MOST_NAMES:
        raise values.bad(f"At most {MOST_NAMES} attributes.", "tooMany")
    return frozenset(result)


def _only(wire: JsonObject, names: frozenset[str]) -> JsonObject:
    result: JsonObject = {}
    for name, value in wire.items():
        parts = _parts_of(name, names)
        if name.lower() in names:
            result[name] = value
        elif parts:
            result[name] = _in_each(value, _only, parts)
    return result


def _without(wire: JsonObject, names: frozenset[str]) -> JsonObject:
    result: JsonObject = {}
    for name, value in wire.items():
        parts = _parts_of(name, names)
        if name.lower() in names:
            continue
        if parts:
            result[name] = _in_each(value, _without, parts)
        else:
            result[name] = value
    return result


def _in_each(
    value: object,
    choose: Callable[[JsonObject, frozenset[str]], JsonObject],
    parts: frozenset[str],
) -> object:
    """The value of a complex attribute with some of its parts; each one where it has several."""
    if isinstance(value, list):
        return [_in_each(row, choose, parts) for row in value]
    if isinstance(value, dict):
        return choose(value, parts)
    return value


def _parts_of(attribute: str, names: frozenset[str]) -> frozenset[str]:
    """The parts of this attribute that are named: "givenname" of "name.givenname"."""
    start = f"{attribute.lower()}."
    return frozenset(
        name.removeprefix(start) for name in names if name.startswith(start)
    )
