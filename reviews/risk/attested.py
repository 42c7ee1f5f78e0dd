"""Reads the inputs countries, product, channel, structure and age from the attested data of a
case.

The data may have any shape. No function raises; a value that is not understood stays unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date

from papers import countries
from reviews.models import Case, Party, PartyRelation, PeriodicReview
from reviews.parties import attested as parties
from reviews.parties import labels
from reviews.results import label, text
from reviews.risk.engine.inputs import LONGEST, MOST_VALUES, Value

# Limits for one case. More members would be an attack on the worker, not a customer.
MOST_MEMBERS = 5_000
DEEPEST = 6
# Members that contain a country.
_COUNTRY = re.compile(r"country|countries|nationalit|jurisdiction")
# Members that name the product or the line of business.
_PRODUCTS = ("product", "products", "product_type", "mcc_code")
_FORMS = ("entity_type", "legal_form", "legal_structure", "business_type", "structure")
# Members that say whether a person is politically exposed.
_EXPOSURE = re.compile(
    r"(?:is_|was_|has_|any_)?(?:an?_)?"
    r"(?:peps?|politically_exposed(?:_persons?)?|political(?:ly)?_exposure)"
    r"(?:_status|_flag|_declaration|_declared|_position|_function|_person)?"
)
# Answers to that, without blanks and marks.
_DENIALS = frozenset({
    "", "0", "false", "f", "no", "n", "none", "never", "na", "notapplicable", "notapep", "notpep",
    "nopep", "nonpep", "notexposed", "notpoliticallyexposed", "nein", "nee", "non", "nao", "não", "nej",
    "nie", "لا", "нет",
})  # fmt: skip
_OPAQUE = re.compile(
    r"\b(?:trust|foundation|stiftung|anstalt|nominees?|bearer|offshore|tax haven)\b",
    re.IGNORECASE,
)
# Owners that are not known by their name.
_OPAQUE_OWNER = re.compile(
    r"\b(?:nominees|bearer|inhaberaktien|au porteur|al portador)\b"
)
# Relations to the subject that its structure is read from.
_OWNING = frozenset(
    {
        PartyRelation.Kind.OWNER.value,
        PartyRelation.Kind.CONTROLLER.value,
        PartyRelation.Kind.ASSOCIATE.value,
    }
)
# The least risk first.
_STRUCTURES = ("simple", "unknown", "layered", "opaque")


def _members(case: Case) -> Mapping[str, object]:
    data = case.self_attested_data
    return data if isinstance(data, dict) else {}


def _walk(content: object, path: tuple[str, ...] = ()) -> Iterator[tuple[str, object]]:
    """Yield each value with the words of its path: `address of operation`, `BG`."""
    if len(path) > DEEPEST:
        return
    if isinstance(content, dict):
        for name, value in content.items():
            yield from _walk(value, (*path, str(name)[:LONGEST]))
    elif isinstance(content, list):
        for value in content:
            yield from _walk(value, path)
    else:
        yield " ".join(path), content


def geography(case: Case) -> Value:
    """The ISO codes of all countries in the data, at any depth."""
    sources: dict[str, str] = {}
    if case.country:
        sources[case.country] = "the case"
    content = {**_members(case), "schema_extra": case.schema_extra}
    for number, (place, value) in enumerate(_walk(content)):
        is_full = len(sources) >= MOST_VALUES
        if number >= MOST_MEMBERS or is_full:
            break
        names_country = _COUNTRY.search(place.casefold())
        if not names_country or not isinstance(value, str):
            continue
        code = countries.code(value[:LONGEST])
        # A place in the attested data is a better source than the case as a whole.
        if code and sources.get(code, "the case") == "the case":
            sources[code] = label(place.removeprefix("schema_extra "))[:LONGEST].lower()
    return Value(sorted(sources), sources)


def exposure(case: Case) -> bool:
    """Whether the data state that somebody is politically exposed, or do not clearly deny it."""
    content = {**_members(case), "schema_extra": case.schema_extra}
    for number, (member, value) in enumerate(_leaves(content)):
        if number >= MOST_MEMBERS:
            break
        if _EXPOSURE.fullmatch(_in_small_letters(member)) and not _is_denied(value):
            return True
    return False


def _leaves(
    content: object, member: str = "", depth: int = 0
) -> Iterator[tuple[str, object]]:
    """Each value that holds no others, with the name of its member."""
    if depth > DEEPEST:
        return
    if isinstance(content, dict):
        for name, value in content.items():
            yield from _leaves(value, str(name)[:LONGEST], depth + 1)
    elif isinstance(content, list):
        for value in content:
            yield from _leaves(value, member, depth + 1)
    else:
        yield member, content


def _in_small_letters(member: str) -> str:
    """The name of a member: “isPep” and “Is PEP” become `is_pep`."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", member)
    return re.sub(r"[^a-z0-9]+", "_", words.casefold()).strip("_")


