"""Names in several parts that one text joins and another does not, titles, and legal forms."""

from __future__ import annotations

import pytest

from checks.screening import engine
from checks.screening.lists import MemoryLists
from checks.screening.policy import DEFAULT
from checks.screening.records import Entity, ListedName, ListVersion, Schema, Subject

VERSION = ListVersion(
    "demo", "Demo", 1, "2026-11-01", "2026-11-02T00:00:00Z", "ab" * 32, 1
)


def is_hit(query: str, listed: str, schema: Schema) -> bool:
    entries = [Entity("1", schema, [ListedName(listed)])]
    return bool(
        engine.screen(Subject([query], schema), MemoryLists.of(entries, VERSION)).alerts
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # Abu and the article.
        ("ابو الفضل کرمانی", "Abolfazl Kermani"), ("Abol Fazl Kermani", "Abualfazl Kermani"), ("Abu al-Fadl Kermani", "Abolfazl Kermani"),
        ("أبو بكر الزبيدي", "Abu Bakr al-Zubaidi"), ("Aboubacar Camara", "Abu Bakr Camara"),
        ("Abu al-Qasim Rahimi", "Abolghasem Rahimi"),
        # Titles.
        ("حجت الاسلام کاظم رحیمی", "Kazem Rahimi"), ("آیت الله احمد رحیمی", "Ahmad Rahimi"),
        ("سرلشکر محمدرضا رحیمی", "Mohammad Reza Rahimi"), ("العميد ماهر الزبيدي", "Maher al-Zubaidi"),
        ("Hojjat al-Islam Kazem Rahimi", "Kazem Rahimi"), ("Vice Admiral Ali Rahimi", "Ali Rahimi"),
        ("Tan Sri Mokhtar Zulkifli", "Mokhtar Zulkifli"), ("Generalleutnant Igor Karpenko", "Igor Karpenko"),
        ("Генерал-майор Игорь Карпенко", "Igor Karpenko"),
        # A geresh makes another sound of a letter, and -ovich has a v.
        ("בצלאל רבינוביץ'", "Bezalel Rabinovich"), ("ג'ורג' חדד", "George Haddad"), ("צ'רלי ביטון", "Charlie Biton"),
        # The h of Urdu behind the letters of the article.
        ("پرویز الٰہی", "Pervaiz Elahi"),
        # Abbreviations of Spanish.
        ("Fco. Javier Ybarra Olmos", "Francisco Javier Ybarra Olmos"), ("Ma. Elena Cisneros Arriaga", "María Elena Cisneros Arriaga"),
        ("Carlos Hdez. Arriaga", "Carlos Hernández Arriaga"),
        ("Mesut Demirkan", "Masoud Demirkan"),
    ],
)  # fmt: skip
def test_people_are_found_in_both_directions(one, other):
    assert is_hit(one, other, "Person")
    assert is_hit(other, one, "Person")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Brenko spol. s r.o.", "Brenko s.r.o."), ("Jatoba Agro Limitada", "Jatoba Agro Ltda"),
        ("Lusomar Sociedade Unipessoal Lda", "Lusomar Lda"), ("Yugen Kaisha Mizorami", "Mizorami Y.K."),
        ("Chusik Hoesa Daerimko", "Daerimko Co Ltd"), ("Vilkotas Uždaroji akcinė bendrovė", "UAB Vilkotas"),
        ("Sky Line Petro Chem", "Skyline Petrochem"), ("Қазақмыс ЖШС", "Kazakhmys LLP"), ("QazaqGaz JSC", "KazakhGaz JSC"),
        ("Deltavar Mfg & Eng Co", "Deltavar Manufacturing and Engineering Company"),
    ],
)  # fmt: skip
def test_companies_are_found_in_both_directions(one, other):
    assert is_hit(one, other, "Organization")
    assert is_hit(other, one, "Organization")


@pytest.mark.parametrize(
    ("query", "listed"),
    [
        ("Georgios Baltas", "Georgios Baltatzis"), ("Ma Wei", "Maria Wei"), ("Abolfazl Kermani", "Abolqasim Kermani"),
        ("Abu Bakr al-Zubaidi", "Abu Bilal al-Zubaidi"), ("יואב רבין", "Yoel Rabin"),
    ],
)  # fmt: skip
def test_people_of_nearly_the_same_name_are_no_strong_match(query, listed):
    assert engine.compare(query, listed) < DEFAULT.strong
