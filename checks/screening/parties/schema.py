"""The owners, controllers and associated parties of a case, under whatever member they are named.

A party is a mapping or stands in a text (`free_text`), in a list or alone, with its data in itself
or further in (`self_attested_data`, `kyc_schema`), and may have owners of its own. What is listed as
a party and has no name that can be read is kept, so that the check can say so.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from checks.data_check import mapping
from checks.screening import attested
from checks.screening.parties import free_text
from checks.screening.parties.members import (
    DESCRIPTIONS,
    FAMILY,
    TextRule,
    describes_subject,
    identifies_subject,
    is_subject,
    names_companies,
    names_parties,
    names_relatives,
    snake,
    text_rule,
)  # fmt: skip
from checks.screening.parties.pieces import PartyName, is_answer
from checks.screening.records import Subject

# The parts of a name, where one party is told in several members: owner_1_first_name.
_PARTS = frozenset(
    [
        "first_name", "given_name", "given_names", "middle_name", "middle_names", "last_name",
        "family_name", "surname", "full_name", "date_of_birth", "dob", "nationality",
    ]
)  # fmt: skip
# One party in one member, and what each is called beside it: custom fields.
_LABELS, _VALUES = ("label", "key", "field", "question", "title"), ("value", "answer")
# What tells that something with a name is somebody.
_OF_SOMEBODY = frozenset(
    [
        "date_of_birth", "birth_date", "dob", "nationality", "citizenship", "role", "position",
        "percentage", "share", "shares", "ownership", "ownership_percentage", "percent", "stake",
        "tin_number", "business_registration_number", "lei", "country_of_residence", "relation",
        "relationship", "kinship",
    ]
)  # fmt: skip
# What the business of the case has not itself, but a party has: a mapping with a name and one of these
# is a party under any member.
_OF_PARTY = _OF_SOMEBODY - {
    "ownership", "shares", "tin_number", "business_registration_number", "lei", "nationality",
    "country_of_residence",
}  # fmt: skip
# Data of the same party, one step further in.
_WRAPPERS = frozenset(
    [
        "self_attested_data",
        "kyc_schema",
        "kyb_schema",
        "schema",
        "data",
        "details",
        "profile",
        "attributes",
        "info",
        "information",
    ]
)
_KINDS = ("type", "kind", "entity_type", "party_type", "owner_type", "subject_type")
_OF_PERSON = re.compile(r"person|individual|human|kyc", re.IGNORECASE)
_OF_BUSINESS = re.compile(
    r"compan|business|entity|organi[sz]ation|corporat|legal|trust|fund|partnership|kyb|llc",
    re.IGNORECASE,
)
# Kinds of ownership, alone under a member such as “ownership”: they speak of no party.
_KINDS_OF_OWNERSHIP = frozenset(
    [
        "private", "privately held", "privately owned", "public", "publicly held", "publicly listed",
        "publicly traded", "listed", "sole proprietorship", "partnership",
    ]
)  # fmt: skip
# Answers about employers, in small letters without a hyphen: there is none.
_NO_EMPLOYER = frozenset(
    [
        "self employed", "unemployed", "retired", "student", "freelance", "freelancer", "homemaker",
        "housewife", "between jobs", "not employed", "pensioner", "self",
    ]
)  # fmt: skip
# The subject of the case, as an answer: who is the beneficiary?
_SUBJECT_ITSELF = frozenset(
    [
        "self", "myself", "me", "i am", "applicant", "the applicant", "same", "same as applicant",
        "same as above", "own account", "account holder", "the account holder", "as above",
    ]
)  # fmt: skip
_COUNTS = frozenset(["count", "number", "total", "quantity"])
_DOCUMENT_CONTENT = ("url", "b64_document")
DEEPEST = 12


@dataclass(frozen=True, slots=True)
class Party:
    """Whom to screen, or, without subjects, that somebody is named there and cannot be read."""

    place: str  # where in the data: owners 2
    subjects: tuple[Subject, ...] = ()
    is_free_text: bool = False
    unread: str = ""  # of a free text: what could not be split into names
    is_required: bool = (
        True  # whether what cannot be read leaves the check without a result
    )

    @property
    def name(self) -> str:
        return self.subjects[0].names[0] if self.subjects else ""


def parties_of(schema: Mapping[str, Any], data: Mapping[str, Any]) -> list[Party]:
    """Every party of a business's case, beside the subject of the case itself, each once."""
    return _once(_of_case(schema, data, is_person=False))


