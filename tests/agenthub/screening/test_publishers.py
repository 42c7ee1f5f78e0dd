"""Formats of single publishers, in small samples of the shapes that they publish. All names are invented."""

from __future__ import annotations

import io
import json
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from agenthub.models.lists import ListVersion
from agenthub.screening import catalogue, loading
from agenthub.screening.formats import Header, ListError, read
from agenthub.screening.index import DatabaseLists
from checks.screening import engine
from checks.screening.records import BirthDate, Entity, Identifier, Subject

UK = """<?xml version="1.0" encoding="utf-8"?>
<Designations xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <DateGenerated>2026-11-20</DateGenerated>
  <Designation>
    <LastUpdated>01/02/2024</LastUpdated><DateDesignated>25/01/2021</DateDesignated>
    <UniqueID>ZZZ0006</UniqueID><UNReferenceNumber>QDi.043</UNReferenceNumber>
    <Names>
      <Name><Name1>Teodor</Name1><Name6>KORBUTSKY</Name6><NameType>Primary name</NameType></Name>
      <Name><Name6>Teo Korbut</Name6><NameType>ALias</NameType><AliasStrength>Low quality a.k.a</AliasStrength></Name>
      <Name><Name6>Fedor Korbutsky</Name6><NameType>Primary Name Variation</NameType></Name>
    </Names>
    <NonLatinNames><NonLatinName><NameNonLatinScript>Теодор Корбутский</NameNonLatinScript></NonLatinName></NonLatinNames>
    <RegimeName>The Invented (Sanctions) Regulations 2020</RegimeName>
    <IndividualEntityShip>Individual</IndividualEntityShip>
    <UKStatementofReasons>Invented.</UKStatementofReasons>
    <Addresses><Address><AddressLine6>Minsk</AddressLine6><AddressCountry>Belarus</AddressCountry></Address></Addresses>
    <IndividualDetails><Individual>
      <DOBs><DOB>dd/mm/1961</DOB><DOB>14/03/1962</DOB></DOBs>
      <Nationalities><Nationality>Belarus</Nationality></Nationalities>
      <Genders><Gender>Male</Gender></Genders>
      <Positions><Position>Director</Position></Positions>
      <PassportDetails><Passport><PassportNumber>AB1234567</PassportNumber></Passport></PassportDetails>
      <BirthDetails><Location><TownOfBirth>Brest</TownOfBirth><CountryOfBirth>Belarus</CountryOfBirth></Location></BirthDetails>
    </Individual></IndividualDetails>
  </Designation>
  <Designation>
    <UniqueID>ZZZ0007</UniqueID>
    <Names><Name><Name6>CORAL TERN</Name6><NameType>Primary Name</NameType></Name></Names>
    <IndividualEntityShip>Ship</IndividualEntityShip>
    <ShipDetails><Ship><IMONumbers><IMONumber>9074729</IMONumber></IMONumbers></Ship></ShipDetails>
  </Designation>
  <Designation><UniqueID>ZZZ0008</UniqueID><IndividualEntityShip>Entity</IndividualEntityShip></Designation>
</Designations>
"""

