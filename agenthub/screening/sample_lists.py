"""Fictional lists in real formats, for the demonstration and the tests.

No entry is a real person.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import date
from xml.sax.saxutils import escape

PUBLISHED = date(2026, 10, 30)

# Columns: id, given names, surname, born, nationality, gender, passport, other names.
_PEOPLE: Sequence[tuple[str, str, str, str, str, str, str, tuple[str, ...]]] = (
    ("900001", "Teodor Vasilevich", "KORBUTSKY", "14 Mar 1961", "Belarus", "Male", "MP4410293",
     ("Feodor KORBUTSKIY", "Тэадор КАРБУЦКІ")),
    ("900002", "Rashid Abd al-Karim", "AL-TAMANI", "02 Sep 1974", "Iraq", "Male", "A7719034",
     ("Abu Tamim", "رشيد عبد الكريم التماني")),
    ("900003", "Chol Nam", "RYANG", "1968", "Korea, North", "Male", "745510992", ("Ryang Cholnam",)),
    ("900004", "Marisol", "QUINTERO VELARDE", "30 Nov 1979", "Venezuela", "Female", "118840231", ()),
    ("900005", "Henrik", "AASTVEIT-MOREAU", "circa 1955", "Norway", "Male", "", ("H. Moreau",)),
    ("900006", "Yusuf Ibrahim", "DAAROOD-NUUR", "1982 to 1984", "Somalia", "Male", "P00183341", ()),
    ("900007", "Olena Petrivna", "HNATYSHCHENKO", "21 Jul 1985", "Ukraine", "Female", "FX902211", ()),
    ("900008", "Babrak", "ZADRANI", "1970", "Afghanistan", "Male", "", ("Mullah Babrak",)),
)  # fmt: skip
_COMPANIES: Sequence[tuple[str, str, str, str, tuple[str, ...]]] = (
    ("900101", "BLUE HERON MARITIME TRADING LLC", "United Arab Emirates", "CN-4471902", ()),
    ("900102", "OBSHCHESTVO S OGRANICHENNOI OTVETSTVENNOSTYU SEVERPROMTEK", "Russia", "7799910042",
     ("SEVERPROMTEK OOO",)),
    ("900103", "TAMAR GULF EXCHANGE", "Iran", "IR-220914", ("Sarafi Khalij Tamar",)),
    ("900104", "KWANGMYONG EIGHTH GENERAL CORPORATION", "Korea, North", "", ()),
    ("900105", "INVERSIONES DEL ORINOCO ALTO, S.A.", "Venezuela", "J-40991238-1", ()),
)  # fmt: skip


def ofac_sdn_xml(published: date = PUBLISHED) -> bytes:
    """An SDN.XML in OFAC's format."""
    entries = [*map(_person, _PEOPLE), *map(_company, _COMPANIES)]
    return (
        '<?xml version="1.0" standalone="yes"?>\n'
        '<sdnList xmlns="https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/'
        'exports/XML">\n<publshInformation><Publish_Date>'
        f"{published:%m/%d/%Y}</Publish_Date>"
        f"<Record_Count>{len(entries)}</Record_Count></publshInformation>\n"
        + "\n".join(entries)
        + "\n</sdnList>\n"
    ).encode()


def _person(row: tuple[str, str, str, str, str, str, str, tuple[str, ...]]) -> str:
    uid, first, last, born, nation, gender, passport, aliases = row
    numbers = [("Passport", passport, nation)] if passport else []
    numbers.append(("Gender", gender, ""))
    return (
        f"<sdnEntry><uid>{uid}</uid><firstName>{escape(first)}</firstName>"
        f"<lastName>{escape(last)}</lastName><sdnType>Individual</sdnType>"
        "<remarks>Fictional, for demonstration.</remarks>"
        "<programList><program>DEMO-SANCTIONS</program></programList>"
        f"{_ids(numbers)}{_akas(aliases)}"
        f"<nationalityList><nationality><country>{nation}</country></nationality></nationalityList>"
        f"<dateOfBirthList><dateOfBirthItem><dateOfBirth>{born}</dateOfBirth></dateOfBirthItem>"
        "</dateOfBirthList></sdnEntry>"
    )


def _company(row: tuple[str, str, str, str, tuple[str, ...]]) -> str:
    uid, name, country, number, aliases = row
    numbers = [("Registration Number", number, country)] if number else []
    return (
        f"<sdnEntry><uid>{uid}</uid><lastName>{escape(name)}</lastName><sdnType>Entity</sdnType>"
        "<remarks>Fictional, for demonstration.</remarks>"
        "<programList><program>DEMO-SANCTIONS</program></programList>"
        f"{_ids(numbers)}{_akas(aliases)}"
        f"<addressList><address><country>{country}</country></address></addressList></sdnEntry>"
    )


def _ids(numbers: Iterable[tuple[str, str, str]]) -> str:
    items = "".join(
        f"<id><idType>{kind}</idType><idNumber>{number}</idNumber><idCountry>{country}</idCountry>"
        "</id>"
        for kind, number, country in numbers
    )
    return f"<idList>{items}</idList>" if items else ""


def _akas(names: Sequence[str]) -> str:
    items = "".join(
        f"<aka><type>a.k.a.</type><category>strong</category><lastName>{escape(name)}</lastName>"
        "</aka>"
        for name in names
    )
    return f"<akaList>{items}</akaList>" if items else ""


def political_csv() -> bytes:
    """Politically exposed persons, as a generic CSV."""
    rows = [
        ("name", "type", "birth_date", "nationality", "position", "topic"),
        ("Adaeze Nwokolo-Brandt", "person", "1958-02-11", "NG", "Minister of Ports (2015 to now)", "role.pep"),
        ("Lars Fredriksborg-Eng", "person", "1963", "DK", "Member of parliament (2007 to 2019)", "role.pep"),
        ("Ilinca Dragomirescu-Pop", "person", "1971-08-03", "RO", "Mayor of a capital", "role.pep"),
        ("Tomaso Nwokolo-Brandt", "person", "1986", "NG", "Son of a minister", "role.rca"),
    ]  # fmt: skip
    return _csv(rows)


def adverse_csv() -> bytes:
    """Debarred companies and wanted persons, as a generic CSV."""
    rows = [
        ("name", "type", "birth_date", "nationality", "registration", "reason", "topic"),
        ("Gunther Saltzwedel-Kraye", "person", "1977-05-19", "DE", "", "Convicted of fraud", "crime"),
        ("Paradise Bay Contractors Ltd", "company", "", "", "PB-77120", "Debarred", "debarment"),
        ("Sundial Escrow Partners LLC", "company", "", "", "", "Earlier losses here", "internal"),
    ]  # fmt: skip
    return _csv(rows)


def _csv(rows: Sequence[Sequence[str]]) -> bytes:
    stream = io.StringIO()
    csv.writer(stream).writerows(rows)
    return stream.getvalue().encode()
