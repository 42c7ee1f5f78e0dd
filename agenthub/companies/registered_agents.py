"""Lists of addresses where many businesses are registered: loaded from CSV, asked by place."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from django.db import transaction

from agenthub.models import AddressEntry, AddressList
from agenthub.screening.formats import ListError
from agenthub.screening.formats.files import opened
from agenthub.screening.formats.tables import records
from checks.duplicates.blocking_keys import place_of
from checks.lookups import ListedAddress
from papers import countries

MAX_SHRINK, MOST_UNPLACED = 0.05, 0.05
MOST_NEAR = 50
# By which headings a column is known, in lower case.
COLUMNS: dict[str, tuple[str, ...]] = {
    "street_1": ("street", "street_1", "address", "address_line_1"),
    "street_2": ("street_2", "address_line_2"),
    "city": ("city", "town", "post_town", "locality"),
    "state": ("state", "region", "province"),
    "postal_code": ("postal_code", "postcode", "zip", "zip_code"),
    "country_code": ("country", "country_code"),
    "kind": ("kind", "type"),
    "name": ("name", "company", "provider"),
}
DEFAULT_KIND = "registered agent"


class LoadedAddresses:
    """The `Addresses` that the checks of a job ask."""

    def is_loaded(self) -> bool:
        return AddressList.objects.exists()

    def near(self, place: str) -> list[ListedAddress]:
        rows = AddressEntry.objects.filter(place=place).select_related("list")[:MOST_NEAR]
        return [ListedAddress(row.kind, row.name, row.address, str(row.list)) for row in rows]


def load(
    slug: str,
    path: Path,
    *,
    title: str = "",
    columns: Mapping[str, str] | None = None,
    force: bool = False,
) -> AddressList:
    """Load a CSV (plain, gzip, zip) in the place of what the list held.

    `columns` names headings of the file for members of COLUMNS; `force` takes a file that shrank.
    Raises ListError, with what was loaded untouched.
    """
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as exc:
        raise ListError(f"{path.name}: {exc.strerror}.") from exc
    with transaction.atomic():
        made, _ = AddressList.objects.select_for_update().get_or_create(slug=slug)
        before, unplaced = made.address_count, 0
        made.entries.all().delete()
        entries = []
        for row in _rows(path, columns or {}):
            entry = _entry(made, row)
            unplaced += not entry.place
            if entry.place:
                entries.append(entry)
        _judge(len(entries), unplaced, before, force=force)
        AddressEntry.objects.bulk_create(entries, batch_size=2000)
        made.title, made.file_name, made.sha256 = title or slug, path.name[:255], digest
        made.address_count = len(entries)
        made.save()
    return made


def _judge(count: int, unplaced: int, before: int, *, force: bool) -> None:
    if not count:
        raise ListError("The file holds no address that could be placed.")
    if unplaced > max(2, MOST_UNPLACED * (count + unplaced)):
        raise ListError(
            f"{unplaced:,} of {count + unplaced:,} rows cannot be placed: each needs a country, "
            "a street with a number, and a postal code or a city."
        )
    if count < before * (1 - MAX_SHRINK) and not force:
        raise ListError(
            f"The file holds {count:,} addresses, the list held {before:,}. "
            "If that is right, load it with --force."
        )


def _rows(path: Path, columns: Mapping[str, str]) -> Iterator[dict[str, str]]:
    known = {
        name: (columns[name].casefold(),) if name in columns else headings
        for name, headings in COLUMNS.items()
    }
    with opened(path) as files:
        for table in sorted(files):
            with files[table]() as file:
                for number, row in enumerate(records(file)):
                    said = {key.casefold(): value for key, value in row.items()}
                    for need in ("street_1", "country_code"):
                        if not number and not any(heading in said for heading in known[need]):
                            raise ListError(f"The file has no column {known[need][0]}.")
                    yield {
                        name: next((v for h in headings if (v := said.get(h, "").strip())), "")
                        for name, headings in known.items()
                    }


def _entry(made: AddressList, row: Mapping[str, str]) -> AddressEntry:
    address = {name: row[name][:255] for name in COLUMNS if name not in {"kind", "name"}}
    address["country_code"] = countries.code(address["country_code"])
    kind = (row["kind"] or DEFAULT_KIND).replace("_", " ")[:60]
    place = place_of(address)[:120]
    return AddressEntry(list=made, place=place, kind=kind, name=row["name"][:255], address=address)