SECO = """<?xml version="1.0" encoding="UTF-8"?>
<swiss-sanctions-list list-type="whole-list" date="2026-11-19">
  <sanctions-program ssid="20"><program-name lang="ger">Erfunden</program-name>
    <program-name lang="eng">Ordinance on Invented Measures</program-name>
    <sanctions-set ssid="4387" lang="eng">Annex 1</sanctions-set></sanctions-program>
  <target ssid="100"><sanctions-set-id>4387</sanctions-set-id><foreign-identifier>QDi.043</foreign-identifier>
    <individual sex="male">
      <identity ssid="1" main="true">
        <name ssid="2" name-type="primary-name">
          <name-part ssid="3" order="1" name-part-type="family-name"><value>Korbutsky</value>
            <spelling-variant script="LATN">Karbutski</spelling-variant>
            <spelling-variant script="CYRL">Корбутский</spelling-variant></name-part>
          <name-part ssid="4" order="2" name-part-type="given-name"><value>Teodor</value>
            <spelling-variant script="CYRL">Теодор</spelling-variant></name-part>
          <name-part ssid="5" order="3" name-part-type="title"><value>Dr.</value></name-part>
        </name>
        <name name-type="alias" quality="low"><name-part order="1" name-part-type="whole-name"><value>Teo the Elder</value></name-part></name>
        <day-month-year day="14" month="3" year="1961"/>
        <day-month-year year="1962" quality="low"/>
        <nationality><country iso-code="BY">Belarus</country></nationality>
        <place-of-birth place-id="900"/>
        <address place-id="901"><address-details>Street 1</address-details></address>
        <identification-document document-type="passport"><number>AB1234567</number><issuer code="BY">Belarus</issuer></identification-document>
      </identity>
      <justification>Invented reasons.</justification>
    </individual>
    <modification modification-type="amended" effective-date="2024-02-01" publication-date="2024-02-01">
      <removed><target ssid="100"><individual><identity><name name-type="primary-name"><name-part order="1"
        name-part-type="family-name"><value>Earlier</value></name-part></name></identity></individual></target></removed>
    </modification>
    <modification modification-type="listed" effective-date="2022-03-16" publication-date="2022-03-16"/>
  </target>
  <target ssid="101"><sanctions-set-id>4387</sanctions-set-id>
    <entity><identity><name name-type="primary-name"><name-part order="1" name-part-type="whole-name"><value>Gone Trading</value></name-part></name></identity></entity>
    <modification modification-type="de-listed" effective-date="2024-05-01"/>
    <modification modification-type="listed" effective-date="2022-03-16"/>
  </target>
  <target ssid="102"><sanctions-set-id>4387</sanctions-set-id>
    <entity><identity><name name-type="primary-name"><name-part order="1" name-part-type="whole-name"><value>Blue Harbour Trading</value></name-part></name></identity>
      <other-information>Taxpayer Identification Number: 7710140679</other-information></entity>
    <modification modification-type="listed" effective-date="2024-06-01"/>
    <modification modification-type="de-listed" effective-date="2023-03-16"/>
  </target>
  <place ssid="900"><location>Brest</location><country>Belarus</country></place>
  <place ssid="901"><location>Minsk</location><country>Belarus</country></place>
</swiss-sanctions-list>
"""

SEMA = """<?xml version="1.0" encoding="UTF-8"?>
<data-set xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <record><Country>Belarus / Bélarus</Country><LastName>Korbutsky</LastName><GivenName>Teodor</GivenName>
    <Aliases>Teo Korbut, Fedor Korbutsky</Aliases><DateOfBirth>1961-03-14</DateOfBirth>
    <Schedule>1, Part 1</Schedule><Item>10</Item><DateOfListing>2020-09-28</DateOfListing></record>
  <record><Country>Belarus / Bélarus</Country><EntityOrShip>Blue Harbour Trading / Commerce Port Bleu</EntityOrShip>
    <Aliases>Blue Harbor Co., Ltd., BHT Group; Port Bleu, LLC</Aliases>
    <Schedule>1, Part 2</Schedule><Item>3</Item></record>
  <record><Country>Russia / Russie</Country><EntityOrShip>Coral Tern</EntityOrShip><ShipIMONumber>9074729</ShipIMONumber>
    <Schedule>N/A</Schedule></record>
  <record><Country>Russia / Russie</Country><Schedule>1</Schedule><Item>9</Item></record>
</data-set>
"""

DFAT = [
    ["Reference", "Name of Individual or Entity", "Type", "Name Type", "Alias Strength", "Date of Birth",
     "Place of Birth", "Citizenship", "Address", "Additional Information", "Listing Information",
     "IMO Number", "Committees", "Control Date"],
    ["2", "Teodor Korbutsky", "Individual", "Primary Name", "", "a) 14 Mar. 1961 b) 1962", "Brest, Belarus",
     "a) Belarus b) Poland", "Minsk", "Passport no: AB1234567", "Listed in 2021", "", "Autonomous (Invented)",
     "44586"],
    ["2a", "Teo", "Individual", "Alias", "Weak", "", "", "", "", "", "", "", "", ""],
    ["2b", "Теодор Корбутский", "Individual", "Original Script", "", "", "", "", "", "", "", "", "", ""],
    ["3", "Coral Tern", "Vessel", "Primary Name", "", "", "", "", "", "", "", "9074729", "Invented", ""],
]  # fmt: skip

