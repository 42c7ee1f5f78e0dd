# ruff: noqa: RUF001 - names in other scripts are its subject
"""Lists of owners in many languages, and texts that only look like one."""

from __future__ import annotations

import pytest

from checks.business_ownership.owners import find_owners
from checks.fields.document_types import classify
from checks.text.words import Line, Page, Text, Word
from papers.geometry import Box

WIDE = 0.06  # of the page: a gap between columns


def text_of(content: str) -> Text:
    """A page with these lines. Two blanks stand for the gap between columns."""
    lines = []
    for row, line in enumerate(content.split("\n")):
        words = []
        x, y = 0.05, 0.05 + row * 0.03
        for word in line.split(" "):
            if not word:
                x += WIDE
                continue
            end = x + 0.01 * len(word)
            words.append(Word(word, Box(1, x, y, end, y + 0.02)))
            x = end + 0.01
        lines.append(Line(tuple(words)))
    return Text([Page(1, 600, 800, tuple(lines))])


LISTS = [
    (
        "Liste der Gesellschafter\nder Nordlicht Solar GmbH mit Sitz in Kiel\n"
        "1 Petersen, Anke  12.03.1971  Kiel  12.500,00 EUR  50,00 %\n"
        "2 Herr Uwe Brandt, geb. 01.11.1968  7.500,00 EUR  30,00 %\n"
        "3 Solarwerk Beteiligungs GmbH  Hamburg  5.000,00 EUR  20,00 %\n"
        "Summe 25.000,00 EUR 100,00 %",
        {"Petersen, Anke": 50, "Uwe Brandt": 30, "Solarwerk Beteiligungs GmbH": 20},
    ),
    (
        "Gesellschafterliste\nName  Nennbetrag\nAnke Petersen  15.000\nUwe Brandt  10.000\nSumme  25.000",
        {"Anke Petersen": 60, "Uwe Brandt": 40},
    ),
    (
        "Liste des associés\nMadame Odile Perrin détient 70 % des parts.\n"
        "Monsieur Luc Perrin détient 30 % des parts.",
        {"Odile Perrin": 70, "Luc Perrin": 30},
    ),
    (
        "Composición accionaria\nCarlos Restrepo Villa C.C. 71.234.567 7.000 70,0%\n"
        "Inversiones El Roble S.A.S. NIT 901.222.333-1 3.000 30,0%",
        {"Carlos Restrepo Villa": 70, "Inversiones El Roble S.A.S": 30},
    ),
    (
        "Elenco dei soci\nProprietà Esposito Carmine quota 12.000,00 pari al 60,00 %\n"
        "Paolo Vannucci VNNPLA70C12B832K 8.000,00 40 %",
        {"Esposito Carmine": 60, "Paolo Vannucci": 40},
    ),
    (
        "Pay sahipleri listesi\nHasan Kaya 75.000,00 %75,00\nElif Kaya 25.000,00 %25,00\n"
        "TOPLAM 100.000,00 %100,00",
        {"Hasan Kaya": 75, "Elif Kaya": 25},
    ),
    (
        "Список участников\n1 Иванова Ольга Петровна 5 100 руб. 51 %\n"
        "2 Соколов Дмитрий Андреевич 4 900 руб. 49 %\nИтого 10 000 руб. 100 %",
        {"Иванова Ольга Петровна": 51, "Соколов Дмитрий Андреевич": 49},
    ),
    (
        "股東名冊\n股東 股數 持股比例\n陳志明 700,000 70%\n宏達投資有限公司 300,000 30%\n總計 1,000,000 100%",
        {"陳志明": 70, "宏達投資有限公司": 30},
    ),
    (
        "株主名簿\n佐藤 健一  140株  70%\n高橋商事株式会社  横浜市中区  60株  30%",
        {"佐藤 健一": 70, "高橋商事株式会社": 30},
    ),
    (
        "주주명부\n김민수 6,000 60%\n박지영 4,000 40%\n합계 10,000 100%",
        {"김민수": 60, "박지영": 40},
    ),
    (
        "سجل المساهمين\nأحمد محمد العلي 60 60%\nفاطمة خالد السيد 40 40%\nالمجموع 100 100%",
        {"أحمد محمد العلي": 60, "فاطمة خالد السيد": 40},
    ),
    (
        "ทะเบียนผู้ถือหุ้น\nนายสมชาย ใจดี  6,000  60%\nนางสาวสุดา แก้วมณี  4,000  40%\nรวม  10,000  100%",
        {"นายสมชาย ใจดี": 60, "นางสาวสุดา แก้วมณี": 40},
    ),
    # Names that are words of rates and sums elsewhere.
    (
        "List of shareholders\nFaiz Ahmed Khan 40%\nIva Novak 40%\nTotal Trade d.o.o. 20%",
        {"Faiz Ahmed Khan": 40, "Iva Novak": 40, "Total Trade d.o.o": 20},
    ),
]


@pytest.mark.parametrize(("content", "owners"), LISTS)
def test_owners_are_read_in_many_languages(content, owners):
    text = text_of(content)
    kind = classify(text)
    assert kind is not None
    assert kind.value.code == "ownership_document"
    read = {row.value.name: row.value.percent for row in find_owners(text)}
    assert read == owners


@pytest.mark.parametrize(
    "content",
    [
        "Beschlüsse bedürfen einer Mehrheit von mindestens 75 %\nZinsen in Höhe von 5 %\nUmsatzsteuer 19 %",
        "Les décisions sont prises à la majorité de 75 % des voix.\nTVA 20 %",
        "El IVA del 21 %\nMayoría de al menos 51 % de los votos\nTipo de interés anual 4 %",
        "Решение принимается большинством не менее 75 % голосов.\nНДС 20 %",
        "本公司持有其51%的股权。\n年利率为5%",
        "تتخذ القرارات بأغلبية 75%",
    ],
)
def test_rates_and_majorities_are_no_shares(content):
    assert find_owners(text_of(content)) == []


def test_figures_of_other_documents_are_no_shares():
    text = text_of("Crecimiento de Ventas 12 %\nMargen Bruto 34 %\nAda Marsh 40 %")
    assert find_owners(text, is_list=False) == []
    text = text_of("Ada Marsh 40 %\nBen Oduya 60 %")
    assert len(find_owners(text, is_list=False)) == 2
