"""Checks of attested data about a business: its numbers, dates and owners."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from itertools import combinations
from types import ModuleType
from typing import TYPE_CHECKING

from stdnum import lei
from stdnum.exceptions import (
    InvalidComponent,
    InvalidFormat,
    InvalidLength,
    ValidationError,
)
from stdnum.us import ein
from stdnum.util import get_cc_module

from checks.attested.facts import country_of
from checks.attested.numbers import spellings
from checks.base import Evidence, Outcome
from checks.data import table
from checks.data_check import (
    DataCheck,
    State,
    mapping,
    pass_or,
    percentage,
    row,
    text,
    texts,
)
from checks.lookups import ReadDocument
from checks.screening import engine
from checks.screening.matching.names import form_classes, parse
from checks.subject_data import tunables
from checks.subject_data.identity import compared
from checks.subject_data.numbers import format_name, mistake
from checks.text.characters import only_digits, only_letters_and_digits
from checks.text.plurals import counted
from checks.wire import JsonObject, Wire

if TYPE_CHECKING:
    from stdnum.util import NumberValidationModule

INCORPORATION = "kyb.incorporation_document_verification"
PLACEHOLDERS = frozenset(
    {"123456789", "12345678", "000000000", "111111111", "999999999"}
)
# Modules of python-stdnum for the register numbers of a country, the likeliest first.
_REGISTERS: dict[str, tuple[str, ...]] = {
    "FR": ("siren", "siret"), "DE": ("handelsregisternummer",), "ES": ("cif",), "PT": ("nif",),
    "AU": ("acn", "abn"), "CA": ("bn",), "NO": ("orgnr",), "SE": ("orgnr",), "PL": ("regon",),
    "CH": ("uid",), "BE": ("vat",), "DK": ("cvr",), "FI": ("ytunnus",), "SG": ("uen",), "KR": ("brn",),
    "JP": ("cn",), "TW": ("ubn",), "CZ": ("dic",), "BR": ("cnpj",), "CN": ("uscc",), "RU": ("ogrn", "inn"),
    "EE": ("registrikood",), "AT": ("businessid",), "IT": ("iva",), "RO": ("onrc", "cui"), "HR": ("oib",),
    "SI": ("maticna",), "IL": ("hp",), "CO": ("nit",), "CL": ("rut",), "AR": ("cuit",), "PE": ("ruc",),
}  # fmt: skip
# A number of another form may be one that no rule here knows, so a person looks at it. EINs and LEIs
# have no other form.
_OF_ANOTHER_FORM = (InvalidLength, InvalidFormat, InvalidComponent)

# Modules of python-stdnum for the tax numbers of a country: numbers of VAT, and any others that the
# country gives to businesses for their taxes or writes as their tax number.
_TAX: dict[str, tuple[str, ...]] = {
    "AU": ("tfn", "acn"), "CH": ("uid",), "DE": ("stnr",), "FR": ("siren", "siret"), "GB": ("utr",),
    "IN": ("pan",), "IS": ("kennitala",), "IT": ("codicefiscale",), "NL": ("bsn",), "NO": ("orgnr",),
    "SE": ("orgnr",),
}  # fmt: skip


class TaxNumber(DataCheck):
    """Is the tax number of a valid format for its country?

    By python-stdnum, of the country of incorporation. A check digit that is not valid, a prefix of an EIN
    that is not assigned, or a placeholder (12-3456789): fail. Another form than the known ones: review.
    Words and marks around the number do not count. Whether the number is assigned, and to whom, is not
    examined. No rule for the country, or nothing attested: not applicable.
    """

    id = "kyb.tax_number"
    title = "Tax number"
    payload_key = "tax_number"
    rests_on = ("python-stdnum",)

    def look(self, evidence: Evidence) -> Outcome:
        number = text(evidence.attested.get("tin_number"))
        if not number:
            return self.not_applicable("No tax number was attested.")
        # Placeholders may have a valid format, so they are tested first.
        if only_digits(number) in PLACEHOLDERS:
            how = f"“{number}” is a placeholder."
            return self.of_rows([row("Number", number, "fail", how)], passed="")
        country = country_of(evidence.attested)
        # The US has its own module, which also knows the prefixes that are assigned.
        if country == "US":
            result = _validated("EIN", number, ein, country)
            if result["state"] == "pass":
                campus = ein.get_campus(number)
            else:
                campus = ""
            return self.of_rows(
                [result], passed="Valid EIN format.", type="EIN", campus=campus
            )
        if country:
            modules: list[NumberValidationModule | None] = [
                get_cc_module(country.lower(), kind)
                for kind in ("vat", "tin", *_TAX.get(country, ()))
            ]
        else:
            modules = []
        # A country may use several kinds of number, and the number must only fit one.
        formats = [module for module in modules if module is not None]
        if not formats:
            return self.not_applicable(
                "Not checked: the format of its country is not known."
            )
        judged = []
        for module in formats:
            judged.append((_validated("Number", number, module, country), module))
        best, rule = next(
            (judgement for judgement in judged if judgement[0]["state"] == "pass"),
            max(judged, key=lambda judgement: judgement[0]["state"] == "fail"),
        )
        kind = str(getattr(rule, "__name__", "")).removeprefix("stdnum.")
        return self.of_rows(
            [best], passed=f"Valid {format_name(rule)} format.", type=kind
        )


class RegistrationNumber(DataCheck):
    """Is the registration number of a valid format for the register of its country?

    Of the country of incorporation: by its check digits where it has some (python-stdnum), else by its
    pattern (`checks/data/registers.csv`, `other_registers.csv`). A wrong check digit: fail. A number of another form than the
    known ones: review, because a country may have more registers. Whether the register has the number is
    not examined. No rule for the register, or nothing attested: not applicable.
    """

    id = "kyb.registration_number"
    title = "Registration number"
    payload_key = "registration_number"
    rests_on = ("python-stdnum", "table:registers")

    def look(self, evidence: Evidence) -> Outcome:
        numbers = texts(evidence.attested.get("business_registration_number"))
        if not numbers:
            return self.not_applicable("No registration number was attested.")
        country = country_of(evidence.attested)
        validators = []
        for name in _REGISTERS.get(country, ()):
            validators.append(get_cc_module(country.lower(), name))
        modules = [module for module in validators if module is not None]
        rows = []
        for number in numbers:
            results = []
            for module in modules:
                results.append(_validated("Number", number, module, country))
            results += _by_pattern(number, country)
            rows.append(_best(number, results))
        # Nothing could be checked, so the check does not apply.
        if all(item["state"] == "unknown" for item in rows):
            return self.not_applicable(
                "Not checked: the format of this register is not known."
            )
        plain = [only_letters_and_digits(number).upper() for number in numbers]
        if len(rows) == 1:
            passed = "Valid format."
        else:
            passed = f"All {len(rows)} numbers: valid format."
        return self.of_rows(rows, passed=passed, normalised=plain)


def _best(number: str, results: Sequence[Wire]) -> Wire:
    """Return the first format that the number has; else the one whose check digit is wrong; else the
    first, which is the likeliest.
    """
    for state in ("pass", "fail", "review"):
        for result in results:
            if result["state"] == state:
                return result
    how = "The format of this register's numbers is not known."
    return row("Number", number, "unknown", how)


class LegalEntityIdentifier(DataCheck):
    """Is the LEI valid, and does it name this business?

    Its check digits must be right: else fail. Where the register of GLEIF was loaded, the row of the LEI
    must bear the attested name (else review) and be issued. Not loaded: inconclusive. No LEI
    attested: not applicable.
    """

    id = "kyb.lei"
    title = "LEI"
    payload_key = "lei"
    rests_on = ("python-stdnum",)

    def look(self, evidence: Evidence) -> Outcome:
        number = text(evidence.attested.get("lei"))
        if not number:
            return self.not_applicable("No LEI was attested.")
        rows = [_validated("LEI", number, lei, "")]
        if rows[0]["state"] == "fail":
            return self.of_rows(rows, passed="")
        registry = evidence.available.registry
        # The check digits are right, but without the register it is not known whose LEI it is.
        if registry is None or not registry.is_loaded():
            rows.append(
                row("Register", "", "unknown", "No register of LEIs is loaded.")
            )
            return self.of_rows(rows, passed="")
        company = registry.by_lei(number)
        if company is None:
            rows.append(
                row("Register", "", "review", "The register does not have this LEI.")
            )
            return self.of_rows(rows, passed="")
        score = 0.0
        for name in _names(evidence):
            score = max(
                score, engine.compare(name, company.name, schema="Organization")
            )
        state: State = "pass"
        how = ""
        if score < tunables.SAME_BUSINESS:
            state = "review"
            how = f"The register names {company.name} (similarity {score:.2f})."
        source = {"source": company.source, "location": company.lei}
        rows.append(row("Name in the register", company.name, state, how) | source)
        if company.status:
            rows.append(_status(company.status) | {"source": company.source})
        return self.of_rows(
            rows,
            passed=f"{company.source} lists this LEI under the attested name.",
            record=asdict(company),
            score=round(score, 2),
        )


def _status(status: str) -> Wire:
    if status.upper() in {"ISSUED", "ACTIVE"}:
        return row("Status", status, "pass")
    return row("Status", status, "review", f"The LEI is {status.lower()}.")


class IncorporationDate(DataCheck):
    """How old is the business by its date of incorporation, and is the date possible?

    In the future: fail. Less than half a year ago, before 1800, or another one than
    `kyb.incorporation_document_verification` read from a valid document in the same job: review. Not a
    date: inconclusive. Nothing attested: not applicable.
    """

    id = "kyb.incorporation_date"
    title = "Date of incorporation"
    payload_key = "incorporation_age"

    def look(self, evidence: Evidence) -> Outcome:
        value = text(evidence.attested.get("incorporation_date"))
        if not value:
            return self.not_applicable("No date of incorporation was attested.")
        try:
            incorporated = date.fromisoformat(value)
        except ValueError:
            how = f"“{value}” is not a date."
            return self.of_rows([row("Incorporated", value, "unknown", how)], passed="")
        days = (evidence.today - incorporated).days
        state: State = "pass"
        how = f"Incorporated {_age(incorporated, evidence.today)}."
        if days < 0:
            state, how = "fail", "The date is in the future."
        # A young or very old business is no fault, but needs a manual review.
        elif days < tunables.YOUNG_DAYS:
            state = "review"
            how = f"The business is {counted(days, 'day')} old."
        elif incorporated.year < tunables.OLDEST_YEAR:
            state = "review"
            how = f"The date is before {tunables.OLDEST_YEAR}."
        rows = [
            row("Incorporated", value, state, how),
            *_against_documents(value, evidence),
        ]
        return self.of_rows(rows, passed=rows[0]["how"], age_days=days)


class BusinessNameConsistency(DataCheck):
    """Do the names of the business agree?

    The attested name, the registered one, and those that `kyb.incorporation_document_verification` read from
    valid documents in the same job, compared with the engine of screening for companies; under 0.85:
    review. That the names say different legal forms is shown apart. One name alone: not applicable.
    """

    id = "kyb.business_name_consistency"
    title = "Names compared"
    payload_key = "business_names"
    step = "Comparing the names"
    rests_on = ("table:company_words", "table:company_phrases")

    def look(self, evidence: Evidence) -> Outcome:
        names = list(dict.fromkeys([*_names(evidence), *_on_documents(evidence)]))
        if len(names) < 2:
            return self.not_applicable("There are no two names to compare.")
        rows = []
        matrix = []
        # Every two names are compared, and each pair is a row.
        for first, other in combinations(names, 2):
            score = engine.compare(first, other, schema="Organization")
            how = f"“{first}” and “{other}”: similarity {score:.2f}."
            state = pass_or("review", good=score >= tunables.SAME_BUSINESS)
            rows.append(row("Names", f"{first} / {other}", state, how))
            rows += _legal_forms(first, other)
            matrix.append(compared(first, other, [first], [other], "Organization"))
        return self.of_rows(rows, passed="The names match.", matrix=matrix)


def _legal_forms(first: str, other: str) -> list[Wire]:
    forms = []
    for name in (first, other):
        forms.append({*parse(name, person=False).tokens} & form_classes())
    # Many people omit the legal form, so only two stated forms can differ.
    if not all(forms) or forms[0] & forms[1]:
        return []
    return [
        row("Legal forms", f"{first} / {other}", "info", "Their legal forms differ.")
    ]


class OwnershipMath(DataCheck):
    """Do the shares of the owners add up?

    More than 100 %: review. Under 75 % attested, and no owner of at least 25 % among them: review, for such
    an owner may be left out. A business that owns itself, at once or through its owners: review. No
    shares attested: not applicable.
    """

    id = "kyb.ownership_math"
    title = "Shares of the owners"
    payload_key = "ownership"

    def look(self, evidence: Evidence) -> Outcome:
        shares = list(_shares(evidence.attested.get("owners")))
        if not shares:
            return self.not_applicable("No shares were attested.")
        total = sum(share for _, share in shares)
        rows = []
        for name, share in shares:
            rows.append(row(name, f"{share:g} %", "info"))
        most = tunables.MOST_SHARES + _rounding([share for _, share in shares])
        if total <= most:
            rows.append(row("Together", f"{total:g} %", "pass"))
        else:
            how = f"The shares add up to {total:g} %, more than 100 %."
            rows.append(row("Together", f"{total:g} %", "review", how))
        largest = max(_by_owner(evidence.attested.get("owners")))
        # A beneficial owner may be among the shares that were not attested.
        if total < tunables.FEWEST_SHARES and largest < tunables.BENEFICIAL_OWNER:
            rows.append(
                row("Largest", "", "review", "No owner of 25 % or more is named.")
            )
        for path in _circles(
            evidence.attested.get("owners"), tuple(_names(evidence)[:1])
        ):
            circle = " → ".join(path)
            rows.append(
                row("Circle", circle, "review", f"Circular ownership: {circle}.")
            )
        return self.of_rows(
            rows, passed=f"The attested shares add up to {total:g} %.", total=total
        )


def _circles(owners: object, path: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return the paths on which a business is among its own owners."""
    circles: list[tuple[str, ...]] = []
    # A limit of the depth, because attested data may nest owners endlessly.
    if not isinstance(owners, list) or len(path) >= tunables.DEEPEST:
        return circles
    for owner in owners:
        facts = mapping(owner)
        name = text(facts.get("business_name")) or text(facts.get("name"))
        # An owner without a name cannot close a circle.
        if not name:
            continue
        if any(
            engine.compare(name, above, schema="Organization") > tunables.SAME_OWNER
            for above in path
        ):
            circles.append((*path, name))
        else:
            circles += _circles(facts.get("owners"), (*path, name))
    return circles[: tunables.MOST_CIRCLES]