WORLD_BANK = {
    "response": {
        "ZPROCSUPP": [
            {
                "SUPP_ID": 771,
                "SUPP_NAME": "BLUE HARBOUR TRADING LTD. (formerly known as Green Bay Co.)*12",
                "ADD_SUPP_INFO": "(also known as BHT Group)",
                "SUPP_TYPE_CODE": "F",
                "SUPP_ADDR": "1 Quay Street",
                "SUPP_CITY": "Lagos",
                "COUNTRY_NAME": "Nigeria",
                "DEBAR_FROM_DATE": "2024-05-02",
                "DEBAR_TO_DATE": "2999-12-31",
                "INELIGIBLY_STATUS": "Ongoing",
                "DEBAR_REASON": "Fraudulent practice",
            },
            {
                "SUPP_ID": 772,
                "SUPP_NAME": "MR. TEODOR KORBUTSKY",
                "SUPP_TYPE_CODE": "I",
            },
        ]
    }
}

OFAC = """<?xml version="1.0" encoding="utf-8"?>
<Sanctions xmlns="http://www.un.org/sanctions/1.0" Version="0">
  <DateOfIssue CalendarTypeID="1"><Year>2026</Year><Month>11</Month><Day>5</Day></DateOfIssue>
  <ReferenceValueSets>
    <AliasTypeValues><AliasType ID="1400">A.K.A.</AliasType><AliasType ID="1401">F.K.A.</AliasType>
      <AliasType ID="1403">Name</AliasType></AliasTypeValues>
    <CountryValues><Country ID="11200" ISO2="BY">Belarus</Country></CountryValues>
    <DetailReferenceValues><DetailReference ID="91526">Male</DetailReference></DetailReferenceValues>
    <FeatureTypeValues><FeatureType ID="8">Birthdate</FeatureType><FeatureType ID="9">Place of Birth</FeatureType>
      <FeatureType ID="10">Nationality Country</FeatureType><FeatureType ID="224">Gender</FeatureType>
      <FeatureType ID="25">Location</FeatureType><FeatureType ID="344">Digital Currency Address - XBT</FeatureType></FeatureTypeValues>
    <IDRegDocTypeValues><IDRegDocType ID="1571">Passport</IDRegDocType></IDRegDocTypeValues>
    <NamePartTypeValues><NamePartType ID="1520">Last Name</NamePartType><NamePartType ID="1521">First Name</NamePartType>
      <NamePartType ID="1525">Entity Name</NamePartType></NamePartTypeValues>
    <PartySubTypeValues><PartySubType ID="1" PartyTypeID="3">Vessel</PartySubType><PartySubType ID="3" PartyTypeID="2">Unknown</PartySubType>
      <PartySubType ID="4" PartyTypeID="1">Unknown</PartySubType></PartySubTypeValues>
    <PartyTypeValues><PartyType ID="1">Individual</PartyType><PartyType ID="2">Entity</PartyType><PartyType ID="3">Transport</PartyType></PartyTypeValues>
    <SanctionsTypeValues><SanctionsType ID="1">Program</SanctionsType><SanctionsType ID="2">Block</SanctionsType></SanctionsTypeValues>
    <ScriptValues><Script ID="215">Latin</Script><Script ID="220">Cyrillic</Script></ScriptValues>
  </ReferenceValueSets>
  <Locations><Location ID="7"><LocationCountry CountryID="11200"/><LocationPart LocPartTypeID="1454"><LocationPartValue
    Primary="true"><Value>Minsk</Value></LocationPartValue></LocationPart></Location></Locations>
  <IDRegDocuments><IDRegDocument ID="5" IDRegDocTypeID="1571" IdentityID="21" IssuedBy-CountryID="11200"><IDRegistrationNo>AB1234567</IDRegistrationNo></IDRegDocument></IDRegDocuments>
  <DistinctParties>
    <DistinctParty FixedRef="9001"><Comment/>
      <Profile ID="9001" PartySubTypeID="4">
        <Identity ID="21" FixedRef="9001" Primary="true">
          <Alias FixedRef="9001" AliasTypeID="1403" Primary="true" LowQuality="false">
            <DocumentedName ID="1" FixedRef="9001"><DocumentedNamePart><NamePartValue NamePartGroupID="31" ScriptID="215">Korbutsky</NamePartValue></DocumentedNamePart>
              <DocumentedNamePart><NamePartValue NamePartGroupID="32" ScriptID="215">Teodor</NamePartValue></DocumentedNamePart></DocumentedName>
            <DocumentedName ID="2" FixedRef="9001"><DocumentedNamePart><NamePartValue NamePartGroupID="31" ScriptID="220">Корбутский</NamePartValue></DocumentedNamePart>
              <DocumentedNamePart><NamePartValue NamePartGroupID="32" ScriptID="220">Теодор</NamePartValue></DocumentedNamePart></DocumentedName>
          </Alias>
          <Alias FixedRef="9001" AliasTypeID="1400" Primary="false" LowQuality="true">
            <DocumentedName ID="3" FixedRef="9001"><DocumentedNamePart><NamePartValue NamePartGroupID="31" ScriptID="215">Teo</NamePartValue></DocumentedNamePart></DocumentedName>
          </Alias>
          <NamePartGroups><MasterNamePartGroup><NamePartGroup ID="31" NamePartTypeID="1520"/></MasterNamePartGroup>
            <MasterNamePartGroup><NamePartGroup ID="32" NamePartTypeID="1521"/></MasterNamePartGroup></NamePartGroups>
        </Identity>
        <Feature ID="1" FeatureTypeID="8"><FeatureVersion ID="1"><DatePeriod CalendarTypeID="1"><Start Approximate="false"><From><Year>1961</Year><Month>3</Month><Day>14</Day></From><To><Year>1961</Year><Month>3</Month><Day>14</Day></To></Start><End Approximate="false"><From><Year>1961</Year><Month>3</Month><Day>14</Day></From><To><Year>1961</Year><Month>3</Month><Day>14</Day></To></End></DatePeriod></FeatureVersion></Feature>
        <Feature ID="2" FeatureTypeID="8"><FeatureVersion ID="2"><DatePeriod CalendarTypeID="1"><Start Approximate="true"><From><Year>1962</Year><Month>1</Month><Day>1</Day></From></Start><End Approximate="false"><To><Year>1962</Year><Month>12</Month><Day>31</Day></To></End></DatePeriod></FeatureVersion></Feature>
        <Feature ID="3" FeatureTypeID="9"><FeatureVersion ID="3"><VersionDetail DetailTypeID="1432">Brest</VersionDetail></FeatureVersion></Feature>
        <Feature ID="4" FeatureTypeID="10"><FeatureVersion ID="4"><VersionLocation LocationID="7"/></FeatureVersion></Feature>
        <Feature ID="5" FeatureTypeID="224"><FeatureVersion ID="5"><VersionDetail DetailTypeID="1431" DetailReferenceID="91526"/></FeatureVersion></Feature>
        <Feature ID="6" FeatureTypeID="25"><FeatureVersion ID="6"><VersionLocation LocationID="7"/></FeatureVersion></Feature>
        <Feature ID="7" FeatureTypeID="344"><FeatureVersion ID="7"><VersionDetail DetailTypeID="1432">bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq</VersionDetail></FeatureVersion></Feature>
      </Profile>
    </DistinctParty>
    <DistinctParty FixedRef="9002"><Profile ID="9002" PartySubTypeID="1"><Identity ID="22" Primary="true">
      <Alias AliasTypeID="1403" Primary="true" LowQuality="false"><DocumentedName ID="4"><DocumentedNamePart><NamePartValue
        NamePartGroupID="33" ScriptID="215">Coral Tern</NamePartValue></DocumentedNamePart></DocumentedName></Alias></Identity></Profile></DistinctParty>
  </DistinctParties>
  <SanctionsEntries><SanctionsEntry ID="1" ProfileID="9001" ListID="1550"><EntryEvent ID="1"><Date CalendarTypeID="1"><Year>2021</Year><Month>4</Month><Day>2</Day></Date></EntryEvent>
    <SanctionsMeasure ID="1" SanctionsTypeID="2"/><SanctionsMeasure ID="2" SanctionsTypeID="1"><Comment>BELARUS</Comment></SanctionsMeasure></SanctionsEntry></SanctionsEntries>
</Sanctions>
"""


