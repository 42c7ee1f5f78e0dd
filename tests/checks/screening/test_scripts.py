# ruff: noqa: RUF001 - letters of other scripts that look like Latin ones are its subject
"""Listed in Latin letters, asked in another script: names that no table was made by."""

from __future__ import annotations

from itertools import product

import pytest

from checks.screening import engine
from checks.screening.lists import MemoryLists
from checks.screening.matching import names
from checks.screening.policy import DEFAULT
from checks.screening.readable import not_compared
from checks.screening.records import Entity, ListedName, ListVersion, Subject
from checks.screening.romanisation import scripts

VERSION = ListVersion(
    "demo", "Demo", 1, "2026-11-01", "2026-11-02T00:00:00Z", "ab" * 32, 1
)
ASKED_AND_LISTED = [
    ("सचिन तेंदुलकर", "Sachin Tendulkar"), ("अमिताभ बच्चन", "Amitabh Bachchan"),
    ("सुभाष चन्द्र बोस", "Subhash Chandra Bose"), ("রবীন্দ্রনাথ ঠাকুর", "Rabindranath Thakur"),
    ("অমর্ত্য সেন", "Amartya Sen"), ("மணி ரத்னம்", "Mani Ratnam"), ("நிர்மலா சீதாராமன்", "Nirmala Sitharaman"),
    ("మహేష్ బాబు", "Mahesh Babu"), ("ರಾಹುಲ್ ದ್ರಾವಿಡ್", "Rahul Dravid"), ("മോഹൻ ലാൽ", "Mohan Lal"),
    ("મુકેશ અંબાણી", "Mukesh Ambani"), ("ਹਰਭਜਨ ਸਿੰਘ", "Harbhajan Singh"),
    ("דוד בן גוריון", "David Ben Gurion"), ("אריאל שרון", "Ariel Sharon"),
    # Letters of Hebrew with two sounds: v and b, f and p, h and ch.
    ("מנחם בגין", "Menachem Begin"), ("נועם חומסקי", "Noam Chomsky"), ("יהודה עמיחי", "Yehuda Amichai"),
    ("ברוך שפינוזה", "Baruch Spinoza"), ("יוסי כהן", "Yossi Cohen"), ("נחמן ביאליק", "Nachman Bialik"),
    ("אביגדור ליברמן", "Avigdor Lieberman"), ("יעקב רוזנברג", "Yaakov Rosenberg"), ("רבקה כץ", "Rivka Katz"),
    # Zhe is spelt zh and j, here in two names each.
    ("بیژن پاکزاد", "Bizhan Pakzad"), ("منیژه نادری", "Manizheh Naderi"), ("مژده طاهری", "Mojdeh Taheri"),
    # Bengali: the article at the end of a word, and oy for w.
    ("আজিজুল হক", "Azizul Haque"), ("আনোয়ারুল ইসলাম", "Anwarul Islam"), ("দেলোয়ার চৌধুরী", "Delwar Chowdhury"),
    ("محمدرضا شجریان", "Mohammad Reza Shajarian"), ("علی\u200cرضا بیرانوند", "Alireza Beiranvand"),
    ("Γιάννης Αντετοκούνμπο", "Giannis Antetokounmpo"), ("Παντελής Ξενάκης", "Pantelis Xenakis"),
    ("Ντανίλ Μεντβέντεφ", "Danil Medvedev"), ("Αμπντούλ Γκεοργκίεφ", "Abdul Georgiev"),
    ("সের্গেই লাভরভ", "Sergei Lavrov"), ("কিম জং সিক", "Kim Jong Sik"),
    ("हाफिज कुर्द", "Hafiz Kurd"), ("முகமது பஷீர்", "Muhammad Bashir"), ("Τζαβάντ Χαντάρ", "Jawad Haydar"), ("Ραμζάν Καντίροφ", "Ramzan Kadyrov"), ("ムラカミ ハルキ", "Haruki Murakami"),
    ("おおたに しょうへい", "Shohei Otani"), ("Новак Ђоковић", "Novak Djokovic"),
    ("შოთა რუსთაველი", "Shota Rustaveli"), ("Արամ Խաչատրյան", "Aram Khachatryan"),
    ("መለስ ዜናዊ", "Meles Zenawi"), ("رياض محرز", "Riyad Mahrez"), ("손흥민", "Son Heung-min"), ("姚明", "Yao Ming"),
    ("ကျော်ဆန်းဝင်း", "Kyaw San Win"), ("မောင်မောင်ကျော်", "Maung Maung Kyaw"), ("ဟိန်းထက်အောင်", "Hein Htet Aung"),
    # Languages that share letters spell them otherwise in Latin ones.
    ("Григорій Гайдук", "Hryhorii Haiduk"), ("Ганна Гнатенко", "Hanna Hnatenko"), ("Рыгор Гуцько", "Ryhor Hutsko"),
    ("Шаваљ Чедомир", "Cedomir Saval"), ("Џенан Хоџаћ", "Dzenan Hodzac"), ("Ђурађ Живчић", "Durad Zivcic"),
    ("Ѓоко Ќосев", "Gjoko Kjosev"), ("Щерьо Къртев", "Shteryo Kartev"), ("Пламен Щилянов", "Plamen Shtilyanov"),
    ("Կարապետ Պօղոսեան", "Garabed Boghossian"), ("عثمان دوغان", "Osman Dogan"), ("رضا ظريفيان", "Reza Zarifian"),
    ("سیدجواد شمسیان", "Javad Shamsian"), ("عین الله مرادی", "Einollah Moradi"), ("معز الله بنگش", "Muizullah Bangash"),
    ("曾文浩", "Zeng Wenhao"), ("單國棟", "Shan Guodong"), ("查建民", "Zha Jianmin"),
    ("Choukri Bouchaib", "Shukri Bushaib"), ("Chaabane Lachgar", "Shaaban Lashgar"),
    ("ဇော်ဇော်မြင့်", "Zaw Zaw Myint"), ("ခင် မာ ချို", "Khin Mar Cho"), ("မိုးကျော်သူ", "Moe Kyaw Thu"),
]  # fmt: skip


