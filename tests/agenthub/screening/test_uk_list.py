"""The UK sanctions list in the shape in which the FCDO publishes it as CSV: a line with the date, then
the columns below, then one row for each name or address of an entry. All entries are made up."""

from __future__ import annotations

import csv
import io
import zipfile

import pytest

from agenthub.screening import catalogue, loading
from agenthub.screening.formats import ListError
from agenthub.screening.formats.base import Header, Options
from agenthub.screening.formats.uk import read_csv, read_ods
from agenthub.screening.index import DatabaseLists
from checks.screening import engine
from checks.screening.records import Entity, Identifier, Subject

HEADING = (
    "Last Updated,Unique ID,OFSI Group ID,UN Reference Number,Name 6,Name 1,Name 2,Name 3,Name 4,"
    "Name 5,Name type,Alias strength,Title,Name non-latin script,Non-latin script type,"
    "Non-latin script language,Regime Name,Designation Type,Designation source,Sanctions Imposed,"
    "Other Information,UK Statement of Reasons,Address Line 1,Address Line 2,Address Line 3,"
    "Address Line 4,Address Line 5,Address Line 6,Address Postal Code,Address Country,Phone number,"
    "Website,Email address,Date Designated,D.O.B,Nationality(/ies),National Identifier number,"
    "National Identifier additional information,Passport number,Passport additional information,"
    "Position,Gender,Town of birth,Country of birth,Type of entity,Subsidiaries,Parent company,"
    "Business registration number (s),IMO number,Current owner/operator (s),"
    "Previous owner/operator (s),Current believed flag of ship,Previous flags,Type of ship,"
    "Tonnage of ship,Length of ship,Year Built,Hull identification number (HIN)"
)
COLUMNS = HEADING.split(",")
COMMON = {
    "Last Updated": "04/08/2026", "Regime Name": "The Demo (Sanctions) (EU Exit) Regulations 2019",
    "Designation source": "UK", "Sanctions Imposed": "Asset freeze|Travel Ban",
    "Date Designated": "24/02/2022",
}  # fmt: skip
PERSON = COMMON | {
    "Unique ID": "DEM0001", "OFSI Group ID": "90001", "Designation Type": "Individual",
    "D.O.B": "dd/mm/1960", "Nationality(/ies)": "(1) Belarus (2) Cyprus", "Gender": "Male",
    "Passport number": "(1) MP1234567 (2) K00112233", "Position": "Minister of Fiction",
    "Town of birth": "Minsk", "Country of birth": "Belarus", "Address Country": "Belarus",
    "National Identifier number": "3140361A001PB1",
    "UK Statement of Reasons": 'Teodor Korbutski, "the made-up",\nis an involved person.',
}  # fmt: skip
COMPANY = COMMON | {
    "Unique ID": "DEM0002", "Designation Type": "Entity", "Name 6": "CORAL TERN LOGISTICS FZE",
    "Name type": "Primary Name", "Type of entity": "Company", "Address Line 1": "Dock 9",
    "Address Line 6": "Sharjah", "Address Country": "United Arab Emirates",
    "Business registration number (s)": "CN-4471902",
}  # fmt: skip
SHIP = COMMON | {
    "Unique ID": "DEM0003", "Designation Type": "Ship", "Name 6": "GREY PELICAN",
    "Name type": "Primary Name", "IMO number": "9074729", "Type of ship": "Oil tanker",
    "Current believed flag of ship": "Gabon", "Year Built": "2004",
}  # fmt: skip
ROWS = (
    PERSON | {"Name 6": "KORBUTSKI", "Name 1": "Teodor", "Name 2": "Ivanovich", "Name type": "Primary Name"},
    PERSON | {"Name 6": "KORBUTSKY", "Name 1": "Fyodor", "Name type": "Primary Name Variation"},
    COMPANY,
    SHIP,
    # A later address: the rows of an entry need not stand together.
    PERSON | {"Name 6": "Tedo", "Name type": "Alias", "Alias strength": "Low quality",
              "D.O.B": "14/03/1961", "Address Line 1": "1 Nowhere Street", "Address Line 6": "Limassol",
              "Address Postal Code": "3040", "Address Country": "Cyprus"},
    PERSON | {"Name 6": "KORBUTSKI", "Name 1": "Teodor", "Name type": "Alias",
              "Name non-latin script": "Тэадор Карбуцкі", "Non-latin script type": "Cyrillic"},
)  # fmt: skip


def published(
    rows=ROWS, columns=COLUMNS, head: str = "Report Date: 18-Aug-2026"
) -> bytes:
    out = io.StringIO(newline="")
    out.write(f"{head}\r\n")
    writer = csv.DictWriter(out, columns, extrasaction="ignore", restval="")
    writer.writeheader()
    writer.writerows(rows)
    return b"\xef\xbb\xbf" + out.getvalue().encode()


def read(content: bytes) -> tuple[dict[str, Entity], Header]:
    header = Header()
    result = read_csv({"uk.csv": lambda: io.BytesIO(content)}, header, Options())
    return {entity.id: entity for entity in result}, header