def workbook(rows: list[list[str]]) -> bytes:
    """An XLSX with texts in the shared table, and without the empty cells."""
    strings: list[str] = []
    lines = []
    for number, row in enumerate(rows, start=1):
        cells = ""
        for at, text in enumerate(row):
            if not text:
                continue
            place = f"{chr(ord('A') + at)}{number}"
            if text.isdecimal() and at:
                cells += f'<c r="{place}"><v>{text}</v></c>'
            else:
                strings.append(text)
                cells += f'<c r="{place}" t="s"><v>{len(strings) - 1}</v></c>'
        lines.append(f'<row r="{number}">{cells}</row>')
    name = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    sheet = (
        f'<worksheet xmlns="{name}"><sheetData>{"".join(lines)}</sheetData></worksheet>'
    )
    table = "".join(f"<si><t>{text}</t></si>" for text in strings)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("xl/workbook.xml", f'<workbook xmlns="{name}"/>')
        archive.writestr("xl/worksheets/sheet1.xml", sheet)
        archive.writestr("xl/sharedStrings.xml", f'<sst xmlns="{name}">{table}</sst>')
    return file.getvalue()


SAMPLES: dict[str, tuple[str, bytes]] = {
    "uk_sanctions_list_xml": ("uk.xml", UK.encode()),
    "seco_xml": ("seco.xml", SECO.encode()),
    "sema_xml": ("sema.xml", SEMA.encode()),
    "dfat_xlsx": ("dfat.xlsx", workbook(DFAT)),
    "world_bank_json": ("wb.json", json.dumps(WORLD_BANK).encode()),
    "ofac_advanced_xml": ("sdn_advanced.xml", OFAC.encode()),
}
XML = [name for name in SAMPLES if name.endswith("xml")]