def _rounding(shares: Sequence[float]) -> float:
    """Return how much the shares may be above the whole because each was rounded: six of 16.67 % is 100.02 %.

    Whole percents are taken as they are: 51 % and 50 % are a mistake.
    """
    most = 0.0
    for share in shares:
        decimals = f"{share:.6f}".rstrip("0").partition(".")[2]
        if decimals:
            most += 0.5 * 10 ** -len(decimals)
    return most


def _by_owner(owners: object) -> list[float]:
    """Return the share of each owner: of one with several rows, as for classes of shares, the sum.

    Rows without a name are each an owner of their own.
    """
    by_name: dict[str, float] = {}
    nameless: list[float] = []
    for name, share in _named_shares(owners):
        if name:
            key = " ".join(name.casefold().split())
            by_name[key] = by_name.get(key, 0) + share
        else:
            nameless.append(share)
    return [*by_name.values(), *nameless]


def _shares(owners: object) -> list[tuple[str, float]]:
    return [(name or "An owner", share) for name, share in _named_shares(owners)]


def _named_shares(owners: object) -> list[tuple[str, float]]:
    shares: list[tuple[str, float]] = []
    if not isinstance(owners, list):
        return shares
    for owner in owners:
        facts = mapping(owner)
        share = _share_of(facts)
        if share is not None:
            person = texts(facts.get("first_name")) + texts(facts.get("last_name"))
            name = text(facts.get("name")) or text(facts.get("business_name"))
            shares.append((name or " ".join(person), share))
    return shares


