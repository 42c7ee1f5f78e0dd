"""Maps the columns of a file to members of a case: proposed by header, confirmed by a person.

Headers are compared without case, spaces and punctuation. A header that fits several members is
mapped to none, because a wrong mapping is worse than a choice that a person has to make.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext

from reviews.intake.forms import CUSTOM, FORMS
from reviews.intake.parties import rows as party_rows
from reviews.models import DOCUMENT_KINDS, ID_PICTURES
from reviews.procedures import form_fields, versions

ID = "id"
# The column is ignored.
NOT_TAKEN = ""
# The column is no member of a case: its cells are stored with the case under the header.
KEPT = "+"
_PREFIX = "self_attested_data."
# Names of the members in other systems.
_OTHER_NAMES: Mapping[str, Sequence[str]] = {
    ID: (
        "case id", "case", "case number", "reference", "reference number", "external id",
        "customer id", "customer number", "client id", "client number",
    ),
    "business_name": (
        "company", "company name", "name", "trading name", "dba", "doing business as",
        "merchant", "merchant name", "organisation", "organization", "firma", "firmenname",
        "unternehmen", "empresa", "razón social", "société", "entreprise", "raison sociale",
    ),
    "registered_business_name": (
        "registered name", "legal name", "legal entity name", "legal business name",
    ),
    "website": ("url", "web", "web site", "homepage", "domain"),
    "tin_number": (
        "tin", "ein", "tax id", "tax number", "tax registration number", "vat", "vat number",
        "vat id", "steuernummer", "nif", "cif", "numéro fiscal", "numéro de tva",
    ),
    "business_registration_number": (
        "company number", "registry number", "crn", "registration id", "register number",
        "company registration number", "commercial register number", "registernummer",
        "handelsregisternummer", "siren", "siret", "número de registro",
    ),
    "incorporation_date": (
        "date of incorporation", "incorporated", "incorporated on", "founded", "founded on",
        "established", "formation date", "date of formation", "registration date", "gegründet",
        "fecha de constitución", "date de création",
    ),
    "industry": ("sector", "line of business"),
    "mcc_code": ("merchant category code",),
    "contact_email_address": ("email", "email address", "contact email"),
    "contact_phone_number": (
        "phone", "telephone", "phone number", "telephone number", "contact phone",
    ),
    "first_name": ("given name", "given names", "forename"),
    "last_name": ("surname", "family name", "nachname", "apellidos", "nom de famille"),
    "date_of_birth": ("dob", "birth date", "birthday", "born"),
    "sex": ("gender",),
    "email": ("e mail", "email address"),
    "phone": ("telephone", "telephone number", "phone number", "mobile", "mobile number"),
    "country_of_nationality": ("nationality", "citizenship"),
    "country_of_residence": ("residence",),
    "place_of_birth": ("birthplace",),
    "incorporation_documents": ("certificate of incorporation", "incorporation document"),
    "proof_of_address_documents": ("proof of address", "utility bill"),
    "ein_documents": ("ein letter",),
}  # fmt: skip
# Names of the parts of an address, e.g. "city" in "registered city".
_OF_ADDRESS: Mapping[str, Sequence[str]] = {
    "street_1": ("street", "address line 1", "street address"),
    "street_2": ("address line 2", "unit"),
    "city": ("town",),
    "state": ("province", "region"),
    "postal_code": ("zip", "zip code", "postcode"),
    "country_code": ("country",),
}
# Short forms in headers. "No." is a number in several languages.
_SHORT_FORMS: Mapping[str, str] = {
    "no": "number", "nr": "number", "num": "number", "reg": "registration", "ref": "reference",
    "tel": "telephone", "addr": "address", "inc": "incorporation",
}  # fmt: skip
# Words that other systems put before the part of an address.
_ADDRESSES: Mapping[str, Sequence[str]] = {
    "address_of_incorporation": (
        "incorporation",
        "registered",
        "registered office",
        "",
    ),
    "address_of_operation": ("operation", "operating", "business", "trading", ""),
    "address": ("home", "residential", ""),
}


# Owners and officers that one row of a file may name. More come in a file of relations.
PARTIES = 5
# Words of headings, and the roles that they state.
_ROLE_WORDS: Mapping[str, str] = {
    "owner": "owner",
    "shareholder": "owner",
    "ubo": "owner",
    "director": "director",
    "controller": "controller",
    "signatory": "signatory",
}
# Names of the cells of one owner or officer in other systems. "": the heading has no more words.
_OF_PARTY: Mapping[str, Sequence[str]] = {
    "name": ("", "full name"),
    "share": ("percentage", "percent", "ownership", "stake"),
    "kind": ("type",),
    "date_of_birth": ("dob", "birth date", "born"),
    "registration_number": ("company number", "number"),
    "country_code": ("country", "nationality"),
}


def choices(kind: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """The members of a kind of case in the groups of its form: pairs of title and members.

    Each member is a pair of name and label.
    """
    form = FORMS[kind]
    groups = [(gettext("Case"), [(ID, gettext("Case id"))])]
    for section in form.sections:
        members = []
        for cell in section.cells:
            label = str(cell.field.label)
            # Several addresses have members with the same labels.
            if "." in cell.name:
                label = f"{section.title}: {label}"
            members.append((cell.name, label))
        groups.append((str(section.title), members))
    if form.has_parties:
        groups.append((gettext("Owners and officers"), list(_parties())))
    # Custom fields of the live procedure.
    custom = versions.content_of(versions.live(kind)).fields
    if custom:
        members = []
        for spec in custom:
            members.append((form_fields.name_of(spec), spec.label))
        groups.append((str(CUSTOM.title), members))
    documents = list(_documents(kind))
    groups.append((gettext("Documents, as URLs"), documents))
    return groups


def document_members(kind: str) -> set[str]:
    return {name for name, _ in _documents(kind)}


def labels(kind: str) -> dict[str, str]:
    """The label of each member."""
    return {name: label for _, members in choices(kind) for name, label in members}


def propose(headers: Sequence[str], kind: str) -> list[str]:
    """The proposed member for each column.

    KEPT if no member fits or several do. NOT_TAKEN for a column without a header.
    """
    labels_by_member = labels(kind)
    # The names of the interface count before the names of other systems.
    exact = {_plain(member): member for member in labels_by_member}
    members_by_name = _members_by_name(labels_by_member, kind)
    names = [_plain(header) for header in headers]
    main_address = _main_address(names, members_by_name)
    mapping: list[str] = []
    for header, name in zip(headers, names, strict=True):
        member = exact.get(name, NOT_TAKEN)
        others = members_by_name.get(name, set())
        if len(others) > 1 and main_address:
            others = {other for other in others if other.startswith(main_address)}
        if not member and len(others) == 1:
            (member,) = others
        # If two columns fit the same member, the first one gets it.
        if not member or member in mapping:
            member = KEPT if header else NOT_TAKEN
        mapping.append(member)
    return mapping


def _main_address(names: Sequence[str], members_by_name: Mapping[str, set[str]]) -> str:
    """The address that is meant by a header such as "City", of several addresses of the kind.

    "" if a header names one of the addresses: "City" beside "Registered city" may be the other one.
    """
    for name in names:
        members = members_by_name.get(name, set())
        if len(members) == 1 and next(iter(members)).startswith(tuple(_ADDRESSES)):
            return ""
    return next(iter(_ADDRESSES)) + "."


def _members_by_name(
    labels_by_member: Mapping[str, str], kind: str
) -> dict[str, set[str]]:
    """Plain name → the members that other systems may call so."""
    members_by_name: dict[str, set[str]] = {}
    # A file may have the headings of the page in any of its languages.
    for language, _ in settings.LANGUAGES:
        with translation.override(language):
            names = list(_names(labels_by_member, kind))
        for name, member in names:
            members = members_by_name.setdefault(_plain(name), set())
            members.add(member)
    return members_by_name


def fit(mapping: Sequence[str], *, headers: Sequence[str], kind: str) -> list[str]:
    """The mapping, one entry per column, without unknown members.

    The mapping comes from a form, so it may be too short or hold anything.
    """
    members_of_kind = {KEPT, *labels(kind)}
    members = []
    for index in range(len(headers)):
        member = NOT_TAKEN
        if index < len(mapping) and mapping[index] in members_of_kind:
            member = mapping[index]
        members.append(member)
    return members


def _names(labels_by_member: Mapping[str, str], kind: str) -> Iterator[tuple[str, str]]:
    """Pairs (name, member): other names that a member may have in a file."""
    for member, label in labels_by_member.items():
        if member.startswith(form_fields.PREFIX):
            yield label, member
            yield member.removeprefix(form_fields.PREFIX), member
    for section in FORMS[kind].sections:
        # Members that an ID vendor fills in have special names or none, so they are not proposed.
        cells = () if section.folded else section.cells
        for cell in cells:
            yield str(cell.field.label), cell.name
            yield f"{section.title} {cell.field.label}", cell.name
    for member in labels_by_member:
        for name in (*_OTHER_NAMES.get(member, ()), *_names_in_address(member)):
            yield name, member
    for member, label in _documents(kind):
        yield label, member
    yield from _names_of_parties(kind)


def _parties() -> Iterator[tuple[str, str]]:
    """Pairs of member and label, of the owners and officers that a row may name."""
    for row in party_rows.rows(PARTIES):
        for cell in row.cells:
            yield cell.name, f"{row.section.title}: {cell.field.label}"


def _names_of_parties(kind: str) -> Iterator[tuple[str, str]]:
    """Names such as "owner 1 share", "director 2 name" or only "shareholder 3"."""
    if not FORMS[kind].has_parties:
        return
    for member, label in _parties():
        yield label, member
        _, number, last = member.split(".")
        place = int(number) + 1
        for words in (*_ROLE_WORDS, "party"):
            yield f"{words} {place} {last.replace('_', ' ')}", member
            for other in _OF_PARTY.get(last, ()):
                yield f"{words} {place} {other}".strip(), member


def role_of(header: str) -> str:
    """The role that a heading such as "Director 2" states; "" if it states none."""
    word = _plain(header).partition(" ")[0]
    return _ROLE_WORDS.get(word, "")


def _names_in_address(member: str) -> Iterator[str]:
    """Names such as "registered city", if the member is part of an address."""
    address, _, last = member.rpartition(".")
    own_name = last.replace("_", " ")
    names = [own_name, *_OF_ADDRESS.get(last, ())]
    for before in _ADDRESSES.get(address, ()):
        for name in names:
            yield f"{before} {name}"


def _documents(kind: str) -> Iterator[tuple[str, str]]:
    for document_kind in DOCUMENT_KINDS[kind]:
        if document_kind not in ID_PICTURES:
            yield document_kind.value, str(document_kind.label)


def _plain(name: str) -> str:
    """The name in lower case and long forms, with one space between words and no punctuation."""
    text = name.strip().removeprefix(_PREFIX)
    # Split camel case: "companyName" is two words.
    text = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    words = re.findall(r"[^\W_]+", text.casefold())
    return " ".join(_SHORT_FORMS.get(word, word) for word in words)
