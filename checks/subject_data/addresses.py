"""Checks of the addresses of people and businesses, beyond their format."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from rapidfuzz import fuzz

from checks.attested import facts as attested_facts
from checks.base import Evidence, Outcome
from checks.data_check import DataCheck, State, difference, id_data, mapping, row, text
from checks.duplicates import check as duplicates
from checks.fields.addresses.comparison import compare_addresses
from checks.fields.addresses.postal import Address, address_from_wire
from checks.lookups import Addresses, Cases, ListedAddress
from checks.subject_data import tunables
from checks.subject_data.contact import is_post_box
from checks.text.folding import folded
from checks.wire import JsonObject, Wire

PROOFS, PROOF_CHECK = "proof_of_address_documents", "kyc.proof_of_address_verification"
# The explanation of a comparison of two equal addresses.
SAME_ADDRESS = "same address."
Alike = Literal["same", "other", "unknown"]


class AddressConsistency(DataCheck):
    """Do the attested address, that on the ID and that on the proof of address agree?

    The address on the government ID, and those that `kyc.proof_of_address_verification` read from
    valid documents (in the same job, or before of the same documents), are each held against the attested ones (an associated address
    counts, too): the words, the number of the house, and the postal code.

    - another postal code, another number of the house, or unlike words: review;
    - a proof was given that was not read, or not found valid: inconclusive;
    - one source alone: not applicable; otherwise: pass.
    """

    id = "kyc.address_consistency"
    title = "Addresses compared"
    payload_key = "address_consistency"
    step = "Comparing the addresses"

    def look(self, evidence: Evidence) -> Outcome:
        data = evidence.attested
        attested = _of_person(data)
        if not attested:
            return self.not_applicable("No address was attested.")
        rows = []
        # The ID and the proofs of address are two independent sources.
        if on_id := address_from_wire(id_data(data).get("address")):
            rows.append(_compare("ID", attested, on_id))
        if data.get(PROOFS):
            rows += _proofs(evidence, attested)
        if not rows:
            return self.not_applicable(
                "There is no second source of the address to compare."
            )
        sides = ["Attested", "Found"]
        passed = "The addresses are similar, not the same."
        if all(item["how"] == SAME_ADDRESS for item in rows):
            passed = "The addresses are the same."
        return self.of_rows(rows, passed=passed, sides=sides)


def _of_person(attested: JsonObject) -> list[Address]:
    """Return the attested addresses: the person's own, then the associated ones."""
    candidates = [attested.get("address")]
    associated = attested.get("associated_addresses")
    if isinstance(associated, list):
        candidates += associated
    addresses = []
    for candidate in candidates:
        address = address_from_wire(candidate)
        if address:
            addresses.append(address)
    return addresses


def _proofs(evidence: Evidence, attested: Sequence[Address]) -> list[Wire]:
    documents = evidence.available.documents_read_by(PROOF_CHECK)
    # The other check has not run, which is different from having found no address.
    if documents is None:
        how = "The proof of address was not read: its check has not run."
        return [difference("Proof of address", "", "", "unknown", how)]
    read = []
    for document in documents:
        a = address_from_wire(document.facts.get("address"))
        if a:
            read.append(a)
    if not read:
        how = "No address could be read from a valid proof of address."
        return [difference("Proof of address", "", "", "unknown", how)]
    return [_compare("Proof of address", attested, address) for address in read]


def _compare(source: str, attested: Sequence[Address], address: Address) -> Wire:
    """Compare the nearest attested address with one that was found."""

    def nearness(candidate: Address) -> tuple[bool, float]:
        apart, _ = _how_far(candidate, address)
        return not apart, _likeness(candidate, address)

    nearest = max(attested, key=nearness)
    # The applicant may have several addresses. Only the nearest one must agree.
    apart, how = _how_far(nearest, address)
    state: State = "pass"
    sentence = f"{how}."
    if apart:
        state = "review"
        sentence = f"{source}: {how}."
    scores = {
        "words": _likeness(nearest, address),
        "number": _alike(_number(nearest), _number(address)),
        "postal_code": _alike(_code(nearest), _code(address)),
    }
    return difference(source, nearest, address, state, sentence) | {"scores": scores}


def _how_far(first: Address, second: Address) -> tuple[bool, str]:
    """Return whether two addresses are different, and why."""
    state, how = compare_addresses(first, second)
    # Different postal codes are different places, however similar the words are.
    if _alike(_code(first), _code(second)) == "other" or state == "differs":
        return True, how
    if _alike(_number(first), _number(second)) == "other":
        return True, f"another number ({_number(first)}, {_number(second)})"
    return False, how


def _likeness(first: Address, second: Address) -> float:
    words = folded(str(first))
    other_words = folded(str(second))
    ratio = fuzz.token_set_ratio(words, other_words)
    return round(ratio / 100, 2)


def _alike(first: str, second: str) -> Alike:
    if not (first and second):
        return "unknown"
    if first == second:
        return "same"
    return "other"


def _number(address: Address) -> str:
    match = re.search(r"\d+", address.street_1)
    if match:
        return match[0].lstrip("0")
    return ""


