"""The owners, controllers and associated parties of a case, in any member.

A party is an object or is named in a text (`free_text`), in a list or alone. Its data are in itself
or in a nested object (`self_attested_data`, `kyc_schema`), and it may have owners of its own. A
party without a readable name is kept, so that the check can report it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from checks.list_screening import attested
from checks.list_screening.attested import AttestedData
from checks.list_screening.parties import free_text, tunables
from checks.list_screening.parties.members import (
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
from checks.list_screening.parties.pieces import PartyName, is_answer
from checks.list_screening.parties.subjects import WRAPPERS, layers_of, subjects_of
from checks.screening.records import Subject
from papers.letters import WORD, without_accents

# Parts of a name, if one party is spread over several members: owner_1_first_name.
_PARTS = frozenset(
    [
        "first_name", "given_name", "given_names", "middle_name", "middle_names", "last_name",
        "family_name", "surname", "full_name", "date_of_birth", "dob", "nationality",
    ]
)  # fmt: skip
# Custom fields: the label of a field and its value are two members of one object.
_LABELS, _VALUES = ("label", "key", "field", "question", "title"), ("value", "answer")
# Members that show that an object with a name is a person or business.
_OF_SOMEBODY = frozenset(
    [
        "date_of_birth", "birth_date", "dob", "nationality", "citizenship", "role", "position",
        "percentage", "share", "shares", "ownership", "ownership_percentage", "percent", "stake",
        "tin_number", "business_registration_number", "lei", "country_of_residence", "relation",
        "relationship", "kinship",
    ]
)  # fmt: skip
# Members that a party has, but not the business of the case itself. An object with a name and one
# of these is a party in any member.
_OF_PARTY = _OF_SOMEBODY - {
    "ownership", "shares", "tin_number", "business_registration_number", "lei", "nationality",
    "country_of_residence",
}  # fmt: skip
# Answers in a member such as “ownership” that only name a kind of ownership and no party.
_KINDS_OF_OWNERSHIP = frozenset(
    [
        "private", "privately held", "privately owned", "public", "publicly held", "publicly listed",
        "publicly traded", "listed", "sole proprietorship", "partnership",
    ]
)  # fmt: skip
# Answers about employers (in small letters, without hyphens) that mean that there is none.
_NO_EMPLOYER = frozenset(
    [
        "self employed", "unemployed", "retired", "student", "freelance", "freelancer", "homemaker",
        "housewife", "between jobs", "not employed", "pensioner", "self",
    ]
)  # fmt: skip
# Answers that mean the subject of the case: “Who is the beneficiary?”
_SUBJECT_ITSELF = frozenset(
    [
        "self", "myself", "me", "i am", "applicant", "the applicant", "same", "same as applicant",
        "same as above", "own account", "account holder", "the account holder", "as above",
    ]
)  # fmt: skip
_RELATIONS = frozenset(["relation", "relationship", "kinship"])
_COUNTS = frozenset(["count", "number", "total", "quantity"])
_DOCUMENT_CONTENT = ("url", "b64_document")


@dataclass(frozen=True, slots=True)
class Party:
    """A party to screen. Without subjects, somebody is named here but could not be read."""

    place: str  # where it is in the data: owners 2
    subjects: tuple[Subject, ...] = ()
    is_free_text: bool = False
    unread: str = ""  # the words of a free text that could not be split into names
    # Whether the check is inconclusive if this party cannot be read.
    is_required: bool = True

    @property
    def name(self) -> str:
        if not self.subjects:
            return ""
        subject = self.subjects[0]
        if subject.names:
            return subject.names[0]
        return subject.identifiers[0].value


def parties_of(schema: AttestedData, data: AttestedData) -> list[Party]:
    """Return every party of a business's case once, without the business itself."""
    return _once(_of_case(schema, data, is_person=False))


