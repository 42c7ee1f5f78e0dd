"""Under which law a company exists, read from the wordings of registers and statutes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice

from checks.data import table
from checks.fields import tunables
from checks.fields.dates import DateOrder
from checks.fields.extracted import ExtractedValue
from checks.fields.places.names import parents
from checks.fields.places.rivals import is_of_words_alone, rivals_of
from checks.fields.places.signs import Sign, of_head, weak_signs
from checks.text.phrases import Pattern, Phrase
from checks.text.words import (
    Span,
    Text,
)
from papers import countries

COMPANY = r"(?:corporation|company|limited liability company|limited partnership)"
KINDS = (
    r"(?:(?:domestic|non-?profit|stock|general|public|limited|professional|close|benefit|business"
    r"|mutual) )*"
)
OF_PLACE = (
    r"(?:incorporated (?:on [^\n.,]{6,20} )?(?:in|under the laws of)|laws of|government of"
    r"|companies act(?: \((?:as revised|\d{4} revision)\)|,? \d{4})? of"
    r"|registrar of (?:companies|corporate affairs)(?: of| for| in)?)"
)
# Words with which the name of a state begins, as at the head of its documents.
GOVERNMENT = re.compile(
    r"rep[úu]bli|republik|r[ée]publi|kingdom|royaume|state of|estado|estados|sultanate|commonwealth|federal (?:republic|democratic)"
    r"|government of|democratic|hashemite|people|grand-duch|fürstentum|united republic"
)
# The title of a law and its year, without a country: several states have a “Companies Act, 2013”.
LAW_OF_A_YEAR = re.compile(
    r"(?:international business )?companies (?:act|ordinance|law)(?:,? (?:no\. \d+ of )?\d{4})?"
)
# “Companies (Guernsey) Law”, “Societies Act (British Columbia)”.
ACT = r"(?:act|law|ordinance|regulations)"
STATE_WORDINGS = (
    (
        r"(?:organized|incorporated|formed|existing) (?:and existing )?(?:under|pursuant to) the"
        r" (?:laws?|provisions) of (?:the )?(?:state of )?STATE\b",
        tunables.STRONG,
    ),
    (r"secretary of state of (?:the )?(?:state of )?STATE\b", tunables.STRONG),
    (r"\bSTATE secretary of state\b", tunables.STRONG),
    (
        r"\bdate of (?:organi[sz]ation|incorporation|formation) in STATE\b",
        tunables.STRONG,
    ),
    # The letterhead of the office, with the state and ZIP code of its address.
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
    # The title of the paper, on a line of its own: “Florida Limited Liability Company”.
    (rf"(?:\A|\n)(?<!\ba\n)(?<!\ban\n)STATE {KINDS}{COMPANY}\b", tunables.FAIR),
    (r"laws? of (?:the )?STATE\b", tunables.FAIR),
    (
        r"\bSTATE (?:revised statutes|business organizations code|code|statutes)\b",
        tunables.FAIR,
    ),
)


# A company of another state that is registered in this one: the office that gives the paper says
# nothing about the law of the company.
FOREIGN = Phrase(
    r"\b(?:as|is|of) an? (?:out[- ]of[- ]state|foreign) (?:for[- ]profit |non-?profit |profit |business |professional )?"
    r"(?:corporation|company|limited|llc|partnership|entity)"
)
HOME = Phrase(
    r"\b(?:formed|organi[sz]ed|incorporated|existing|home (?:state|jurisdiction)|jurisdiction of (?:formation|organi[sz]ation|incorporation)|state of (?:formation|organi[sz]ation|incorporation))"
    r"(?: and existing)?(?: on [^\n.,]{6,20})?[:,]? (?:(?:in|under|pursuant to) )?(?:and by virtue of )?(?:the )?(?:laws? of )?(?:the )?(?:state |commonwealth |province )?(?:of )?(?P<place>(?-i:[A-Z])[^\W\d_]+(?: (?-i:[A-Z])[^\W\d_]+){0,2})"
)


@dataclass(frozen=True, slots=True)
class Jurisdiction:
    """A country or a part of it.

    `code` is ISO 3166 (`US-DE`, `IN`), but England and Wales is `GB-EAW`.
    """

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
    """Return the names of the US states in lower case, with their codes."""
    codes: dict[str, str] = {}
    for row in table("us_states"):
        codes[row["name"].lower()] = row["code"]
    return codes


@cache
def by_code() -> dict[str, Jurisdiction]:
    """Return every jurisdiction by its code.

    A part of a country also has the name of the country.
    """
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
        # All other countries of ISO 3166: their order of day and month is not known.
        places.setdefault(code, Jurisdiction(code, name, name))
    return places


def place_named(text: str) -> Jurisdiction | None:
    """Return the country or state if the text names only that, apart from a code in brackets."""
    name = re.sub(r"\s*\([^)]*\)|[.,;]+$", "", text).strip()
    if name.lower() in states():
        return by_code()[f"US-{states()[name.lower()]}"]
    for place in by_code().values():
        if place.name.lower() == name.lower():
            return place
    # “Delaware, USA” or “Schweiz / Suisse”: the first part decides.
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
    """A phrase that counts for a jurisdiction, at most `most` times.

    If `code` is empty, the phrase counts for the place that it names. `is_number`: it is the form of the numbers of
    one register. `word`: a word of the phrase, as `_plain` returns it. A text without it cannot match, so that most
    patterns are never compiled.
    """

    pattern: Pattern
    code: str
    weight: int
    most: int = tunables.MAX_COUNTED
    is_number: bool = False
    is_government: bool = False
    word: str = ""


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
    """Yield the phrases of the table, word for word."""
    for row in table("jurisdictions"):
        # A phrase of a whole country is often quoted by others. A phrase of one part of it
        # (`US-DE`) is specific.
        if len(row["code"]) == 2:
            weight = tunables.FAIR
        else:
            weight = tunables.STRONG
        for words in row["phrases"].split("|"):
            pattern = Phrase(rf"(?<!\w){_without_accents(_literal(words))}(?!\w)")
            is_government = GOVERNMENT.match(words) is not None
            own = tunables.STRONG if is_government else weight
            if LAW_OF_A_YEAR.fullmatch(words):
                own = tunables.HINT
            yield Wording(
                pattern,
                row["code"],
                own,
                is_government=is_government,
                word=_longest_word(words),
            )


def _longest_word(words: str) -> str:
    return max(map(_plain, words.split()), key=len)


def _plain(text: str) -> str:
    """Return the text without case and accents. Patterns match the dotless i of Turkish like an i."""
    return countries.sort_key(text).replace("\u0131", "i")


def _without_accents(pattern: str) -> str:
    """Return a pattern that matches the words with or without their accents, as capitals often drop
    them.
    """
    letters = []
    for letter in pattern:
        base = unicodedata.normalize("NFD", letter)[0]
        letters.append(letter if base == letter else f"[{letter}{base}]")
    return "".join(letters)


def _places() -> Iterator[Wording]:
    """Yield wordings in which a law or a register belongs to a place.

    The name of a place alone does not count.
    """
    for row in table("jurisdictions"):
        name = _literal(row["name"])
        pattern = Phrase(
            rf"\b{OF_PLACE} (?:the )?{name}(?!\w)|\({name}\) {ACT}\b|\b{ACT}(?:,? \d{{4}})? \({name}\)"
        )
        word = _longest_word(row["name"])
        yield Wording(pattern, row["code"], tunables.STRONG, word=word)


def _state_wordings() -> Iterator[Wording]:
    # The longest first: West Virginia before Virginia.
    longest_first = sorted(states(), key=len, reverse=True)
    names = "|".join(map(_literal, longest_first))
    for words, weight in STATE_WORDINGS:
        pattern = Phrase(words.replace("STATE", f"(?P<state>{names})"))
        yield Wording(pattern, "", weight)


def _signs() -> Iterator[Wording]:
    """Yield number formats of a single register, and legal forms of a single country."""
    weights = {"number": tunables.STRONG, "form": tunables.HINT}
    for row in table("country_signs"):
        pattern = re.compile(row["pattern"])
        is_number = row["kind"] == "number"
        weight = weights[row["kind"]]
        yield Wording(pattern, row["code"], weight, most=1, is_number=is_number)


def _country_wording() -> Wording:
    """Return the wording for the heading of a government's document: “Republic of Kenya”."""
    names = sorted(countries.NAMES.values(), key=len, reverse=True)
    alternatives = "|".join(map(_literal, names))
    head = r"(?:republic|kingdom|government|commonwealth|sultanate|principality)"
    pattern = Phrase(
        rf"^ ?(?:the )?{head} of (?:the )?(?P<country>{alternatives})$",
        re.IGNORECASE | re.MULTILINE,
    )
    return Wording(pattern, "", tunables.STRONG, is_government=True)