@pytest.fixture(scope="module")
def lists() -> MemoryLists:
    people = [
        Entity(listed, "Person", [ListedName(listed)]) for _, listed in ASKED_AND_LISTED
    ]
    return MemoryLists.of(people, VERSION)


@pytest.mark.parametrize(("query", "listed"), ASKED_AND_LISTED)
def test_a_person_is_found_in_their_own_script_and_nobody_else(lists, query, listed):
    screening = engine.screen(Subject([query]), lists)
    best = screening.matches[0]
    assert best.entry.entity.id == listed
    assert best.score >= DEFAULT.possible_person
    # What is not surely a hit is not passed either.
    assert screening.alerts or screening.not_compared
    assert {match.entry.entity.id for match in screening.alerts} <= {listed}


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("Richard Chambers", []),
        ("Chen Chang", []),
        ("Rachida Bouchareb", ["french"]),
        ("Пётр Волков", ["yo"]),
        # Ё is not Ukrainian, Bulgarian or South Slavic.
        ("Фёдор Щеглов", ["yo"]),
        ("Игорь Щеглов", ["h for g", "bulgarian"]),
        ("Милош Шарић", ["south slavic"]),
        ("سعيد", []),
        ("ضياء", ["persian"]),
    ],
)
def test_a_name_is_read_otherwise_only_in_languages_that_have_its_letters(text, others):
    assert list(scripts.readings(text)) == ["usual", *others]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("मनमोहन सिंह", ("manmohan", "singh")),
        ("नरेन्द्र मोदी", ("narendra", "modi")),
        ("संपत कुमार २४", ("sampat", "kumar", "24")),
        ("சுந்தர் மோடி", ("sundar", "modi")),
        ("\u0984\u0964 राम", ("ram",)),  # what Unicode does not know, and a full stop
    ],
)
def test_scripts_of_india_are_read_as_passports_spell_them(text, words):
    assert names.parse(text, person=True).tokens == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("အောင်ဆန်း", ("aung", "san")),
        ("ညီညီ လှမြင့်", ("nyi", "nyi", "hla", "myint")),
        ("ဦးရွှေ ၂၅", ("oo", "shwe", "2", "5")),
        ("သန္တာ", ("than", "ta")),  # a consonant below another closes the syllable
    ],
)
def test_burmese_is_read_syllable_by_syllable(text, words):
    assert names.parse(text, person=True).tokens == words


