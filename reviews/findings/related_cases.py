"""Related cases: cases with the same name, number, address or file."""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _

from compliance.db.states import stored_values
from compliance.security import data_keys
from reviews import results
from reviews.access import roles
from reviews.models import Case, Document, Identifier

Row = TypeVar("Row", bound=Model)

MOST = 50
# Members of self_attested_data that identify a subject, at the top level or one object deeper.
NAMES = ("business_name", "registered_business_name")
NUMBERS = ("business_registration_number", "tin_number", "document_number", "tax_id")
ADDRESSES = (
    "address_of_incorporation",
    "address_of_operation",
    "address",
    "business_address",
)
STREET = ("street_1", "street_2")
PLACE = ("city", "postal_code")
# Texts of only these words stand where something is not known.
_EMPTY = """
a above address and announced applicable as available aucun aucune be business company confirmed
desconocida desconocido determined document given inconnu inconnue is keine known missing n na name
ninguna ninguno nil no nobody none not null number pending provided same see stated tba tbc tbd test
the to unbekannt unknown unspecified x xx xxx xxxx yet
"""
EMPTY_WORDS = frozenset(_EMPTY.split())
# "Pending" and "unknown" are no numbers.
FEWEST_DIGITS = 2
# The least number of letters and digits. Shorter values may belong to many subjects.
SHORTEST = {
    Identifier.Kind.NUMBER: 5,
    Identifier.Kind.ADDRESS: 8,
    Identifier.Kind.NAME: 2,
}


@dataclass
class Related:
    """A related case, and what it shares with this one, in words."""

    case: Case
    by: list[str] = field(default_factory=list)


def store_identifiers(case: Case) -> None:
    """Store the identifiers of the subject when a case is opened. A second call adds nothing."""
    if case.erased_at is not None:
        return
    rows = []
    for kind, digest in identifiers(case.subject, case.self_attested_data):
        rows.append(Identifier(case=case, kind=kind, digest=digest))
    Identifier.objects.bulk_create(rows, ignore_conflicts=True)


def related(case: Case, user: User | AnonymousUser) -> tuple[list[Related], bool]:
    """The newest visible cases that share something with this one, best match first.

    Returns at most MOST cases, and whether there are more.
    """
    entries: dict[int, Related] = {}
    _add_by_identifier(entries, case, user)
    _add_by_file(entries, case, user)
    ordered = sorted(entries.values(), key=_rank)
    has_more = len(ordered) > MOST
    return ordered[:MOST], has_more


def _add_by_identifier(
    entries: dict[int, Related], case: Case, user: User | AnonymousUser
) -> None:
    if case.erased_at is not None:
        return
    # From the data: an earlier version has stored those of "unknown" and the like, too.
    identities = set(identifiers(case.subject, case.self_attested_data))
    digests = {digest for _, digest in identities}
    # The index covers only the digest, so the kind is compared here.
    rows = Identifier.objects.filter(digest__in=digests)
    for row in _newest(case, user, rows):
        identity = (row.kind, row.digest)
        if identity in identities:
            reason = row.get_kind_display()
            _add(entries, row.case, reason)


def _add_by_file(
    entries: dict[int, Related], case: Case, user: User | AnonymousUser
) -> None:
    # A document without a file has no hash. Without this filter all such documents would match.
    files = case.documents.exclude(sha256="")
    hashes = set(files.values_list("sha256", flat=True))
    rows = Document.objects.filter(sha256__in=hashes)
    for document in _newest(case, user, rows):
        reason = _("Same file: %(file_name)s") % {"file_name": document.file_name}
        _add(entries, document.case, reason)


def _rank(entry: Related) -> tuple[int, int]:
    """Sort key: cases that share the most first, then the newest."""
    return -len(entry.by), -entry.case.pk


def _newest(
    case: Case, user: User | AnonymousUser, rows: QuerySet[Row]
) -> QuerySet[Row]:
    """The rows of other cases that the user may see, with these cases, newest first."""
    visible = roles.only_visible(user, rows, "case__connection")
    others = visible.exclude(case=case)
    newest_first = others.select_related("case").order_by("-case_id")
    # A case may be related in four ways, so it may appear four times. One row more than fits
    # shows that there are more.
    return newest_first[: MOST * 4 + 1]


def _add(entries: dict[int, Related], other: Case, reason: str) -> None:
    entry = entries.get(other.pk)
    if entry is None:
        entry = Related(other)
        entries[other.pk] = entry
    if reason not in entry.by:
        entry.by.append(reason)


def identifiers(subject: str, attested: object) -> list[tuple[str, str]]:
    """The identifiers of a subject, as sorted pairs of kind and digest."""
    # A set, because often two members have the same address.
    pairs = set()
    for kind, text in _texts(subject, attested):
        if _is_specific(kind, text):
            pairs.add((kind.value, _digest(kind, text)))
    return sorted(pairs)


