"""Signs of a country: the state that heads a page, and weak ones that speak only together."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from checks.data import table
from checks.fields import tunables
from checks.fields.places.names import Place, state_names, towns
from checks.text.characters import has_digit
from checks.text.words import Span, Text
from papers import countries

# Stems of words of a state and its offices, in the languages of registers.
OFFICE = re.compile(
    r"\b(?:republi|r[ée]publi|repúbli|respubli|rzeczypospolit|rzeczpospolit|kingdom|royaume|reino|regno|koninkrijk|sultan|emirat|principa|princip"
    r"|commonwealth|federa|union|territor|state of|estado|[ée]tat\b|staat|govern|gobiern|gouvern|regierung|regering|landsstyr|selvstyr"
    r"|minist|department|departament|d[ée]partement|registr|registo|regist[eé]r|authority|autorit|agenc|ag[êe]nci"
    r"|companies (?:act|law|ordinance)|act,? \d{4}|bureau|office|service|institut|commission|comisi[oó]n|conservat[óo]ria|skattin"
    r"|revenue|tax|imp[oô]ts|impuestos|jamhuri|cumhuriyet|cộng hòa|république|республик|правительств|министерств|федераци|держав|налог|ҷумҳури|жумҳури)",
    re.IGNORECASE,
)
# Courts and chambers are named after their towns, and a town may be called like a state.
LOCAL_OFFICE = re.compile(
    r"\b(?:kamer\b|chamber|chambre|c[âa]mara|tribunal|court|greffe)", re.IGNORECASE
)
# A line that ends so is the name of a company, which may have a country in it.
LEGAL_FORM = re.compile(
    r"\b(?:ltd|limited|inc|llc|plc|corp|corporation|gmbh|ag|b\.?v|n\.?v|lda|ltda|limitada|s\.?a\.?|s\.?a\.?r\.?l|s\.?a\.?s|s\.?r\.?l|s\.?l|spa|oy|ab|as|aps|sp\. z o\.? ?o|pty|llp|l\.?p|kft|d\.?o\.?o)\.?\W*$",
    re.IGNORECASE,
)
DOMAIN = re.compile(r"\b(?:[a-z\d-]+\.)+(?P<code>[a-z]{2})\b(?![.@\w-])")
# Domains of countries that are sold to everybody.
DOMAINS_OF_ALL = frozenset({"IO", "CO", "AI", "ME", "TV", "CC", "LY", "TO", "FM"})
# “CD/GOM/RCCM/19-B-01884”: the register of commerce of the states of OHADA begins its numbers with the state.
OF_OHADA = re.compile(
    r"\b(?P<code>BF|BJ|CD|CF|CG|CI|CM|GA|GN|GQ|GW|KM|ML|NE|SN|TD|TG)[-/.][A-Z]{3}[-/.](?:RCCM|\d{2}|\d{4})\b"
)
CURRENCY = re.compile(
    r"\b(?P<code>[A-Z]{3})\s?\d[\d.,' ]*|\d[\d.,' ]*\s(?P<behind>[A-Z]{3})\b"
)


WORD_OF_FOUR = re.compile(r"\w{4}")


class Sign(NamedTuple):
    """A wording of a place in the text. `is_number`: it is the form of a number of one register; `is_government`: it
    is the name of a state as its offices print it.
    """

    code: str
    weight: int
    span: Span
    is_number: bool = False
    is_government: bool = False


def of_head(text: Text) -> Iterator[Sign]:
    """Yield the states that the lines of the head name, and not the companies or addresses there."""
    lines = text.value[: tunables.COUNTRY_HEAD].split("\n")
    start = 0
    for index, line in enumerate(lines):
        before = ""
        if index:
            before = lines[index - 1]
        below = "".join(lines[index + 1 : index + 2])
        for place in _alone_in(line):
            span = Span(start + place.span.start, start + place.span.end)
            if LOCAL_OFFICE.search(line):
                yield Sign(place.code, tunables.FAIR, span)
            elif OFFICE.search(line) or _heads_page(line, place, before, below):
                yield Sign(place.code, tunables.STRONG, span, is_government=True)
        start += len(line) + 1


def _alone_in(line: str) -> list[Place]:
    """Return the state that a line names, if it names one, and neither a company nor a value."""
    if LEGAL_FORM.search(line) or ":" in line:
        return []
    places = list(state_names(line))
    codes = {place.code for place in places}
    return places[:1] if len(codes) == 1 else []


def _heads_page(line: str, place: Place, before: str, below: str) -> bool:
    """Whether a line that is only a name heads the page, and does not end an address."""
    rest = line[: place.span.start] + line[place.span.end :]
    if WORD_OF_FOUR.search(rest):
        return False
    ends_address = ":" not in before and has_digit(before)
    return bool(OFFICE.search(below)) or not ends_address


def weak_signs(
    text: Text, is_of_another: Callable[[Text, Span], bool]
) -> dict[str, list[tuple[str, Span]]]:
    """Return the kinds of signs for each country with their places, without those in blocks of other parties."""
    head = text.value[: tunables.JURISDICTION_HEAD]
    signs: dict[str, list[tuple[str, Span]]] = {}
    for kind, code, span in _weak(head):
        kinds = [of for of, _ in signs.get(code, [])]
        if kind not in kinds and not is_of_another(text, span):
            signs.setdefault(code, []).append((kind, span))
    return signs


def _weak(head: str) -> Iterator[tuple[str, str, Span]]:
    for place in state_names(head):
        yield "name", place.code, place.span
    for place in towns(head):
        yield "town", place.code, place.span
    for match in DOMAIN.finditer(head):
        code = match["code"].upper()
        if code in countries.NAMES and code not in DOMAINS_OF_ALL:
            yield "domain", code, Span(*match.span())
    for match in CURRENCY.finditer(head):
        code = _of_currency().get(match["code"] or match["behind"], "")
        if code:
            yield "currency", code, Span(*match.span())
    for match in OF_OHADA.finditer(head):
        yield "number", match["code"], Span(*match.span())


@cache
def _of_currency() -> dict[str, str]:
    codes = {}
    for row in table("states"):
        if row["currency"]:
            codes[row["currency"]] = row["code"]
    return codes