def parties_beside_person(
    schema: Mapping[str, Any], data: Mapping[str, Any]
) -> list[Party]:
    """Every party of a person's case, each once.

    Never that person: other names, documents, addresses and the occupation are screened with it.
    A relative of the same name, and who has that name and another date of birth, is a party.
    """
    subject = attested.person(data)
    found = _of_case(schema, data, is_person=True)
    return _once(party for party in found if not _is_same_person(party, subject))


_NOT_ATTESTED = ("self_attested_data", "external_validation_data", "research_data")


def _of_case(
    schema: Mapping[str, Any], data: Mapping[str, Any], *, is_person: bool
) -> Iterator[Party]:
    beside = {key: one for key, one in schema.items() if key not in _NOT_ATTESTED}
    yield from _within(beside, "", 0, is_person=is_person)
    yield from _within(data, "", 0, is_person=is_person)


def _once(parties: Iterable[Party]) -> list[Party]:
    once: dict[object, Party] = {}
    for one in parties:
        once.setdefault(
            repr(one.subjects) if one.subjects else (one.place, one.unread), one
        )
    return list(once.values())


def _is_same_person(party: Party, subject: Subject) -> bool:
    if not party.subjects:
        return party.is_free_text and _plain(party.unread) in _SUBJECT_ITSELF
    names = [name for one in party.subjects for name in one.names]
    if any(_plain(name) in _SUBJECT_ITSELF for name in names):
        return True
    if FAMILY & {*_plain(party.place).split()}:
        return False
    born = {one.birth_date for one in party.subjects if one.birth_date}
    if subject.birth_date and born - {subject.birth_date}:
        return False
    known = {_folded(name) for name in subject.names}
    return any(_folded(name) in known for name in names)


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[\W_]+", " ", text).casefold().split())


def _folded(name: str) -> tuple[str, ...]:
    """The words of a name without accents, in any order."""
    decomposed = unicodedata.normalize("NFKD", name)
    bare = "".join(c for c in decomposed if not unicodedata.combining(c))
    return tuple(sorted(_plain(bare).split()))


def _within(
    said: Mapping[str, Any], place: str, depth: int, *, is_person: bool = False
) -> Iterator[Party]:
    """`is_person`: the members are those of the subject of a person's case."""
    for key, value in {**said, **_put_together(said)}.items():
        where = f"{place}, {_words(key)}" if place else _words(key)
        if is_person and identifies_subject(key):
            continue
        is_own = is_person and is_subject(key)
        if names_parties(key, value) and not is_own:
            yield from _named(value, where, depth + 1, _rule(key))
        elif isinstance(value, Mapping) and depth <= DEEPEST:
            is_other = (
                _is_other_person(key, value) if is_person else _is_party(key, value)
            )
            if is_other and not is_own:
                yield from _of_mapping(value, where, depth)
            else:
                yield from _within(value, where, depth + 1, is_person=is_person)
        elif isinstance(value, list):
            is_own = is_own or (is_person and describes_subject(key))
            yield from _among(
                value, where, depth + 1, is_person=is_person, is_own=is_own
            )


def _is_other_person(key: object, value: Mapping[str, Any]) -> bool:
    """Whether a mapping under any member may be somebody beside the subject: has the facts of one.

    One that has the subject's own name is taken out later.
    """
    if describes_subject(key) or snake(key) in _WRAPPERS:
        return False
    has_relation = any(
        snake(one) in {"relation", "relationship", "kinship"} for one in value
    )
    is_whole_name = any(" " in name for name in attested.person(value).names)
    is_named = attested.is_person(value) and is_whole_name
    return is_named or (has_relation and _is_somebody(value))


