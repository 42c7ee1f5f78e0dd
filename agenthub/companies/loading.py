"""Loads a register of companies: reads it, checks it, then activates it in one step."""

from __future__ import annotations

import hashlib
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import timedelta
from itertools import islice
from pathlib import Path
from typing import TypeVar

from django.db import IntegrityError, transaction
from django.utils.timezone import now

from agenthub.companies import verification
from agenthub.models.companies import RegistryCompany, RegistryLoad, RegistryPosting
from agenthub.screening.formats import ListError
from agenthub.screening.formats.tables import read_rows
from agenthub.screening.indexing.writing import insert
from checks.screening.matching import blocking_keys, names
from compliance.security import decisive_rows
from papers import countries

BATCH = 5000
# An interrupted load blocks further loads of the register for this long.
ABANDONED = timedelta(hours=6)
# The share by which a register may shrink, and the largest share of rows without a name.
MAX_SHRINK, MOST_NAMELESS = 0.05, 0.01
_ENTITY, _AT = "entity.", "entity.legaladdress."
# The headings under which each column may appear, in lower case: those of GLEIF's golden copy, and
# plain ones.
COLUMNS: dict[str, tuple[str, ...]] = {
    "name": ("entity.legalname", "name", "company_name", "legal_name", "companyname"),
    "lei": ("lei",),
    "number": (
        "entity.registrationauthority.registrationauthorityentityid", "company_number",
        "registration_number", "companynumber", "number",
    ),
    "status": ("registration.registrationstatus", "status", "company_status", "companystatus"),
    "country": (f"{_AT}country", "country", "country_code", "jurisdiction", "jurisdiction_code"),
    "city": (f"{_AT}city", "city", "post_town"),
    "street": (f"{_AT}firstaddressline", "street", "address", "address_line_1"),
    "postal_code": (f"{_AT}postalcode", "postal_code", "postcode"),
    "incorporation_date": (
        f"{_ENTITY}entitycreationdate", "incorporation_date", "incorporationdate"
    ),
    "legal_status": (f"{_ENTITY}entitystatus",),
    "website": ("website", "url"),
}  # fmt: skip
_FACTS = [name for name in COLUMNS if name not in {"name", "lei", "number", "country"}]
Progress = Callable[[str], object]
_Row = dict[str, str]
T = TypeVar("T")


def load(
    slug: str,
    path: Path,
    *,
    title: str = "",
    columns: Mapping[str, str] | None = None,
    force: bool = False,
    progress: Progress = lambda _: None,
) -> RegistryLoad:
    """Load a CSV (plain, gzip, zip) as the new state of a register.

    `columns`: member of COLUMNS → heading in the file. `force` accepts a file that shrank. Raises
    ListError; the active load then stays.
    """
    row = _begin(slug, title or slug, path)
    try:
        nameless = _stage(row, path, columns or {}, progress)
        _judge(row, nameless, force=force)
        progress("building the index")
        _index(row)
        _activate(row)
    except BaseException as exc:
        _reject(
            row, str(exc) if isinstance(exc, ListError) else "The load was interrupted."
        )
        raise
    return row


def _begin(slug: str, title: str, path: Path) -> RegistryLoad:
    staging = RegistryLoad.objects.filter(slug=slug, status=RegistryLoad.Status.STAGING)
    for old in staging.filter(loaded_at__lt=now() - ABANDONED):
        _reject(old, "The load was interrupted.")
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        with transaction.atomic():
            return RegistryLoad.objects.create(
                slug=slug,
                title=title,
                file_name=path.name[:255],
                sha256=digest,
            )
    except OSError as exc:
        raise ListError(f"{path.name}: {exc.strerror}.") from exc
    except IntegrityError as exc:
        raise ListError("This register is being loaded already.") from exc


def _stage(
    load: RegistryLoad, path: Path, columns: Mapping[str, str], progress: Progress
) -> int:
    """Insert the companies. Returns the number of rows without a name."""
    nameless = 0
    rows = read_rows(path, COLUMNS, columns, required={"name": "of names"})
    for batch in _batched(rows, BATCH):
        with_name = [row for row in batch if row["name"]]
        nameless += len(batch) - len(with_name)
        companies = [_company(load, row) for row in with_name]
        RegistryCompany.objects.bulk_create(companies)
        load.company_count += len(with_name)
        if any(row["lei"] for row in with_name):
            load.has_leis = True
        progress(f"{load.company_count:,} companies")
    return nameless


