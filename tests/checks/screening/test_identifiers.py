# ruff: noqa: RUF001 - letters that look like Latin ones are its subject
"""Numbers are known again however they are written, and no two different ones are the same."""

from __future__ import annotations

import pytest

from checks.list_screening import attested
from checks.list_screening.parties.schema import parties_of
from checks.screening import engine
from checks.screening.identifiers import normal_forms, wallets
from checks.screening.lists import MemoryLists
from checks.screening.records import (
    Entity,
    Identifier,
    ListedName,
    ListVersion,
    Subject,
)

VERSION = ListVersion("list", "A list", 1, "2026-11-01", "2026-11-02", "", 1)
BITCOIN = "12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h"
SEGWIT = "bc1qsmv6lkrw65l30yazdqpdjjtwzpvk9f8gfh0cy7"
ETHER = "0x178169B423a011fff22B9e3F3abeA13414dDD0F1"


@pytest.mark.parametrize(
    ("kind", "first", "second"),
    [
        ("wallet", BITCOIN, f"bitcoin:{BITCOIN}?amount=0.1"),
        ("wallet", BITCOIN, f"XBT {BITCOIN}"),
        ("wallet", BITCOIN, f"\u200b{BITCOIN}\u00a0"),
        ("wallet", SEGWIT, SEGWIT.upper()),
        ("wallet", ETHER, ETHER.lower()),
        ("wallet", ETHER, f"ethereum:{ETHER}@1"),
        ("wallet", ETHER, f"eip155:1:{ETHER}"),
        ("wallet", ETHER, f"({ETHER}),"),
        ("wallet", ETHER, f"https://etherscan.io/address/{ETHER}"),
        # One key of Bitcoin Cash, in both encodings, from its specification.
        ("wallet", "1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu",
         "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a"),
        ("imo", "9187629", "IMO 918-7629"),
        ("swift", "RTZTIRTH", "rtztirthxxx"),
        ("swift", "RTZTIRTHXXX", "RTZT IR TH KSH"),
        ("lei", "5493001KJTIIGC8Y1R12", "5493 001k jtii gc8y 1r12"),
        ("tax", "NL004495445B01", "004495445B01"),
        ("tax", "DE 136 695 976", "136695976"),
        ("tax", "7707083893", "ИНН ٧٧٠٧٠٨٣٨٩٣"),
        ("passport", "MP4410293", "МР 4410293"),
        ("passport", "P1234567", "Passport No. P-1234567"),
        ("registration", "HRB 12345", "hrb12345"),
        ("registration", "00044821", "44821"),
        ("registration", "SC 004482", "SC4482"),
        ("tax", "KZ 140 840 003 012", "140840003012"),
    ],
)  # fmt: skip
def test_one_number_has_one_form(kind, first, second) -> None:
    assert normal_forms.normal_form(kind, first) == normal_forms.normal_form(
        kind, second
    )


@pytest.mark.parametrize(
    ("kind", "first", "second"),
    [
        ("wallet", BITCOIN, BITCOIN.lower()),
        ("wallet", SEGWIT, SEGWIT[:-1] + "8"),
        ("imo", "9187629", "9187630"),
        ("swift", "RTZTIRTH", "RTZTIRTA"),
        # Scotland's companies, and no country before a number.
        ("registration", "SC123456", "123456"),
        # So few digits tell nothing without their zeros.
        ("registration", "0000007", "7"),
        ("tax", "QX12345678", "12345678"),
    ],
)
def test_other_numbers_have_other_forms(kind, first, second) -> None:
    assert normal_forms.normal_form(kind, first) != normal_forms.normal_form(
        kind, second
    )


@pytest.mark.parametrize(
    ("address", "network", "checksum"),
    [
        (BITCOIN, "Bitcoin", True),
        (BITCOIN[:-1] + "i", "Bitcoin", False),
        (SEGWIT, "Bitcoin", True),
        ("bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0", "Bitcoin", True),
        (ETHER, "Ethereum and alike", None),
        ("TFdTr9C3BqQrzKBXqSxJfAZFTh8UwBAfSg", "Tron", True),
        ("LWnbjLYUfqeokfbWM4FcU7uk2FP2DSxuWS", "Litecoin", True),
        ("t1WSKwCDL1QYRRUrCCknEs5tDLhtGVYu9KM", "Zcash", True),
        ("MetaMask", "", None),
    ],
)  # fmt: skip
def test_an_address_tells_its_network(address, network, checksum) -> None:
    assert wallets.network(address) == network
    assert wallets.checksum(address) is checksum


def entity(*numbers: Identifier) -> Entity:
    return Entity(
        "1", "Organization", [ListedName("Garden of Others LLC")], identifiers=numbers
    )


