"""Cases about the same subject: told by name, number, address, or the very same file."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import QuerySet

from compliance.db import fast_sql
from reviews import results
from reviews.access import roles
from reviews.models import Case, Document, Identifier

MOST = 50
# Members of self_attested_data that identify; within objects too.
NAMES = ("business_name", "registered_business_name")
NUMBERS = ("business_registration_number", "tin_number", "document_number", "tax_id")
ADDRESSES = ("address_of_incorporation", "address_of_operation", "address", "business_address")
STREET = ("street_1", "street_2", "city", "postal_code")
SHORTEST = {Identifier.Kind.NUMBER: 5, Identifier.Kind.ADDRESS: 8, Identifier.Kind.NAME: 2}


@dataclass
class Related:
    """Another case, and by what it is related."""

    case: Case
    by: list[str] = field(default_factory=list)


def keep(case: Case) -> None:
    """Put down what identifies the subject; called when a case is opened."""
    rows = [
        Identifier(case=case, kind=kind, digest=digest)
        for kind, digest in of(case.subject, case.self_attested_data)
    ]
    fast_sql.insert(rows, replacing=_SAME)


_SAME = fast_sql.Replacing(unique=("case", "kind", "digest"), fields=("digest",))


def related(case: Case, user: User | AnonymousUser) -> tuple[list[Related], bool]:
    """The newest cases that share something with this one and that the user may see.

    Whether there are more is told beside them.
    """
    found: dict[int, Related] = {}
    own = {(row.kind, row.digest) for row in case.identifiers.all()}
    shared = Identifier.objects.filter(digest__in={digest for _, digest in own})
    for row in _others(case, user, shared):
        if (row.kind, row.digest) in own:
            _add(found, row.case, row.get_kind_display())
    hashes = {digest for digest in case.documents.values_list("sha256", flat=True) if digest}
    for document in _others(case, user, Document.objects.filter(sha256__in=hashes)):
        _add(found, document.case, f"Same file: {document.file_name}")
    listed = sorted(found.values(), key=lambda other: (-len(other.by), -other.case.pk))
    return listed[:MOST], len(listed) > MOST


def _others(case: Case, user: User | AnonymousUser, rows: QuerySet[Any]) -> QuerySet[Any]:
    seen = roles.only_seen(user, rows, "case__connection").exclude(case=case)
    # One more than are shown of each of the few ways to be related.
    return seen.select_related("case").order_by("-case_id")[: MOST * 4 + 1]


def _add(found: dict[int, Related], other: Case, why: str) -> None:
    entry = found.setdefault(other.pk, Related(other))
    if why not in entry.by:
        entry.by.append(why)


def of(subject: str, attested: Any) -> list[tuple[str, str]]:
    """What identifies a subject, as pairs of kind and digest."""
    data = attested if isinstance(attested, dict) else {}
    kinds = Identifier.Kind
    said: list[tuple[Identifier.Kind, str]] = [(kinds.NAME, subject)]
    said += [(kinds.NAME, results.text(value)) for value in _values(data, NAMES)]
    said += [(kinds.NUMBER, results.text(value)) for value in _values(data, NUMBERS)]
    said += [(kinds.ADDRESS, _address(value)) for value in _values(data, ADDRESSES)]
    pairs = {(kind.value, _digest(kind, value)) for kind, value in said if _is_telling(kind, value)}
    return sorted(pairs)


def _values(data: Mapping[str, Any], names: Iterable[str]) -> Iterator[Any]:
    for holder in (data, *(value for value in data.values() if isinstance(value, dict))):
        yield from (holder[name] for name in names if holder.get(name) not in (None, "", [], {}))


def _address(value: Any) -> str:
    """Without the country and the state, which are left out as often as not."""
    if not isinstance(value, dict):
        return results.text(value)
    return " ".join(results.text(value.get(part)) for part in STREET)


def _bare(value: str) -> str:
    return re.sub(r"[\W_]+", "", value.casefold())


def _is_telling(kind: Identifier.Kind, value: str) -> bool:
    """Too little to be anybody's in particular."""
    bare = _bare(value)
    if kind == Identifier.Kind.NUMBER and len(set(bare)) < 3:  # 000000000, 99-9999999
        return False
    return len(bare) >= SHORTEST[kind]


def _digest(kind: str, value: str) -> str:
    return hashlib.sha256(f"{kind}:{_bare(value)}".encode(errors="replace")).hexdigest()
