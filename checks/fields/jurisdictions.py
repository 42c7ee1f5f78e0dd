"""Under which law a company stands, by the phrases that registers and statutes use."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice

from checks.data import table
from checks.fields import tunables
from checks.fields.dates import DateOrder
from checks.fields.extracted import ExtractedValue
from checks.text.words import Span, Text, phrase
from papers import countries

COMPANY = r"(?:corporation|company|limited liability company|limited partnership)"
KINDS = (
    r"(?:(?:domestic|non-?profit|stock|general|public|limited|professional|close|benefit|business"
    r"|mutual) )*"
)
OF_PLACE = (
    r"(?:incorporated (?:in|under the laws of)|laws of|government of"
    r"|companies act(?: \((?:as revised|\d{4} revision)\)|,? \d{4})? of"
    r"|registrar of (?:companies|corporate affairs)(?: of| for| in)?)"
)
# “Companies (Guernsey) Law”, “Societies Act (British Columbia)”.
# A government names itself at the head of its papers.
GOVERNMENT = re.compile(
    r"rep[úu]bli|republik|r[ée]publi|kingdom|royaume|state of|estado|estados|sultanate|commonwealth|federal (?:republic|democratic)"
    r"|government of|democratic|hashemite|people|grand-duch|fürstentum|united republic"
)
ACT = r"(?:act|law|ordinance|regulations)"
STATE_WORDINGS = (
    (
        r"(?:organized|incorporated|formed|existing) (?:and existing )?(?:under|pursuant to) the"
        r" (?:laws?|provisions) of (?:the )?(?:state of )?STATE\b",
        tunables.STRONG,
    ),
    (r"secretary of state of (?:the )?(?:state of )?STATE\b", tunables.STRONG),
    (r"\bSTATE secretary of state\b", tunables.STRONG),
    # The letterhead of the office.
    (r"secretary of state [^\n]{0,60},? STATE \d{5}\b", tunables.STRONG),
    (
        r"\bSTATE (?:state )?(?:division of corporations|department of [a-z]+|state law|corporation commission"
        r"|limited liability company act|business corporation act|general corporation law)\b",
        tunables.STRONG,
    ),
    (
        r"(?:corporation|companies|company)(?: law| code| act) of (?:the )?(?:state of )?STATE\b",
        tunables.FAIR,
    ),
    (r"(?:state|commonwealth) of STATE\b", tunables.FAIR),
    (rf"\b(?:an?|for) STATE {KINDS}{COMPANY}\b", tunables.FAIR),
    (rf"\bSTATE {KINDS}{COMPANY} (?:law|act|code)\b", tunables.FAIR),
    (r"laws? of (?:the )?STATE\b", tunables.FAIR),
    (
        r"\bSTATE (?:revised statutes|business organizations code|code|statutes)\b",
        tunables.FAIR,
    ),
)


@dataclass(frozen=True, slots=True)
class Jurisdiction:
    """`code` is ISO 3166: `US-DE`, `IN`; England and Wales is `GB-EAW`."""

    code: str
    name: str
    country: str
    date_order: DateOrder = ""

    @property
    def country_code(self) -> str:
        return self.code[:2]

    def __str__(self) -> str:
        if self.name == self.country:
            return self.name
        return f"{self.name}, {self.country}"


@cache
def states() -> dict[str, str]:
    """The names of the states of the US, in lower case, with their codes."""
    codes: dict[str, str] = {}
    for row in table("us_states"):
        codes[row["name"].lower()] = row["code"]
    return codes


@cache
def by_code() -> dict[str, Jurisdiction]:
    """Every jurisdiction that we know. A part of a country has the name of its country, too."""
    names: dict[str, str] = {}
    for row in table("jurisdictions"):
        if len(row["code"]) == 2:
            names[row["code"]] = row["name"]
    places: dict[str, Jurisdiction] = {}
    for row in table("jurisdictions"):
        code, name = row["code"], row["name"]
        country = names.get(row["country"], name)
        places[code] = Jurisdiction(code, name, country, _order(row["date_order"]))
    for row in table("us_states"):
        code = f"US-{row['code']}"
        places[code] = Jurisdiction(code, row["name"], "United States", "MDY")
    for code, name in countries.NAMES.items():
        places.setdefault(code, Jurisdiction(code, name, name))
    return places


def place_named(text: str) -> Jurisdiction | None:
    """The country or state that a text names, and nothing else beside a code in brackets."""
    name = re.sub(r"\s*\([^)]*\)|[.,;]+$", "", text).strip()
    if name.lower() in states():
        return by_code()[f"US-{states()[name.lower()]}"]
    for place in by_code().values():
        if place.name.lower() == name.lower():
            return place
    for separator in (",", "/", " - "):
        first, mark, _ = name.partition(separator)
        if mark:
            return place_named(first)
    return by_code().get(countries.code(name))


def _order(text: str) -> DateOrder:
    if text == "DMY":
        return "DMY"
    if text == "MDY":
        return "MDY"
    if text:
        return "YMD"
    return ""


@dataclass(frozen=True, slots=True)
class Wording:
    """A phrase that speaks for a jurisdiction; without a code it is for the place it names.

    It counts `most` times at most.
    """

    pattern: re.Pattern[str]
    code: str
    weight: int
    most: int = tunables.MAX_COUNTED


@cache
def _wordings() -> list[Wording]:
    return [
        *_phrases(),
        *_places(),
        *_state_wordings(),
        *_signs(),
        _country_wording(),
        _country_head(),
        *_country_laws(),
        _office_wording(),
        Wording(re.compile(r"\bRCW\b"), "US-WA", tunables.FAIR),
    ]


def _phrases() -> Iterator[Wording]:
    """The phrases of the table, word for word."""
    for row in table("jurisdictions"):
        if len(row["code"]) == 2:
            weight = tunables.FAIR
        else:
            weight = tunables.STRONG
        for words in row["phrases"].split("|"):
            pattern = phrase(rf"(?<!\w){_without_accents(_literal(words))}(?!\w)")
            own = tunables.STRONG if GOVERNMENT.match(words) else weight
            yield Wording(pattern, row["code"], own)


def _without_accents(pattern: str) -> str:
    """The pattern for words with their accents or, as in capitals, without."""
    letters = []
    for letter in pattern:
        base = unicodedata.normalize("NFD", letter)[0]
        letters.append(letter if base == letter else f"[{letter}{base}]")
    return "".join(letters)


def _places() -> Iterator[Wording]:
    """A place counts where a law or a register is said to be of it; its name alone does not."""
    for row in table("jurisdictions"):
        name = _literal(row["name"])
        pattern = phrase(
            rf"\b{OF_PLACE} (?:the )?{name}(?!\w)|\({name}\) {ACT}\b|\b{ACT}(?:,? \d{{4}})? \({name}\)"
        )
        yield Wording(pattern, row["code"], tunables.STRONG)


def _state_wordings() -> Iterator[Wording]:
    # The longest first: West Virginia before Virginia.
    longest_first = sorted(states(), key=len, reverse=True)
    names = "|".join(map(_literal, longest_first))
    for words, weight in STATE_WORDINGS:
        pattern = phrase(words.replace("STATE", f"(?P<state>{names})"))
        yield Wording(pattern, "", weight)


def _signs() -> Iterator[Wording]:
    """Numbers in the form of one register, and legal forms of one country."""
    weights = {"number": tunables.STRONG, "form": tunables.HINT}
    for row in table("country_signs"):
        pattern = re.compile(row["pattern"])
        yield Wording(pattern, row["code"], weights[row["kind"]], most=1)


def _country_wording() -> Wording:
    """What a government heads its papers with: “Republic of Kenya”."""
    names = sorted(countries.NAMES.values(), key=len, reverse=True)
    alternatives = "|".join(map(_literal, names))
    head = r"(?:republic|kingdom|government|commonwealth|sultanate|principality)"
    pattern = phrase(rf"^ ?(?:the )?{head} of (?:the )?(?P<country>{alternatives})$")
    return Wording(
        re.compile(pattern.pattern, re.IGNORECASE | re.MULTILINE), "", tunables.STRONG
    )


def _country_names() -> str:
    names = {
        *countries.NAMES.values(),
        *(row["name"] for row in table("jurisdictions")),
    }
    longest_first = sorted(names, key=len, reverse=True)
    return "|".join(map(_literal, longest_first))


def _country_head() -> Wording:
    """A line of the head that is the name of a country alone, as a letterhead of its government."""
    pattern = phrase(
        rf"\A[^\f]{{0,{tunables.COUNTRY_HEAD}}}?^ ?(?:the )?(?P<country>{_country_names()})\W*$"
    )
    return Wording(
        re.compile(pattern.pattern, re.IGNORECASE | re.MULTILINE),
        "",
        tunables.FAIR,
        most=1,
    )


def _country_laws() -> Iterator[Wording]:
    """“Companies House Gibraltar”, “Isle of Man Companies Act”, “incorporated in Bermuda”."""
    names = _country_names()
    registry = r"(?:companies house|companies registry|registry of companies|registrar of companies|register of companies)"
    for words in (
        rf"\b{registry},? (?:of |in |for |- )?(?:the )?(?P<country>{names})\b",
        rf"\b(?P<country>{names}) (?:companies (?:act|law|registry|house)|(?:corporate )?registry|registrar of)\b",
        rf"\b{OF_PLACE} (?:the )?(?P<country>{names})\b",
    ):
        yield Wording(phrase(words), "", tunables.STRONG, most=2)


def _office_wording() -> Wording:
    """The town, state and ZIP code of the office of a state that gives the paper."""
    codes = "|".join(row["code"] for row in table("us_states"))
    office = r"(?:(?i:secretary of state|department of state|division of corporations|corporations? (?:section|division)))"
    return Wording(
        re.compile(
            rf"{office}[^\f]{{0,160}}?\b[A-Z][A-Za-z]+,? (?P<abbreviation>{codes}) \d{{5}}\b"
        ),
        "",
        tunables.FAIR,
        most=1,
    )


def _literal(words: str) -> str:
    """The words as a pattern; their blanks stay blanks, for `phrase` to widen."""
    return re.escape(words).replace("\\ ", " ")


def find_jurisdiction(text: Text) -> ExtractedValue[Jurisdiction] | None:
    """The jurisdiction that most phrases of the first pages speak for, or None in a tie."""
    head = text.value[: tunables.JURISDICTION_HEAD]
    found: list[tuple[str, int, Span]] = []
    for wording in _wordings():
        for match in islice(wording.pattern.finditer(head), wording.most):
            code = wording.code or _code_of_place(match)
            found.append((code, wording.weight, Span(*match.span())))
    weights: dict[str, int] = {}
    first: dict[str, tuple[int, Span]] = {}
    for code, weight, span in found:
        if _is_part(code, span, found):
            continue
        weights[code] = weights.get(code, 0) + weight
        if code not in first or weight > first[code][0]:
            first[code] = weight, span
    best = _leader(weights)
    if best is None:
        return None
    certainty = min(0.6 + 0.07 * weights[best], 0.97)
    _, span = first[best]
    how = "the law or register that the text names"
    return ExtractedValue(by_code()[best], span, how, certainty)


def _is_part(code: str, span: Span, found: Sequence[tuple[str, int, Span]]) -> bool:
    """“Codice civile” within “Codice civile svizzero” speaks for no other country."""
    for other, _, longer in found:
        is_longer = longer.end - longer.start > span.end - span.start
        is_within = longer.start <= span.start and span.end <= longer.end
        if is_longer and is_within and other[:2] != code[:2]:
            return True
    return False


def _code_of_place(match: re.Match[str]) -> str:
    groups = match.groupdict()
    if groups.get("abbreviation"):
        return f"US-{groups['abbreviation']}"
    country = groups.get("country")
    if country:
        return _code_of_country(" ".join(country.split()))
    words = match["state"].lower().split()
    code = states()[" ".join(words)]
    return f"US-{code}"


@cache
def _code_of_country(name: str) -> str:
    """Its code, or that of a part of it which the table of jurisdictions names."""
    for row in table("jurisdictions"):
        if row["name"].lower() == name.lower():
            return row["code"]
    return countries.code(name)


def _leader(weights: dict[str, int]) -> str | None:
    """The heaviest; a part of a country carries the phrases of its country, and wins over it."""
    total: dict[str, int] = {}
    for code, weight in weights.items():
        total[code] = weight
        if len(code) > 2:
            total[code] += weights.get(code[:2], 0)
    ranked = sorted(total, key=lambda code: (total[code], len(code)), reverse=True)
    if not ranked:
        return None
    best, *others = ranked
    if total[best] < tunables.JURISDICTION_WEIGHT:
        return None
    for code in others:
        is_country_of_best = len(code) == 2 and code == best[:2]
        # The heaviest of the rivals decides.
        if not is_country_of_best:
            if total[code] == total[best]:
                return None
            break
    return best