def _is_denied(value: object) -> bool:
    if value is None or isinstance(value, bool | int | float):
        return not value
    words = re.sub(r"[\W_]+", "", str(value).casefold())
    return words in _DENIALS


def product(case: Case) -> Value:
    sources: dict[str, str] = {}
    for name in _PRODUCTS:
        for words in _texts(_members(case).get(name)):
            if key := key_of(words):
                sources.setdefault(key, label(name).lower())
    names = sorted(sources)[:MOST_VALUES]
    return Value(names, {name: sources[name] for name in names})


def channel(case: Case) -> Value:
    # An attested channel comes first; otherwise it follows from who submitted the case.
    for words in _texts(_members(case).get("channel")):
        if key := key_of(words):
            return Value([key], {key: "attested"})
    person = case.submitted_by
    if person is None and (before := _case_before(case)):
        # The desk opened the case for a periodic review. The channel of the customer did not
        # change.
        return channel(before)
    if person is None:
        return Value(["interface"], {"interface": "no person submitted it"})
    roles = set(person.groups.values_list("name", flat=True))
    if roles == {"integrator"}:
        return Value(["interface"], {"interface": "submitted by a system"})
    return Value(["desk"], {"desk": "submitted by a person"})


def _case_before(case: Case) -> Case | None:
    """The case whose periodic review opened this case; else None."""
    rows = PeriodicReview.objects.filter(opened_case=case).exclude(case=case)
    review = rows.select_related("case__submitted_by").first()
    return review.case if review else None


def structure(case: Case) -> Value:
    """The ownership structure, as attested. It is unknown if a direct owner is of no known kind."""
    if words := _opaque_form(_members(case)):
        return Value(["opaque"], {"opaque": words})
    sources: dict[str, str] = {}
    for owner in _owners(case):
        name = _label_of_owner(owner)
        # What stands above a direct owner makes the structure no simpler.
        if owner.above == "subject" or name == "opaque":
            member = owner.place.partition("/")[0].replace("_", " ")
            sources.setdefault(name, member)
    if not sources:
        return Value([])
    worst = max(sources, key=_STRUCTURES.index)
    if worst == "unknown":
        return Value([])
    return Value([worst], {worst: sources[worst]})


def _owners(case: Case) -> Iterator[parties.Entry]:
    """Those that own or control the subject, at any level, and its associates."""
    above = {"subject"}
    for entry in parties.entries(case):
        is_above = entry.above in above and not entry.is_held
        if is_above and entry.relation in _OWNING:
            above.add(entry.place)
            yield entry


def _label_of_owner(owner: parties.Entry) -> str:
    names = [stated.value for stated in owner.statements if stated.kind == "name"]
    words = f"{owner.detail} {' '.join(names)}".casefold()
    is_associate = owner.relation == PartyRelation.Kind.ASSOCIATE
    if owner.kind == Party.Kind.TRUST and not is_associate:
        return "opaque"
    if labels.NOMINEE.search(words) or _OPAQUE_OWNER.search(words):
        return "opaque"
    if owner.kind == Party.Kind.PERSON:
        return "simple"
    if owner.kind == Party.Kind.UNKNOWN:
        return "unknown"
    return "layered"


def _opaque_form(members: Mapping[str, object]) -> str:
    for name in _FORMS:
        for words in _texts(members.get(name)):
            if match := _OPAQUE.search(words):
                return f"{label(name)}: {match.group()}"
    return ""


def age(case: Case, verified: str = "") -> Value:
    """The age of the company on the day of submission.

    `verified` is the day that a document proves, or ""; it comes before the attested day.
    """
    attested = text(_members(case).get("incorporation_date"), LONGEST)
    for words, source in ((verified, "proved by a document"), (attested, "attested")):
        try:
            day = date.fromisoformat(words.strip()[:10])
        except ValueError:
            continue
        submitted_on = case.created_at.date()
        if submitted_on < day:
            continue
        years = _years(day, submitted_on)
        name = "over_3_years"
        if years < 3:
            name = "under_1_year" if years < 1 else "under_3_years"
        return Value([name], {name: f"{day.isoformat()} ({source})"})
    return Value([])


def _years(first: date, last: date) -> int:
    """The whole years between two days, as the calendar counts them."""
    has_day_to_come = (last.month, last.day) < (first.month, first.day)
    return last.year - first.year - has_day_to_come


def key_of(words: str) -> str:
    """A word as a label of a policy: “Money transfer” becomes `money_transfer`."""
    return re.sub(r"[^a-z0-9]+", "_", words.casefold()).strip("_")[:40]


def _texts(value: object) -> list[str]:
    if isinstance(value, list):
        items = value
    else:
        items = [value]
    texts = []
    for item in items[:MOST_VALUES]:
        if isinstance(item, str | int) and not isinstance(item, bool):
            texts.append(str(item)[:LONGEST])
    return texts
