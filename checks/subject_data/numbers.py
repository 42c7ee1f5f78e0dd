"""Names for the rules of python-stdnum, and for the mistakes in numbers, in words for pages."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING

from stdnum import exceptions

if TYPE_CHECKING:
    from stdnum.util import NumberValidationModule

MISTAKES: dict[type[exceptions.ValidationError], str] = {
    exceptions.InvalidLength: "wrong number of characters",
    exceptions.InvalidFormat: "wrong format",
    exceptions.InvalidChecksum: "wrong check digit",
    exceptions.InvalidComponent: "a part of it is not possible",
}


def format_name(module: ModuleType | NumberValidationModule) -> str:
    """The name of the number that a module of python-stdnum validates: EIN, SIREN, Aadhaar."""
    title = (module.__doc__ or "").strip().partition("\n")[0].rstrip(".")
    short = title.partition(" (")[0].partition(",")[0].strip()
    return short or str(getattr(module, "__name__", "")).removeprefix("stdnum.")


def mistake(exc: exceptions.ValidationError) -> str:
    """Return what is wrong with a number, in words."""
    return MISTAKES.get(type(exc), "not valid")