def parties_beside_person(schema: AttestedData, data: AttestedData) -> list[Party]:
    """Return every party of a person's case once, without that person.

    Other names, documents, addresses and the occupation of the person are not parties. A relative
    of the same name is a party, and so is somebody of that name with another date of birth.
    """
    subject = attested.person(data)
    others: list[Party] = []
    for party in _of_case(schema, data, is_person=True):
        if not _is_same_person(party, subject):
            others.append(party)
    return _once(others)


_NOT_ATTESTED = ("self_attested_data", "external_validation_data", "research_data")


def _of_case(
    schema: AttestedData, data: AttestedData, *, is_person: bool
) -> Iterator[Party]:
    beside = {key: value for key, value in schema.items() if key not in _NOT_ATTESTED}
    yield from _within(beside, "", 0, is_person=is_person)
    yield from _within(data, "", 0, is_person=is_person)


def _once(parties: Iterable[Party]) -> list[Party]:
    by_content: dict[object, Party] = {}
    for party in parties:
        content: object = (party.place, party.unread)
        if party.subjects:
            content = repr(party.subjects)
        by_content.setdefault(content, party)
    return list(by_content.values())


def _is_same_person(party: Party, subject: Subject) -> bool:
    if not party.subjects:
        return party.is_free_text and _plain(party.unread) in _SUBJECT_ITSELF
    names: list[str] = []
    birth_dates: set[str] = set()
    for candidate in party.subjects:
        names += candidate.names
        if candidate.birth_date:
            birth_dates.add(candidate.birth_date)
    if any(_plain(name) in _SUBJECT_ITSELF for name in names):
        return True
    # A child or a parent may have the same name as the subject.
    if not FAMILY.isdisjoint(_plain(party.place).split()):
        return False
    if subject.birth_date and birth_dates - {subject.birth_date}:
        return False
    names_of_subject = {_folded(name) for name in subject.names}
    return not names_of_subject.isdisjoint(map(_folded, names))


def _plain(text: str) -> str:
    letters = re.sub(r"[\W_]+", " ", text)
    return " ".join(letters.casefold().split())


def _folded(name: str) -> tuple[str, ...]:
    """Return the words of a name without accents, sorted."""
    return tuple(sorted(WORD.findall(without_accents(name).casefold())))


# Members, lists and entries


def _within(
    members: AttestedData, place: str, depth: int, *, is_person: bool = False
) -> Iterator[Party]:
    """Yield the parties among the members of an object.

    `is_person`: the members are those of the subject of a person's case.
    """
    for key, value in {**members, **_put_together(members)}.items():
        # Data from the ID of the subject describe the subject and no other party.
        if is_person and identifies_subject(key):
            continue
        where = _words(key)
        if place:
            where = f"{place}, {where}"
        of_subject = is_person and is_subject(key)
        # Three cases: the member names parties; it is an object that may be a party or contain
        # some; it is a list.
        if names_parties(key, value) and not of_subject:
            yield from _under_member(value, where, depth + 1, _rule(key))
        elif isinstance(value, Mapping) and depth <= tunables.DEEPEST:
            if not of_subject and _is_beside_subject(key, value, is_person=is_person):
                yield from _of_mapping(value, where, depth)
            else:
                yield from _within(value, where, depth + 1, is_person=is_person)
        elif isinstance(value, list):
            of_subject = of_subject or (is_person and describes_subject(key))
            yield from _among(
                value, where, depth + 1, is_person=is_person, of_subject=of_subject
            )


def _is_beside_subject(key: object, value: AttestedData, *, is_person: bool) -> bool:
    if is_person:
        return _is_other_person(key, value)
    return _is_party(key, value)


def _is_other_person(key: object, value: AttestedData) -> bool:
    """Whether an object in any member may be somebody other than the subject, because it has the
    facts of a person.

    An object with the name of the subject is removed later.
    """
    if describes_subject(key) or snake(key) in WRAPPERS:
        return False
    names = attested.person(value).names
    has_whole_name = any(" " in name for name in names)
    if has_whole_name and attested.is_person(value):
        return True
    return _has_member(value, _RELATIONS) and _is_somebody(value)