def write(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


@pytest.fixture
def entities(tmp_path):
    def entities(
        format_: str, content: bytes | None = None
    ) -> tuple[list[Entity], Header]:
        name, sample = SAMPLES[format_]
        header = Header()
        path = write(tmp_path, name, sample if content is None else content)
        return list(read(path, format=format_, header=header)), header

    return entities


def names_of(entity: Entity) -> dict[str, str]:
    return {name.text: name.kind for name in entity.names}


def test_the_uk_list_as_xml(entities):
    (person, ship), header = entities("uk_sanctions_list_xml")
    assert (header.published_at, header.nameless) == ("2026-11-20", 1)
    assert (person.id, person.schema, ship.schema) == ("uk-ZZZ0006", "Person", "Vessel")
    assert names_of(person) == {
        "Teodor KORBUTSKY": "primary", "Teo Korbut": "weak",
        "Fedor Korbutsky": "alias", "Теодор Корбутский": "original_script",
    }  # fmt: skip
    assert list(person.birth_dates) == [BirthDate("1961"), BirthDate("1962-03-14")]
    assert (person.nationalities, person.countries, person.genders) == (
        ["BY"], ["BY"], ["m"],
    )  # fmt: skip
    assert person.identifiers == [Identifier("passport", "AB1234567")]
    assert person.birth_places == ["Brest, Belarus"]
    assert (person.references, person.listed_on) == (["QDi.043"], "2021-01-25")
    assert person.programs == ["The Invented (Sanctions) Regulations 2020"]
    assert ship.identifiers == [Identifier("imo", "9074729")]


def test_the_swiss_list_as_it_is_now(entities):
    (person, company), header = entities("seco_xml")
    assert header.published_at == "2026-11-19"
    # What was delisted is gone; what came again is there; copies of earlier states are no targets.
    assert (person.id, company.id) == ("seco-100", "seco-102")
    assert names_of(person) == {
        "Korbutsky Teodor": "primary", "Корбутский Теодор": "original_script",
        "Karbutski Teodor": "alias", "Teo the Elder": "weak",
    }  # fmt: skip
    assert list(person.birth_dates) == [
        BirthDate("1961-03-14"),
        BirthDate("1962", circa=True),
    ]
    assert person.identifiers == [Identifier("passport", "AB1234567", "BY")]
    assert person.birth_places == ["Brest, Belarus"]
    assert person.addresses == ["Street 1, Minsk, Belarus"]
    assert (person.nationalities, person.countries, person.genders) == (
        ["BY"], ["BY"], ["m"],
    )  # fmt: skip
    assert person.programs == ["Ordinance on Invented Measures"]
    assert (person.listed_on, person.references) == ("2022-03-16", ["QDi.043"])
    assert company.schema == "Organization"
    assert company.identifiers == [Identifier("tax", "7710140679")]


def test_the_canadian_list(entities):
    (person, company, ship), header = entities("sema_xml")
    assert header.nameless == 1
    assert person.id == "sema-belarus-1-part-1-10"
    assert names_of(person) == {
        "Teodor Korbutsky": "primary", "Teo Korbut": "alias", "Fedor Korbutsky": "alias",
    }  # fmt: skip
    assert list(person.birth_dates) == [BirthDate("1961-03-14")]
    assert (person.programs, person.listed_on) == (
        ["Belarus, Schedule 1, Part 1"], "2020-09-28",
    )  # fmt: skip
    # The regime is no nationality.
    assert person.nationalities == ()
    assert names_of(company) == {
        "Blue Harbour Trading": "primary", "Commerce Port Bleu": "alias",
        # A comma before a legal form does not part a name.
        "Blue Harbor Co., Ltd.": "alias", "BHT Group": "alias", "Port Bleu, LLC": "alias",
    }  # fmt: skip
    assert (ship.schema, ship.identifiers) == ("Vessel", [Identifier("imo", "9074729")])
    assert ship.id.startswith("sema-")


def test_the_australian_list_as_a_workbook_and_as_csv(entities, tmp_path):
    read_entities, _header = entities("dfat_xlsx")
    person, ship = read_entities
    assert (person.id, person.schema, ship.schema) == ("dfat-2", "Person", "Vessel")
    assert names_of(person) == {
        "Teodor Korbutsky": "primary", "Teo": "weak", "Теодор Корбутский": "original_script",
    }  # fmt: skip
    assert list(person.birth_dates) == [BirthDate("1961-03-14"), BirthDate("1962")]
    assert person.nationalities == ["BY", "PL"]
    assert person.identifiers == [Identifier("passport", "AB1234567")]
    assert (person.listed_on, ship.identifiers) == (
        "2022-01-25", [Identifier("imo", "9074729")],
    )  # fmt: skip
    text = "\n".join(",".join(f'"{cell}"' for cell in row) for row in DFAT)
    path = write(tmp_path, "dfat.csv", text.encode())
    assert list(read(path, format="dfat_xlsx", header=Header())) == read_entities


def test_the_world_bank(entities):
    (firm, person), _header = entities("world_bank_json")
    assert names_of(firm) == {
        "BLUE HARBOUR TRADING LTD.": "primary", "Green Bay Co.": "former", "BHT Group": "alias",
    }  # fmt: skip
    assert (firm.id, firm.topics, firm.countries) == (
        "worldbank-771", ["debarment"], ["NG"],
    )  # fmt: skip
    assert (firm.listed_on, firm.reason) == (
        "2024-05-02", "Fraudulent practice, until Ongoing",
    )  # fmt: skip
    assert firm.addresses == ["1 Quay Street, Lagos, Nigeria"]
    assert person.schema == "Person"


def test_ofacs_advanced_list(entities):
    (person, ship), header = entities("ofac_advanced_xml")
    assert header.published_at == "2026-11-05"
    assert (person.id, person.schema, ship.schema) == ("ofac-9001", "Person", "Vessel")
    assert names_of(person) == {
        "Teodor Korbutsky": "primary", "Теодор Корбутский": "original_script", "Teo": "weak",
    }  # fmt: skip
    assert list(person.birth_dates) == [
        BirthDate("1961-03-14"),
        BirthDate("1962", circa=True),
    ]
    assert (person.nationalities, person.countries, person.genders) == (
        ["BY"], ["BY"], ["m"],
    )  # fmt: skip
    assert person.identifiers == [
        Identifier("passport", "AB1234567", "BY"),
        Identifier("wallet", "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"),
    ]
    assert (person.birth_places, person.addresses) == (["Brest"], ["Minsk, Belarus"])
    assert (person.programs, person.listed_on) == (["BELARUS"], "2021-04-02")


@pytest.mark.parametrize("format_", XML)
def test_hostile_and_other_xml_is_refused(entities, format_):
    _name, sample = SAMPLES[format_]
    head, _, rest = sample.partition(b"?>")
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'
    with pytest.raises(ListError, match="document type"):
        entities(format_, head + b"?>" + bomb + rest)
    with pytest.raises(ListError, match="damaged"):
        entities(format_, sample[: len(sample) // 2])
    with pytest.raises(ListError, match="another one"):
        entities(format_, b"<other/>")
    for encoding in (b"none", b"big5", b"utf-7"):
        declared = b'<?xml version="1.0" encoding="' + encoding + b'"?>'
        with pytest.raises(ListError, match="encoding"):
            entities(format_, declared + rest)


@pytest.mark.parametrize(
    ("format_", "content", "words"),
    [
        ("world_bank_json", b'{"response": {"ZPROCSUPP": [{"SUPP_ID": 1', "cut off"),
        ("world_bank_json", b'{"response": {"ZPROCSUPP": ["x"]}}', "no firms"),
        ("world_bank_json", b'{"response": {"ZPROCSUPP": [{"SUPP_NAME": "\\ud800"}]}}', "cut off"),
        ("world_bank_json", b'{"response": {"ZPROCSUPP": [{"SUPP_NAME": "A Co"}]}}', "no id"),
        ("dfat_xlsx", workbook([["Name", "Type"], ["x", "y"]]), "consolidated list"),
        ("dfat_xlsx", workbook([DFAT[0], ["two", "A name", "Entity"]]), "Row 1"),
        ("sema_xml", b"<data-set><record><Country>X</Country></record></data-set>", "no id"),
        ("ofac_advanced_xml", b"<Sanctions/>", "which day"),
        ("seco_xml", b"<swiss-sanctions-list/>", "which day"),
    ],
)  # fmt: skip
def test_what_is_damaged_is_refused(entities, format_, content, words):
    with pytest.raises(ListError, match=words):
        entities(format_, content)


@pytest.mark.parametrize(
    ("format_", "start"),
    [
        ("ftm_json", b'[{"id": "'),
        ("generic_csv", b"name"),
        ("opensanctions_simple_csv", b'"id'),
        ("uk_sanctions_list_csv", b"x"),
    ],
)
def test_a_file_without_line_ends_is_not_held_in_memory(tmp_path, format_, start):
    path = write(tmp_path, "a.txt", start + b"x" * (64 << 20))
    tracemalloc.start()
    try:
        with pytest.raises(ListError, match="line is longer"):
            list(read(path, format=format_, header=Header()))
        _now, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 60 << 20


def test_a_workbook_that_is_made_to_be_slow_is_refused(entities):
    name = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    for cell, words in (
        ('<c r="XFD1"><v>1</v></c>', "too many columns"),
        ('<c r="A1" t="s"><v>7</v></c>', "names a text"),
    ):
        sheet = f'<worksheet xmlns="{name}"><sheetData><row>{cell}</row></sheetData></worksheet>'
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("xl/workbook.xml", "<workbook/>")
            archive.writestr("xl/worksheets/sheet1.xml", sheet)
        with pytest.raises(ListError, match=words):
            entities("dfat_xlsx", file.getvalue())


@pytest.mark.django_db
@pytest.mark.parametrize("format_", SAMPLES)
def test_each_is_loaded_and_found(tmp_path, format_):
    name, sample = SAMPLES[format_]
    path = write(tmp_path, name, sample)
    source = catalogue.source("mine", format=format_)
    version = loading.load(source, path)
    assert version.status == ListVersion.Status.ACTIVE
    wanted = (
        Subject(["Blue Harbour Trading"], "Organization")
        if format_ == "world_bank_json"
        else Subject(["Teodor Korbutsky"])
    )
    assert engine.screen(wanted, DatabaseLists()).alerts
