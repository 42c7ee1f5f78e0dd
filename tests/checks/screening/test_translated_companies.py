# ruff: noqa: RUF001 - letters of other scripts that look like Latin ones are its subject
"""Companies that one side writes in another script, and the other translates."""

from __future__ import annotations

from dataclasses import replace

import pytest

from checks.screening import engine
from checks.screening.lists import MemoryLists
from checks.screening.matching import names
from checks.screening.matching.parts import translations
from checks.screening.records import Entity, ListedName, ListVersion, Subject

VERSION = ListVersion(
    "demo", "Demo", 1, "2026-11-01", "2026-11-02T00:00:00Z", "ab" * 32, 1
)
THE_SAME = [
    ("昆仑银行股份有限公司", "Bank of Kunlun Co., Ltd."), ("浙江大华技术股份有限公司", "Zhejiang Dahua Technology Co., Ltd."),
    ("深圳市華強電子有限公司", "Shenzhen Huaqiang Electronics Co Ltd"), ("トヨタ自動車株式会社", "Toyota Motor Corporation"),
    ("川崎重工業株式会社", "Kawasaki Heavy Industries, Ltd."), ("조선대성은행", "Korea Daesong Bank"),
    ("대동신용은행", "Daedong Credit Bank"), ("شركة النفط الوطنية الإيرانية", "National Iranian Oil Company"),
    ("شركة الفرات للنفط", "Al Furat Petroleum Company"), ("بانک توسعه صادرات ایران", "Export Development Bank of Iran"),
    ("АО «Тульский оружейный завод»", "Tula Arms Plant"), ("ОАО «Российские железные дороги»", "Russian Railways"),
    ("ธนาคารกรุงเทพ จำกัด (มหาชน)", "Bangkok Bank Public Company Limited"),
    ("ΕΘΝΙΚΗ ΑΣΦΑΛΙΣΤΙΚΗ ΑΕ", "National Insurance JSC"), ("Εμπορική Τράπεζα Συρίας", "Commercial Bank of Syria"),
    ("Արդշինբանկ ՓԲԸ", "Ardshinbank CJSC"), ("შპს ქართუ ჯგუფი", "Cartu Group LLC"),
    ("Търговска банка на Сирия", "Commercial Bank of Syria"), ("ТОВ «Об'єднана нафтова компанія»", "United Oil Company LLC"),
    ("дружество с ограничена отговорност „Novelko“", "Novelko Ltd"),
    ("საქართველოს რკინიგზა", "Georgian Railway"), ("Հայաստանի Կենտրոնական բանկ", "Central Bank of Armenia"),
    ("Ελληνικά Πετρέλαια", "Hellenic Petroleum"), ("Ναυτιλιακή Εταιρεία Αιγαίου", "Aegean Shipping Company"),
    ("Фонд национального благосостояния", "National Wealth Fund"), ("Сахаров-центр", "Sakharov Center"),
]  # fmt: skip
OTHERS = [
    ("昆仑银行股份有限公司", "Bank of Kunshan Co., Ltd."), ("小米科技有限责任公司", "Xiaoli Technology Co Ltd"),
    ("中国南方航空股份有限公司", "China Eastern Airlines Company Limited"), ("조선대성은행", "Korea Kwangson Bank"),
    ("شركة النفط الوطنية الإيرانية", "National Iranian Gas Company"), ("البنك الأهلي المصري", "National Bank of Kuwait"),
    ("АО «Тульский оружейный завод»", "Tula Cartridge Plant"), ("شرکت ملی نفت ایران", "National Iranian Tanker Company"),
    ("ธนาคารกรุงเทพ จำกัด (มหาชน)", "Bangkok Insurance Public Company Limited"),
    ("Банк Грузии", "Bank of Armenia"), ("Τράπεζα Κύπρου", "Bank of Crete"),
    ("Национальный банк Узбекистана", "National Bank of Tajikistan"),
]  # fmt: skip


def _alerts(query: str, listed: str) -> list[engine.Match]:
    entity = Entity("1", "Organization", [ListedName(listed)])
    lists = MemoryLists.of([entity], VERSION)
    return engine.screen(Subject([query], "Organization"), lists).alerts


@pytest.mark.parametrize(("native", "latin"), THE_SAME)
def test_a_company_is_found_by_its_translated_name_in_both_directions(native, latin):
    assert _alerts(latin, native)
    assert _alerts(native, latin)


@pytest.mark.parametrize(("native", "latin"), OTHERS)
def test_another_company_of_the_trade_is_no_hit(native, latin):
    assert not _alerts(latin, native)
    assert not _alerts(native, latin)


@pytest.mark.parametrize(
    ("name", "letters"),
    [
        ("Ремонтная база авиационных приборов и аэродромной техники", "Cyrillic"),
        ("Източно туркистанско ислямско движение", "Cyrillic"),
        ("Белорусская калийная компания", "Cyrillic"),
        ("Βιομηχανικός Όμιλος Πυραύλων Ναυτικής Άμυνας", "Greek"),
        ("Գեղարդ ոսկու արդյունահանում ՍՊԸ", "Armenian"),
        ("შპს ქართული ხორბალი", "Georgian"),
    ],
)
def test_words_that_lists_may_translate_pass_nobody(name, letters):
    lists = MemoryLists.of(
        [Entity("1", "Organization", [ListedName("Of Tin")])], VERSION
    )
    reasons = engine.screen(Subject([name], "Organization"), lists).not_compared
    assert [why for why in reasons if f"companies in {letters} letters" in why]


