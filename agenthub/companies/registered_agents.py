"""Addresses at which many businesses are registered: loaded from CSV, looked up by place."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from django.db import transaction

from agenthub.companies import verification
from agenthub.models import AddressEntry, AddressList
from agenthub.screening.formats import ListError
from agenthub.screening.formats.tables import read_rows
from checks.attested.facts import place_of
from checks.lookups import ListedAddress
from papers import countries

MAX_SHRINK, MOST_UNPLACED = 0.05, 0.05
MOST_NEAR = 50
# The headings under which each column may appear, in lower case.
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
    """The `Addresses` lookup of a job's checks."""

    def is_loaded(self) -> bool:
        return AddressList.objects.exists()

    def near(self, place: str) -> list[ListedAddress]:
        rows = AddressEntry.objects.filter(place=place).select_related("list")[
            :MOST_NEAR
        ]
        return [
            ListedAddress(row.kind, row.name, row.address, str(row.list))
            for row in rows
        ]


def load(
    slug: str,
    path: Path,
    *,
    title: str = "",
    columns: Mapping[str, str] | None = None,
    force: bool = False,
) -> AddressList:
    """Load a CSV (plain, gzip, zip) in place of the earlier addresses of the list.

    `columns`: member of COLUMNS → heading in the file. `force` accepts a file that shrank. Raises
    ListError; the earlier addresses then stay.
    """
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as exc:
        raise ListError(f"{path.name}: {exc.strerror}.") from exc
    with transaction.atomic():
        address_list, _ = AddressList.objects.select_for_update().get_or_create(
            slug=slug
        )
        # A ListError below rolls this deletion back.
        address_list.entries.all().delete()
        entries = []
        unplaced = 0
        for row in read_rows(
            path,
            COLUMNS,
            columns or {},
            required={"street_1": "street", "country_code": "country"},
        ):
            entry = _entry(address_list, row)
            if entry.place:
                entries.append(entry)
            else:
                unplaced += 1
        _judge(len(entries), unplaced, address_list.address_count, force=force)
        AddressEntry.objects.bulk_create(entries, batch_size=2000)
        address_list.title = title or slug
        address_list.file_name = path.name[:255]
        address_list.sha256 = digest
        address_list.address_count = len(entries)
        address_list.rows_sha256 = verification.digest_of_addresses(address_list)
        address_list.save()
    return address_list


def _judge(count: int, unplaced: int, before: int, *, force: bool) -> None:
    if not count:
        raise ListError("The file holds no address that could be placed.")
    total = count + unplaced
    if unplaced > max(2, MOST_UNPLACED * total):
        raise ListError(
            f"{unplaced:,} of {total:,} rows cannot be placed: each needs a country, "
            "a street with a number, and a postal code or a city."
        )
    least = before * (1 - MAX_SHRINK)
    if count < least and not force:
        raise ListError(
            f"The file holds {count:,} addresses, the list held {before:,}. "
            "If that is right, load it with --force."
        )


def _entry(address_list: AddressList, row: Mapping[str, str]) -> AddressEntry:
    address = {}
    for name in COLUMNS:
        if name not in {"kind", "name"}:
            address[name] = row[name][:255]
    address["country_code"] = countries.code(address["country_code"])
    kind = row["kind"] or DEFAULT_KIND
    return AddressEntry(
        list=address_list,
        place=place_of(address)[:120],
        kind=kind.replace("_", " ")[:60],
        name=row["name"][:255],
        address=address,
    )