def _share_of(facts: JsonObject) -> float | None:
    """Return the share of an owner. A member without a share does not hide one that has it."""
    for member in ("ownership_percentage", "percentage", "share", "ownership"):
        share = percentage(facts.get(member))
        if share is not None:
            return share
    return None


def _names(evidence: Evidence) -> list[str]:
    names = texts(evidence.attested.get("business_name"))
    names += texts(evidence.attested.get("registered_business_name"))
    return list(dict.fromkeys(names))


def _documents(evidence: Evidence) -> Sequence[ReadDocument]:
    """Return what was read from valid documents of incorporation in the same job."""
    return evidence.available.documents_read_by(INCORPORATION) or ()


def _on_documents(evidence: Evidence) -> list[str]:
    names: list[str] = []
    for document in _documents(evidence):
        name = text(document.facts.get("business_name"))
        if name:
            names.append(name)
    return names


def _against_documents(attested_date: str, evidence: Evidence) -> list[Wire]:
    rows = []
    for document in _documents(evidence):
        document_date = text(document.facts.get("incorporation_date"))
        if not document_date:
            continue
        state: State = "pass"
        how = ""
        if document_date != attested_date:
            state = "review"
            how = f"The document says {document_date}; {attested_date} was attested."
        finding = row("On the document", document_date, state, how)
        rows.append(finding | {"source": document.file_name})
    return rows


