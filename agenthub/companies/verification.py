"""Compares registers and lists of addresses with what was loaded, for `audit_verify`.

They decide what checks of a company find. The audit trail proves the row of a load with the digest of
its companies and their index, or of its addresses.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

import orjson

from agenthub.models.companies import RegistryCompany, RegistryLoad, RegistryPosting
from agenthub.models.subjects import AddressEntry, AddressList

BATCH = 500


def digest_of_register(load: RegistryLoad) -> str:
    # With the ids, because the index names companies by them.
    companies = RegistryCompany.objects.filter(load=load).order_by("pk")
    rows = companies.values_list(
        "pk", "name", "key", "lei", "number", "country", "facts"
    )
    postings = RegistryPosting.objects.filter(load=load).order_by("key")
    index = postings.values_list("key", "count", "companies")
    digest = hashlib.sha256()
    _update(digest, rows.iterator(chunk_size=BATCH))
    for key, count, pks in index.iterator(chunk_size=BATCH):
        _update(digest, [(key, count, bytes(pks).hex())])
    return digest.hexdigest()


def digest_of_addresses(address_list: AddressList) -> str:
    entries = AddressEntry.objects.filter(list=address_list).order_by("pk")
    rows = entries.values_list("place", "kind", "name", "address")
    digest = hashlib.sha256()
    _update(digest, rows.iterator(chunk_size=BATCH))
    return digest.hexdigest()


def _update(digest: hashlib._Hash, rows: Iterable[tuple[object, ...]]) -> None:
    for row in rows:
        # Sorted, because PostgreSQL keeps the members of JSON in an order of its own.
        digest.update(orjson.dumps(row, option=orjson.OPT_SORT_KEYS))


def faults() -> Iterator[str]:
    """What differs, as sentences. What was loaded before the digest was recorded says nothing."""
    active = RegistryLoad.objects.filter(status=RegistryLoad.Status.ACTIVE)
    for load in active.exclude(rows_sha256="").order_by("pk"):
        if digest_of_register(load) != load.rows_sha256:
            yield (
                f"The register {load.slug}: companies (agenthub_registrycompany) or their index "
                "(agenthub_registryposting) were changed, removed or put in."
            )
    for address_list in AddressList.objects.exclude(rows_sha256=""):
        if digest_of_addresses(address_list) != address_list.rows_sha256:
            yield (
                f"The list {address_list.slug}: addresses (agenthub_addressentry) were changed, "
                "removed or put in."
            )