def _is_party(key: object, value: AttestedData) -> bool:
    """Whether an object in any member of a business's case is a party and not the business."""
    if snake(key) in WRAPPERS:
        return False
    if attested.is_person(value):
        return True
    return _has_name(value) and _has_member(value, _OF_PARTY)


def _has_name(data: AttestedData) -> bool:
    return bool(attested.business(data).names)


def _has_member(value: AttestedData, names: frozenset[str]) -> bool:
    return any(snake(key) in names for key in value)


def _rule(key: object) -> TextRule:
    """Return the rule for texts in a member with parties, also for entries of a list."""
    rule = text_rule(key)
    if rule == "none":
        return "mention"
    return rule


def _among(
    entries: Sequence[object],
    place: str,
    depth: int,
    *,
    is_person: bool = False,
    of_subject: bool = False,
) -> Iterator[Party]:
    """Yield the parties in a list whose member does not name parties.

    These are entries with the facts of a person or business, and parties inside entries.
    `of_subject`: the entries are names, documents or addresses of the subject.
    """
    if depth > tunables.DEEPEST:
        return
    for number, entry in enumerate(entries, start=1):
        where = f"{place} {number}"
        if isinstance(entry, list):
            yield from _among(
                entry, where, depth + 1, is_person=is_person, of_subject=of_subject
            )
        elif isinstance(entry, Mapping):
            yield from _of_entry(
                entry, where, depth, is_person=is_person, of_subject=of_subject
            )


def _of_entry(
    entry: AttestedData, place: str, depth: int, *, is_person: bool, of_subject: bool
) -> Iterator[Party]:
    label = _first_member(entry, _LABELS)
    answer = _first_member(entry, _VALUES)
    if _is_label_of_party(label, answer, is_person=is_person):
        inner = f"{place}, {_words(label)}"
        yield from _under_member(answer, inner, depth + 1, _rule(label))
    elif _is_somebody(entry) and not of_subject:
        yield from _of_mapping(entry, place, depth)
    else:
        yield from _within(entry, place, depth + 1, is_person=is_person)


def _first_member(entry: AttestedData, keys: Sequence[str]) -> object:
    for key in keys:
        if key in entry:
            return entry[key]
    return None


def _is_label_of_party(label: object, answer: object, *, is_person: bool) -> bool:
    if not isinstance(label, str) or answer is None:
        return False
    if is_person and is_subject(label):
        return False
    return names_parties(label, answer)


def _is_somebody(data: AttestedData) -> bool:
    if attested.is_person(data) or attested.is_business(data):
        return True
    return _has_name(data) and _has_member(data, _OF_SOMEBODY)


def _put_together(members: AttestedData) -> dict[str, AttestedData]:
    """Combine a party that is spread over several members: owner_1_first_name,
    owner_1_last_name.
    """
    data_of: dict[str, dict[str, object]] = {}
    for key, value in members.items():
        if not value:
            continue
        words = snake(key).split("_")
        # The longest suffix first: “date_of_birth” before “birth”.
        for size in (3, 2, 1):
            party = "_".join(words[:-size])
            part = "_".join(words[-size:])
            if party and part in _PARTS and names_parties(party, {}):
                data_of.setdefault(party, {})[part] = value
                break
    parties: dict[str, AttestedData] = {}
    for party, data in data_of.items():
        if party not in members and attested.person(data).names:
            parties[party] = data
    return parties


def _under_member(
    value: object, place: str, depth: int, rule: TextRule, *, is_entry: bool = False
) -> Iterator[Party]:
    """Yield the parties of one member: a list, one party, several by key, or a text."""
    if isinstance(value, (list, Mapping)) and depth > tunables.DEEPEST:
        yield Party(place)
    elif isinstance(value, list):
        for number, entry in enumerate(value, start=1):
            where = f"{place} {number}"
            yield from _under_member(entry, where, depth + 1, rule, is_entry=True)
    elif isinstance(value, str):
        data = _parsed(value)
        if data is None:
            yield from _of_text(value, place, rule, is_entry=is_entry)
        else:
            yield from _under_member(data, place, depth + 1, rule)
    elif isinstance(value, Mapping) and _may_name(value, is_entry=is_entry):
        yield from _of_mapping(value, place, depth, rule)


