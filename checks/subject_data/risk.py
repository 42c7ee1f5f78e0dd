"""Checks of the risks of a country or a line of business."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

import phonenumbers

from checks.attested import denials
from checks.base import Evidence, Outcome
from checks.data import table
from checks.data_check import DataCheck, State, id_data, mapping, row, text, texts
from checks.wire import JsonObject, Wire
from papers import countries

FATF_DATE = "2026-06-19"
_STATES: dict[str, State] = {
    "call_for_action": "fail",
    "increased_monitoring": "review",
}
_WORDS = {
    "call_for_action": "is subject to a call for action",
    "increased_monitoring": "is a jurisdiction under increased monitoring",
}


class _HighRiskCountry(DataCheck):
    title = "High-risk countries"
    payload_key = "high_risk_country"
    rests_on = ("phonenumberslite",)

    def look(self, evidence: Evidence) -> Outcome:
        countries_found = list(dict.fromkeys(_countries(evidence)))
        rows = list(_unknown(evidence))
        if not countries_found and not rows:
            return self.not_applicable("No country was attested.")
        hits = []
        for label, code in countries_found:
            tier = _tiers().get(code)
            if tier:
                how = (
                    f"{countries.name(code)} {_WORDS[tier]} (FATF list of {FATF_DATE})."
                )
            else:
                how = ""
            rows.append(
                row(label, countries.name(code), _STATES[tier] if tier else "pass", how)
            )
            if tier:
                hits.append({"field": label, "country": code, "tier": tier})
        return self.of_rows(
            rows,
            passed=_not_listed(countries_found),
            hits=hits,
            versions={"fatf": FATF_DATE},
        )


def _not_listed(pairs: Sequence[tuple[str, str]]) -> str:
    names = list(dict.fromkeys(countries.name(code) for _, code in pairs))
    verb = "is" if len(names) == 1 else "are"
    return f"{', '.join(names)} {verb} not on the FATF lists of {FATF_DATE}."


class PersonHighRiskCountry(_HighRiskCountry):
    """Does the person have to do with a country on the lists of FATF?

    Nationality, residence, place of birth, address, issuer of the ID, and the country of the telephone
    number. A country subject to a call for action: fail. One under increased monitoring: review.
    A name that is no known country: inconclusive. No country attested: not applicable.
    """

    id = "kyc.high_risk_country"


class BusinessHighRiskCountry(_HighRiskCountry):
    """Does the business have to do with a country on the lists of FATF?

    Addresses of incorporation and of operation, countries of its customers, and the country of the
    telephone number. The rule is that for people.
    """

    id = "kyb.high_risk_country"


@cache
def _tiers() -> dict[str, str]:
    return {line["code"]: line["tier"] for line in table("fatf")}


def _countries(evidence: Evidence) -> Iterator[tuple[str, str]]:
    attested = evidence.attested
    for label, name in _names(attested):
        if code := countries.code(name):
            yield label, code
    # It may be a town alone.
    birth = text(attested.get("place_of_birth")).rpartition(",")[2]
    if code := countries.code(birth):
        yield "Place of birth", code
    if region := _region(
        text(attested.get("phone")) or text(attested.get("contact_phone_number"))
    ):
        yield "Telephone", region


def _names(attested: JsonObject) -> Iterator[tuple[str, str]]:
    """Yield the fields that name a country, with what they say."""
    direct = {
        "Nationality": attested.get("country_of_nationality"),
        "Residence": attested.get("country_of_residence"),
        "Issuer of the ID": id_data(attested).get("issuing_country"),
        "Customers": attested.get("customer_countries"),
    }
    for label, value in direct.items():
        for name in texts(value):
            yield label, name
    for key, label in (
        ("address", "Address"),
        ("address_of_incorporation", "Incorporated in"),
        ("address_of_operation", "Operates in"),
    ):
        address = mapping(attested.get(key))
        yield label, text(address.get("country_code")) or text(address.get("country"))


def _unknown(evidence: Evidence) -> Iterator[Wire]:
    """Yield a row for each field whose words are no known country: it may be a listed one."""
    for label, name in _names(evidence.attested):
        if name.strip() and not countries.code(name):
            how = f"“{name}” is not a known country."
            yield row(label, name[:200], "unknown", how)


def _region(phone: str) -> str:
    # Without an international prefix the country of the number is not known.
    if not phone.startswith("+"):
        return ""
    try:
        return phonenumbers.region_code_for_number(phonenumbers.parse(phone)) or ""
    except phonenumbers.NumberParseException:
        return ""


# Letters of scripts in which the table of industries has no words: all but Latin, Cyrillic, Arabic, Chinese,
# Japanese and Korean.
UNKNOWN_LETTERS = re.compile(
    "[\u0370-\u03ff\u0530-\u05ff\u0900-\u109f\u10a0-\u10ff\u1200-\u137f\u1780-\u17ff]{2}"
)

# “And”, “for”, “with” and the article are joined to an Arabic word, and its plural ends in these letters.
JOINED = "و?(?:لل|[بكفل]?ال|[بل])?"
ENDING = "(?:ات|ين|ون)?"


@cache
def _pattern(words: str, unspaced: str, arabic: str) -> re.Pattern[str]:
    """Return the pattern of a category. `unspaced`: words of languages that write no spaces."""
    patterns = [rf"\b(?:{words})\b", *filter(None, [unspaced])]
    if arabic:
        patterns.append(rf"\b{JOINED}(?:{arabic}){ENDING}\b")
    return re.compile("|".join(patterns), re.IGNORECASE)


def _lines(value: str) -> Iterator[tuple[str, str, str, bool]]:
    """Yield the categories of a text, each with its tier, its word, and whether the text denies it.

    A word that is offered comes before one that is denied: “no casino in the hotel, but a casino ship”.
    """
    for line in table("industries"):
        pattern = _pattern(
            line["words"], line.get("unspaced", ""), line.get("arabic", "")
        )
        first = pattern.search(value)
        if first is None:
            continue
        hits = pattern.finditer(value)
        offer = next(denials.offered(hits, value, beyond_commas=False), None)
        hit = offer or first
        yield line["category"], line["tier"], hit.group(), offer is None


def _heading(key: str) -> str:
    return key.replace("_", " ").capitalize()


class IndustryRisk(DataCheck):
    """Is the business in a line that calls for a closer look?

    Words of the industry, the purpose and the description are looked up in a table of categories
    (`checks/data/industries.csv`), in the languages of most businesses. A prohibited category: fail.
    Another: review. What a sentence denies ("no alcohol") does not count. Words in letters of which the table has none: inconclusive. Nothing attested: not
    applicable.
    """

    id = "kyb.high_risk_industry_check"
    aliases = ("kyb.industry_risk",)
    title = "Line of business"
    payload_key = "industry_risk"
    rests_on = ("table:industries", "table:denials")

    def look(self, evidence: Evidence) -> Outcome:
        values = {
            key: text(evidence.attested.get(key))
            for key in ("industry", "business_purpose", "description", "mcc_code")
        }
        if not any(values.values()):
            return self.not_applicable("No line of business was attested.")
        rows = []
        hits = []
        for key, value in values.items():
            for category, tier, hit, denied in _lines(value):
                state: State = "fail" if tier == "prohibited" else "review"
                how = f"“{hit}” is on the high-risk list: {category}."
                if denied:
                    state = "info"
                    how = f"“{hit}” is on the high-risk list ({category}); the business says that it does not do it."
                else:
                    member = {"field": key, "word": hit, "category": category}
                    hits.append(member)
                rows.append(row(_heading(key), value[:200], state, how))
        for key, value in values.items():
            if not hits and UNKNOWN_LETTERS.search(value):
                how = "The high-risk list has no words in these letters."
                rows.append(row(_heading(key), value[:200], "unknown", how))
        has_verdict = any(each["state"] != "info" for each in rows)
        if not has_verdict:
            whole = "; ".join(filter(None, values.values()))
            rows.append(row("Line of business", whole[:200], "pass"))
        return self.of_rows(rows, passed=_not_high_risk(values), hits=hits)


def _not_high_risk(attested: Mapping[str, str]) -> str:
    """Return a sentence with the fields that have no word of the list.

    Nothing else was examined.
    """
    fields = []
    for key, value in attested.items():
        if value:
            fields.append(key.replace("_", " ").replace("mcc", "MCC"))
    return f"No word of the high-risk list in the {', '.join(fields)}."