def _is_party(key: object, value: Mapping[str, Any]) -> bool:
    """Whether a mapping under any member of a business's case is somebody beside the business."""
    if snake(key) in _WRAPPERS:
        return False
    if attested.is_person(value):
        return True
    has_name = bool(attested.business(value).names)
    return has_name and any(snake(one) in _OF_PARTY for one in value)


def _rule(key: object) -> TextRule:
    """The rule for texts under a member that holds parties, where they are entries of a list, too."""
    rule = text_rule(key)
    return "mention" if rule == "none" else rule


def _among(
    said: list[Any],
    place: str,
    depth: int,
    *,
    is_person: bool = False,
    is_own: bool = False,
) -> Iterator[Party]:
    """The parties in a list that is not called after any: who has the facts of somebody, and what
    is within. `is_own`: the entries are names, documents or addresses of the subject."""
    if depth > DEEPEST:
        return
    for number, one in enumerate(said, start=1):
        where = f"{place} {number}"
        if isinstance(one, list):
            yield from _among(one, where, depth + 1, is_person=is_person, is_own=is_own)
        elif isinstance(one, Mapping):
            label, value = (
                next((one[k] for k in keys if k in one), None)
                for keys in (_LABELS, _VALUES)
            )
            is_labelled = isinstance(label, str) and not (
                is_person and is_subject(label)
            )
            if is_labelled and value is not None and names_parties(label, value):
                inner = f"{where}, {_words(label)}"
                yield from _named(value, inner, depth + 1, _rule(label))
            elif _is_somebody(one) and not is_own:
                yield from _of_mapping(one, where, depth)
            else:
                yield from _within(one, where, depth + 1, is_person=is_person)


def _is_somebody(said: Mapping[str, Any]) -> bool:
    if attested.is_person(said) or attested.is_business(said):
        return True
    has_name = bool(attested.business(said).names)
    return has_name and any(snake(key) in _OF_SOMEBODY for key in said)


def _put_together(said: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """One party told in several members, as one: owner_1_first_name, owner_1_last_name."""
    found: dict[str, dict[str, Any]] = {}
    for key, value in said.items():
        words = snake(key).split("_")
        for size in (3, 2, 1):
            who, part = "_".join(words[:-size]), "_".join(words[-size:])
            if who and part in _PARTS and value and names_parties(who, {}):
                found.setdefault(who, {})[part] = value
                break
    return {
        who: parts
        for who, parts in found.items()
        if who not in said and attested.person(parts).names
    }


def _named(
    value: object, place: str, depth: int, rule: TextRule, *, is_entry: bool = False
) -> Iterator[Party]:
    """The parties that one member names: a list, one party, several by key, or a text."""
    if isinstance(value, (list, Mapping)) and depth > DEEPEST:
        yield Party(place)
    elif isinstance(value, list):
        for number, one in enumerate(value, start=1):
            yield from _named(one, f"{place} {number}", depth + 1, rule, is_entry=True)
    elif isinstance(value, str):
        data = _parsed(value)
        if data is None:
            yield from _of_text(value, place, rule, is_entry=is_entry)
        else:
            yield from _named(data, place, depth + 1, rule)
    elif isinstance(value, Mapping) and _may_name(value, is_entry=is_entry):
        yield from _of_mapping(value, place, depth, rule)


def _may_name(value: Mapping[str, Any], *, is_entry: bool) -> bool:
    """A file names nobody, and neither does a part of a form that is empty; an entry of a list does."""
    return not _is_document(value) and (is_entry or not _is_blank(value))


def _is_document(value: Mapping[str, Any]) -> bool:
    """A file, as a power of attorney may be, and nobody."""
    has_content = any(isinstance(value.get(one), str) for one in _DOCUMENT_CONTENT)
    is_file = value.get("type") == "Document" or (has_content and "file_name" in value)
    return is_file and not attested.is_person(value)


def _is_blank(value: object) -> bool:
    """Whether a part of a form is not filled in, says that there is nobody, or how many there are."""
    if isinstance(value, Mapping):
        return all(
            snake(key) in _COUNTS or _is_blank(one) for key, one in value.items()
        )
    if isinstance(value, list):
        return all(_is_blank(one) for one in value)
    if isinstance(value, str):
        return not value.strip() or is_answer(value)
    return not value


def _parsed(text: str) -> object:
    """A list or a mapping that came as JSON in a text, as from a table; else None."""
    if not text.lstrip().startswith(("[", "{")):
        return None
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, (list, dict)) else None


