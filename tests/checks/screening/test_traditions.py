"""Names as the rules of several languages spell them, and people whose names are nearly the same."""

from __future__ import annotations

import pytest

from checks.data import table
from checks.screening import engine
from checks.screening.lists import MemoryLists
from checks.screening.matching import names
from checks.screening.matching.alignment import align
from checks.screening.policy import DEFAULT
from checks.screening.records import Entity, ListedName, ListVersion, Subject
from checks.screening.romanisation import traditions

VERSION = ListVersion(
    "demo", "Demo", 1, "2026-11-01", "2026-11-02T00:00:00Z", "ab" * 32, 1
)
ASKED_AND_LISTED = [
    ("Gennadi Schukow", "Gennady Zhukov"),  # German
    ("Gueorgui Tchijov", "Georgy Chizhov"),  # French
    ("Rachid Bouchareb", "Rasheed Bushareb"),
    ("Arkadij Szczukin", "Arkady Shchukin"),  # Polish
    ("Ratko Vasiljevic", "Ratko Vasilyevich"),  # South Slavic, without marks
    ("Recep Cemali", "Rajab Jamali"),  # Turkish
    ("Djatmiko Soerjadi", "Jatmiko Suryadi"),  # Indonesian before 1972
    ("Qodratollah Bagheri", "Ghodratollah Bagheri"),  # Persian
    ("Gamil Mansour", "Jamil Mansour"),  # Egyptian
    ("Oleksii Hrytsenko", "Oleksii Gritsenko"),  # Ukrainian
    ("Levon Karapetian", "Levon Garabedian"),  # Western Armenian
    ("Ojars Kalugins", "Ojars Kalugin"),  # Latvian
    # Marks that are spelt out.
    ("Kagan Oguetcue", "Kağan Öğütçü"),
    ("Guelsah Caglayan", "Gülşah Çağlayan"),
    ("Slamet Tjakraningrat", "Slamet Cakraningrat"),
    ("Dzmitry Kalesnikau", "Dmitry Kolesnikov"),  # Belarusian
    ("Sutthiphong Charoenphanit", "Suthipong Charoenpanich"),  # Thai
    ("Phatcharaphon Siriwat", "Patcharapol Siriwat"),
    ("Kohei Syozi", "Kohei Shoji"),  # Kunrei
    ("Aleksandrs Kuznecovs", "Aleksandr Kuznetsov"),  # Latvian
    ("Cabdiraxmaan Xuseen Warsame", "Abdirahman Hussein Warsame"),  # Somali
    ("Mohamed Ali Jama", "Maxamed Cali Jaamac"),
    ("Taqi ad-Din Hamzawi", "Takieddine Hamzaoui"),
    ("Izz al-Din Rahmani", "Azzeddine Rahmani"),
    ("Zia-ur-Rehman Bugti", "Ziaurrahman Bugti"),
    ("Mohammadreza Ghasempour", "Mohammad Reza Qasem Poor"),
    ("Seyyed Mehdi Kharazi", "سیدمهدی خرازی"),
    ("Zulfiqar Shamsuddin", "ذو الفقار شمس الدين"),
    ("Baqi Abdul", "Abdul Baqi"),
    ("Faizal bin Hj. Othman", "Faizal Othman"),
    ("Elena Marinescu née Vulcan", "Elena Vulcan"),
    ("Elena Marinescu", "Elena Marinescu (née Vulcan)"),
    ("Bayram Sahinoglu", "Bayram Şahinoğlu"),
    ("Bayram Shahinoglu", "Bayram Şahinoğlu"),
]


@pytest.mark.parametrize(("query", "listed"), ASKED_AND_LISTED)
def test_a_name_is_found_by_the_spelling_of_another_language(query, listed):
    lists = MemoryLists.of([Entity("1", "Person", [ListedName(listed)])], VERSION)
    assert engine.screen(Subject([query]), lists).alerts


@pytest.mark.parametrize(
    ("query", "listed"),
    [
        # No other name agrees.
        ("Sergej Prigoschin", "Anton Prigozhin"),
        ("Boris Chodorkowski", "Maksim Khodorkovsky"),
        # One syllable: each sign is another name.
        ("Chen Wei", "Shen Wei"),
        ("Chang Min", "Shang Min"),
        # The Arabic gh is no h.
        ("Hassan Mroue", "Ghassan Mroue"),
        ("Hana Sobol", "Gana Sobol"),
    ],
)
def test_a_sign_alone_makes_no_hit(query, listed):
    pairs = engine.explain(query, listed).pairs
    assert traditions.HOW not in {pair.how for pair in pairs}


def test_the_pair_says_that_it_is_another_transliteration():
    pairs = engine.explain("Jewgeni Prigoschin", "Evgeny Prigozhin").pairs
    assert {pair.how for pair in pairs} == {traditions.HOW}


def test_words_with_another_outline_are_never_one_word_in_two_traditions():
    words = {row["name"] for row in table("common_names")}
    for row in table("given_names"):
        words |= set(row["names"].split())
    by_sound: dict[str, set[str]] = {}
    for word in words:
        # The spelling folds ph to f, which is found by the letters alone.
        if "ph" in word:
            continue
        for sound in traditions.sounds(word):
            by_sound.setdefault(sound, set()).add(traditions.outline(word))
    assert [outlines for outlines in by_sound.values() if len(outlines) > 1] == []


@pytest.mark.parametrize(
    ("query", "listed"),
    [
        ("Ahmed Hassan Ali", "Hassan Ahmed Ali"),
        ("Omar bin Salem Harbi", "Salem bin Omar Harbi"),
        ("Gabriel Fuentes", "Gabriela Fuentes"),
        ("Julio Montes", "Julia Montes"),
        ("Pavel Orlov", "Pavel Orlovsky"),
        ("Yilmaz Demir", "Yilmaz Demirci"),
        ("Park Sung-ho", "Park Sang-ho"),
        ("Tran Duc Luong", "Tran Duc Long"),
    ],
)
def test_people_of_nearly_the_same_name_are_no_strong_match(query, listed):
    assert engine.compare(query, listed) < DEFAULT.strong


@pytest.mark.parametrize(
    ("query", "listed"),
    [
        ("Ali Ahmed Hassan", "Ahmed Hassan Ali"),
        ("Trong Phu Nguyen", "Nguyen Phu Trong"),
        ("Olga Sidorova", "Olga Sidorov"),
    ],
)
def test_a_usual_order_or_ending_stays_a_strong_match(query, listed):
    assert engine.compare(query, listed) >= DEFAULT.strong


@pytest.mark.parametrize(
    ("query", "listed"),
    [
        ("利 张", "Lei Zhang"),  # two syllables of pinyin
        ("李明", "Li Ming-hua"),  # half of a given name
        ("김광수", "Kim Su-gwang"),  # the same syllables in another order
        ("أزهار خضير", "Zuhayr Khudayr"),  # another long vowel
        ("محمد الشامي", "Mahmoud al-Shami"),
    ],
)
def test_another_name_in_other_letters_is_no_hit(query, listed):
    assert engine.compare(query, listed) < DEFAULT.possible_other_script


def test_a_word_in_an_abjad_is_joined_as_before():
    """Words whose consonants are counted before they are joined are still found."""
    query = names.parse("عزیز الله کریمی", person=True)
    entry = names.parse("Azizullah Karimi", person=True)
    assert align(query, entry).score >= DEFAULT.possible_other_script