def _country_names() -> str:
    names = {
        *countries.NAMES.values(),
        *(row["name"] for row in table("jurisdictions")),
    }
    longest_first = sorted(names, key=len, reverse=True)
    return "|".join(map(_literal, longest_first))


def _country_head() -> Wording:
    """Return the wording for a line of the head that is only the name of a country, as in a
    letterhead.
    """
    pattern = Phrase(
        rf"\A[^\f]{{0,{tunables.COUNTRY_HEAD}}}?^ ?(?:the )?(?P<country>{_country_names()})\W*$",
        re.IGNORECASE | re.MULTILINE,
    )
    return Wording(pattern, "", tunables.FAIR, most=1)


def _country_laws() -> Iterator[Wording]:
    """Yield wordings such as “Companies House Gibraltar”, “Isle of Man Companies Act”,
    “incorporated in Bermuda”.
    """
    names = _country_names()
    registry = r"(?:companies house|companies registry|registry of companies|registrar of companies|register of companies)"
    for words in (
        rf"\b{registry},? (?:of |in |for |- )?(?:the )?(?P<country>{names})\b",
        rf"\b(?P<country>{names}) (?:companies (?:act|law|registry|house)|(?:corporate )?registry|registrar of)\b",
        rf"\b{OF_PLACE} (?:the )?(?P<country>{names})\b",
    ):
        yield Wording(Phrase(words), "", tunables.STRONG, most=2)