def _of_text(
    text: str, place: str, rule: TextRule, *, is_entry: bool
) -> Iterator[Party]:
    """The names of a free text, each as a party, and what could not be read, as one without."""
    if _is_kind_of_ownership(text, place) or _is_no_employer(text, rule):
        return
    # “local farms” among the suppliers is no name.
    reading = free_text.read(text, is_entry=is_entry and rule != "counterparty")
    unread = [text.strip()] if reading.names_nobody else list(reading.remainder)
    # “business: Retail” describes; “company: Siemens” names.
    is_company = names_companies(_member(place)) and "business" not in _member(place)
    for name in reading.names:
        if rule != "party" and name.text in unread:
            # In small letters: “wholesale of shoes” describes.
            continue
        data = _data_of(name)
        is_unsure = (
            rule == "mention" and name.kind == "either" and _is_one_word(name.text)
        )
        if is_unsure and not is_entry and not is_company:
            unread.append(name.text)
            continue
        yield Party(place, _fitting(_subjects([data]), place, rule), is_free_text=True)
    if unread:
        shown = " … ".join(unread)
        yield Party(place, unread=shown, is_free_text=True, is_required=rule == "party")


def _fitting(
    subjects: tuple[Subject, ...], place: str, rule: TextRule
) -> tuple[Subject, ...]:
    """Of a party that may be a person or a business, those that the member allows."""
    member = _member(place)
    fitting = list(subjects)
    if names_relatives(member):
        fitting = [one for one in subjects if one.is_person]
    elif rule == "counterparty" or names_companies(member):
        # A company among the customers: one word is no name of a person to compare.
        fitting = [
            one
            for one in subjects
            if not one.is_person or not all(map(_is_one_word, one.names))
        ]
    return tuple(fitting) or subjects


def _is_one_word(name: str) -> bool:
    return name.isascii() and " " not in name


def _member(place: str) -> str:
    """The last member of a place: customers, of “business, customers 2”."""
    return place.rpartition(", ")[2]


def _is_no_employer(text: str, rule: TextRule) -> bool:
    return rule == "counterparty" and _plain(text) in _NO_EMPLOYER


def _data_of(name: PartyName) -> dict[str, str]:
    return {"name": name.text, **({} if name.kind == "either" else {"type": name.kind})}


def _is_kind_of_ownership(text: str, place: str) -> bool:
    words = " ".join(text.casefold().strip(" .").split())
    return words in _KINDS_OF_OWNERSHIP and bool(_OF_OWNERSHIP.search(_member(place)))


_OF_OWNERSHIP = re.compile(r"\b(?:ownership|shareholding|structure)\b")


def _of_mapping(
    value: Mapping[str, Any], place: str, depth: int, rule: TextRule = "party"
) -> Iterator[Party]:
    layers = _layers(value)
    subjects = _fitting(_subjects(layers), place, rule)
    inner = [
        party for layer in layers
        for party in _within({k: v for k, v in layer.items() if k not in _WRAPPERS}, place, depth)
    ]  # fmt: skip
    if not subjects and not inner:
        further = [one for one in value.values() if isinstance(one, Mapping)]
        inner = [
            p
            for one in further
            for p in _named(one, place, depth + 1, rule)
            if p.subjects
        ]
        inner += _of_keys(value, place, depth, rule)
    inner += [party for layer in layers for party in _of_shared_name(layer, place)]
    if subjects or not inner:
        yield Party(place, subjects, is_required=rule != "counterparty")
    yield from inner