@pytest.mark.parametrize(
    "name",
    ["ООО «Ромашка»", "Завод «Уралтрансмаш»", "Αιγαίο Ναυτιλιακή ΑΕ", "Արդշինբանկ ՓԲԸ", "ТОО Қазақмыс"],
)  # fmt: skip
def test_a_brand_alone_stays_comparable(name):
    lists = MemoryLists.of(
        [Entity("1", "Organization", [ListedName("Of Tin")])], VERSION
    )
    assert not engine.screen(Subject([name], "Organization"), lists).not_compared


def test_a_name_in_latin_letters_is_not_translated():
    for text in ("Société Générale", "Türkiye İş Bankası", "Rosneft"):
        assert not translations.can_translate(text)


def test_a_person_is_not_translated():
    assert "translated" not in list(names.readings("北京", person=True))


def test_an_entry_with_a_latin_name_is_read_as_it_was():
    ways = names.readings_of_listed("丹东银行", person=False, has_latin_name=True)
    assert list(ways) == ["usual"]
    ways = names.readings_of_listed("丹东银行", person=False, has_latin_name=False)
    assert list(ways) == ["usual", "translated"]


@pytest.mark.parametrize(
    ("schema", "query", "listed"),
    [
        ("Person", "Andrei Kosin", "Andrei Kostin"),
        ("Person", "Oleg Tarasov", "Oleg Taranov"),
        ("Organization", "Karin Logistics GmbH", "Karlin Logistics GmbH"),
    ],
)
def test_another_letter_in_a_short_word_is_a_hit_and_no_strong_one(
    schema, query, listed
):
    entity = Entity("1", schema, [ListedName(listed)], birth_dates=[])
    result = engine.screen(Subject([query], schema), MemoryLists.of([entity], VERSION))
    assert result.best_band == "possible"


def test_with_a_country_that_agrees_it_is_a_strong_one():
    entity = Entity("1", "Person", [ListedName("Andrei Kostin")], nationalities=["RU"])
    subject = Subject(["Andrei Kosin"], nationalities=["RU"])
    result = engine.screen(subject, MemoryLists.of([entity], VERSION))
    assert result.best_band == "strong"


def _lists(*listed: str) -> MemoryLists:
    entities = [
        Entity(str(number), "Organization", [ListedName(name)])
        for number, name in enumerate(listed)
    ]
    return MemoryLists.of(entities, replace(VERSION, entities=len(entities)))


def test_a_list_of_names_in_other_letters_lets_no_company_pass():
    lists = _lists("中兴通讯股份有限公司", "Acme Trading LLC")
    result = engine.screen(Subject(["ZTE Corporation"], "Organization"), lists)
    assert result.not_compared == [
        "1 entry of Demo is not a person and has no name in Latin letters: it was compared by"
        " translation and by sound alone."
    ]


def test_a_few_names_in_other_letters_are_told():
    lists = _lists(
        "中兴通讯", "三菱重工業株式会社", *(f"Acme {n} LLC" for n in range(30))
    )
    result = engine.screen(Subject(["ZTE Corporation"], "Organization"), lists)
    assert not result.not_compared
    assert len(result.remarks) == 1
    assert result.remarks[0].startswith("2 entries of Demo are not persons")


def _people(*listed: str) -> MemoryLists:
    entities = [
        Entity(str(number), "Person", [ListedName(name)])
        for number, name in enumerate(listed)
    ]
    return MemoryLists.of(entities, replace(VERSION, entities=len(entities)))


def test_a_list_of_people_whose_letters_cannot_be_compared_lets_nobody_pass():
    result = engine.screen(
        Subject(["Carlos Ghosn"]), _people("カルロス・ゴーン", "Jane Roe")
    )
    assert result.not_compared == [
        "1 person on Demo has no name in letters that can be compared reliably, and may have been"
        " missed."
    ]
    # Cyrillic is compared as surely as Latin.
    assert not engine.screen(
        Subject(["Carlos Ghosn"]), _people("Иван Иванов")
    ).not_compared


def test_a_few_people_whose_letters_cannot_be_compared_are_told():
    lists = _people("麻原彰晃", "ประยุทธ์ จันทร์โอชา", *(f"Jane Roe{n}" for n in range(30)))
    result = engine.screen(Subject(["Carlos Ghosn"]), lists)
    assert not result.not_compared
    assert len(result.remarks) == 1
    assert result.remarks[0].startswith("2 people on Demo have no name in letters")


def test_nothing_is_told_of_a_person_or_of_a_name_in_other_letters():
    lists = _lists("中兴通讯股份有限公司")
    for subject in (Subject(["Jane Roe"]), Subject(["ЗАО Ромашка"], "Organization")):
        result = engine.screen(subject, lists)
        assert not result.remarks
        assert not any("Latin letters" in why for why in result.not_compared)
