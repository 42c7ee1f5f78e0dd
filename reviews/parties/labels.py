"""The labels of names, numbers and facts of parties, and the members of data that state them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from reviews.models.parties import Party, PartyRelation

Relation = PartyRelation.Kind

LABELS = {
    # names
    "name": _("Name"),
    "registered_name": _("Registered name"),
    "trade_name": _("Trade name"),
    "former_name": _("Former name"),
    "alias": _("Alias"),
    # numbers
    "registration_number": _("Registration number"),
    "tax_number": _("Tax number"),
    "vat_number": _("VAT number"),
    "lei": "LEI",
    "imo_number": _("IMO number"),
    "iban": "IBAN",
    "bic": "BIC",
    "wallet_address": _("Wallet address"),
    "passport": _("Passport"),
    "identity_document": _("Identity document"),
    "national_number": _("National number"),
    # facts
    "date_of_birth": _("Date of birth"),
    "place_of_birth": _("Place of birth"),
    "nationality": _("Nationality"),
    "residence": _("Country of residence"),
    "incorporation_date": _("Incorporation date"),
    "country": _("Country"),
    "address": _("Address"),
    "legal_form": _("Legal form"),
    "website": _("Website"),
}
# Members with a part of the name of a person, in the order of the name. Of each part, the first
# member that an entry has is read.
NAME_PARTS = (
    ("first_name", "given_name", "given_names", "forename", "first"),
    ("middle_name", "middle_names", "middle"),
    ("last_name", "family_name", "surname", "last"),
)
# Members with a name, and the label of that name. The first member that an entry has is its
# name.
NAMES = {
    "business_name": "name",
    "company_name": "name",
    "entity_name": "name",
    "organization_name": "name",
    "organisation_name": "name",
    "trust_name": "name",
    "vessel_name": "name",
    "ship_name": "name",
    "full_name": "name",
    "full_legal_name": "name",
    "display_name": "name",
    "legal_name": "registered_name",
    "legal_business_name": "registered_name",
    "legal_entity_name": "registered_name",
    "registered_business_name": "registered_name",
    "registered_name": "registered_name",
    "name": "name",
    "names": "name",
    "trade_name": "trade_name",
    "trading_name": "trade_name",
    "trading_names": "trade_name",
    "dba": "trade_name",
    "dba_name": "trade_name",
    "former_name": "former_name",
    "former_names": "former_name",
    "previous_name": "former_name",
    "previous_names": "former_name",
    "maiden_name": "former_name",
    "alias": "alias",
    "aliases": "alias",
    "also_known_as": "alias",
    "aka": "alias",
}
# Members with a number, and the label of that number.
IDENTIFIERS = {
    "business_registration_number": "registration_number",
    "registration_number": "registration_number",
    "company_number": "registration_number",
    "register_number": "registration_number",
    "tin_number": "tax_number",
    "tin": "tax_number",
    "ein": "tax_number",
    "tax_id": "tax_number",
    "tax_number": "tax_number",
    "vat_number": "vat_number",
    "vat": "vat_number",
    "lei": "lei",
    "lei_code": "lei",
    "legal_entity_identifier": "lei",
    "imo": "imo_number",
    "imo_number": "imo_number",
    "imo_no": "imo_number",
    "vessel_imo": "imo_number",
    "ship_imo": "imo_number",
    "iban": "iban",
    "bic": "bic",
    "bic_code": "bic",
    "swift": "bic",
    "swift_code": "bic",
    "swift_bic": "bic",
    "wallet": "wallet_address",
    "wallet_address": "wallet_address",
    "passport": "passport",
    "passport_number": "passport",
    "national_id": "national_number",
    "national_id_number": "national_number",
    "national_number": "national_number",
    "ssn": "national_number",
}
# Other members with wallet addresses.
WALLETS = re.compile(r"wallet|(?:crypto|blockchain|bitcoin|ethereum|coin)\w*address")
# Members with a fact, and the label of that fact.
FACTS = {
    "date_of_birth": "date_of_birth",
    "birth_date": "date_of_birth",
    "dob": "date_of_birth",
    "place_of_birth": "place_of_birth",
    "country_of_nationality": "nationality",
    "nationality": "nationality",
    "citizenship": "nationality",
    "country_of_residence": "residence",
    "incorporation_date": "incorporation_date",
    "country": "country",
    "country_code": "country",
    "country_of_incorporation": "country",
    "jurisdiction": "country",
    "legal_form": "legal_form",
    "website": "website",
}
COUNTRIES = frozenset({"nationality", "residence", "country"})
# Two parties with an equal number of these kinds are the same, if the issuing country is equal
# or the number is unique worldwide. A BIC is not among them: it belongs to a bank with many
# accounts.
STRONG = frozenset(
    {
        "registration_number",
        "tax_number",
        "vat_number",
        "lei",
        "imo_number",
        "iban",
        "wallet_address",
        "passport",
        "identity_document",
        "national_number",
    }
)
WORLDWIDE = frozenset({"lei", "imo_number", "iban", "wallet_address", "vat_number"})
# Numbers of a thing that may have several owners: two people with one account are not one person.
OF_THINGS = {
    "imo_number": Party.Kind.VESSEL,
    "iban": Party.Kind.ACCOUNT,
    "wallet_address": Party.Kind.WALLET,
}


@dataclass(frozen=True)
class Member:
    """What a member of attested data means for the parties in it."""

    relation: Relation
    kind: Party.Kind | None = None
    # Reverses the relation: the party in the member is held by the party that has the member.
    is_held: bool = False


_PERSON = Party.Kind.PERSON
_COMPANY = Party.Kind.COMPANY
MEMBERS: dict[str, Member] = {}


def _declare(member: Member, names: str) -> None:
    for name in names.split():
        MEMBERS[name] = member


# Names of members, separated by spaces, in several languages.
_declare(
    Member(Relation.OWNER),
    "owner owners shareholder shareholders stockholder stockholders partner partners"
    " beneficial_owner beneficial_owners ultimate_beneficial_owner ultimate_beneficial_owners"
    " ubo ubos psc pscs holder holders investor investors proprietor proprietors"
    " company_owners business_owners ownership ownership_structure cap_table shareholding"
    " persons_with_significant_control people_with_significant_control"
    " person_with_significant_control"
    " gesellschafter inhaber eigentuemer actionnaires accionistas socios soci",
)
_declare(
    Member(Relation.OWNER, _COMPANY),
    "parent_company parent_companies holding_company owning_companies corporate_owners"
    " corporate_shareholders",
)
_declare(Member(Relation.OWNER, _PERSON), "individual_owners individual_shareholders")
_declare(
    Member(Relation.OWNER, _COMPANY, is_held=True),
    "subsidiary subsidiaries companies_owned owned_companies businesses_owned",
)
_declare(
    Member(Relation.DIRECTOR, _PERSON),
    "director directors officer officers executive executives manager managers board"
    " management geschaeftsfuehrer vorstand dirigeants administradores amministratori",
)
_declare(
    Member(Relation.CONTROLLER),
    "controller controllers control_person control_persons controlling_persons trustee"
    " trustees settlor settlors protector protectors grantor grantors",
)
_declare(
    Member(Relation.SIGNATORY, _PERSON),
    "signatory signatories signer signers authorized_signatories authorised_signatories"
    " representative representatives attorney attorneys",
)
_declare(
    Member(Relation.RELATIVE, _PERSON),
    "relative relatives spouse spouses family family_members children parents siblings",
)
_declare(
    Member(Relation.ASSOCIATE, _PERSON),
    "associated_individual associated_individuals associated_person associated_persons"
    " associated_people individuals people key_people associate associates",
)
_declare(
    Member(Relation.ASSOCIATE, _COMPANY),
    "associated_business associated_businesses associated_company associated_companies"
    " associated_entities affiliate affiliates related_companies related_businesses",
)
_declare(
    Member(Relation.ASSOCIATE),
    "associated_parties related_parties beneficiary beneficiaries nominee nominees founder"
    " founders",
)
# Words beside these names that change nothing: "majority_shareholders", "owners_list". A business
# partner owns nothing, so not every name may have them.
_QUALIFIERS = re.compile(
    r"major|majority|minority|ultimate|direct|indirect|legal|beneficial|registered|corporate"
    r"|company|business|controlling|significant|principal|key|senior|managing|executive"
    r"|authori[sz]ed|current|all|individual|board|of|list|name|details|data"
)
_QUALIFIED = re.compile(
    r"owners?|ubos?|(?:share|stock)holders?|directors?|officers?|controllers?"
    r"|signator(?:y|ies)|signers?|representatives?"
)
# Words in `role`, `title` or `type` of an entry. They are more precise than the name of the
# member.
ROLE_WORDS = (
    (
        Relation.OWNER,
        re.compile(r"\b(?:owner|ubo|shareholder|stockholder|partner|member)\b"),
    ),
    (
        Relation.CONTROLLER,
        re.compile(r"\b(?:controller|control|trustee|settlor|protector)\b"),
    ),
    (
        Relation.DIRECTOR,
        re.compile(
            r"\b(?:director|officer|ceo|cfo|coo|president|manager|chair\w*|secretary)\b"
        ),
    ),
    (
        Relation.SIGNATORY,
        re.compile(r"\b(?:signatory|signer|representative|attorney)\b"),
    ),
    (
        Relation.RELATIVE,
        re.compile(
            r"\b(?:spouse|wife|husband|son|daughter|mother|father|brother|sister)\b"
        ),
    ),
)
# Words that tell the kind of a party. The first two rows are also searched in names.
KIND_WORDS = (
    (Party.Kind.TRUST, re.compile(r"\b(?:trust|foundation|stiftung|treuhand)\b")),
    (
        Party.Kind.COMPANY,
        re.compile(
            r"\b(?:ltd|limited|llc|llp|lp|inc|incorporated|corp|corporation|co|company|plc|gmbh"
            r"|ag|kg|ohg|ug|se|sa|sas|sarl|s\.?a\.?r\.?l|spa|s\.?p\.?a|srl|s\.?r\.?l|bv|b\.v|nv"
            r"|n\.v|oy|oyj|ab|as|asa|a\.?/?s|aps|kft|zrt|sro|s\.r\.o|ooo|oao|pao|zao|jsc|pjsc"
            r"|fze|fzco|fz-llc|pte|pty|sdn|bhd|holding|holdings|group|bank|partners|ventures"
            r"|capital|enterprises|trading|business|organi[sz]ation|entity|legal[ -]person)\b"
        ),
    ),
    (Party.Kind.VESSEL, re.compile(r"\b(?:vessel|ship)\b")),
    (Party.Kind.WALLET, re.compile(r"\bwallet\b")),
    (Party.Kind.ACCOUNT, re.compile(r"\b(?:bank account|account)\b")),
    (Party.Kind.PERSON, re.compile(r"\b(?:person|individual|natural person|human)\b")),
)
# Names in lists of owners that name nobody: who holds that part is not known.
NOBODY = re.compile(
    r"^(?:(?:the|all|various|several|many|other|others|remaining|minority|public|small|free"
    r"|unknown|undisclosed|unnamed|anonymous|bearer|treasury|own|outstanding)\s+)+"
    r"(?:share|shares|shareholder|shareholders|stockholder|stockholders|owner|owners|holder"
    r"|holders|investor|investors|member|members|float|person|persons|people|individual"
    r"|individuals|parties|warrants?)$"
    r"|^(?:others?|unknown|various|bearer|public|free[- ]?float|rest|remainder|not known|none|nobody"
    r"|n/?a|tb[cda]|to be (?:confirmed|determined)|inhaberaktien|streubesitz|actions au porteur"
    r"|acciones al portador)$"
    # Classes of beneficiaries: "the children of Ann Lee", "unborn issue", "all employees".
    r"|^(?:(?:the|all|any|his|her|their|minor|adult|living|future|unborn|remoter|present)\s+)*"
    r"(?:(?:great-?)?grand)?(?:child|children|sons|daughters|descendants|issue|heirs|relatives"
    r"|family(?: members)?|spouse|widow|employees|staff|beneficiaries|nachkommen|kinder|erben"
    r"|enfants|descendientes|hijos|herederos)(?:\s+(?:of|and|or|von|de|des|du|del)\b.*)?$"
)
# Words for somebody who holds in the own name what belongs to another.
NOMINEE = re.compile(
    r"\b(?:nominees?|on behalf of|as agent for|street name|custodian|treuh[aä]nder|strohmann"
    r"|pr[eê]te-nom|testaferro)\b"
)
# Members of a trust that are its beneficial owners (AMLR, article 58), whatever they hold.
OF_TRUST = re.compile(r"^(?:beneficiar|settlor|trustee|protector|grantor|founder)")


def is_of_a_kind(word: str) -> bool:
    """Whether a word of a name tells the kind of a party: "gmbh", "holdings", "trust"."""
    return any(pattern.fullmatch(word) for _, pattern in KIND_WORDS)


def may_be_same(first: str, second: str) -> bool:
    """Whether parties of these kinds may be one."""
    return first == second or Party.Kind.UNKNOWN in {first, second}


def folded(member: str) -> str:
    """The declared form of a member: "associatedIndividuals" becomes "associated_individuals"."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", member.strip())
    return re.sub(r"[^a-z0-9]+", "_", words.casefold()).strip("_")


def member_of(name: str) -> Member | None:
    """The meaning of a member in any spelling, or None.

    A number at the end is ignored ("owner_2"), and so are words such as "list" and "majority".
    """
    word = re.sub(r"_?\d+$", "", folded(name))
    if member := MEMBERS.get(word):
        return member
    words = []
    for part in word.split("_"):
        if not _QUALIFIERS.fullmatch(part):
            words.append(part)
    if len(words) == 1 and _QUALIFIED.fullmatch(words[0]):
        return MEMBERS[words[0]]
    return None