def test_kana_of_somebody_from_japan_can_be_compared():
    assert not_compared(Subject(["ムラカミ ハルキ"], nationalities=["JP"])) == []
    for nationalities in ([], ["RU"]):
        foreign = Subject(["ウラジーミル プーチン"], nationalities=nationalities)
        assert not_compared(foreign) == [
            "Names in Japanese cannot be compared reliably."
        ]
    assert not_compared(Subject(["村上 ハルキ"], nationalities=["JP"]))


@pytest.mark.parametrize(
    ("query", "listed"),
    [
        ("كمال خليل", "Kamal Khalil"),
        ("جمال خليل", "Jamal Khalil"),
        ("جمال خليل", "Gamal Khalil"),
        ("قاسم حمدان", "Gasim Hamdan"),
    ],
)
def test_j_and_k_of_arabic_are_found_by_their_letters(query: str, listed: str) -> None:
    assert engine.compare(query, listed) >= DEFAULT.possible_other_script


@pytest.mark.parametrize(
    ("query", "listed"),
    [("جمال خليل", "Kamal Khalil"), ("قاسم حمدان", "Jasim Hamdan")],
)
def test_j_of_arabic_is_no_k(query: str, listed: str) -> None:
    score = engine.compare(query, listed)
    assert DEFAULT.weak <= score < DEFAULT.possible_other_script


@pytest.mark.parametrize(
    ("listed", "query"),
    [
        ("منیژه نادری", "Manizheh Naderi"),
        ("منیژه نادری", "Manijeh Naderi"),
        ("আজিজুল হক", "Azizul Haque"),
        # The a and the u are two letters here, and one letter in Chowdhury.
        ("জিয়াউল হক", "Ziaul Haque"),
        ("আবরার চৌধুরী", "Abrar Chowdhury"),
    ],
)
def test_who_is_listed_in_their_own_script_alone_is_found(listed, query):
    people = MemoryLists.of([Entity("1", "Person", [ListedName(listed)])], VERSION)
    assert engine.screen(Subject([query]), people).alerts


def test_z_and_h_with_a_vowel_between_them_are_no_zh():
    people = MemoryLists.of(
        [Entity("1", "Person", [ListedName("زهرا نادری")])], VERSION
    )
    assert engine.screen(Subject(["Zahra Naderi"]), people).alerts
    assert not engine.screen(Subject(["Zhara Bakeri"]), people).alerts


@pytest.mark.parametrize(
    ("native", "latin"),
    [
        ("علیرضا بلالی", "Ali Reza Balali"),
        ("محمدحسین سپهر", "Mohammad Hossein Sepehr"),
        ("علی اکبرطباطبایی", "Ali Akbar Tabatabaei"),
        ("محمدباقر قالیباف", "Mohammad Bagher Ghalibaf"),
    ],
)
def test_words_written_together_are_found_among_many_people(native, latin):
    given_names = ["Ali", "Reza", "Mohammad", "Hossein", "Akbar", "Bagher", "Mehdi", "Javad"]  # fmt: skip
    families = ["Bali", "Balal", "Safari", "Sefer", "Tabari", "Talebi", "Ghalib", "Alipour", "Belal", "Akbari"]  # fmt: skip
    crowd = [
        Entity(f"{a} {b} {c}", "Person", [ListedName(f"{a} {b} {c}")])
        for a, b, c in product(given_names, given_names, families)
        if a != b
    ]
    for query, listed in ((native, latin), (latin, native)):
        person = Entity("the one", "Person", [ListedName(listed)])
        lists = MemoryLists.of([*crowd, person], VERSION)
        alerts = engine.screen(Subject([query]), lists).alerts
        assert "the one" in [match.entry.entity.id for match in alerts]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I\u0432\u0430\u043d ГАЛАВАТЫ", "ivan galavaty"),
        ("Олена Валерi\u0457вна", "olena valeriivna"),
        ("Vl\u0430dimir Putin", "vladimir putin"),
        ("\u0420ut\u0456n Щ", "putin shch"),
        ("ЗАВОД TEMPO", "zavod tempo"),
    ],
)
def test_a_letter_of_another_alphabet_is_read_as_the_word_around_it(text, words):
    assert scripts.latin(scripts.clean(text, person=True), "") == words