def _code(address: Address) -> str:
    packed = re.sub(r"\W", "", address.postal_code).upper()
    # The four further digits of a ZIP code are often left out. Codes with letters are compared
    # whole.
    if packed.isdigit():
        return packed[: tunables.ZIP]
    return packed


class AddressType(DataCheck):
    """Is the business at its addresses, or is it a box, an agent's, or an address of many?

    For the addresses of incorporation and of operation:

    - a post office box: review;
    - an address of a list that was loaded here (`manage.py load_addresses`: registered agents, virtual
      offices, mail drops): review, with the row of the list;
    - an address that five or more other businesses of this account attest: review.

    Where no such list is loaded, the result says that this was not checked, and rests on the rest. No
    address attested: not applicable.
    """

    id = "kyb.address_type"
    title = "Kind of address"
    payload_key = "address_type"
    keys = (
        ("address_of_incorporation", "Incorporation address"),
        ("address_of_operation", "Operating address"),
    )

    def look(self, evidence: Evidence) -> Outcome:
        attested = evidence.attested
        addresses = self._addresses(attested)
        if not addresses:
            return self.not_applicable("No address was attested.")
        lists = _loaded(evidence.available.addresses)
        cases = evidence.available.cases
        rows: list[Wire] = []
        for label, address in addresses:
            findings = _boxes(label, address) + _listings(label, address, lists)
            rows += findings or [row(label, address_from_wire(address), "pass")]
        rows += _crowds(attested, cases)
        rows += _unexamined(
            is_list_loaded=lists is not None, are_cases_known=cases is not None
        )
        passed = "No post office box, agent's address or address of many businesses was found."
        if lists is None or cases is None:
            passed = "No post office box was found."
        return self.of_rows(rows, passed=passed, flags=_flags(rows))

    def _addresses(self, attested: JsonObject) -> list[tuple[str, JsonObject]]:
        """Return the readable addresses of the business, each with its label."""
        addresses = []
        for key, label in self.keys:
            address = mapping(attested.get(key))
            if address_from_wire(address):
                addresses.append((label, address))
        return addresses


def _loaded(lists: Addresses | None) -> Addresses | None:
    """Return the lists of addresses; None if there are none or they are empty."""
    if lists is None or not lists.is_loaded():
        return None
    return lists


def _flags(rows: Sequence[JsonObject]) -> list[str]:
    """Return each flag of the rows once, in order."""
    flags = []
    for finding in rows:
        if finding.get("flag"):
            flags.append(str(finding["flag"]))
    return list(dict.fromkeys(flags))


def _unexamined(*, is_list_loaded: bool, are_cases_known: bool) -> list[Wire]:
    """Return notes about what could not be examined, for the explanation of the check."""
    rows = []
    if not is_list_loaded:
        how = "Registered agents' addresses were not checked: no list is loaded."
        rows.append(row("Registered agents", "", "info", how))
    if not are_cases_known:
        how = "Other businesses at the address were not checked."
        rows.append(row("Shared", "", "info", how))
    return rows


def _boxes(label: str, address: JsonObject) -> list[Wire]:
    streets = f"{text(address.get('street_1'))} {text(address.get('street_2'))}".strip()
    if not is_post_box(streets):
        return []
    how = f"{label} is a post office box."
    return [row(label, streets, "review", how) | {"flag": "post_office_box"}]


def _listings(label: str, address: JsonObject, lists: Addresses | None) -> list[Wire]:
    attested = address_from_wire(address)
    place = attested_facts.place_of(address)
    if lists is None or attested is None or not place:
        return []
    listings: list[Wire] = []
    for listing in lists.near(place):
        other = address_from_wire(dict(listing.address))
        if other and not _how_far(attested, other)[0]:
            listings.append(_listing(label, attested, listing))
    return listings


def _listing(label: str, attested: Address, entry: ListedAddress) -> Wire:
    if entry.name:
        called = f"{entry.kind} ({entry.name})"
    else:
        called = entry.kind
    how = f"{label} is on the list {entry.source} as {called}."
    details = {
        "name": entry.name,
        "kind": entry.kind,
        "address": dict(entry.address),
        "list": entry.source,
    }
    return row(label, attested, "review", how) | {"flag": "listed", "listed": details}


def _crowds(attested: JsonObject, cases: Cases | None) -> list[Wire]:
    places = attested_facts.of_places(attested)
    if cases is None or not places:
        return []
    # Find other businesses that attest exactly this address.
    others = []
    for other in cases.sharing([fact.mark for fact in places]):
        shared = duplicates.same_address(attested, other.attested)
        # Another case of the same business does not count as a neighbour.
        if shared and duplicates.is_another(attested, other.attested):
            others.append((shared, other.case_id))
    rows = []
    for address in dict.fromkeys(shared for shared, _ in others):
        at_it = [case for shared, case in others if shared == address]
        # A few businesses may share a building. Many at one address suggest a virtual office.
        if len(at_it) >= tunables.CROWD:
            how = f"At least {len(at_it)} other businesses of this account attest this address."
            rows.append(
                row("Shared", address, "review", how)
                | {"flag": "shared", "cases": at_it}
            )
    return rows
