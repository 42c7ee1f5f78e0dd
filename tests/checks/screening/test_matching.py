"""Names against names: what must match, what must not, and that the explanation is true."""

from __future__ import annotations

import pytest

from checks.screening import engine
from checks.screening.lists import MemoryLists
from checks.screening.matching import names
from checks.screening.policy import DEFAULT
from checks.screening.records import (
    BirthDate,
    Entity,
    Identifier,
    ListedName,
    ListVersion,
    Subject,
)

VERSION = ListVersion(
    "demo", "Demo", 1, "2026-11-01", "2026-11-02T00:00:00Z", "ab" * 32, 1
)


def lists(*entities: Entity) -> MemoryLists:
    return MemoryLists.of(entities, VERSION)


def entity(name: str, **values) -> Entity:
    values.setdefault("schema", "Person")
    return Entity(id=name, names=[ListedName(name)], **values)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Abd al-Rahman Yasin", "Abdul Rehman Yassin"),
        ("Владимир Петров", "Vladimir Petrov"),
        ("محمد علي جعفري", "Mohammad Ali Jafari"),
        ("김정은", "Kim Jong Un"),
        ("리명수", "RI Miong Su"),
        ("習近平", "Xi Jinping"),
        ("KORBUTSKY, Teodor", "Teodor Korbutskiy"),
        ("Bill Henderson", "William Henderson"),
        ("Тeodor Kоrbutsky", "Teodor Korbutsky"),  # noqa: RUF001 - Cyrillic letters among Latin ones
        ("Te\u200bodor K0rbutsky", "Teodor Korbutsky"),
        ("Te\x07odor Korb\x1butsky", "Teodor Korbutsky"),
        ("Aisha Gadhafi", "Aisha Qaddafi"),
        ("Nicholas Tokarev", "Nikolai Tokarev"),
        ("Ûrij Ŝerbakov", "Yury Shcherbakov"),
        ("Xəlil Məmmədov", "Khalil Mammadov"),
        ("عمار شريف حسن", "Ammar Sherif Hassan"),  # its consonants are those of a title
        ("مراد بن سالم بن قاسم", "Murad Ben Salem Ben Qasem"),
        ("نظمي الحمدان", "Nazmi AL-HAMDAN"),
        ("خالد الشاعر", "Khaled AlShaer"),
        ("Saleeh Mesfer Saleh Alharbi", "Saleh Mesfer Alharbi"),
        ("Din Mohammad Abdul Hanif", "Din Mohammad Hanif"),
        ("Lewon Aramyan", "Lewn Aramyan"),
        (
            "Korbutsky HAeJI Teodor",
            "Haji Teodor Korbutsky",
        ),  # a title with a slip in it
        ("QariMuhammad Yaqub", "Qari Muhammad Yaqub"),
        ("Muullah Shafiqullah", "Mullah Shafiqullah"),
        ("FATTAH Salim Abdul", "Salim Abdul Fattah"),
        ("HajiAbdul Manan Agha", "Haji Abdul Manan Agha"),
        (
            "Abdul Ridho Korbut",
            "Abdul Rosyid Ridho Korbut",
        ),  # what Abdul serves was left out
        ("زهير حيدر", "Zuhayr Haydar"),
        ("Sergey Pavlovich Korbut", "Sergey Korbut"),  # a father who is not listed
        ("Tirnur Dugarov", "Timur Dugarov"),  # as a machine reads it
        ("A. Korbut", "Abdulhamid Korbut"),
        ("Ahmet Jabril", "Ahmad Jabril"),
    ],
)
def test_the_same_person_is_found(one, other):
    assert engine.compare(one, other) >= DEFAULT.possible_person
    result = engine.screen(Subject([one]), lists(entity(other)))
    assert [match.entry.entity.id for match in result.matches] == [other]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Angela Smith", "Angela Merkel"),
        ("Mohammed Hassan", "Mohammed Karimov"),
        ("Kim Jong Un", "Kim Yong Nam"),
        ("N. N.", "Nursultan Nazarbayev"),
        ("Ali", "Ali Akbar Velayati"),
        ("Zahir Abdul Hamid", "Zahir Abdul Ghani"),
        ("شهد دادون", "Saad Bin Laden"),
        ("سهيل الراشد", "صالح الراشد"),
        ("지은 박", "Do Chun Pak"),  # Do is a name in Korean, and Chun no two syllables
        ("Hyon Hai Kim", "Hyon Kim"),  # nearly a title, but not one that the list has
        ("James Korbutsky", "Hamed Korbutsky"),
        ("Ahmad Korbutsky", "Hamad Korbutsky"),  # two names, and no slip
        ("Ivan Pavlovich", "Ivan Pavlovich Korbut"),  # given names and a father alone
        ("Sergey Pavlovich Korbut", "Sergey Ivanovich Korbut"),
        ("Ali Hassan", "Ali Hassan Korbuti"),  # many people have these two names
        ("Zirn Zigulic", "Zoran Zigulic"),  # other vowels, and none left out
        ("Abdul Korbuti", "Abdul Korvazi"),
        ("Teodor Naeem Korbut", "Teodor Naeem Sheikh"),  # behind two names, no title
    ],
)
def test_another_person_is_not(one, other):
    assert engine.compare(one, other) < DEFAULT.possible_person


@pytest.mark.parametrize(
    ("one", "other"),
    [("ملیکا مجتبوی", "Mojtaba Maleki"), ("أزهار خضير", "Zuhayr Haydar")],
)
def test_the_long_vowels_that_arabic_writes_tell_people_apart(one, other):
    assert engine.compare(one, other) < DEFAULT.possible_other_script
    assert engine.compare("زهير حيدر", "Zuhayr Haydar") >= DEFAULT.possible_other_script


@pytest.mark.parametrize("text", ["Haji Mullah Teodor Korbutsky", "习近平", "Sheikh"])
def test_an_index_keeps_a_name_as_it_was_read(text):
    name = names.parse(text, person=True)
    assert names.Name.read(name.text, name.script, person=True) == name


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (
            "Severpromtek OOO",
            "OBSHCHESTVO S OGRANICHENNOI OTVETSTVENNOSTYU SEVERPROMTEK",
            True,
        ),
        ("LIMITED LIABILITY COMPANYADM SYSTEMS", "ADM Systems LLC", True),
        ("Apollo Fund VIII L.P.", "Apollo Fund IX L.P.", False),
        ("Apollo Fund X L.P.", "Apollo Fund X LP", True),
        ("Jont Stock Company Severpromtek", "Severpromtek JSC", True),
        ("Severpromtek Shipping Corpp", "Severpromtek Shipping Corp", True),
        ("First Severbank Int'l", "First International Severbank", True),
        ("C.B.A. Company", "A.B.C. Company", False),
        ("Global Trading Services Ltd", "Global Shipping Services Ltd", False),
        ("Severpromtek S.AA.", "Severpromtek S.A.", True),
        ("Severpromtek Shipping LT.D", "Severpromtek Shipping Ltd.", True),
        ("Severpromtek pCO., LTD", "Severpromtek Co., Ltd.", True),
        ("Oopen Joint Stock Company Severpromtek", "Severpromtek OAO", True),
        ("sociedadanónima Severpromtek", "Severpromtek S.A.", True),
        ("EIGHTHSEVERBANK GmbH", "Eighth Severbank GmbH", True),
        ("COMPAÑIASEVER de Crudos", "Compañía Sever de Crudos", True),
        ("Big Thee LLC", "Big Three LLC", True),
        ("LINKR FZE", "Linker FZE", True),
        ("SAM Trading", "Trading S.A.", False),
        ("Societate cu raspundere limitata CON SEVER", "SRL PRO SEVER", False),
        ("SKF", "SCF", False),  # acronyms are not transliterated
        ("SEB Group", "SES Group", False),
        ("1123 Severzavod", "123 Severzavod", False),
        ("Brigade Forty-Four", "Brigade 44", True),
        ("22nd Severbank Fund", "Twenty-Second Severbank Fund", True),
        ("Al Severa", "Al-Sevira/Severnaya Armiya", True),
        ("Corporacionsever S.A.", "Corporación Sever S.A.", True),
        ("Severprombankpublic joint stock company", "Severprombank PJSC", True),
    ],
)
def test_companies(one, other, same):
    assert (
        engine.compare(one, other, schema="Organization") >= DEFAULT.possible_company
    ) is same


def test_what_stands_against_the_fuller_name_of_an_entry_is_no_alert():
    """Every name of an alias, beside another family than the entry has."""
    names_of_entry = [
        ListedName("Shadi Nadir Korbut Dovlan"),
        ListedName("Shadi Nadir Korbut", "alias"),
    ]
    listed = lists(Entity("1", "Person", names_of_entry))
    other = engine.screen(Subject(["Shadi Nadir Korbut Ermolin"]), listed)
    assert other.alerts == []
    assert "has all names of “Shadi Nadir Korbut”" in other.not_compared[0]
    assert engine.screen(Subject(["Shadi Nadir Korbut Dovlan"]), listed).alerts


def test_a_company_that_adds_a_city_is_found_without_its_legal_form():
    listed = lists(
        entity("Geni SARL", schema="Organization"),
        entity("Severpromtek Oil", schema="Organization"),
    )
    for name, result in (
        ("Severpromtek Oil Dubai", "Severpromtek Oil"),
        ("GENISARL", "Geni SARL"),
    ):
        screening = engine.screen(Subject([name], "Organization"), listed)
        assert [match.entry.entity.id for match in screening.matches] == [result]


def test_a_common_name_alone_is_no_hit_but_with_the_title_of_the_list():
    listed = lists(entity("Haji Ibrahim"))
    assert engine.screen(Subject(["Haji Ibrahim"]), listed).alerts
    assert engine.screen(Subject(["Ibrahim"]), listed).alerts == []


LISTED = entity(
    "Teodor Korbutsky",
    birth_dates=[BirthDate("1961-03-14")],
    nationalities=["BY"],
    genders=["m"],
    identifiers=[Identifier("passport", "MP 4410293", "BY")],
)


def screened(**values) -> engine.Match:
    values.setdefault("names", ["Teodor Korbutski"])
    [match] = engine.screen(Subject(**values), lists(LISTED)).matches
    return match


def stands(match: engine.Match) -> dict[str, str]:
    return {fact.field: fact.stand for fact in match.facts}


def test_what_agrees_corroborates():
    match = screened(birth_date="1961-03-14", nationalities=["BY"], gender="m")
    assert match.band == "strong"
    assert stands(match) == dict.fromkeys(
        ("birth_date", "gender", "nationality"), "corroborates"
    )


@pytest.mark.parametrize("date", ["0000", "0001-01-01", "1900-01-01", "9999-12-31"])
def test_a_placeholder_of_the_list_speaks_against_nobody(date):
    listed = lists(entity("Teodor Korbutsky", birth_dates=[BirthDate(date)]))
    subject = Subject(["Teodor Korbutskiy"], birth_date="1961-03-14")
    [match] = engine.screen(subject, listed).matches
    assert (match.band, stands(match)["birth_date"]) == ("strong", "unknown")


def test_another_date_of_birth_discounts_but_does_not_hide():
    match = screened(birth_date="1990-01-01")
    assert (match.band, stands(match)["birth_date"]) == ("discounted", "contradicts")


def test_a_year_alone_agrees_as_a_year():
    near = entity("Teodor Korbutsky", birth_dates=[BirthDate("1960", circa=True)])
    [match] = engine.screen(
        Subject(["Teodor Korbutsky"], birth_date="1961-03-14"), lists(near)
    ).matches
    assert stands(match)["birth_date"] == "close"


def test_a_number_is_a_path_of_its_own():
    match = screened(
        names=["Somebody Else"], identifiers=[Identifier("passport", "mp-4410293")]
    )
    assert match.band == "identifier_match"


def test_a_number_of_another_issuer_is_another_number():
    subject = Subject(
        ["Somebody Else"], identifiers=[Identifier("passport", "MP4410293", "PL")]
    )
    assert engine.screen(subject, lists(LISTED)).matches == []


def test_the_alignment_covers_every_word():
    result = engine.explain("Teodor Ivan Korbutski", "Korbutsky Teodor Petrovich")
    assert {(p.query, p.entry) for p in result.pairs} == {
        ("teodor", "teodor"), ("korbutski", "korbutsky"), ("ivan", ""), ("", "petrovich"),
    }  # fmt: skip


def test_a_word_said_twice_is_shown_and_costs_little():
    result = engine.explain(
        "Saleh Mohammad Kakar Akhtar", "Saleh Mohammad Kakar Akhtar Muhammad"
    )
    assert result.score > 0.98
    assert ("", "muhammad", "not in the query") in {
        (p.query, p.entry, p.how) for p in result.pairs
    }


def test_common_keys_alone_find_a_name_in_arabic():
    """So many share each word that only two together tell which of them is meant."""
    rows = (
        "Ahmed",
        "Ali",
        "Saleh",
        "Hassan",
        "Omar",
        "Khaled",
        "Nasser",
        "Karim",
        "Jamal",
    )
    others = [
        entity(f"{a} {b} {c}-{n}")
        for a in rows
        for b in rows
        for c in rows
        for n in "12"
    ]
    result = engine.screen(
        Subject(["أحمد حسن كريم"]), lists(*others, entity("Ahmad Hasan Kareem"))
    )
    assert "Ahmad Hasan Kareem" in {match.entry.entity.id for match in result.alerts}


def test_a_policy_has_a_hash_of_its_own():
    assert DEFAULT.changed({"strong": 0.95}).digest != DEFAULT.digest
    with pytest.raises(ValueError, match="strong"):
        DEFAULT.changed({"strong": 3})


@pytest.mark.parametrize(
    "name", ["", "   ", "!!!", "\u200b", "a" * 100_000, "ي" * 5000, "1"]
)
def test_no_name_breaks_it(name):
    assert engine.screen(Subject([name]), lists(LISTED)).alerts == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # Another consonant at the beginning of a short name.
        ("Ahmad Kalim", "Ahmad Salim"),
        # Another initial.
        ("William G. Zirnov", "William W. Zirnov"),
        # A repeated name stands against another one.
        ("Zirnov Mohamed Mohamed Korbut", "Zirnov Osman Mohamed Korbut"),
        # Another name where one side has Abdul.
        ("Ishaq Abdul Korbut", "Ishaq Wali Korbut"),
        ("N. N.", "Nikolai Narbutov"),
        # A name without vowels of its own is not one whose vowels were left out.
        ("Ali al-Ali", "Luai al-Ali"),
        ("Husayn Aall", "Husayn al-Yami"),
    ],
)
def test_names_with_another_word_are_no_hits(one, other):
    assert engine.compare(one, other) < DEFAULT.possible_person


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A. Ghani Korbut", "Abdul Ghani Korbut"),
        ("Abdurazzaq Korbut", "Abdul Razzaq Korbut"),
        ("Sergej Korbut", "Sergey Korbut"),
        ("Chang Wei-ming", "Zhang Wei Ming"),
        ("Ben Korbut", "Benjamin Korbut"),
    ],
)
def test_usual_spellings_of_names_are_hits(one, other):
    assert engine.compare(one, other) >= DEFAULT.possible_person


@pytest.mark.parametrize(
    ("one", "other"),
    [("N.A.B.C. Company", "A.B.C. Company"), ("BMI LLC", "BMW LLC")],
)
def test_acronyms_with_another_letter_are_other_companies(one, other):
    assert engine.compare(one, other, schema="Company") < DEFAULT.weak


def test_the_united_states_are_written_in_two_ways():
    score = engine.compare(
        "U.S.A. Korbut Fund", "United States Korbut Fund", schema="Company"
    )
    assert score >= DEFAULT.strong


def test_three_names_that_very_many_have_are_no_hit_within_a_longer_name():
    listed = lists(entity("Ali Hassan Mohamed"), entity("Ali Hassan Korbutov"))
    for name, alerts in (
        ("Ali Hassan Mohamed Morales", 0),
        ("Ali Hassan Korbutov Morales", 1),
    ):
        screening = engine.screen(Subject([name]), listed)
        # All of its names are there: nobody passes by it.
        assert len(screening.alerts) == alerts or screening.not_compared
        assert bool(screening.alerts) == bool(alerts)


def test_an_arabic_name_of_common_words_is_found_among_many_like_it():
    syllables = [
        first + last
        for first in "bdfgkmnprst"
        for last in ("ana", "ila", "una", "iro", "omo")
    ]
    others = [entity(f"Mohammad Yaqoub {syllable.title()}") for syllable in syllables]
    listed = lists(*others, entity("Mohammad Yaqoub"))
    assert len(others) > DEFAULT.candidates
    screening = engine.screen(Subject(["محمد يعقوب"]), listed)
    assert "Mohammad Yaqoub" in {match.entry.entity.id for match in screening.alerts}


def test_syllables_of_hangul_are_not_those_of_another_spelling():
    assert engine.compare("승현 김", "Song Hun KIM") < DEFAULT.possible_other_script
    assert engine.compare("승현 김", "Kim Sung-hyon") >= DEFAULT.possible_other_script
