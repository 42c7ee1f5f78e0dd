"""Names of companies and vessels: translated legal forms, what stands before a vessel, short words."""

from __future__ import annotations

import pytest

from checks.screening import engine
from checks.screening.lists import MemoryLists
from checks.screening.matching import names
from checks.screening.policy import DEFAULT
from checks.screening.records import Entity, ListedName, ListVersion, Subject

VERSION = ListVersion(
    "demo", "Demo", 1, "2026-11-01", "2026-11-02T00:00:00Z", "ab" * 32, 1
)


def score(first: str, second: str) -> float:
    return engine.compare(first, second, schema="Organization")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Jansen Transport BV", "Jansen Transport Besloten Vennootschap"),
        ("Hakala Konepaja Oy", "Hakala Konepaja Osakeyhtiö"),
        ("Nordhavn Skibe A/S", "Nordhavn Skibe Aktieselskab"),
        ("Comercial Ultramar SA", "Comercial Ultramar, Sociedade Anônima"),
        ("Eniks Praha a.s.", "Akciová společnost Eniks Praha"),
        ("Denizci Nakliyat Ltd", "Denizci Nakliyat Limited Şirketi"),
        ("Emirates Star General Trading LLC", "Emirates Star Gen. Trading L.L.C."),
        ("M/V Ocean Pearl", "Ocean Pearl"),
        ("METALBUD OPOLE SP ZOO", "Sp. z o.o. Metalbud Opole"),
        ("BVBA Kortrijk Textiel", "Kortrijk Textiel"),
        ("Bumi Makmur Jaya, PT", "PT Bumi Makmur Jaya Tbk"),
        ("Alföld Acél Zrt.", "Alfold Acel Zartkoruen Mukodo Reszvenytarsasag"),
        ("OOO Priborservis", "Priborservice LLC"),
        ("Butembo Aifrlines", "Butembo Airlines"),
        ("Ets Delcroix & Fils SARL", "Établissements Delcroix et Fils"),
        ("F.lli Quagliarella SpA", "Fratelli Quagliarella S.p.A."),
        ("Torgovy Dom Uralprom", "Uralprom Trading House"),
        ("OzturSANAYI VE TICARET LIMITED SIRKETI", "Oztur Sanayi ve Ticaret Ltd."),
        ("Taedong Machinery Trading Corp.", "대동기계무역회사"),
        ("MT Sea Falcon 7", "Sea Falcon VII"),
    ],
)
def test_one_company_or_vessel(first: str, second: str) -> None:
    assert score(first, second) >= DEFAULT.possible_company
    assert score(second, first) >= DEFAULT.possible_company


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("MT Bank", "Bank"),
        ("MV Ocean Pearl", "MV Ocean Pride"),
        ("MT Sea Falcon 7", "MT Sea Falcon 8"),
    ],
)
def test_another_company_or_vessel(first: str, second: str) -> None:
    assert score(first, second) < DEFAULT.possible_company


@pytest.mark.parametrize(
    "form",
    ["Zrt", "SIA", "B.V.B.A.", "S. de R.L. de C.V.", "K.S.C.C.", "S.L.U.", "e.K.", "AB (publ)"],
)  # fmt: skip
def test_a_legal_form_at_the_end_tells_no_company(form: str) -> None:
    assert score(f"Tarnhelm Minerals {form}", "Tarnhelm Minerals") >= DEFAULT.strong
    assert score(f"Tarnhelm Minerals {form}", "Tarnhelm Metals") < DEFAULT.strong


def test_a_word_with_ph_is_no_acronym() -> None:
    assert score("Alfa Bank", "Alpha-Bank JSC") >= DEFAULT.strong
    assert score("SKF Bank", "SKPH Bank") >= DEFAULT.strong


VIETNAMESE = [
    ("Công ty TNHH Thương mại Hoàng Long", "Hoang Long Trading Co., Ltd"),
    ("Cong ty Co phan Dau khi Bien Dong", "Bien Dong Petroleum JSC"),
    ("Công ty Cổ phần Vận tải Đông Hải", "Dong Hai Transport Joint Stock Company"),
    (
        "Cong Ty TNHH Xuat Nhap Khau Minh Phat",
        "Minh Phat Import Export Company Limited",
    ),
    ("Tong cong ty Hang hai Viet Nam", "Vietnam Maritime Corporation"),
    ("Ngân hàng Thương mại Cổ phần Sài Gòn", "Saigon Commercial Bank"),
]


@pytest.mark.parametrize(("name", "listed"), VIETNAMESE)
def test_words_of_companies_in_vietnamese_are_those_in_english(name, listed):
    assert (
        engine.compare(name, listed, schema="Organization") >= DEFAULT.possible_company
    )


@pytest.mark.parametrize(
    ("name", "listed"),
    [
        ("Công ty TNHH Hoàng Long", "Hoang Anh Company Limited"),
        ("Công ty Cổ phần Vận tải Đông Hải", "Dong Hai Seafood JSC"),
    ],
)
def test_other_companies_in_vietnamese(name, listed):
    assert (
        engine.compare(name, listed, schema="Organization") < DEFAULT.possible_company
    )


@pytest.mark.parametrize(
    ("name", "schema"),
    [
        ("MT Lana ex Pegas", "Vessel"), ("M/T Lana", "Vessel"), ("Orsha (ex Lana)", "Vessel"),
        ("Zenith Ltd formerly known as Lana Tallow Ltd", "Organization"),
    ],
)  # fmt: skip
def test_the_kind_of_a_vessel_and_an_earlier_name(name, schema):
    listed = "Lana" if schema == "Vessel" else "Lana Tallow Ltd"
    lists = MemoryLists.of([Entity("1", schema, [ListedName(listed)])], VERSION)
    assert engine.screen(Subject([name], schema), lists).alerts


def test_import_and_export_is_no_earlier_name():
    name = "Agro Imp Ex Ltd"
    assert names.alternatives(name, person=False) == [name]