@pytest.mark.parametrize(
    ("listed", "query"),
    [
        (Identifier("wallet", ETHER), Identifier("wallet", ETHER.lower())),
        (Identifier("wallet", BITCOIN), Identifier("other", BITCOIN)),
        (Identifier("swift", "RTZTIRTHXXX"), Identifier("swift", "RTZTIRTHKSH")),
        (
            Identifier("registration", "1027700132195"),
            Identifier("tax", "1027700132195"),
        ),
    ],
)
def test_the_same_number_is_a_hit_under_another_name(listed, query) -> None:
    lists = MemoryLists.of([entity(listed)], VERSION)

    screening = engine.screen(Subject(["Somebody Else"], identifiers=[query]), lists)

    assert [match.band for match in screening.matches] == ["identifier_match"]


@pytest.mark.parametrize(
    ("listed", "query"),
    [
        (Identifier("swift", "RTZTIRTH"), Identifier("passport", "RTZTIRTH")),
        (Identifier("imo", "9187629"), Identifier("registration", "9187629")),
        (Identifier("wallet", BITCOIN), Identifier("wallet", SEGWIT)),
    ],
)
def test_another_kind_of_number_is_no_hit(listed, query) -> None:
    lists = MemoryLists.of([entity(listed)], VERSION)

    screening = engine.screen(Subject(["Somebody Else"], identifiers=[query]), lists)

    assert screening.alerts == []


@pytest.mark.parametrize(
    "text",
    [
        f"{BITCOIN}, {ETHER}",
        f"BTC: {BITCOIN}; ETH: {ETHER}.",
        f"bitcoin:{BITCOIN} https://etherscan.io/address/{ETHER}",
        [f"{BITCOIN},", {"ETH": f"eip155:1:{ETHER}"}],
    ],
)
def test_each_wallet_of_a_text_is_compared(text) -> None:
    subject = attested.person({"full_name": "Ana Reyes", "wallet_addresses": text})
    for address in (BITCOIN, ETHER):
        lists = MemoryLists.of([entity(Identifier("wallet", address))], VERSION)
        (match,) = engine.screen(subject, lists).matches
        assert match.band == "identifier_match"


@pytest.mark.parametrize(
    "address", [BITCOIN[:-1] + "i", BITCOIN.lower(), BITCOIN.upper()]
)
def test_a_wrong_checksum_is_no_pass(address) -> None:
    lists = MemoryLists.of([entity()], VERSION)
    numbers = [Identifier("wallet", address), Identifier("imo", "9187620")]

    screening = engine.screen(Subject(["Ana Reyes"], identifiers=numbers), lists)

    assert [reason.split(" has ")[0] for reason in screening.not_compared] == [
        "A wallet address", "An IMO number"
    ]  # fmt: skip


@pytest.mark.parametrize(
    "data",
    [
        {"wallet_address": BITCOIN},
        {"walletAddress": BITCOIN},
        {"wallets": [BITCOIN]},
        {"wallets": [{"address": BITCOIN, "currency": "XBT"}]},
        {"crypto_wallets": {"XBT": BITCOIN, "provider": "Somebody"}},
        {"Bitcoin address": BITCOIN},
        {"crypto_wallet": {"currency": "BTC", "public_key": BITCOIN}},
    ],
)
def test_a_wallet_is_read_from_any_member(data) -> None:
    for subject in (attested.person(data), attested.business(data)):
        assert subject.identifiers == [Identifier("wallet", BITCOIN)]


@pytest.mark.parametrize(
    "data",
    [
        {"wallet": "yes"},
        {"wallet_provider": "MetaMask"},
        {"wallet_url": "https://wallet.example/1234567890123"},
    ],
)
def test_what_is_no_address_is_none(data) -> None:
    assert attested.business(data).identifiers == []


def test_numbers_of_a_business_are_read_from_their_members() -> None:
    data = {
        "business_name": "Bank of Somewhere",
        "swift_code": "RTZTIRTH",
        "LEI": "5493001KJTIIGC8Y1R12",
        "vat_number": "DE136695976",
        "imo_number": "9187629",
    }

    kinds = {
        number.type: number.value for number in attested.business(data).identifiers
    }

    assert kinds == {
        "swift": "RTZTIRTH", "lei": "5493001KJTIIGC8Y1R12", "tax": "DE136695976", "imo": "9187629"
    }  # fmt: skip


def test_a_vessel_and_a_wallet_among_the_parties_are_screened() -> None:
    data = {
        "vessels": [{"name": "Sea Foam", "imo_number": "9187629"}],
        "beneficial_owners": [{"wallet_address": BITCOIN}],
    }

    vessel, wallet = parties_of({}, data)

    assert [subject.schema for subject in vessel.subjects] == ["Vessel"]
    assert vessel.subjects[0].identifiers == [Identifier("imo", "9187629")]
    assert wallet.name == BITCOIN
