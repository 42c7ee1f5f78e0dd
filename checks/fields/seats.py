"""The country of statutes that name no law, read from the town in their clause about the seat."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from checks.data import table
from checks.fields import tunables
from checks.fields.extracted import ExtractedValue
from checks.fields.jurisdictions import Jurisdiction, by_code
from checks.text.phrases import Pattern, Phrase
from checks.text.words import (
    Span,
    Text,
)

# Words that introduce the seat, each with the countries whose documents use that language. The
# towns of these countries are then searched.
LEADS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        r"(?:sitz (?:der gesellschaft |des vereins |der stiftung |der genossenschaft )?(?:ist|in|zu|befindet sich in|liegt in)|ihren sitz|seinen sitz)",
        ("DE", "AT", "CH", "LU", "BE"),
    ),
    (
        r"(?:siège(?: social)?(?: de (?:l['\u2019] ?association|la société|la fondation))?(?: est)?)",
        ("FR", "CH", "BE", "LU"),
    ),
    (
        r"(?:domicilio(?: social| legal| principal)?|sede(?: social| principal)?)",
        ("ES", "MX", "CO", "AR", "CL", "PE", "EC", "UY", "VE", "CR", "PA"),
    ),
    (r"(?:sede(?: legale| sociale)?|ha sede)", ("IT", "CH")),
    (r"(?:sede(?: social| e foro)?|foro)", ("PT", "BR")),
    (
        r"(?:gevestigd (?:te|in)|(?:statutaire |maatschappelijke )?zetel)",
        ("NL", "BE"),
    ),
    (r"(?:säte|hemort)", ("SE", "FI")),
    (r"(?:hjemsted|hovedsæde)", ("DK",)),
    (r"(?:forretningskontor|forretningskommune|hjemsted|sete)", ("NO",)),
    (r"(?:siedzib[aąęy])", ("PL",)),
    (r"(?:kotipaikka)", ("FI",)),
    (r"(?:sídl[oe]m?)", ("CZ",)),
    (r"(?:asukoht|asukohaks)", ("EE",)),
)
CLAUSE_END = re.compile(r"[.;](?=\s)|\f")


@dataclass(frozen=True, slots=True)
class _Seat:
    """A pattern for the words that introduce a seat, and the patterns of the towns of each
    country.
    """

    lead: Pattern
    places: tuple[tuple[str, Pattern], ...]


@cache
def _seats() -> tuple[_Seat, ...]:
    names = {}
    for row in table("towns"):
        names[row["code"]] = row["names"].split("|")
    seats = []
    for words, codes in LEADS:
        places = []
        for code in codes:
            # A pattern with alternatives takes the first that matches: “San José del Cabo” must
            # come before “San José”.
            longest_first = sorted(names[code], key=len, reverse=True)
            alternatives = "|".join(map(_literal, longest_first))
            places.append((code, Phrase(rf"(?<!\w)(?:{alternatives})(?!\w)")))
        seats.append(_Seat(Phrase(rf"(?<!\w){words}(?!\w)"), tuple(places)))
    return tuple(seats)


def _literal(words: str) -> str:
    return re.escape(words).replace("\\ ", " ")


def find_seat(text: Text) -> ExtractedValue[Jurisdiction] | None:
    """Return the country of the clauses about the seat, or None if they name no country or
    several.
    """
    head = text.value[: tunables.JURISDICTION_HEAD]
    found: dict[str, Span] = {}
    for code, span in _named(head):
        found.setdefault(code, span)
    if len(found) != 1:
        return None
    [(code, span)] = found.items()
    how = "the clause that says where its seat is"
    return ExtractedValue(by_code()[code], span, how, tunables.OF_SEAT)


def _named(head: str) -> Iterator[tuple[str, Span]]:
    for seat in _seats():
        for lead in seat.lead.finditer(head):
            end = min(lead.end() + tunables.SEAT_REACH, len(head))
            stop = CLAUSE_END.search(head, lead.end(), end)
            if stop:
                end = stop.start()
            for code, pattern in seat.places:
                place = pattern.search(head, lead.end(), end)
                if place:
                    yield code, Span(*place.span())
