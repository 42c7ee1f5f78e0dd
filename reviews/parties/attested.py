"""Reads the parties of a case from its attested data, in any spelling. Works without the
database.

The data may come from anybody. Each function accepts any value and never raises. The number of
parties and the depth are limited.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain

from papers import countries
from reviews import results
from reviews.models.cases import Case
from reviews.models.parties import CaseParty, Party, PartyRelation
from reviews.models.service import Kind
from reviews.parties import labels, shares
from reviews.parties.labels import Member
from reviews.parties.shares import Share

# Limits that keep hostile data from loading the worker.
MOST_PARTIES = 200
DEEPEST = 12
MOST_CHARACTERS = 400
LONGEST_TEXT = 4_000  # characters of a text that names several parties
MOST_WORDS = 8  # words of a text that may be a name
MOST_VALUES = 10  # values of a member that is a list
SHORTEST_WALLET = 20  # characters of an address
# Members that state a share, in the order in which they are tried.
SHARE_MEMBERS = (
    "ownership_percentage",
    "share_percentage",
    "shares_percentage",
    "percentage",
    "percent",
    "ownership_percent",
    "share",
    "shareholding",
    "stake",
    "equity",
    "ownership",
)
# Members with codes of a register: a share of the capital or of the votes, or control by other means.
CODE_MEMBERS = ("natures_of_control", "nature_of_control", "control", "role", "roles")
VOTE_MEMBERS = ("voting_percentage", "votes_percentage", "voting_rights", "votes")
ROLE_MEMBERS = (
    "role",
    "roles",
    "title",
    "position",
    "relationship",
    "relation",
    "control",
)
TYPE_MEMBERS = ("type", "entity_type", "party_type", "kind", "owner_type", "legal_form")
# Objects around the members of a party, as the wire schema has them.
WRAPPERS = (
    "kyc_schema",
    "kyb_schema",
    "self_attested_data",
    "individual",
    "person",
    "company",
    "business",
    "entity",
    "data",
    "details",
    "profile",
    "info",
    "information",
    # The parts of a name: {"name": {"first": "Ann", "last": "Lee"}}.
    "name",
)
SINCE = ("since", "from", "start_date", "appointed_on", "valid_from", "notified_on")
UNTIL = ("until", "to", "end_date", "resigned_on", "valid_to", "ceased_on")

# What stands between two parties with their shares in one text: "Ann Lee 60 %, Bob Stone 40 %". What
# follows begins with a capital, where its script has some: "between 25 % and 50 %" is one share.
_SEVERAL = re.compile(
    r"(?:(?<=%)|(?<=%\)))\s*(?:[,;&\n]|\band\b|\bund\b|\bet\b)\s*(?=[^\W\d_a-z])"
)
Data = Mapping[str, object]


@dataclass(frozen=True)
class Stated:
    """A name, a number or a fact that the data state."""

    kind: str
    label: str
    value: str
    issuer: str = ""


@dataclass
class Entry:
    """A party that the data name.

    `place` is its path in the data. `above` is the place of the party that it has the
    `relation` to; if `is_held`, that party is the holder.
    """

    place: str
    kind: str
    role: str
    statements: list[Stated] = field(default_factory=list)
    above: str = ""
    relation: str = ""
    is_held: bool = False
    share: Share | None = None
    votes: Share | None = None
    # The owner also controls it by these means.
    means: str = ""
    detail: str = ""
    since: str = ""
    until: str = ""


def entries(case: Case) -> list[Entry]:
    """The subject of the case, followed by the parties that its data name, in their order."""
    attested = case.self_attested_data
    data = attested if isinstance(attested, dict) else {}
    subject = Entry("subject", _kind_of_subject(case), CaseParty.Role.SUBJECT)
    subject.statements = _statements(data)
    _add_name_of_case(subject, case)
    results_so_far = [subject]
    _read_members(data, subject, results_so_far, depth=0)
    if isinstance(case.schema_extra, dict):
        extra = case.schema_extra
    else:
        extra = {}
    _read_members(extra, subject, results_so_far, depth=0)
    return results_so_far


def _kind_of_subject(case: Case) -> str:
    if case.kind == Kind.KYC:
        return Party.Kind.PERSON
    kind = _kind_by_name(case.subject)
    if kind == Party.Kind.TRUST:
        return Party.Kind.TRUST
    return Party.Kind.COMPANY


def _add_name_of_case(subject: Entry, case: Case) -> None:
    if (
        not any(statement.kind == "name" for statement in subject.statements)
        and case.subject
    ):
        subject.statements.insert(0, Stated("name", "name", _short(case.subject)))


def _read_members(
    data: Data, above: Entry, entries_so_far: list[Entry], *, depth: int
) -> None:
    if depth >= DEEPEST:
        return
    for name, value in data.items():
        member = labels.member_of(str(name))
        if member is None or value in (None, "", [], {}):
            continue
        word = labels.folded(str(name))
        if above.place == "subject":
            prefix = word
        else:
            prefix = f"{above.place}/{word}"
        # The same member may occur twice: in the data and beside them, or in two spellings.
        places = {entry.place for entry in entries_so_far}
        number = 0
        for item in _items(value):
            if len(entries_so_far) >= MOST_PARTIES:
                return
            while f"{prefix}/{number}" in places:
                number += 1
            place = f"{prefix}/{number}"
            _read_entry(item, place, member, above, entries_so_far, depth)
            number += 1


def _items(value: object) -> list[object]:
    """The parties of a member, which may be a list, one party, or an object of names and
    shares.
    """
    items: list[object] = []
    if isinstance(value, list):
        for item in value[:MOST_PARTIES]:
            items += _SEVERAL.split(item) if isinstance(item, str) else [item]
        return items[:MOST_PARTIES]
    if isinstance(value, str):
        return list(_SEVERAL.split(value[:LONGEST_TEXT]))
    if isinstance(value, dict) and not _has_known_member(value):
        # A page of a register: {"items": [{…}], "total_results": 1}.
        lists = [item for item in value.values() if _is_of_objects(item)]
        if lists:
            return list(chain.from_iterable(lists))[:MOST_PARTIES]
        for name, item in list(value.items())[:MOST_PARTIES]:
            if isinstance(item, dict):
                items.append({"name": str(name), **item})
            else:
                items.append({"name": str(name), "percentage": item})
        return items
    return [value]


def _is_of_objects(value: object) -> bool:
    """Whether it is a list of objects; an empty one may be."""
    if not isinstance(value, list):
        return False
    return not value or any(isinstance(item, dict) for item in value)


def _has_known_member(value: Data) -> bool:
    member_names = {*labels.NAMES, *_PARTS_OF_NAMES, *labels.IDENTIFIERS, *WRAPPERS}
    return any(
        labels.folded(str(name)) in member_names or labels.member_of(str(name))
        for name in value
    )


def _read_entry(
    item: object,
    place: str,
    member: Member,
    above: Entry,
    entries_so_far: list[Entry],
    depth: int,
) -> None:
    # The column of the place has 160 characters.
    if len(place) > 160:
        return
    if isinstance(item, str):
        if not _may_be_name(item):
            return
        entry = _of_text(item, place, member)
        members: Data = {}
    elif isinstance(item, dict):
        members = _flat(item)
        entry = _of_members(members, place, member)
    else:
        return
    # Without a name or a number it is not known who the party is.
    if not any(
        statement.kind in ("name", "identifier") for statement in entry.statements
    ):
        return
    entry.above = above.place
    entry.is_held = member.is_held
    _add_part_in_trust(entry, above)
    entries_so_far.append(entry)
    _read_members(members, entry, entries_so_far, depth=depth + 1)


def _add_part_in_trust(entry: Entry, above: Entry) -> None:
    """The beneficiaries, settlors and founders of a trust count as those who control it."""
    word = entry.place.rpartition("/")[0].rpartition("/")[2]
    if above.kind != Party.Kind.TRUST or not labels.OF_TRUST.match(word):
        return
    entry.relation = PartyRelation.Kind.CONTROLLER
    entry.role = CaseParty.Role.CONTROLLER
    entry.detail = entry.detail or word


def _may_be_name(text: str) -> bool:
    """Whether a text may be a name and not a sentence about owners.

    Names are short, and have a capital letter if their script has capitals.
    """
    is_lower = text.lower() == text and text.upper() != text
    return len(text.split()) <= MOST_WORDS and not is_lower


def _of_text(text: str, place: str, member: Member) -> Entry:
    name, share = shares.split(_short(text))
    name, role_words = _without_role(name)
    relation = _relation(role_words, member)
    kind = _kind_by_name(name)
    if member.kind and not labels.NOBODY.match(name.casefold()):
        kind = member.kind
    entry = Entry(place, kind, _role(relation, member), relation=relation)
    if name:
        entry.statements.append(Stated("name", "name", name))
    entry.share = share
    entry.detail = role_words
    return entry


def _without_role(text: str) -> tuple[str, str]:
    """Split "Ann Lee (director)" into the name and the role."""
    match = re.fullmatch(r"(.+?)\s*\(([^()]+)\)", text)
    if match is None:
        return text, ""
    name, words = match.groups()
    if any(pattern.search(words.casefold()) for _, pattern in labels.ROLE_WORDS):
        return name, words
    return text, ""


def _of_members(members: Data, place: str, member: Member) -> Entry:
    role_words = " ".join(_texts(members, ROLE_MEMBERS))
    relation = _relation(role_words, member)
    kind = _kind(members, member)
    entry = Entry(place, kind, _role(relation, member), relation=relation)
    entry.statements = _statements(members)
    entry.share = _share(members, SHARE_MEMBERS)
    entry.votes = _share(members, VOTE_MEMBERS)
    _add_codes(entry, members)
    has_part = entry.share is not None or entry.votes is not None
    if has_part and relation == PartyRelation.Kind.ASSOCIATE:
        # Somebody with a share is an owner, even in a list of associates.
        entry.relation = PartyRelation.Kind.OWNER
        entry.role = CaseParty.Role.OWNER
    details = [role_words, *_unread(members, entry)]
    if entry.means and not has_part:
        # Who has rights alone, and no part of it, controls the business.
        entry.relation = PartyRelation.Kind.CONTROLLER
        entry.role = _role(entry.relation, member)
        details.append(entry.means)
        entry.means = ""
    # A code may stand in a member that is read as a role or as a share, too.
    # Each detail is written once, in its order.
    detail = "; ".join(dict.fromkeys(details))
    entry.detail = _short(detail.strip("; "))
    entry.since = _day(members, SINCE)
    entry.until = _day(members, UNTIL)
    return entry


def _add_codes(entry: Entry, members: Data) -> None:
    """Add what codes of a register say. A member that is read as a share by itself goes first."""
    codes = shares.read_codes(
        _texts(members, (*CODE_MEMBERS, *SHARE_MEMBERS, *VOTE_MEMBERS))
    )
    entry.share = entry.share or codes.capital
    entry.votes = entry.votes or codes.votes
    entry.means = _short("; ".join(codes.means))


def _unread(members: Data, entry: Entry) -> list[str]:
    """Shares that were stated in words which cannot be read: people read them on the page."""
    unread = []
    for share, names in ((entry.share, SHARE_MEMBERS), (entry.votes, VOTE_MEMBERS)):
        if share is None:
            unread += _texts(members, names)
    return unread


def _flat(item: Data) -> dict[str, object]:
    """The members of an entry under their declared names, including those inside wrappers."""
    members: dict[str, object] = {}
    for name, value in list(item.items())[:MOST_PARTIES]:
        word = labels.folded(str(name))
        if word in WRAPPERS and isinstance(value, dict):
            inner = _flat_once(value)
            members = {**inner, **members}
        else:
            members[word] = value
    return members


def _flat_once(item: Data) -> dict[str, object]:
    members: dict[str, object] = {}
    for name, value in list(item.items())[:MOST_PARTIES]:
        word = labels.folded(str(name))
        if word in WRAPPERS and isinstance(value, dict):
            for inner, inner_value in list(value.items())[:MOST_PARTIES]:
                members.setdefault(labels.folded(str(inner)), inner_value)
        else:
            members[word] = value
    return members


def _role(relation: str, member: Member) -> str:
    if member.is_held:
        return CaseParty.Role.OWNED
    return str(relation)


def _relation(words: str, member: Member) -> PartyRelation.Kind:
    if member.relation != PartyRelation.Kind.ASSOCIATE:
        return member.relation
    for relation, pattern in labels.ROLE_WORDS:
        if pattern.search(words.casefold()):
            return relation
    return member.relation


def _kind(members: Data, member: Member) -> str:
    names = _texts(members, tuple(labels.NAMES))
    if names and labels.NOBODY.match(names[0].casefold()):
        return Party.Kind.UNKNOWN
    kind = _kind_by_members(members) or _kind_by_number(members) or member.kind
    if kind is None and names:
        kind = _kind_by_name(names[0])
    return kind or Party.Kind.UNKNOWN


def _kind_by_members(members: Data) -> str | None:
    for text in _texts(members, TYPE_MEMBERS):
        for kind, pattern in labels.KIND_WORDS:
            if pattern.search(text.casefold()):
                return kind
    for special, typical in _KINDS_BY_MEMBER:
        if any(members.get(name) for name in typical):
            return special
    return None


_PARTS_OF_NAMES = tuple(name for part in labels.NAME_PARTS for name in part)
# Members that only parties of one kind have.
_KINDS_BY_MEMBER: tuple[tuple[str, tuple[str, ...]], ...] = (
    (Party.Kind.PERSON, (*_PARTS_OF_NAMES, "date_of_birth")),
    (Party.Kind.VESSEL, ("vessel_name", "ship_name")),
    (Party.Kind.TRUST, ("trust_name",)),
    (Party.Kind.COMPANY, ("business_name", "company_name", "lei", "owners")),
)


def _kind_by_number(members: Data) -> str | None:
    """The kind of a party by the number of a thing.

    People and companies state numbers of their vessels, accounts and wallets, too. So the number
    decides only without a name; a vessel may have a plain "name".
    """
    kinds = {}
    for name, label in labels.IDENTIFIERS.items():
        if members.get(name) and label in labels.OF_THINGS:
            kinds[label] = labels.OF_THINGS[label]
    names = [name for name in labels.NAMES if members.get(name)]
    if names == ["name"]:
        return kinds.get("imo_number")
    if names:
        return None
    return next(iter(kinds.values()), None)


def _kind_by_name(name: str) -> str:
    """The kind of a party by its name.

    A company or a trust is recognised by its last words, a person by the number of words.
    """
    words = name.casefold().replace(",", " ").split()
    if labels.NOBODY.match(" ".join(words)):
        return Party.Kind.UNKNOWN
    ending = " ".join(words[-2:])
    for kind, pattern in labels.KIND_WORDS[:2]:
        if len(words) > 1 and pattern.search(ending):
            return kind
    has_digit = any(character.isdigit() for character in name)
    if 2 <= len(words) <= 4 and not has_digit:
        return Party.Kind.PERSON
    return Party.Kind.UNKNOWN


def _share(members: Data, names: tuple[str, ...]) -> Share | None:
    for name in names:
        share = shares.read(members.get(name))
        if share is not None:
            return share
    return None


def _day(members: Data, names: tuple[str, ...]) -> str:
    for text in _texts(members, names):
        if len(text) == 10 and text[4] == text[7] == "-":
            return text
    return ""


def _texts(members: Data, names: tuple[str, ...]) -> list[str]:
    texts = []
    for name in names:
        value = members.get(name)
        if isinstance(value, list):
            values = value[:MOST_VALUES]
        else:
            values = [value]
        for text in values:
            if (
                isinstance(text, str | int)
                and not isinstance(text, bool)
                and str(text).strip()
            ):
                texts.append(_short(str(text)))
    return texts


def _short(text: str) -> str:
    return " ".join(text.replace("\0", "").split())[:MOST_CHARACTERS]


def _statements(members: Data) -> list[Stated]:
    """The statements of the data about one party, without duplicates."""
    flat = {}
    for name, value in members.items():
        flat[labels.folded(str(name))] = value
    country = _country_of(flat)
    stated = _names(flat)
    for member, label in labels.IDENTIFIERS.items():
        for text in _texts(flat, (member,)):
            identifier = Stated("identifier", label, text, country)
            stated.append(identifier)
    for member, label in labels.FACTS.items():
        for text in _texts(flat, (member,)):
            fact = Stated("fact", label, _fact(label, text))
            stated.append(fact)
    for text in _wallets(flat):
        stated.append(Stated("identifier", "wallet_address", text))
    stated += _documents(flat)
    stated += _addresses(flat)
    # A dict keeps the order and drops duplicates.
    return list(dict.fromkeys(stated))


def _names(members: Data) -> list[Stated]:
    names = []
    names_before = set()
    if name := _person_name(members):
        names.append(Stated("name", "name", name))
        names_before.add(name)
    for member, label in labels.NAMES.items():
        for text in _texts(members, (member,)):
            if text not in names_before:
                names.append(Stated("name", label, text))
                names_before.add(text)
    return names


def _fact(label: str, text: str) -> str:
    if label in labels.COUNTRIES:
        return countries.code(text) or text
    return text


def _person_name(members: Data) -> str:
    parts = []
    for names in labels.NAME_PARTS:
        parts += _texts(members, names)[:1]
    return _short(" ".join(parts))


def _country_of(members: Data) -> str:
    """The country that probably issued the numbers of the party; "" if unknown."""
    for name in ("address_of_incorporation", "registered_address"):
        address = members.get(name)
        if isinstance(address, dict) and (
            code := countries.code(_text(address, "country_code"))
        ):
            return code
    names = ("country_of_incorporation", "jurisdiction", "country", "country_code")
    for text in _texts(members, names):
        if code := countries.code(text):
            return code
    return ""


def _text(members: Data, name: str) -> str:
    return next(iter(_texts(members, (name,))), "")


def _documents(members: Data) -> Iterator[Stated]:
    """The number of a government ID."""
    wrapper = members.get("government_id_verification_data")
    if isinstance(wrapper, dict):
        card = wrapper.get("id_data")
    else:
        card = None
    if not isinstance(card, dict):
        return
    number = _text(card, "document_number")
    if not number:
        return
    kind = _text(card, "document_type").casefold()
    label = "passport" if "passport" in kind else "identity_document"
    issuer = countries.code(_text(card, "issuing_country"))
    yield Stated("identifier", label, number, issuer)


def _wallets(members: Data) -> Iterator[str]:
    """Wallet addresses in members of any name: alone, in a list, or with their currency."""
    for name, value in members.items():
        if name in labels.IDENTIFIERS or not labels.WALLETS.search(name):
            continue
        items = value[:MOST_VALUES] if isinstance(value, list) else [value]
        for item in items:
            inner = item if isinstance(item, dict) else {"address": item}
            for text in _texts(inner, ("address", "wallet_address", "value")):
                # "MetaMask" and "yes" are no addresses.
                if len(text) >= SHORTEST_WALLET and " " not in text:
                    yield text


def _addresses(members: Data) -> Iterator[Stated]:
    names = (
        "address",
        "address_of_incorporation",
        "address_of_operation",
        "registered_address",
    )
    for name in names:
        value = members.get(name)
        if value:
            text = results.text(value)
        else:
            text = ""
        if text:
            yield Stated("fact", "address", _short(text))
