"""Which members of a case name parties, by the words of their names."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from checks.text.characters import has_digit

# How a text in a member is read. `party`: it names somebody, and if it cannot be read as names the
# check is inconclusive. `counterparty` (customers: “Siemens, small businesses”) and `mention`
# (team: “Sales”): it names or describes somebody, and what cannot be read is only reported. `none`:
# no parties.
TextRule = Literal["party", "counterparty", "mention", "none"]

# Words in names of members that contain parties.
_GENERIC = frozenset([
    "entity", "entities", "company", "companies", "business", "businesses", "organization",
    "organizations", "organisation", "organisations", "person", "persons", "people", "individual",
    "individuals", "party", "parties", "trust", "trusts", "foundation", "foundations", "firm",
    "firms", "corporation", "corporations", "vessel", "vessels", "ship", "ships",
])  # fmt: skip
# The words for companies. There, a single word is the name of a company.
_OF_COMPANIES = _GENERIC - {
    "entity", "entities", "person", "persons", "people", "individual", "individuals", "party",
    "parties",
}  # fmt: skip
# A relative may have the same name as the subject of the case, but is another person.
FAMILY = frozenset([
    "spouse", "spouses", "wife", "husband", "fiance", "fiancee", "fiancé", "fiancée", "cohabitant",
    "child", "children", "son", "sons", "daughter", "daughters", "grandchild", "grandchildren",
    "parent", "parents", "father", "fathers", "mother", "mothers", "grandfather", "grandmother",
    "grandparent", "grandparents", "sibling", "siblings", "brother", "brothers", "sister",
    "sisters", "uncle", "aunt", "cousin", "cousins", "relative", "relatives", "kin", "dependent",
    "dependents", "dependant", "dependants", "family", "heir", "heirs", "guardian", "guardians",
    "stepfather", "stepmother",
])  # fmt: skip
_ROLES = frozenset([
    "owner", "owners", "ubo", "ubos", "officer", "officers", "partner", "partners", "director",
    "directors", "shareholder", "shareholders", "stockholder", "stockholders", "controller",
    "controllers", "member", "members", "principal", "principals", "signatory", "signatories",
    "signer", "signers", "manager", "managers", "representative", "representatives", "trustee",
    "trustees", "beneficiary", "beneficiaries", "settlor", "settlors", "protector", "protectors",
    "nominee", "nominees", "founder", "founders", "executive", "executives", "president",
    "secretary", "treasurer", "chairman", "ceo", "cfo", "coo", "parent", "parents", "subsidiary",
    "subsidiaries", "affiliate", "affiliates", "guarantor", "guarantors", "investor", "investors",
    "proprietor", "proprietors", "administrator", "administrators",
    "associate", "associates", "holder", "holders", "stakeholder", "stakeholders",
    "psc", "pscs", "bo", "bos", "agent", "agents", "attorney", "attorneys", "chair",
    "chairperson", "conservator", "cosigner", "cosigners", "benefactor", "testator", "grantor",
    "grantee", "directorship", "directorships", "trusteeship", "trusteeships",
    # the same in other languages
    "gesellschafter", "geschaeftsfuehrer", "geschäftsführer", "inhaber", "eigentuemer",
    "eigentümer", "vorstand", "actionnaire", "actionnaires", "dirigeant", "dirigeants", "gerant",
    "gerants", "gérant", "gérants", "beneficiaire", "beneficiaires", "bénéficiaire",
    "bénéficiaires", "associé", "associés", "accionista", "accionistas", "socio", "socios",
    "beneficiario", "beneficiarios", "propietario", "propietarios", "administrador",
    "administradores", "soci", "azionisti", "amministratori", "aandeelhouders", "bestuurders",
    "ehepartner", "ehefrau", "ehemann", "kinder", "conjoint", "conjointe", "cónyuge", "conyuge",
    "hijos", "coniuge",
]) | (FAMILY - {"family"})  # fmt: skip
# Members in which a text may be a number of people or a description: “two”, “joint”.
_DESCRIBED = frozenset([
    "child", "children", "son", "sons", "daughter", "daughters", "sibling", "siblings", "brothers",
    "sisters", "grandchildren", "grandparents", "dependent", "dependents", "dependant",
    "dependants", "kinder", "hijos", "holder", "holders",
])  # fmt: skip
# Business partners of the subject, who neither own nor control it.
_COUNTERPARTIES = frozenset([
    "customer", "customers", "clients", "supplier", "suppliers", "vendors", "employer", "employers",
    "counterparty", "counterparties", "contractors", "subcontractors", "distributors", "lenders",
    "creditors", "donor", "donors", "sponsor", "sponsors", "payer", "payee", "remitter", "landlord",
    "introducer", "referee", "referees",
])  # fmt: skip
# Words before “company” or “individuals” that make these parties of the case, so that a text names
# them.
_RELATED = frozenset([
    "associated", "related", "affiliated", "connected", "linked", "parent", "holding", "group",
    "sister", "owning", "controlling", "beneficial", "key", "interested", "controlled",
    "owned", "directed", "managed", "founded", "held",
])  # fmt: skip
# Words after “companies”, as in “companies owned or directed”.
_BEHIND = frozenset(["owned", "directed", "controlled", "managed", "or", "and"])
# Words after the word for a party: persons with significant control, members of the board.
_JOINING = frozenset([
    "with", "of", "in", "effectifs", "effectif",
])  # fmt: skip
# Members that contain people if they are lists or objects.
_STRUCTURES = frozenset([
    "ownership", "management", "board", "shareholding", "personnel", "staff", "team",
    "family", "household",
])  # fmt: skip
# The subset in which a text also names owners and controllers (not “staff: 25 people”). Only these
# words may stand before (not “risk management”), and these after: ownership structure.
_TEXT_STRUCTURES = frozenset(
    ["ownership", "management", "board", "shareholding", "shareholdings"]
)
_BEFORE_STRUCTURE = frozenset([
    "company", "business", "corporate", "beneficial", "ultimate", "direct", "indirect", "legal",
    "current", "key", "senior", "executive", "supervisory", "and", "share", "owner",
])  # fmt: skip
_AFTER_STRUCTURE = frozenset([
    "structure", "breakdown", "split", "description", "summary", "chart", "table", "text", "notes",
    "comment", "comments", "explanation", "statement", "chain", "tree", "team", "composition",
])  # fmt: skip
# Members within a member for parties, with a text about all of them.
DESCRIPTIONS = _AFTER_STRUCTURE | {"value", "content", "answer", "details", "free_text"}
# Pairs of words for members with the owners.
_TABLES = frozenset(
    [("cap", "table"), ("capitalization", "table"), ("capital", "structure")]
)
# Pairs of words for members in which a text names or describes somebody.
_MENTIONING = frozenset([
    ("business", "interests"), ("corporate", "interests"), ("commercial", "interests"),
    ("emergency", "contact"), ("emergency", "contacts"), ("of", "attorney"), ("joint", "applicant"),
    ("co", "applicant"), ("second", "applicant"), ("secondary", "applicant"), ("home", "owner"),
    ("house", "owner"), ("property", "owner"), ("board", "memberships"), ("exposed", "person"),
    ("exposed", "persons"), ("companies", "founded"), ("companies", "held"),
])  # fmt: skip
# Suffixes: “owner_name”, “owners_list”.
_SUFFIXES = frozenset([
    "full", "legal", "name", "names", "list", "data", "info", "information", "details",
])  # fmt: skip
# First words of members without a party: “type_of_business”, “number_of_owners”.
_NO_PARTY = frozenset([
    "type", "nature", "line", "kind", "purpose", "description", "number", "count", "country",
    "date", "age", "place", "address", "addresses", "email", "phone", "website", "url",
    "document", "documents", "years", "is", "has", "user",
])  # fmt: skip


def names_parties(key: object, value: object) -> bool:
    """Whether the member contains parties. `text_rule` judges a text."""
    if isinstance(value, str):
        return text_rule(key) != "none"
    words = _words(key)
    if not words or words[0] in _NO_PARTY:
        return False
    if words[-1] in _STRUCTURES or _is_text_structure(words) or _is_mentioning(words):
        return True
    return _holds_parties(words)


def text_rule(key: object) -> TextRule:
    words = _words(key)
    if not words or words[0] in _NO_PARTY:
        return "none"
    if _is_text_structure(words):
        return "party"
    if words[-1] in _STRUCTURES - _TEXT_STRUCTURES or _is_mentioning(words):
        return "mention"
    if not _holds_parties(words):
        return "none"
    bare = _without_suffixes(words)
    if bare[-1] in _COUNTERPARTIES:
        return "counterparty"
    if bare[-1] in _DESCRIBED:
        return "mention"
    is_related = bare[-1] in _GENERIC and not _RELATED.isdisjoint(bare[:-1])
    if is_related or not _ROLES.isdisjoint(bare) or _is_joined(words):
        return "party"
    return "mention"


def names_companies(key: object) -> bool:
    """Whether the member contains companies or business partners, and not people by role."""
    words = _without_suffixes(_words(key))
    return bool(words) and words[-1] in _OF_COMPANIES | _COUNTERPARTIES


def names_relatives(key: object) -> bool:
    """Whether the member contains only people: a spouse is no company."""
    words = _without_suffixes(_words(key))
    return bool(words) and words[-1] in FAMILY


# Members for the subject of a person's case, if they have no number: customer, client_name.
_SUBJECT = frozenset(["individual", "person", "customer", "client", "member", "holder"])
# Words before “holder” for the subject's own documents.
_OWN_DOCUMENTS = frozenset(
    ["passport", "document", "card", "id", "license", "licence", "visa"]
)
# Members with data that identify the subject of a person's case.
_IDENTITY = frozenset(
    ["mrz", "government_id_verification_data", "id_data", "vendor_data"]
)
# Lists of things that the subject of a person's case has: names, documents, addresses.
_OF_SUBJECT = frozenset([
    "name", "names", "alias", "aliases", "aka", "document", "documents", "passport",
    "passports", "id", "ids", "identity", "identities", "identification", "address", "addresses",
    "card", "cards", "licence", "license", "licenses",
])  # fmt: skip


def is_subject(key: object) -> bool:
    """Whether a member of a person's case contains that person: person, customer_name."""
    words = _without_suffixes(_words(key))
    has_number = has_digit(str(key))
    if has_number or not words:
        return False
    if words[-1] == "holder" and _OWN_DOCUMENTS.issuperset(words[:-1]):
        return True
    return len(words) == 1 and words[0] in _SUBJECT


