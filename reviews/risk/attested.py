"""Reads the inputs countries, product, channel, structure and age from the attested data of a
case.

The data may have any shape. No function raises; a value that is not understood stays unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date

from papers import countries
from reviews.models import Case, PeriodicReview
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
_OPAQUE = re.compile(
    r"\b(?:trust|foundation|stiftung|anstalt|nominees?|bearer|offshore|tax haven)\b",
    re.IGNORECASE,
)
_PEOPLE = (
    "owners", "beneficial_owners", "ubos", "shareholders", "associated_individuals",
    "individuals",
)  # fmt: skip
_BUSINESSES = (
    "associated_businesses", "associated_companies", "business_owners", "parent_company",
    "parent_companies",
)  # fmt: skip
_NAMES_OF_BUSINESS = ("business_name", "registered_business_name", "company_name")
DAYS_OF_YEAR = 365


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
    """The ownership structure, from attested data only: owners who are not named stay unknown."""
    members = _members(case)
    if words := _opaque_form(members):
        return Value(["opaque"], {"opaque": words})
    for name in _BUSINESSES:
        if members.get(name):
            return Value(["layered"], {"layered": label(name).lower()})
    simple = Value([])
    for name in _PEOPLE:
        rows = members.get(name)
        owners = rows if isinstance(rows, list) else []
        if any(_is_business(row) for row in owners):
            return Value(["layered"], {"layered": label(name).lower()})
        if owners and simple.is_unknown:
            simple = Value(["simple"], {"simple": label(name).lower()})
    return simple


def _opaque_form(members: Mapping[str, object]) -> str:
    for name in _FORMS:
        for words in _texts(members.get(name)):
            if match := _OPAQUE.search(words):
                return f"{label(name)}: {match.group()}"
    return ""


def _is_business(owner: object) -> bool:
    if not isinstance(owner, dict):
        return False
    return any(owner.get(name) for name in _NAMES_OF_BUSINESS)


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
        years = (case.created_at.date() - day).days / DAYS_OF_YEAR
        if years < 0:
            continue
        name = "over_3_years"
        if years < 3:
            name = "under_1_year" if years < 1 else "under_3_years"
        return Value([name], {name: f"{day.isoformat()} ({source})"})
    return Value([])


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