# Some files have subdivisions such as "US-DE": keep the country.
def _company(load: RegistryLoad, row: _Row) -> RegistryCompany:
    country = row["country"].partition("-")[0]
    facts = {}
    for name in _FACTS:
        if row[name]:
            facts[name] = row[name][:500]
    return RegistryCompany(
        load=load,
        name=row["name"][:500],
        key=key_of(row["name"]),
        lei=row["lei"].upper()[:20],
        number=row["number"][:100],
        country=countries.code(country),
        facts=facts,
    )


def key_of(name: str) -> str:
    tokens = names.parse(name, person=False).tokens
    return " ".join(tokens)[:200]


def _judge(load: RegistryLoad, nameless: int, *, force: bool) -> None:
    """Raises ListError if the file does not look complete."""
    count = load.company_count
    if not count:
        raise ListError("The file holds no company.")
    if nameless > max(2, MOST_NAMELESS * count):
        raise ListError(f"{nameless:,} of {count:,} rows have no name.")
    active = _active(load.slug)
    if active is None or force:
        return
    least = active.company_count * (1 - MAX_SHRINK)
    if count < least:
        raise ListError(
            f"The file holds {count:,} companies, the active load {active.company_count:,}. "
            "If that is right, load it with --force."
        )


def _active(slug: str) -> RegistryLoad | None:
    rows = RegistryLoad.objects.filter(slug=slug, status=RegistryLoad.Status.ACTIVE)
    return rows.first()


def _index(load: RegistryLoad) -> None:
    postings: dict[int, array[int]] = defaultdict(lambda: array("Q"))
    companies = _names(load)
    for pk, name in companies:
        for key in blocking_keys.of_name(name):
            postings[key].append(pk)
    common = set()
    for key, pks in postings.items():
        if len(pks) > blocking_keys.COMMON:
            common.add(key)
    # A key that too many companies share is useful only in a pair with another key.
    for pk, name in companies:
        for key in blocking_keys.of_pairs(name, frozenset(common)):
            postings[key].append(pk)
    rows = ((load.pk, key, len(pks), pks.tobytes()) for key, pks in postings.items())
    with transaction.atomic():
        insert("agenthub_registryposting (load_id, key, count, companies)", rows)


def _names(load: RegistryLoad) -> list[tuple[int, names.Name]]:
    """(id of the row, name) of the companies."""
    rows = RegistryCompany.objects.filter(load=load).order_by("pk")
    keys = rows.values_list("pk", "key").iterator(chunk_size=BATCH)
    companies = []
    for pk, key in keys:
        words = tuple(key.split())
        name = names.Name(words, "", person=False)
        companies.append((pk, name))
    return companies


def _activate(load: RegistryLoad) -> None:
    # Before the transaction, because a register may have millions of companies.
    digest = verification.digest_of_register(load)
    with transaction.atomic():
        old = _active(load.slug)
        if old:
            old.move(RegistryLoad.Status.RETIRED)
            decisive_rows.changed(old)
        is_active = load.move(
            RegistryLoad.Status.ACTIVE,
            company_count=load.company_count,
            has_leis=load.has_leis,
            rows_sha256=digest,
        )
        if not is_active:
            # Another load has taken this one for abandoned. Raising rolls the retirement back:
            # otherwise the register would have no active load.
            raise ListError("Another load took the place of this one, which was slow.")
        decisive_rows.changed(load)
    # Delete the rows of the old load only after the switch: they are many.
    if old:
        _empty(old)


def _reject(load: RegistryLoad, note: str) -> None:
    with transaction.atomic():
        if not load.move(RegistryLoad.Status.REJECTED, note=note):
            return
        decisive_rows.changed(load)
    _empty(load)


def _empty(load: RegistryLoad) -> None:
    RegistryPosting.objects.filter(load=load).delete()
    RegistryCompany.objects.filter(load=load).delete()


def _batched(items: Iterable[T], size: int) -> Iterator[list[T]]:
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch
