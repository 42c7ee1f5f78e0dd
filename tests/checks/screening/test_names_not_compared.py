# ruff: noqa: RUF001 - letters of other scripts that look like Latin ones are its subject
"""A screening says that it found nobody only of names that it can compare."""

from __future__ import annotations

from dataclasses import replace

import pytest

from checks.list_screening import attested
from checks.list_screening.checks import BusinessSanctions, PersonSanctions
from checks.screening.engine import explain, screen
from checks.screening.lists import MemoryLists
from checks.screening.matching import tunables as word_tunables
from checks.screening.policy import DEFAULT
from checks.screening.readable import not_compared
from checks.screening.records import BirthDate, Entity, ListedName, ListVersion, Subject

VERSION = ListVersion(
    "demo",
    "Demo list",
    3,
    "2026-11-01",
    "2026-11-02T00:00:00Z",
    "ab" * 32,
    2,
    topics=("sanction",),
)


def outcome_of(name: str, **values):
    listed = [
        Entity(
            "1", "Person", [ListedName("Teodor Korbutsky"), ListedName("Osprey Tallow", "weak")],
            birth_dates=[BirthDate("1961-03-14")], topics=["sanction"],
        ),
        Entity("2", "Person", [ListedName("Thaksin"), ListedName("ทักษิณ")], topics=["sanction"]),
    ]  # fmt: skip
    check = PersonSanctions()
    return check.judge(
        Subject([name], **values), MemoryLists.of(listed, VERSION), DEFAULT
    )


@pytest.mark.parametrize(
    ("name", "script"),
    [
        ("สมชาย ใจดี", "Thai"), ("အောင်ဆန်း", "Burmese"), ("முருகன்", "Tamil"), ("ហ៊ុន សែន", "Khmer"),
        ("ທອງລຸນ", "Lao"), ("アベ シンゾウ", "Japanese"), ("安倍晋三", "Japanese"), ("小沢一", "Japanese"),
        ("नरेन्द्र मोदी", "Devanagari"), ("শেখ হাসিনা", "Bengali"), ("John สมชาย", "Thai"),
        ("בנימין נתניהו", "Hebrew"), ("佐々木", "Japanese"),
    ],
)  # fmt: skip
def test_a_name_in_a_script_that_is_not_compared_passes_nobody(name, script):
    outcome = outcome_of(name)
    assert outcome.verdict == "inconclusive"
    assert f"Names in {script} cannot be compared" in outcome.explanation


@pytest.mark.parametrize(
    "name",
    [
        "Γιώργος Παπαδόπουλος", "Владимир Ёжиков", "გიორგი კალაძე", "Արամ Պետրոսյան", "አብይ አህመድ",
        "رشيد عبد الكريم", "김민준", "Nguyễn Văn Đức", "José Ñandú-Ø", "Ḥasan Şahin",
    ],
)  # fmt: skip
def test_scripts_that_are_romanised_stay_comparable(name):
    assert outcome_of(name).verdict == "pass"


@pytest.mark.parametrize("name", ["李小龙", "欧阳修文", "欧阳修文 Daniel"])
def test_chinese_names_of_somebody_from_china_stay_comparable(name):
    assert outcome_of(name, nationalities=["CN"]).verdict == "pass"
    assert outcome_of(name, countries=["CN"]).verdict == "pass"


@pytest.mark.parametrize(
    ("name", "listed"),
    [("普京", "Vladimir PUTIN"), ("金正恩", "Kim Jong Un"), ("李光耀", "Lee Kuan Yew")],
)
def test_characters_that_nothing_says_how_to_read_pass_nobody(name, listed):
    lists = listed_as(listed)
    outcome = PersonSanctions().judge(Subject([name]), lists, DEFAULT)
    assert outcome.verdict == "inconclusive"
    assert "read in several languages: without a nationality" in outcome.explanation
    for homes in ([], ["CN"]):
        russian = Subject([name], nationalities=["RU"], countries=homes)
        outcome = PersonSanctions().judge(russian, lists, DEFAULT)
        assert outcome.verdict == "inconclusive"
        assert "of somebody from Russia" in outcome.explanation


@pytest.mark.parametrize(
    "name", ["...", "123", "\ufffd\ufffd Smith", "\ue001\ue002", "a " * 300]
)
def test_a_name_that_cannot_be_read_whole_passes_nobody(name):
    assert outcome_of(name).verdict == "inconclusive"


def test_a_hit_stands_whatever_the_script():
    assert outcome_of("ทักษิณ").verdict == "review"


def test_kanji_of_somebody_from_japan_are_not_read_as_chinese():
    assert not_compared(Subject(["林武"], nationalities=["CN"])) == []
    assert not_compared(Subject(["林武"], nationalities=["JP"]))


def test_where_nobody_is_found_the_lists_are_told():
    outcome = outcome_of("Marguerite Oyelaran")
    assert outcome.explanation == "No match on Demo list (2 entries, 2026-11-01)."


def test_another_date_of_birth_alone_never_clears_the_very_name():
    outcome = outcome_of("Teodor Korbutsky", birth_date="1992-05-16")
    assert outcome.verdict == "review"
    assert "listed with another date of birth (1961-03-14)" in outcome.explanation


def test_a_like_name_with_another_date_of_birth_is_told():
    outcome = outcome_of("Teodor Korbutskij", birth_date="1992-05-16")
    assert outcome.verdict == "pass"
    assert "“Teodor Korbutsky” on Demo list" in outcome.explanation
    assert "listed with another date of birth (1961-03-14)" in outcome.explanation
    assert "No other match on Demo list" in outcome.explanation


def test_a_weak_alias_is_called_one():
    assert (
        "“Osprey Tallow”, a weak alias, on" in outcome_of("Osprey Tallow").explanation
    )


def test_every_screening_tells_what_it_could_not_compare():
    result = screen(Subject(["สมชาย"]), MemoryLists.of([], VERSION))
    assert result.not_compared == ["Names in Thai cannot be compared reliably."]


def band_of(name: str, listed: str) -> str | None:
    entity = Entity("1", "Person", [ListedName(listed)], topics=["sanction"])
    return screen(Subject([name]), MemoryLists.of([entity], VERSION)).best_band


@pytest.mark.parametrize(
    ("name", "listed"),
    [
        ("李小龙", "小龙李"), ("小龙 李", "李小龙"), ("欧阳修文", "修文欧阳"), ("김민준", "민준김"),
        ("민준 김", "김 민준"), ("Xiaolong Li", "李小龙"), ("Minjun Kim", "김민준"), ("박근혜", "근혜 박"),
    ],
)  # fmt: skip
def test_a_family_name_first_or_last_is_one_name(name, listed):
    assert band_of(name, listed) == "strong"
    assert band_of(listed, name) == "strong"


@pytest.mark.parametrize(
    ("name", "listed"), [("李小龙", "李龙小"), ("김민준", "김준민")]
)
def test_syllables_in_another_order_are_looked_at_and_not_called_equal(name, listed):
    assert band_of(name, listed) == "possible"
    [pair] = explain(name, listed).pairs
    assert pair.how == "syllables in another order"


@pytest.mark.parametrize(
    ("name", "listed", "band"),
    [
        # Two given names: no syllable of one makes a name with a syllable of the other.
        ("수빈 영일 김", "김수일", "weak"),
        ("광수 춘자 김", "김수광", "weak"),
        # One of the two is the listed one.
        ("미숙 성수 김", "김성수", "possible"),
        ("김 영일 수광", "김수광", "possible"),
        ("李 国强 小龙", "李小龙", "possible"),
    ],
)
def test_a_listed_given_name_stands_together(name, listed, band):
    assert band_of(name, listed) == band


@pytest.mark.parametrize(
    ("name", "listed"),
    [("李小龙", "王小龙"), ("김민준", "박민준"), ("김민준", "김서연")],
)
def test_another_syllable_is_another_name(name, listed):
    assert band_of(name, listed) not in {"strong", "possible"}


TWELVE = {
    "Latin": "Marguerite Oyelaran", "Cyrillic": "Теодор Корбуцкий", "Greek": "Γιώργος Παπαδάκης",
    "Arabic": "رشيد عبد الكريم", "Hebrew": "דוד לוי", "Han": "李小龙", "Hangul": "김민준",
    "Kana": "ヤマダ タロウ", "Devanagari": "राहुल शर्मा", "Thai": "สมชาย ใจดี",
    "Armenian": "Արամ Պետրոսյան", "Georgian": "გიორგი კალაძე", "Bengali": "শেখ রহমান",
    "Gujarati": "નરેશ પટેલ", "Gurmukhi": "ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ", "Telugu": "రాము", "Kannada": "ರಾಮು",
    "Malayalam": "രാമൻ", "Sinhala": "නිමල්", "Tibetan": "བསྟན་འཛིན", "Mongolian": "ᠪᠠᠲᠤ",
    "Thaana": "އަޙްމަދު", "Syriac": "ܐܦܪܝܡ", "Khmer": "សុខ", "Ethiopic": "አብይ አህመድ",
}  # fmt: skip


@pytest.mark.parametrize("script", TWELVE)
def test_the_very_name_is_found_in_every_script_or_cannot_be_told(script):
    """Whoever is listed under the very name never passes, whatever the script."""
    name = TWELVE[script]
    entity = Entity("1", "Person", [ListedName(name)], topics=["sanction"])
    outcome = PersonSanctions().judge(
        Subject([name]), MemoryLists.of([entity], VERSION), DEFAULT
    )
    assert outcome.verdict in {"review", "fail", "inconclusive"}
    assert "No match" not in outcome.explanation


@pytest.mark.parametrize("script", TWELVE)
def test_nobody_passes_who_could_not_be_compared(script):
    """Somebody who is not listed passes where the script is compared, and only there."""
    outcome = outcome_of(TWELVE[script])
    reasons = not_compared(Subject([TWELVE[script]]))
    if reasons:
        assert outcome.verdict == "inconclusive"
        assert "cannot be compared" in outcome.explanation
    elif script != "Cyrillic":  # the list holds this one in Latin letters
        assert outcome.verdict == "pass"
    else:
        assert outcome.verdict in {"review", "fail"}


def listed_as(*listed: str, born: str = "") -> MemoryLists:
    entity = Entity(
        "9", "Person", [ListedName(one) for one in listed], topics=["sanction"], genders=["m"],
        birth_dates=[BirthDate(born)] if born else [],
    )  # fmt: skip
    return MemoryLists.of([entity], VERSION)


def verdict_of(lists: MemoryLists, *values: str, **fields) -> str:
    return PersonSanctions().judge(Subject([*values], **fields), lists, DEFAULT).verdict


VLADIMIR = [
    "Владимир Путин", "Володимир Путін", "Βλαντιμίρ Πούτιν", "Βλαδίμηρος Πούτιν", "فلاديمير بوتين", "ولادیمیر پوتین",
    "ולדימיר פוטין", "弗拉基米尔·普京", "ウラジーミル・プーチン", "블라디미르 푸틴", "วลาดีมีร์ ปูติน", "व्लादिमीर पुतिन",
    "ვლადიმერ პუტინი", "Վլադիմիր Պուտին", "ቭላዲሚር ፑቲን", "விளாதிமிர் பூட்டின்", "Ｖｌａｄｉｍｉｒ Ｐｕｔｉｎ",
    "Vlad\u200bimir \u202ePutin\u202c", "Vlаdimir Рutin", "V1adimir Put1n", "PUTIN, Vladimir", "Wladimir Putin",
]  # fmt: skip


@pytest.mark.parametrize("name", VLADIMIR)
def test_a_listed_person_in_whatever_letters_passes_nowhere(name):
    assert verdict_of(listed_as("Vladimir PUTIN"), name) in {"review", "inconclusive"}


@pytest.mark.parametrize(
    ("name", "listed", "expected"),
    [
        ("Μπασάρ αλ-Άσαντ", "Bashar al-Asad", "review"),
        ("Παύλος Ευσταθίου", "Pavlos Efstathiou", "review"),
        ("Վահան Թումանյան", "Vahan Tumanyan", "review"),
        ("علی خامنه‌ای", "Ali Khamenei", "review"),
        ("Али Хаменеи", "Ali Husseini Khamenei", "inconclusive"),
        ("بشار حافظ الأسد", "بشار الأسد", "inconclusive"),
        ("바샤르 알아사드", "Bashar al-Assad", "inconclusive"),
    ],
)
def test_what_letters_tell_less_surely_goes_to_a_person(name, listed, expected):
    assert verdict_of(listed_as(listed), name) == expected


@pytest.mark.parametrize("name", ["도널드 트럼프", "푸틴", "첸취안궈"])
def test_foreign_names_in_korean_letters_pass_nobody(name):
    [why] = not_compared(Subject([name]))
    assert why.startswith("Foreign names in Korean letters cannot be compared")


@pytest.mark.parametrize(
    "name", ["김민준", "민준 김", "남궁민수", "현준 미정 이", "박 근혜", "김민준 John"]
)
def test_korean_names_stay_comparable(name):
    assert not_compared(Subject([name])) == []


@pytest.mark.parametrize(
    ("name", "country"), [("李家超", "HK"), ("金正恩", "KP"), ("阮富仲", "VN")]
)
def test_characters_that_are_not_read_as_mandarin_pass_nobody(name, country):
    assert not_compared(Subject([name], nationalities=["CN"])) == []
    assert (
        "cannot be compared"
        in not_compared(Subject([name], nationalities=[country]))[0]
    )


def test_a_long_name_in_characters_is_not_said_to_be_japanese():
    [why] = not_compared(Subject(["弗拉基米尔·普京"]))
    assert "it may be either" in why


@pytest.mark.parametrize(
    "name", ["Maria Teodor Ivan Korbutsky", "Teodor Korbutsky-Velarde"]
)
def test_more_names_than_the_list_has_pass_nobody(name):
    lists = listed_as("Teodor Korbutsky", born="1961-03-14")
    assert verdict_of(lists, name) == "inconclusive"
    assert verdict_of(lists, name, birth_date="1961-03-14") in {"review", "fail"}
    assert verdict_of(lists, name, birth_date="1992-05-16") == "pass"
    outcome = PersonSanctions().judge(Subject([name]), lists, DEFAULT)
    assert (
        f"“{name}” has all names of “Teodor Korbutsky” on Demo list"
        in outcome.explanation
    )


@pytest.mark.parametrize("name", ["Korbutsky", "T. Oyelaran", "de Korbutsky"])
def test_one_word_alone_passes_nobody(name):
    lists = listed_as("Teodor Korbutsky")
    assert verdict_of(lists, name) == "inconclusive"
    assert verdict_of(lists, name, "Marguerite Oyelaran") == "pass"


@pytest.mark.parametrize(
    "born",
    ["2099-01-01", "0001-01-01", "1961-13-45", "1991-02-30", "14/03/1991", "soon"],
)
def test_an_impossible_date_of_birth_clears_nobody(born):
    assert (
        verdict_of(
            listed_as("Teodor Korbutsky", born="1961-03-14"),
            "Teodor Korbutskij",
            birth_date=born,
        )
        == "review"
    )


def test_another_gender_alone_never_clears_the_very_name():
    lists = listed_as("Teodor Korbutsky", born="1961-03-14")
    assert verdict_of(lists, "Teodor Korbutsky", gender="f") == "review"
    assert (
        verdict_of(lists, "Teodor Korbutsky", gender="f", birth_date="1992-05-16")
        == "pass"
    )


@pytest.mark.parametrize(
    "name",
    [
        "华为技术有限公司", "朝鲜贸易银行", "조선광선은행", "شرکت هواپیمایی ماهان",
        "Российский фонд прямых инвестиций", "Союз изобретателей", "Οργανισμός Πολιτιστικής Ανάπτυξης",
    ],
)  # fmt: skip
def test_a_company_whose_name_lists_translate_passes_nowhere(name):
    entity = Entity(
        "1", "Organization", [ListedName("Foreign Trade Bank")], topics=["sanction"]
    )
    lists = MemoryLists.of([entity], VERSION)
    outcome = BusinessSanctions().judge(Subject([name], "Organization"), lists, DEFAULT)
    assert outcome.verdict == "inconclusive"
    assert "lists translate them" in outcome.explanation


@pytest.mark.parametrize(
    "name", ["ОАО Северпромтек", "Müller & Søn GmbH", "Ελληνική Ναυτιλία Α.Ε."]
)
def test_a_company_that_lists_write_by_its_sound_stays_comparable(name):
    assert not_compared(Subject([name], "Organization")) == []


@pytest.mark.parametrize(
    ("name", "listed"),
    [
        ("Volodymyr Korbutskyi", "Vladimir KORBUTSKY"), ("Уладзімір Карбуцкі", "Vladimir KARBUTSKI"),
        ("Ihor Korbutskyi", "Igor KORBUTSKIY"), ("Oleksandr Hnatysh", "Aleksandr HNATYSH"),
    ],
)  # fmt: skip
def test_a_given_name_in_another_language_of_eastern_europe_is_found(name, listed):
    assert verdict_of(listed_as(listed), name) == "review"


@pytest.mark.parametrize(("first", "last"), [("近平", "习"), ("平", "习近")])
def test_a_form_may_split_a_name_in_characters_at_the_wrong_place(first, last):
    subject = attested.person(
        {"first_name": first, "last_name": last, "nationality": "CN"}
    )
    listed = [Entity("1", "Person", [ListedName("Xi Jinping")], topics=["sanction"])]
    outcome = PersonSanctions().judge(subject, MemoryLists.of(listed, VERSION), DEFAULT)
    assert outcome.verdict in {"review", "fail"}


@pytest.mark.parametrize("schema", ["Person", "Organization"])
@pytest.mark.parametrize(
    "name",
    ["Łukasz W?jcik", "?ukasz Korbut", "Özgür Yılmaz".encode().decode("cp1252")],
)
def test_a_name_that_lost_letters_cannot_be_compared_whole(name, schema):
    reasons = not_compared(Subject([name], schema))
    assert any("characters that cannot be read" in reason for reason in reasons)


@pytest.mark.parametrize("schema", ["Person", "Organization"])
@pytest.mark.parametrize(
    "name", ["Łukasz Wójcik", "Özgür Yılmaz", "São Korbut", "Who Cares?"]
)
def test_a_name_with_accents_is_compared(name, schema):
    assert not_compared(Subject([name], schema)) == []


@pytest.mark.parametrize("name", ["🙂 🙂", "⠚⠕⠓⠝ ⠎⠍⠊⠞⠓"])
def test_pictures_are_no_words_of_a_company(name):
    assert not_compared(Subject([name], "Organization"))


@pytest.mark.parametrize(
    ("name", "listed", "other"),
    [
        ("Robert Mugabe", "ロバート・ムガベ", "Robert Mueller"),
        ("Wirat Phromsuwan", "วิรัตน์ พรหมสุวรรณ", "Wirat Kittikhun"),
        ("Kem Sokha", "កឹម សុខា", "Kem Ley"),
        ("Jayaram Jayalalithaa", "ஜெயராம் ஜெயலலிதா", "Jayaram Kandasamy"),
        ("Ranil Wickremesinghe", "රනිල් වික්‍රමසිංහ", "Ranil Gunaratne"),
        ("Ayman al-Zawahiri", "أيمن الظواهري", "Ayman Nour"),
    ],
)
def test_an_entry_without_a_latin_name_is_not_passed_in_silence(name, listed, other):
    entry = Entity("1", "Person", [ListedName(listed)], topics=["sanction"])
    # One of many: a list of such names alone lets nobody pass.
    lists = MemoryLists.of([entry], replace(VERSION, entities=1_000))
    check = PersonSanctions()
    assert check.judge(Subject([name]), lists, DEFAULT).verdict != "pass"
    assert check.judge(Subject([other]), lists, DEFAULT).verdict == "pass"


def test_a_hit_of_an_entry_without_a_latin_name_stays_a_hit():
    entry = Entity("1", "Person", [ListedName("マルタ・フェルナンデス")])
    lists = MemoryLists.of([entry], VERSION)
    assert screen(Subject(["Marta Fernandez"]), lists).alerts != []
    [match] = screen(Subject(["Marta Furunandus"]), lists).matches
    assert match.score <= word_tunables.COARSE


def test_two_names_of_four_are_doubted_if_one_is_rare():
    entry = Entity("1", "Person", [ListedName("Antonio Manuel de Oliveira Guterres")])
    lists = MemoryLists.of([entry], VERSION)
    [doubt] = screen(Subject(["Antonio Guterres"]), lists).not_compared
    assert doubt.startswith("All names of “Antonio Guterres” are among those of")
    assert screen(Subject(["Antonio Manuel"]), lists).not_compared == []
