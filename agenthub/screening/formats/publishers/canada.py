"""Reader of the consolidated list of Canada's autonomous sanctions (SEMA and others), XML.

It has one record per person, entity or ship."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from agenthub.screening.formats.base import (
    Header,
    Options,
    date,
    dates,
    identifiers,
    is_legal_form,
    listed_names,
    text,
)
from agenthub.screening.formats.files import Files, single
from agenthub.screening.formats.publishers.xml_parts import at_depth
from checks.screening.records import Entity, NameKind, Schema

ROOT = "data-set"
# The element with the name of an entity. Files from before ships were listed use "Entity".
_WHOLE_NAMES = ("EntityOrShip", "Entity")
_NONE = frozenset({"n/a", "-"})


def read(files: Files, header: Header, options: Options) -> Iterator[Entity]:
    with single(files)() as file:
        entries = at_depth(file, 1, root=ROOT)
        root = next(entries)
        # The published file has no date; some copies have one.
        header.published_at = date(root.get("date", ""))
        for entry in entries:
            if entry.tag == "record":
                yield _entity(entry, options)


def _entity(entry: Element, options: Options) -> Entity:
    person = " ".join(filter(None, [text(entry, "GivenName"), text(entry, "LastName")]))
    whole = next(filter(None, (text(entry, tag) for tag in _WHOLE_NAMES)), "")
    ship_numbers = identifiers("imo", [text(entry, "ShipIMONumber")])
    schema: Schema = "Organization"
    if person:
        schema = "Person"
    elif ship_numbers:
        schema = "Vessel"
    # The regime in two languages: Belarus / Bélarus. It is not the entry's nationality.
    regime = text(entry, "Country").partition("/")[0].strip()
    schedule, item = _known(text(entry, "Schedule")), _known(text(entry, "Item"))
    part = f"Schedule {schedule}" if schedule else ""
    birth = text(entry, "DateOfBirth") or text(entry, "DateOfBirthOrShipBuildDate")
    return Entity(
        id=_id(regime, schedule, item, person or whole),
        schema=schema,
        names=listed_names(_names(entry, person, whole)),
        birth_dates=dates(birth) if schema == "Person" else (),
        identifiers=ship_numbers,
        positions=[title for title in [text(entry, "TitleOrShip")] if title and person],
        topics=list(options.topics),
        programs=[", ".join(filter(None, [regime, part]))],
        listed_on=date(text(entry, "DateOfListing")),
        reason=f"{part}, item {item}" if part and item else part,
    )


def _known(words: str) -> str:
    if words.casefold() in _NONE:
        return ""
    return words


def _id(regime: str, schedule: str, item: str, name: str) -> str:
    """The entry's id: its number in the regulations if there is one, else a hash of the name."""
    if schedule and item:
        words = f"{regime} {schedule} {item}"
        place = re.sub(r"[^a-z0-9]+", "-", words.casefold()).strip("-")
        return f"sema-{place}"
    if not name:
        return ""
    digest = hashlib.sha256(f"{regime}\x1f{name}".casefold().encode()).hexdigest()
    return f"sema-{digest[:16]}"


def _names(entry: Element, person: str, whole: str) -> Iterator[tuple[str, NameKind]]:
    if person:
        yield person, "primary"
    else:
        # The English and the French name are separated by a slash.
        first, *others = whole.split(" / ")
        yield first, "primary"
        for name in others:
            yield name, "alias"
    for alias in _aliases(text(entry, "Aliases")):
        yield alias, "alias"


def _aliases(words: str) -> list[str]:
    """The aliases between commas or semicolons. A comma before a legal form does not part a name."""
    aliases: list[str] = []
    for part in re.split(r"[,;]\s+", words):
        if aliases and is_legal_form(part):
            aliases[-1] += f", {part}"
        else:
            aliases.append(part)
    return aliases