def identifies_subject(key: object) -> bool:
    """Whether a member of a person's case contains data from an ID of that person."""
    return snake(key) in _IDENTITY


def describes_subject(key: object) -> bool:
    """Whether entries of a list are further names, documents or addresses of the subject."""
    words = _words(key)
    if not words:
        return False
    return words[-1] in _OF_SUBJECT or words[-2:] == ["known", "as"]


def _holds_parties(words: list[str]) -> bool:
    if _is_joined(words):
        return True
    bare = _without_suffixes(words)
    if bare[-1] not in _OF_PARTIES:
        return False
    # “business_name” is the name of the business of the case itself.
    has_suffix = len(bare) < len(words)
    return not has_suffix or not _OF_OTHERS.isdisjoint(bare)


# Words of members that may contain parties, and those that never mean the business of the case
# itself.
_OF_PARTIES = _ROLES | _GENERIC | _COUNTERPARTIES
_OF_OTHERS = _ROLES | _COUNTERPARTIES


def _is_joined(words: list[str]) -> bool:
    """Whether “of” or “with” follows a word for parties: persons with significant control."""
    for before, word in pairwise(words):
        if word in _JOINING:
            return before in _ROLES or before in _GENERIC
    return False


def _is_text_structure(words: list[str]) -> bool:
    """Whether it is a member such as ownership, beneficial_ownership_structure,
    shareholder_structure, cap_table.
    """
    if tuple(words[-2:]) in _TABLES:
        return True
    bare = _without_suffixes(words)
    is_described = len(bare) > 1 and bare[-1] in _AFTER_STRUCTURE
    if is_described:
        bare = bare[:-1]
    if bare[-1] in _TEXT_STRUCTURES:
        return _BEFORE_STRUCTURE.issuperset(bare[:-1])
    if not is_described or words[-1] not in {"structure", "chart", "breakdown"}:
        return False
    return bare[-1] in _ROLES


def _is_mentioning(words: list[str]) -> bool:
    return tuple(_without_suffixes(words)[-2:]) in _MENTIONING


def _without_suffixes(words: list[str]) -> list[str]:
    bare = list(words)
    while len(bare) > 1 and bare[-1] in _SUFFIXES:
        bare.pop()
    return bare


def _words(key: object) -> list[str]:
    """Return the words of a member's name.

    Numbers are left out: owner1, owner_2, owner_name_3. “father's name” and companies_owned (as
    owned companies) are normalised.
    """
    plain = re.sub(r"['\u2019]s?(?![^\W_])", "", str(key))
    without_numbers = re.sub(r"\d+", "_", snake(plain))
    words = [word for word in without_numbers.split("_") if word]
    holders = list(words)
    while len(holders) > 1 and holders[-1] in _BEHIND:
        holders.pop()
    behind = words[len(holders) :]
    if behind and holders[-1] in _GENERIC:
        return [*behind, *holders]
    return words


def snake(key: object) -> str:
    return _snake(str(key))


# Cached, because forms have the same members again and again.
@lru_cache(2000)
def _snake(key: str) -> str:
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", key)
    return re.sub(r"[\W_]+", "_", apart).strip("_").casefold()
