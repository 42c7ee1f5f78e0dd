"""Companies of a register and addresses of a list are changed behind the hub: each change is found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from agenthub.companies import loading, registered_agents
from agenthub.models import AddressEntry, AddressList
from agenthub.models.companies import RegistryCompany, RegistryLoad, RegistryPosting
from agenthub.screening.formats import ListError
from reviews.audit import verification

pytestmark = pytest.mark.django_db

COMPANIES = (
    "name,number,country,incorporation_date\n"
    "Northwind Trading Ltd,4471,GB,2001-02-03\n"
    "Harbour Lane Holdings GmbH,HRB 99,DE,2011-05-06\n"
)
ADDRESSES = (
    "street_1,city,postal_code,country_code,kind,name\n"
    "251 Little Falls Drive,Wilmington,19808,US,registered agent,Agents Inc\n"
    "12 High Street,London,EC1A 1BB,GB,virtual office,Desks Ltd\n"
)


def load(folder: Path, *, companies: str = COMPANIES) -> None:
    file = folder / "rows.csv"
    file.write_text(companies)
    loading.load("gb", file, force=True)
    file.write_text(ADDRESSES)
    registered_agents.load("agents", file)


@pytest.fixture(autouse=True)
def loaded(tmp_path: Path) -> None:
    load(tmp_path)


def faults() -> list[str]:
    return list(verification.faults())


def one_company() -> RegistryCompany:
    return RegistryCompany.objects.get(name="Northwind Trading Ltd")


def change_of_company(**values: object) -> Callable[[], object]:
    return lambda: RegistryCompany.objects.filter(pk=one_company().pk).update(**values)


def change_of_address(**values: object) -> Callable[[], object]:
    return lambda: AddressEntry.objects.filter(name="Agents Inc").update(**values)


def put_in_company() -> None:
    RegistryCompany.objects.create(
        load=one_company().load, name="Shell Co", key="shell co"
    )


def put_in_address() -> None:
    row = AddressEntry.objects.get(name="Agents Inc")
    row.pk = None
    row.place = "another"
    row.save()


def swap_ids() -> None:
    """The index leads to the other company then."""
    first, second = RegistryCompany.objects.order_by("pk")
    for row, other in ((first, second), (second, first)):
        RegistryCompany.objects.filter(pk=row.pk).update(name=other.name, key=other.key)


# What is changed → the table that must be named.
CHANGES: dict[str, tuple[Callable[[], object], str]] = {
    "name": (change_of_company(name="Other Ltd"), "agenthub_registrycompany"),
    "key": (change_of_company(key="other ltd"), "agenthub_registrycompany"),
    "lei": (change_of_company(lei="5493001KJTIIGC8Y1R12"), "agenthub_registrycompany"),
    "number": (change_of_company(number="1"), "agenthub_registrycompany"),
    "country": (change_of_company(country="FR"), "agenthub_registrycompany"),
    "facts": (change_of_company(facts={"status": "active"}), "agenthub_registrycompany"),
    "companies swapped": (swap_ids, "agenthub_registrycompany"),
    "company removed": (lambda: one_company().delete(), "agenthub_registrycompany"),
    "company put in": (put_in_company, "agenthub_registrycompany"),
    "index removed": (lambda: RegistryPosting.objects.all().delete(), "agenthub_registryposting"),
    "index changed": (
        lambda: RegistryPosting.objects.update(companies=b"\0" * 8),
        "agenthub_registryposting",
    ),
    "digest of the load": (
        lambda: RegistryLoad.objects.update(rows_sha256=""),
        "agenthub_registryload",
    ),
    "load switched off": (
        lambda: RegistryLoad.objects.update(status="retired"),
        "agenthub_registryload",
    ),
    "place": (change_of_address(place="another"), "agenthub_addressentry"),
    "kind": (change_of_address(kind="post office"), "agenthub_addressentry"),
    "name of an address": (change_of_address(name="Nobody"), "agenthub_addressentry"),
    "address": (change_of_address(address={"city": "Oslo"}), "agenthub_addressentry"),
    "address removed": (
        lambda: AddressEntry.objects.earliest("pk").delete(),
        "agenthub_addressentry",
    ),
    "address put in": (put_in_address, "agenthub_addressentry"),
    "digest of the addresses": (
        lambda: AddressList.objects.update(rows_sha256=""),
        "agenthub_addresslist",
    ),
    "list removed": (
        lambda: AddressList.objects.all().delete(),
        "agenthub_addresslist",
    ),
}  # fmt: skip


def test_registers_are_as_they_were_loaded(tmp_path):
    assert faults() == []
    load(tmp_path, companies=COMPANIES.replace("Harbour", "Harbor"))
    assert faults() == []
    with pytest.raises(ListError):
        load(tmp_path, companies="name,number\n")
    assert faults() == []


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_row_is_found(change):
    act, table = CHANGES[change]
    if change == "list removed":
        # Past the signals, as in the database itself.
        AddressEntry.objects.all()._raw_delete("default")
        AddressList.objects.all()._raw_delete("default")
    else:
        act()
    assert any(table in fault for fault in faults()), faults()