def test_every_entry_is_read_whole_and_once():
    entities, header = read(published())
    assert (header.published_at, header.nameless) == ("2026-08-18", 0)
    assert list(entities) == ["uk-DEM0001", "uk-DEM0002", "uk-DEM0003"]


def test_a_person_has_all_that_its_rows_say():
    person = read(published())[0]["uk-DEM0001"]
    assert {name.text: name.kind for name in person.names} == {
        "Teodor Ivanovich KORBUTSKI": "primary", "Fyodor KORBUTSKY": "alias", "Tedo": "weak",
        "Teodor KORBUTSKI": "alias", "Тэадор Карбуцкі": "original_script",
    }  # fmt: skip
    assert person.schema == "Person"
    assert [one.date for one in person.birth_dates] == ["1960", "1961-03-14"]
    assert (person.nationalities, person.countries) == (["BY", "CY"], ["BY", "CY"])
    assert (person.genders, person.birth_places) == (["m"], ["Minsk"])
    assert {(one.type, one.value) for one in person.identifiers} == {
        ("passport", "MP1234567"), ("passport", "K00112233"), ("national_id", "3140361A001PB1"),
    }  # fmt: skip
    assert person.addresses == ["Belarus", "1 Nowhere Street, Limassol, 3040, Cyprus"]
    assert (person.listed_on, person.positions) == (
        "2022-02-24",
        ["Minister of Fiction"],
    )
    assert person.reason == 'Teodor Korbutski, "the made-up", is an involved person.'


def test_a_company_and_a_ship_have_their_numbers():
    entities, _ = read(published())
    company, ship = entities["uk-DEM0002"], entities["uk-DEM0003"]
    assert (company.schema, ship.schema) == ("Organization", "Vessel")
    assert company.identifiers == [Identifier("registration", "CN-4471902")]
    assert company.addresses == ["Dock 9, Sharjah, United Arab Emirates"]
    assert ship.identifiers == [Identifier("imo", "9074729")]
    assert ship.countries == ["GA"]


def test_the_other_heading_of_the_type_is_known_too():
    columns = [
        "Individual, Entity, Ship" if c == "Designation Type" else c for c in COLUMNS
    ]
    rows = [row | {"Individual, Entity, Ship": row["Designation Type"]} for row in ROWS]
    entities, _ = read(published(rows, columns))
    assert [entity.schema for entity in entities.values()] == [
        "Person",
        "Organization",
        "Vessel",
    ]


@pytest.mark.parametrize(
    "content",
    [
        published()[:-300],  # in the middle of a row
        published().replace(b"Unique ID", b"Number", 1),
        published().replace("Карбуцкі".encode(), "Карбуцкі".encode("cp1251")),
        b"<html>Sign in</html>",
        b"",
    ],
)
def test_a_file_that_is_damaged_or_another_is_refused(content):
    with pytest.raises(ListError):
        read(content)


@pytest.mark.django_db
def test_the_list_is_loaded_and_searched(tmp_path):
    (tmp_path / "UK-Sanctions-List.csv").write_bytes(published())
    version = loading.load(catalogue.source("uk"), tmp_path / "UK-Sanctions-List.csv")
    assert (version.entity_count, version.published_at) == (3, "2026-08-18")
    subject = Subject(["Teodor Korbutski"], birth_date="1961-03-14")
    [hit] = engine.screen(subject, DatabaseLists()).alerts
    assert (hit.entry.entity.id, hit.band) == ("uk-DEM0001", "strong")


TABLE = "urn:oasis:names:tc:opendocument:xmlns:table:1.0"


def spreadsheet(repeats: str = "1") -> bytes:
    """The published spreadsheet with two columns: the id and the name of an entity."""
    rows = "".join(
        f'<t:table-row><t:table-cell t:number-columns-repeated="{repeats}"><p>{first}</p></t:table-cell>'
        f"<t:table-cell><p>{second}</p></t:table-cell></t:table-row>"
        for first, second in (("Unique ID", "Name 6"), ("DEM0002", "CORAL TERN"))
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        content = f'<document-content xmlns:t="{TABLE}">{rows}</document-content>'
        archive.writestr("content.xml", content)
    return packed.getvalue()


def read_sheet(content: bytes) -> list[Entity]:
    return list(read_ods({"uk.ods": lambda: io.BytesIO(content)}, Header(), Options()))


def test_the_spreadsheet_is_read():
    [entity] = read_sheet(spreadsheet())
    assert (entity.id, entity.names[0].text) == ("uk-DEM0002", "CORAL TERN")


def encrypted(content: bytes) -> bytes:
    result = bytearray(content)
    result[6] |= 1
    result[result.index(b"PK\x01\x02") + 8] |= 1
    return bytes(result)


@pytest.mark.parametrize(
    "content", [spreadsheet("many"), encrypted(spreadsheet()), spreadsheet()[:90]]
)
def test_a_damaged_spreadsheet_is_refused(content):
    with pytest.raises(ListError, match="not a spreadsheet"):
        read_sheet(content)