def _office_wording() -> Wording:
    """Return the wording for the town, state and ZIP code of the state office that issues the
    document.
    """
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
    """Return the words as a pattern.

    Their spaces stay, because `phrase` later lets them match line breaks.
    """
    return re.escape(words).replace("\\ ", " ")


def _of_nobody(text: Text, span: Span) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class PlaceReading:
    """The jurisdiction, or those between which the text does not decide."""

    place: ExtractedValue[Jurisdiction] | None = None
    candidates: Sequence[ExtractedValue[Jurisdiction]] = ()


def find_jurisdiction(
    text: Text,
    is_of_another: Callable[[Text, Span], bool] = _of_nobody,
) -> ExtractedValue[Jurisdiction] | None:
    """Return the jurisdiction, or None if the text does not name one surely."""
    return read_jurisdiction(text, is_of_another).place


def read_jurisdiction(
    text: Text,
    is_of_another: Callable[[Text, Span], bool] = _of_nobody,
    is_number_of_another: Callable[[Text, Span], bool] = _of_nobody,
) -> PlaceReading:
    """Return the jurisdiction with the highest weight in the first pages; the candidates, if several have it.

    Words in the block of another party, such as a shareholder, count only if no others do. The number of another
    company, by its form, never counts.
    """
    if FOREIGN.search(text.value):
        return PlaceReading(_home(text))
    readings = [
        item
        for item in _found(text)
        if not (item.is_number and is_number_of_another(text, item.span))
    ]
    of_company = [item for item in readings if not is_of_another(text, item.span)]
    tied = _heaviest(of_company)
    for several in (of_company, readings):
        heaviest = _heaviest(several)
        if len(heaviest) != 1:
            continue
        if is_of_words_alone(heaviest[0].value.code, several):
            return _beside_rivals(heaviest[0], text, is_of_another)
        return PlaceReading(heaviest[0])
    return PlaceReading(candidates=tied or _heaviest(readings))


def _beside_rivals(
    place: ExtractedValue[Jurisdiction],
    text: Text,
    is_of_another: Callable[[Text, Span], bool],
) -> PlaceReading:
    """Return the place, unless names, towns and the like of another country stand beside words of its language."""
    signs = weak_signs(text, is_of_another)
    is_hint = place.confidence < _certainty(tunables.FAIR)
    code = place.value.country_code
    rivals = rivals_of(code, signs, is_hint=is_hint)
    if not rivals:
        return PlaceReading(place)
    by_signs = find_by_weak_signs(text, is_of_another)
    if by_signs and code not in signs:
        return PlaceReading(by_signs)
    several = [_by_sign(other, signs[other][0][1]) for other in rivals]
    return PlaceReading(candidates=[*several, place])


def _by_sign(code: str, span: Span) -> ExtractedValue[Jurisdiction]:
    how = "name or town of a country"
    return ExtractedValue(by_code()[code], span, how, tunables.OF_SEAT)


def _certainty(weight: int) -> float:
    return min(0.6 + 0.07 * weight, 0.97)


