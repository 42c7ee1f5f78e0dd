"""Values that were read, in the format of the interface; None if nothing was read."""

from __future__ import annotations

from datetime import date
from typing import TypeVar

from checks.fields.addresses.postal import Address
from checks.fields.document_types import DocumentType
from checks.fields.extracted import ExtractedValue
from checks.wire import Wire

T = TypeVar("T")


def value_of(extracted: ExtractedValue[T] | None) -> T | None:
    if extracted is None:
        return None
    return extracted.value


def date_of(extracted: ExtractedValue[date] | None) -> str | None:
    if extracted is None:
        return None
    return extracted.value.isoformat()


def address_of(extracted: ExtractedValue[Address] | None) -> Wire | None:
    if extracted is None:
        return None
    return extracted.value.to_wire()


def code_of(kind: ExtractedValue[DocumentType] | None) -> str | None:
    if kind is None:
        return None
    return kind.value.code


def kind_sentence(kind: ExtractedValue[DocumentType] | None) -> str:
    """Return a sentence about the kind of document."""
    if kind is None:
        return "The kind of document could not be recognised."
    return f"This is {kind.value.name}."


def values_of(extracted: ExtractedValue[T] | None) -> list[T]:
    """Return the value as a list with at most one item, for members of the interface that are
    lists.
    """
    if extracted is None:
        return []
    return [extracted.value]