def _texts(subject: str, attested: object) -> Iterator[tuple[Identifier.Kind, str]]:
    """The names, numbers and addresses of a subject, as they are stated."""
    data = _mapping(attested)
    yield Identifier.Kind.NAME, subject
    for value in _values(data, NAMES):
        yield Identifier.Kind.NAME, results.text(value)
    for value in _values(data, NUMBERS):
        yield Identifier.Kind.NUMBER, results.text(value)
    for value in _values(data, ADDRESSES):
        yield Identifier.Kind.ADDRESS, _address(value)


def _mapping(attested: object) -> Mapping[str, object]:
    return attested if isinstance(attested, dict) else {}


def _values(data: Mapping[str, object], names: Iterable[str]) -> list[object]:
    """The non-empty members with these names, from the data and the objects directly in it."""
    objects: list[Mapping[str, object]] = [data]
    for value in data.values():
        if isinstance(value, dict):
            objects.append(value)
    values = []
    for members in objects:
        for name in names:
            value = members.get(name)
            if value not in (None, "", [], {}):
                values.append(value)
    return values


def _address(value: object) -> str:
    """An address without country and state, which many people leave out.

    Empty without a street: a whole town has the rest.
    """
    if not isinstance(value, dict):
        return results.text(value)
    street = _parts(value, STREET)
    if not any(map(_has_words, street)):
        return ""
    return " ".join([*street, *_parts(value, PLACE)])


def _parts(value: Mapping[str, object], names: Iterable[str]) -> list[str]:
    return [results.text(value.get(name)) for name in names]


def _has_words(text: str) -> bool:
    """Whether the text says more than that something is not known."""
    words = re.findall(r"[^\W_]+", text.casefold())
    return not EMPTY_WORDS.issuperset(words)


def _letters_and_digits(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.casefold())


def _is_specific(kind: Identifier.Kind, text: str) -> bool:
    """Whether the text is specific enough to identify a subject."""
    characters = _letters_and_digits(text)
    if kind == Identifier.Kind.NUMBER:
        # People type 000000000 or 99-9999999 when they have no number.
        digit_count = sum(character.isdigit() for character in characters)
        if len(set(characters)) < 3 or digit_count < FEWEST_DIGITS:
            return False
    if not _has_words(text):
        return False
    return len(characters) >= SHORTEST[kind]


def _digest(kind: str, text: str) -> str:
    content = f"{kind}:{_letters_and_digits(text)}"
    # JSON may contain a lone surrogate, which UTF-8 cannot encode. It must not raise here.
    encoded = content.encode(errors="replace")
    # An HMAC: without the key of the installation nobody can test whose name or number it is.
    key = data_keys.derive(data_keys.INSTALLATION, b"identifiers")
    return hmac.new(key, encoded, "sha256").hexdigest()


def faults() -> Iterator[str]:
    """Cases whose identifiers are not those of their data, for `audit_verify`.

    The data are bound to the trail. Without its identifiers a case is related to no other. An
    earlier version has stored those of every text: they relate no cases any more.
    """
    cases = Case.objects.filter(erased_at=None).order_by("pk")
    # Nothing can be computed from data whose key was erased.
    cases = cases.exclude(data_key__erased_at__isnull=False)
    cases = cases.select_related("data_key").prefetch_related("identifiers")
    for case in cases.iterator(chunk_size=500):
        stored = {(row.kind, row.digest) for row in case.identifiers.all()}
        try:
            needed = set(identifiers(case.subject, case.self_attested_data))
            possible = _of_every_text(case)
        except data_keys.DataKeyError:
            # The comparison with its line names the case.
            continue
        if not needed <= stored <= possible:
            yield f"reviews_case {case.pk}: its identifiers are not those of its data."


def _of_every_text(case: Case) -> set[tuple[str, str]]:
    """The identifiers of all texts, also of those that identify nobody."""
    pairs = set()
    for kind, text in _texts(case.subject, case.self_attested_data):
        pairs.add((kind.value, _digest(kind, text)))
    for value in _values(_mapping(case.self_attested_data), ADDRESSES):
        if isinstance(value, dict):
            place = " ".join(_parts(value, (*STREET, *PLACE)))
            pairs.add((Identifier.Kind.ADDRESS.value, _digest("address", place)))
    return pairs


def encrypt_stored(**_: object) -> None:
    """Encrypt what cases of an earlier version have in clear text.

    That is: hashes of names without a key, and the first finding in the summary. Connected to
    the signal of `manage.py encrypt_stored`.
    """
    for case in Case.objects.order_by("pk").iterator(chunk_size=500):
        with transaction.atomic():
            if case.finding != case.first_finding:
                _move_finding(case)
            key_id = case.data_key_id_for_personal()
            if not data_keys.is_erased(key_id):
                case.identifiers.all().delete()
                store_identifiers(case)


def _move_finding(case: Case) -> None:
    """Move the first finding from the summary to its encrypted column."""
    summary = dict(case.summary)
    finding = summary.pop("finding")
    values = {"first_finding": finding, "summary": summary}
    # The filter skips the row if somebody has changed the summary in the meantime.
    rows = Case.objects.filter(pk=case.pk, summary=case.summary)
    rows.update(**stored_values(case, values))
