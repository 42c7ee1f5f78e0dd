"""Names that their languages spell in two ways, and names that are only alike."""

from __future__ import annotations

import pytest

from checks.screening import engine
from checks.screening.lists import MemoryLists
from checks.screening.records import Entity, ListedName, ListVersion, Subject

VERSION = ListVersion(
    "demo", "Demo", 1, "2026-11-01", "2026-11-02T00:00:00Z", "ab" * 32, 1
)


def are_one(query: str, listed: str) -> bool:
    people = [Entity("1", "Person", [ListedName(listed)])]
    lists = MemoryLists.of(people, VERSION)
    return bool(engine.screen(Subject([query]), lists).alerts)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # Arabic names of two words that Bengali and Urdu write as one: the article ends the first.
        ("Fazlur Rehman Khattak", "Fazl al-Rahman Khattak"), ("Habibur Rahman Sarkar", "Habib ur-Rehman Sarkar"),
        ("Anwarul Haque Molla", "Anwar ul-Haq Molla"), ("Nizamuddin Ansari", "Nizam ud Din Ansari"),
        ("Shamsuz Zaman Howlader", "Shams uz-Zaman Howlader"),
        # The article as countries spell it.
        ("Muhammad ash-Shami", "Mohammed al-Shami"), ("Mohamed El Shami", "Muhammad al-Shami"),
        # Persian family names with a word behind that is written apart.
        ("Amir Ali Haji Zadeh", "Amir Ali Hajizadeh"), ("Reza Sheikh Pour", "Reza Sheikhpour"),
        # A slip in one name, and a usual spelling of the other.
        ("Mehdi Rezai", "Mahdi Rezaee"), ("Kerim Masimov", "Karim Massimov"), ("Yaser Tabatabai", "Yasir Tabatabaie"),
        # One Arabic name as Turkey, the Balkans and the Maghreb spell it.
        ("Enver Hodzic", "Anwar Hodzic"), ("Emir Kuscu", "Amir Kuscu"), ("Yacine Bouhired", "Yassin Bouhired"),
        ("Moncef Bouali", "Munsif Bouali"), ("Belkacem Zitouni", "Bilqasim Zitouni"),
        # Belarusian writes the sounds that Russian writes as v and o otherwise.
        ("Dzmitry Paulouski", "Dmitri Pavlovsky"), ("Ihar Maiseyenka", "Igor Maiseyenko"),
        ("Islom Rashidov", "Islam Rashidov"),
        ("Narinder Oberoi", "Narendra Oberoi"), ("Surinder Chadha", "Surendra Chadha"),
        ("Anirban Mukherjee", "Anirban Mukhopadhyay"), ("Hagop Karayan", "Hakob Garayan"),
    ],
)  # fmt: skip
def test_two_spellings_of_one_name_find_each_other(one, other):
    assert are_one(one, other)
    assert are_one(other, one)


@pytest.mark.parametrize(
    ("query", "listed"),
    [
        # Before b an n is said as an m. French has c for s.
        ("وليد جنبلاط", "Walid Jumblatt"), ("منصف المرزوقي", "Moncef Marzouki"), ("ياسين براهيمي", "Yacine Brahimi"),
        ("فضل الرحمن خلیل", "Fazlur Rehman Khalil"), ("امیرعلی حاجی‌زاده", "Amir Ali Hajizadeh"),
        ("امیرعلی حاجی زاده", "Amir Ali Hajizadeh"),
        # A name in the spelling of Belarus.
        ("Mikalai Tsikhanau", "Nikolai Tikhanov"), ("Siarhei Karpenkau", "Sergei Karpenkov"),
        # Ethiopic letters without a written vowel.
        ("ሰዓረ መኮንን", "Seare Mekonnen"), ("ክንድያ ገብረሕይወት", "Kindeya Gebrehiwot"), ("ብርሃኑ ክፍሌ", "Birhanu Kifle"),
        ("ሙሉጌታ ደሳለኝ", "Mulugeta Desalegn"),
        # Names that begin with the letters of the article.
        ("الطاف حسین", "Altaf Hussain"), ("الیاس کشمیری", "Ilyas Kashmiri"), ("الهام علي", "Ilham Ali"),
        ("رحمت الهی", "Rahmat Elahi"), ("الكساندر كارلين", "Alexander Karlin"), ("الهاشمي رفسنجاني", "Hashemi Rafsanjani"),
        # Uyghur and Pashto.
        ("ئىلھام قادىرى", "Ilham Kadiri"), ("ځلمی خلیلزاد", "Zalmay Khalilzad"),
        ("Шавкат Мирзиёев", "Shavkat Mirziyoyev"), ("Ислом Каримов", "Islam Karimov"),
        ("Παναγιώτης Μπακογιάννης", "Panayotis Bakoyannis"), ("დავით ზალკალიანი", "David Zalkaliani"),
    ],
)  # fmt: skip
def test_a_listed_person_is_found_in_their_own_script(query, listed):
    assert are_one(query, listed)


def test_a_person_who_is_listed_in_urdu_alone_is_found_in_latin_letters():
    assert are_one("Azhar Mahmood", "اظہر محمود")


@pytest.mark.parametrize(
    ("query", "listed"),
    [
        ("Diana Silva", "عدنان سلاخو"), ("Idris Mahmood", "اظہر محمود"), ("Arthur Robinson", "Arth Robinson Kay"), ("Samir Rezai", "Amir Rezaee"),
        ("Nabil Saleh", "منيب صالح"), ("Kim Il Song", "Kim Al Gyong"), ("Ri Un Nam", "Ri Al Gam"), ("Sara Rezai", "Mahdi Rezaee"),
    ],
)  # fmt: skip
def test_other_people_with_names_that_are_only_alike_are_no_hit(query, listed):
    assert not are_one(query, listed)