def _age(incorporated: date, today: date) -> str:
    """Return how long ago it was: in whole years, or in months if it is less than two years."""
    is_short_of = (today.month, today.day) < (incorporated.month, incorporated.day)
    years = today.year - incorporated.year - is_short_of
    if years >= tunables.MONTHS_UP_TO_YEARS:
        return f"{counted(years, 'year')} ago"
    months = (
        (today.year - incorporated.year) * 12
        + today.month
        - incorporated.month
        - (today.day < incorporated.day)
    )
    return f"{counted(months, 'month')} ago"


def _by_pattern(number: str, country: str) -> list[Wire]:
    """Return the result of the patterns of the country's registers; nothing if none is known."""
    patterns = []
    for line in (*table("registers"), *table("other_registers")):
        if line["country"] == country:
            patterns.append(line)
    plain = {
        only_letters_and_digits(form).upper() for form in spellings(number, country)
    }
    for line in patterns:
        pattern = re.compile(line["pattern"], re.ASCII)
        if any(map(pattern.fullmatch, plain)):
            return [row("Number", number, "pass", f"valid format of {line['name']}")]
    names = " or ".join(line["name"] for line in patterns)
    how = f"“{number}” is not a valid format of {names}."
    if patterns:
        return [row("Number", number, "review", how)]
    return []


def _validated(
    label: str, number: str, module: ModuleType | NumberValidationModule, country: str
) -> Wire:
    """Return the result of a rule of python-stdnum for the likeliest spelling of a number."""
    name = format_name(module)
    mistakes = []
    for spelling in spellings(number, country):
        try:
            module.validate(spelling)
        except ValidationError as exc:
            mistakes.append(exc)
            continue
        what = "format and prefix are" if module is ein else "format is"
        return row(label, number, "pass", f"{name} {what} valid")
    # A spelling that has the form, and a wrong check digit, says more than those that have it not.
    worst = next(
        (exc for exc in mistakes if not isinstance(exc, _OF_ANOTHER_FORM)), mistakes[0]
    )
    how = f"“{number}” is not a valid {name}: {mistake(worst)}."
    is_open = isinstance(worst, _OF_ANOTHER_FORM) and module not in (ein, lei)
    return row(label, number, "review" if is_open else "fail", how)