def _may_name(value: AttestedData, *, is_entry: bool) -> bool:
    """Whether an object may name somebody.

    A file does not, nor an empty part of a form. An entry of a list always may.
    """
    return not _is_document(value) and (is_entry or not _is_blank(value))


def _is_document(value: AttestedData) -> bool:
    """Whether the object is a file, such as a power of attorney, and not a party."""
    contents = [value.get(key) for key in _DOCUMENT_CONTENT]
    has_content = any(isinstance(content, str) for content in contents)
    is_file = has_content and "file_name" in value
    if not is_file and value.get("type") != "Document":
        return False
    return not attested.is_person(value)


def _is_blank(value: object) -> bool:
    """Whether a part of a form is empty, says that there is nobody, or only how many there are."""
    if isinstance(value, Mapping):
        return all(_is_blank(value[key]) for key in value if snake(key) not in _COUNTS)
    if isinstance(value, list):
        return all(map(_is_blank, value))
    if isinstance(value, str):
        return not value.strip() or is_answer(value)
    return not value


def _parsed(text: str) -> object:
    """Return a list or an object that was sent as JSON in a text, as from a table; else None."""
    if not text.lstrip().startswith(("[", "{")):
        return None
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(data, (list, dict)):
        return data
    return None


# Texts


def _of_text(
    text: str, place: str, rule: TextRule, *, is_entry: bool
) -> Iterator[Party]:
    """Yield the names of a free text as parties, and the unread words as a party without name."""
    if _is_kind_of_ownership(text, place) or _is_no_employer(text, rule):
        return
    # “local farms” among suppliers is no name.
    reading = free_text.read(text, is_entry=is_entry and rule != "counterparty")
    unread = list(reading.remainder)
    if reading.names_nobody:
        unread = [text.strip()]
    # “business: Retail” is a description, “company: Siemens” is a name.
    member = _member(place)
    is_company = names_companies(member) and "business" not in member
    may_be_one_word = rule != "mention" or is_entry or is_company
    for name in reading.names:
        if rule != "party" and name.text in unread:
            # In small letters it is a description: “wholesale of shoes”.
            continue
        is_unsure = name.kind == "either" and _is_one_word(name.text)
        if is_unsure and not may_be_one_word:
            unread.append(name.text)
            continue
        subjects = subjects_of([_data_of(name)])
        yield Party(place, _fitting(subjects, place, rule), is_free_text=True)
    if unread:
        quote = " … ".join(unread)
        yield Party(place, unread=quote, is_free_text=True, is_required=rule == "party")


def _fitting(
    subjects: tuple[Subject, ...], place: str, rule: TextRule
) -> tuple[Subject, ...]:
    """Return the subjects that the member allows, for a party that may be a person or a
    business.
    """
    member = _member(place)
    fitting = list(subjects)
    if names_relatives(member):
        fitting = [subject for subject in subjects if subject.is_person]
    elif rule == "counterparty" or names_companies(member):
        # A single word among customers is a company and not a person.
        fitting = [
            subject for subject in subjects if not _is_person_of_one_word(subject)
        ]
    return tuple(fitting) or subjects


def _is_person_of_one_word(subject: Subject) -> bool:
    return subject.is_person and all(map(_is_one_word, subject.names))


def _is_one_word(name: str) -> bool:
    return name.isascii() and " " not in name


def _member(place: str) -> str:
    """Return the last member of a place: “customers” of “business, customers 2”."""
    return place.rpartition(", ")[2]


def _is_no_employer(text: str, rule: TextRule) -> bool:
    return rule == "counterparty" and _plain(text) in _NO_EMPLOYER


def _data_of(name: PartyName) -> dict[str, str]:
    data = {"name": name.text}
    if name.kind != "either":
        data["type"] = name.kind
    return data


def _is_kind_of_ownership(text: str, place: str) -> bool:
    words = text.casefold().strip(" .").split()
    if " ".join(words) not in _KINDS_OF_OWNERSHIP:
        return False
    return bool(_OF_OWNERSHIP.search(_member(place)))