def find_by_weak_signs(
    text: Text, is_of_another: Callable[[Text, Span], bool] = _of_nobody
) -> ExtractedValue[Jurisdiction] | None:
    """Return the country for which several kinds of weak signs speak, far more than for any other."""
    signs = weak_signs(text, is_of_another)
    ranked = sorted(signs, key=lambda code: len(signs[code]), reverse=True)
    if not ranked:
        return None
    best, *others = ranked
    # A territory and its state are no rivals: its papers name both.
    others = [code for code in others if code != parents().get(best)]
    second = len(signs[others[0]]) if others else 0
    if len(signs[best]) < tunables.WEAK_SIGNS + second:
        return None
    _, span = signs[best][0]
    how = "several words that belong to one country"
    return ExtractedValue(by_code()[best], span, how, tunables.OF_SEAT)


def _home(text: Text) -> ExtractedValue[Jurisdiction] | None:
    """Return under whose laws a company exists that is registered elsewhere as a foreign one."""
    for match in HOME.finditer(text.value):
        words = match["place"].split()
        for count in range(len(words), 0, -1):
            place = place_named(" ".join(words[:count]).strip(" .,"))
            if place:
                span = Span(*match.span())
                how = "the law under which the foreign company was formed"
                return ExtractedValue(place, span, how, 0.9)
    return None


def _found(text: Text) -> list[Sign]:
    head = text.value[: tunables.JURISDICTION_HEAD]
    plain = _plain(head)
    readings: list[Sign] = list(of_head(text))
    for wording in _wordings():
        if wording.word not in plain:
            continue
        for match in islice(wording.pattern.finditer(head), wording.most):
            # Each match is kept with its span: a shorter phrase inside a longer one may have to be
            # ignored.
            code = wording.code or _code_of_place(match)
            span = Span(*match.span())
            reading = Sign(
                code, wording.weight, span, wording.is_number, wording.is_government
            )
            readings.append(reading)
    return _of_government(readings)


def _of_government(readings: list[Sign]) -> list[Sign]:
    """Leave out the common words of other countries where a government heads the paper.

    Several countries of one language call a register or a law alike: “registre national des entreprises”.
    """
    heads = {
        item.code[:2]
        for item in readings
        if item.is_government and item.span.start < tunables.COUNTRY_HEAD
    }
    # A territory that heads a paper wins over its state, which may head it, too.
    states_of_heads = {parents().get(code, "") for code in heads}
    heads -= states_of_heads
    if len(heads) != 1:
        return readings
    return [
        item
        for item in readings
        if item.code[:2] in heads
        or item.is_number
        or (item.weight > tunables.FAIR and item.code[:2] not in states_of_heads)
    ]


def _heaviest(readings: Sequence[Sign]) -> list[ExtractedValue[Jurisdiction]]:
    """Return the place with the highest weight; several, if they have the same."""
    weights: dict[str, int] = {}
    first: dict[str, tuple[int, Span]] = {}
    for code, weight, span, *_ in readings:
        if _is_part(code, span, readings):
            continue
        weights[code] = weights.get(code, 0) + weight
        if code not in first or weight > first[code][0]:
            first[code] = weight, span
    how = "the law or register that the text names"
    return [
        ExtractedValue(by_code()[code], first[code][1], how, _certainty(weights[code]))
        for code in _leaders(weights)
    ]


def _is_part(code: str, span: Span, readings: Sequence[Sign]) -> bool:
    """Whether a longer phrase of another country contains this one.

    “Codice civile” within “Codice civile svizzero” must not count for Italy.
    """
    for other, _, longer, *_ in readings:
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
    """Return the code of a country, or of a part of a country that the table of jurisdictions
    names.
    """
    for row in table("jurisdictions"):
        if row["name"].lower() == name.lower():
            return row["code"]
    return countries.code(name)


def _leaders(weights: dict[str, int]) -> list[str]:
    """Return the code with the highest weight, with rivals that have the same; none if it is too low.

    A part of a country also counts the phrases of its country, so that it wins over the country.
    """
    total: dict[str, int] = {}
    for code, weight in weights.items():
        total[code] = weight
        if len(code) > 2:
            total[code] += weights.get(code[:2], 0)
    ranked = sorted(total, key=lambda code: (total[code], len(code)), reverse=True)
    if not ranked or total[ranked[0]] < tunables.JURISDICTION_WEIGHT:
        return []
    best, *others = ranked
    return [
        best,
        *(code for code in others if total[code] == total[best] and code != best[:2]),
    ]