def _of_shared_name(layer: Mapping[str, Any], place: str) -> Iterator[Party]:
    """Several parties in the name of one: {"name": "Ana Reyes 60 %; Marisol Quintero 40 %"}."""
    for key in ("name", "full_name", "legal_name"):
        text = layer.get(key)
        if not isinstance(text, str):
            continue
        reading = free_text.read(text, is_entry=True)
        has_share = any(part.kind == "share" for part in reading.parts)
        # “Reyes, Ana Maria” is one name: a comma alone tells nothing here.
        is_apart = "," not in text or has_share or bool(re.search(r"[;|\n]", text))
        is_firm = any(name.text == " ".join(text.split()) for name in reading.names)
        if is_apart and not is_firm and (len(reading.names) > 1 or has_share):
            for name in reading.names:
                yield Party(place, _subjects([_data_of(name)]), is_free_text=True)


def _of_keys(
    value: Mapping[str, Any], place: str, depth: int, rule: TextRule
) -> Iterator[Party]:
    """Parties by number ({"1": "Ana Reyes"}), shares by name ({"Ana Reyes": "60 %"}), and a text
    about all of them ({"description": "Ana Reyes 60 %"})."""
    for key, one in value.items():
        if isinstance(one, str) and snake(key).isdigit():
            yield from _named(one, f"{place} {key}", depth + 1, rule, is_entry=True)
        elif isinstance(one, str) and snake(key) in DESCRIPTIONS:
            yield from _named(one, f"{place}, {_words(key)}", depth + 1, rule)
        elif " " in str(key).strip() and _is_share(one):
            named = _of_text(str(key), place, rule, is_entry=True)
            yield from (party for party in named if party.subjects)


def _is_share(value: object) -> bool:
    if isinstance(value, str):
        parts = free_text.read(value).parts
        return bool(parts) and all(
            one.kind in {"share", "detail", "separator"} for one in parts
        )
    if isinstance(value, Mapping):
        return all(
            _is_share(one) for one in value.values() if not isinstance(one, Mapping)
        )
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _layers(said: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The data of a party as they are, and those of its wrappers."""
    layers, rest = [said], [said]
    while rest and len(layers) <= DEEPEST:
        rest = [
            mapping(value) for one in rest for key, value in one.items()
            if snake(key) in _WRAPPERS and isinstance(value, Mapping)
        ]  # fmt: skip
        layers += rest
    return layers


def _subjects(layers: Sequence[Mapping[str, Any]]) -> tuple[Subject, ...]:
    """As a person, as a business, or, where nothing tells which, as both."""
    # “Full name” as a heading of a form is full_name.
    named = [
        {str(key).replace(" ", "_"): one for key, one in layer.items()}
        for layer in layers
    ]
    whole = {key: value for layer in named for key, value in layer.items() if value}
    found: dict[str, Subject] = {}
    for layer in named:
        said = {**whole, **{key: value for key, value in layer.items() if value}}
        person, business = attested.person(said), attested.business(said)
        kind = _kind(said)
        wanted = {"person": [person], "business": [business]}.get(
            kind, [person, business]
        )
        found.update({repr(one): one for one in wanted if one.names})
    return tuple(found.values())


def _kind(said: Mapping[str, Any]) -> str:
    """What the party is by what it is called and by its members; "" where they do not tell."""
    called = " ".join(
        str(said[one]) for one in _KINDS if isinstance(said.get(one), str)
    )
    is_business = bool(_OF_BUSINESS.search(called)) or attested.is_business(said)
    is_person = (
        bool(_OF_PERSON.search(called)) and not _OF_BUSINESS.search(called)
    ) or attested.is_person(said)
    if is_business == is_person:
        return ""
    return "person" if is_person else "business"


def _words(key: object) -> str:
    return snake(key).replace("_", " ")