_OF_OWNERSHIP = re.compile(r"\b(?:ownership|shareholding|structure)\b")


# One party


def _of_mapping(
    value: AttestedData, place: str, depth: int, rule: TextRule = "party"
) -> Iterator[Party]:
    layers = layers_of(value)
    subjects = _fitting(subjects_of(layers), place, rule)
    inner: list[Party] = []
    for layer in layers:
        members = {key: layer[key] for key in layer if key not in WRAPPERS}
        inner += _within(members, place, depth)
    # Neither the object nor its members name somebody, so its keys and values may.
    if not subjects and not inner:
        inner += _of_values(value, place, depth, rule)
        inner += _of_keys(value, place, depth, rule)
    for layer in layers:
        inner += _of_shared_name(layer, place)
    if subjects or not inner:
        yield Party(place, subjects, is_required=rule != "counterparty")
    yield from inner


def _of_values(
    value: AttestedData, place: str, depth: int, rule: TextRule
) -> Iterator[Party]:
    """Yield parties under keys without meaning: {"first": {"name": "Ana Reyes"}}."""
    for member in value.values():
        if isinstance(member, Mapping):
            for party in _under_member(member, place, depth + 1, rule):
                if party.subjects:
                    yield party


def _of_shared_name(layer: AttestedData, place: str) -> Iterator[Party]:
    """Yield several parties in the name of one: {"name": "Ana Reyes 60 %; Marisol Quintero
    40 %"}.
    """
    for key in ("name", "full_name", "legal_name"):
        text = layer.get(key)
        if isinstance(text, str):
            for name in _names_sharing(text):
                yield Party(place, subjects_of([_data_of(name)]), is_free_text=True)


def _names_sharing(text: str) -> Sequence[PartyName]:
    """Return the names in a member for one name, if it has several, or one with a share."""
    reading = free_text.read(text, is_entry=True)
    has_share = any(part.kind == "share" for part in reading.parts)
    if len(reading.names) < 2 and not has_share:
        return ()
    # “Reyes, Ana Maria” is one name, so a comma alone does not separate names here.
    if "," in text and not has_share and not re.search(r"[;|\n]", text):
        return ()
    whole = " ".join(text.split())
    # The whole may be the name of a firm: “Boston Research and Trading Ltd”.
    if any(name.text == whole for name in reading.names):
        return ()
    return reading.names


def _of_keys(
    value: AttestedData, place: str, depth: int, rule: TextRule
) -> Iterator[Party]:
    """Yield parties by number, shares by name, and texts about all parties.

    Examples: {"1": "Ana Reyes"}, {"Ana Reyes": "60 %"}, {"description": "Ana Reyes 60 %"}.
    """
    for key, member in value.items():
        is_text = isinstance(member, str)
        if is_text and snake(key).isdigit():
            where = f"{place} {key}"
            yield from _under_member(member, where, depth + 1, rule, is_entry=True)
        elif is_text and snake(key) in DESCRIPTIONS:
            where = f"{place}, {_words(key)}"
            yield from _under_member(member, where, depth + 1, rule)
        else:
            yield from _of_share(str(key), member, place, rule)


def _of_share(name: str, share: object, place: str, rule: TextRule) -> Iterator[Party]:
    if " " not in name.strip() or not _is_share(share):
        return
    for party in _of_text(name, place, rule, is_entry=True):
        if party.subjects:
            yield party


def _is_share(value: object) -> bool:
    if isinstance(value, str):
        kinds = {part.kind for part in free_text.read(value).parts}
        return bool(kinds) and kinds <= _AROUND_SHARE
    if isinstance(value, Mapping):
        facts = [fact for fact in value.values() if not isinstance(fact, Mapping)]
        return all(map(_is_share, facts))
    return isinstance(value, (int, float)) and not isinstance(value, bool)


_AROUND_SHARE = frozenset(["share", "detail", "separator"])


def _words(key: object) -> str:
    return snake(key).replace("_", " ")
