"""Numbers of lists, as their publishers word them."""

from __future__ import annotations

import json

import pytest

from agenthub.screening import formats
from agenthub.screening.formats.base import identifier
from agenthub.screening.formats.ofac_csv import _identifier
from checks.screening.records import Identifier

ETHER = "0x178169B423a011fff22B9e3F3abeA13414dDD0F1"


@pytest.mark.parametrize(
    ("kind", "value", "wanted"),
    [
        ("Digital Currency Address - ETH", ETHER, Identifier("wallet", ETHER)),
        ("SWIFT/BIC", "RTZTIRTH", Identifier("swift", "RTZTIRTH")),
        ("Vessel Registration Identification", "IMO 9187629", Identifier("imo", "IMO 9187629")),
        ("Gender", "Male", None),
        ("Website", "example.org", None),
    ],
)  # fmt: skip
def test_a_number_has_the_kind_that_the_list_names(kind, value, wanted) -> None:
    assert identifier(kind, value) == wanted


def test_a_wallet_stands_in_the_remarks_of_the_older_files() -> None:
    note = "alt. Digital Currency Address - XBT 12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h"

    assert _identifier(note) == Identifier(
        "wallet", "12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h"
    )


def test_a_wallet_of_its_own_belongs_to_its_holder(tmp_path) -> None:
    lines = [
        {"id": "w", "schema": "CryptoWallet", "caption": ETHER, "target": False,
         "properties": {"publicKey": [ETHER], "holder": ["p"]}},
        {"id": "p", "schema": "Person", "properties": {"name": ["Teodor Korbutsky"]}},
    ]  # fmt: skip
    path = tmp_path / "entities.ftm.json"
    path.write_text("\n".join(map(json.dumps, lines)))

    (person,) = formats.read(path, format="ftm_json", header=formats.Header())

    assert person.identifiers == [Identifier("wallet", ETHER)]
