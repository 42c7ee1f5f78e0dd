# ruff: noqa: RUF001 - names in other scripts are its subject
"""Free text about parties: the names in it, and nothing of the text is lost."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checks.list_screening.parties import free_text, tunables
from checks.list_screening.parties.members import text_rule
from checks.list_screening.parties.pieces import EDGES
from checks.list_screening.parties.schema import parties_of

BRIEF = settings(max_examples=300, deadline=None)


def names(text: str, **more: bool) -> list[str]:
    return [name.text for name in free_text.read(text, **more).names]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("John Smith 60 %, Acme Holdings Ltd 40%", ["John Smith", "Acme Holdings Ltd"]),
        ("60% John Smith, 40% Acme Holdings Ltd", ["John Smith", "Acme Holdings Ltd"]),
        ("John Smith (60%) and Jane Doe (40%)", ["John Smith", "Jane Doe"]),
        ("John Smith - 60 percent / Jane Doe - 40 percent", ["John Smith", "Jane Doe"]),
        ("John Smith: 60; Jane Doe: 40", ["John Smith", "Jane Doe"]),
        ("50/50 John Smith and Jane Doe", ["John Smith", "Jane Doe"]),
        ("1. John Smith 60%\n2. Jane Doe 40%", ["John Smith", "Jane Doe"]),
        ("1) John Smith 2) Jane Doe", ["John Smith", "Jane Doe"]),
        ("- John Smith\n- Jane Doe", ["John Smith", "Jane Doe"]),
        ("John Smith (CEO), Jane Doe (CFO)", ["John Smith", "Jane Doe"]),
        ("John Smith, CEO, Jane Doe, CFO", ["John Smith", "Jane Doe"]),
        ("CEO: John Smith; Directors: Jane Doe, Ivan Petrov", ["John Smith", "Jane Doe", "Ivan Petrov"]),
        ("Managing director John Smith", ["John Smith"]),
        ("majority shareholder John Smith", ["John Smith"]),
        ("The company is owned by John Smith (60%) and Acme Ltd (40%).", ["John Smith", "Acme Ltd"]),
        ("100% owned by John Smith", ["John Smith"]),
        ("John Smith owns 60% of the company, Acme Ltd holds the remaining 40%.", ["John Smith", "Acme Ltd"]),
        ("John Smith is the sole owner", ["John Smith"]),
        ("Our founder John Smith holds all shares", ["John Smith"]),
        ("1,000 ordinary shares held by John Smith", ["John Smith"]),
        ("Dr. Ludwig van der Berg (born 1961-03-14), 25%", ["Dr. Ludwig van der Berg"]),
        ("Acme Holdings Ltd (Cyprus) 60%", ["Acme Holdings Ltd"]),
        ("Acme (UK) Ltd", ["Acme (UK) Ltd"]),
        ("John (Jack) Smith", ["John (Jack) Smith"]),
        ("Parcha Labs, Inc.", ["Parcha Labs, Inc."]),
        ("Smith & Sons Ltd", ["Smith & Sons Ltd"]),
        ("Johnson & Johnson", ["Johnson & Johnson"]),
        ("Partners Group AG", ["Partners Group AG"]),
        ("Mr John Smith Jr., Ms. A. B. Doe", ["John Smith Jr.", "A. B. Doe"]),
        ("Acme Ltd d/b/a Blue Heron", ["Acme Ltd", "Blue Heron"]),
        ("John Smith aka Ivan Petrov", ["John Smith", "Ivan Petrov"]),
        ("JOHN SMITH AND JANE DOE", ["JOHN SMITH", "JANE DOE"]),
        ("OWNED BY JOHN SMITH", ["JOHN SMITH"]),
        ("Иван Петров 50%, ООО Ромашка 50%", ["Иван Петров", "ООО Ромашка"]),
        ("金正恩、李雪主", ["金正恩", "李雪主"]),
        ("John Smith\nCEO\njohn@smith.example", ["John Smith"]),
        ("सुरेन्द्र यादव; จิม ถนอมพลกรัง", ["सुरेन्द्र यादव", "จิม ถนอมพลกรัง"]),
        ("هاجر علم آل محمد بن علي بن جماز", ["هاجر علم آل محمد بن علي بن جماز"]),
        ("XI HE; DUC DO NGUYEN; Angel Maria Cohen", ["XI HE", "DUC DO NGUYEN", "Angel Maria Cohen"]),
        ("Jenna van het Heerenveen", ["Jenna van het Heerenveen"]),
        ("Bowne Solutions (France), S.A.R.L.", ["Bowne Solutions (France), S.A.R.L."]),
        ("Government of the United Kingdom", ["Government of the United Kingdom"]),
        # Two readings.
        ("AL BEN MAHMOUD, Isa Tarif", ["AL BEN MAHMOUD", "Isa Tarif", "AL BEN MAHMOUD, Isa Tarif"]),
        ("Mitsubishi Trust and Banking Corporation",
         ["Mitsubishi Trust and Banking Corporation", "Mitsubishi Trust", "Banking Corporation"]),
        ("Sechin, Igor", ["Sechin, Igor", "Sechin", "Igor"]),
        ("Smith, John 60%, Doe, Jane 40%", ["Smith, John", "Smith", "John", "Doe, Jane", "Doe", "Jane"]),
        ("John and Mary Smith", ["John and Mary Smith", "John Smith", "Mary Smith"]),
        ("Jose Ortega y Gasset", ["Jose Ortega y Gasset", "Jose Ortega"]),
        ("John Smith and Acme Ltd", ["John Smith and Acme Ltd", "John Smith", "Acme Ltd"]),
    ],
)  # fmt: skip
def test_what_is_written_like_names_is_split_and_nothing_remains(text, expected):
    reading = free_text.read(text)
    assert [name.text for name in reading.names] == expected
    assert reading.remainder == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Administrador único: Carlos Gómez. Socio mayoritario: Inversiones Sol S.L. (75 %)", ["Carlos Gómez", "Inversiones Sol S.L."]),
        ("Gérant : Jean Dupont ; Mme Claire Martin détient 49 % des parts", ["Jean Dupont", "Claire Martin"]),
        ("Wirtschaftlich Berechtigter ist Herr Klaus Weber (100 %).", ["Klaus Weber"]),
        ("Amministratore delegato: Mario Rossi; soci: Luigi Bianchi 40%, Anna Verdi 60%", ["Mario Rossi", "Luigi Bianchi", "Anna Verdi"]),
        ("Prezes zarządu: Jan Kowalski, wspólnik: Anna Nowak 50%", ["Jan Kowalski", "Anna Nowak"]),
        ("Müdür: Mehmet Yılmaz, ortak: Ayşe Demir %50", ["Mehmet Yılmaz", "Ayşe Demir"]),
        ("Генеральный директор: Иванов Иван Иванович; участник: ООО Ромашка 50%", ["Иванов Иван Иванович", "ООО Ромашка"]),
        ("法定代表人:王建国;股东:李晓梅 40%", ["王建国", "李晓梅"]),
        ("代表取締役 佐藤健一、取締役 鈴木美咲", ["佐藤健一", "鈴木美咲"]),
        ("대표이사: 김민수, 이사: 박지영", ["김민수", "박지영"]),
        ("المدير: أحمد العلي، الشريك: سالم الكعبي 50%", ["أحمد العلي", "سالم الكعبي"]),
        ("Giám đốc: Nguyễn Văn An, thành viên góp vốn: Trần Thị Bích 40%", ["Nguyễn Văn An", "Trần Thị Bích"]),
        ("ninguno", []),
        ("keine", []),
        ("не применимо", []),
        ("該当なし", []),
        ("لا يوجد", []),
    ],
)  # fmt: skip
def test_roles_shares_and_answers_of_other_languages_are_no_names(text, expected):
    reading = free_text.read(text)
    assert [name.text for name in reading.names] == expected
    assert not reading.remainder


@pytest.mark.parametrize("text", ["Sim", "Nu Holdings", "TAG", "Ya", "Tak"])
def test_short_words_that_may_be_names_are_screened(text):
    assert names(text, is_entry=True) == [text]


@pytest.mark.parametrize(
    ("text", "expected", "remainder"),
    [
        ("the founders and their families", [], ("the founders", "their families")),
        ("Various private investors", [], ("Various private investors",)),
        ("Founders 60%, Investors 40%", [], ("Founders", "Investors")),
        ("Family members", [], ("Family members",)),
        ("ten employees", [], ("ten employees",)),
        ("See attached", [], ("See attached",)),
        ("John Smith 60%, others 40%", ["John Smith"], ("others",)),
        ("No beneficial owner above 25%", [], ("No beneficial owner above",)),
        # In small letters it may be a name: it is screened, and it is not sure.
        ("john smith 60%", ["john smith"], ("john smith",)),
        ("John Smith knows Acme Ltd", ["John Smith", "Acme Ltd"], ("knows",)),
    ],
)
def test_prose_remains(text, expected, remainder):
    reading = free_text.read(text)
    assert [name.text for name in reading.names] == expected
    assert reading.remainder == remainder


@pytest.mark.parametrize(
    "text", ["", " ", "None", "n/a", "N/A.", "yes", "-", "60%", "25-50 %", "direct"]
)
def test_answers_and_shares_name_nobody(text):
    reading = free_text.read(text)
    assert (reading.names, reading.remainder, reading.names_nobody) == ((), (), False)


def test_an_entry_of_a_list_may_be_in_small_letters():
    reading = free_text.read("john smith", is_entry=True)
    assert [name.text for name in reading.names] == ["john smith"]
    assert reading.remainder == ()


def test_an_entry_that_is_half_a_name_is_screened_as_it_stands_too():
    reading = free_text.read("FAIZULLAH KHAN na owner", is_entry=True)
    assert "FAIZULLAH KHAN na owner" in [name.text for name in reading.names]
    assert reading.remainder


def test_a_role_alone_speaks_of_somebody_without_a_name():
    assert free_text.read("Founder").names_nobody or free_text.read("Founder").remainder
    assert free_text.read("Managing director").names_nobody


def test_legal_forms_make_a_business_and_inversion_a_person():
    kinds = {
        name.text: name.kind
        for name in free_text.read("Acme Ltd; Sechin, Igor; Ana Reyes").names
    }
    assert kinds["Acme Ltd"] == "business"
    assert kinds["Sechin, Igor"] == "person"
    assert kinds["Ana Reyes"] == "either"


WORDS = st.sampled_from(
    ["John", "Smith", "Acme", "Ltd", "Inc.", "and", "&", "60 %", "40%", ",", ";", "(", ")", "\n", "CEO",
     "director", "owned by", "the", "founders", "-", ":", "/", "1.", "born 1961-03-14", "of", "van", "der",
     "Sechin,", "金正恩", "a@b.example", "aka", "O'Brien", "holds", "shares", "[", "}", "\u2028", "\x1f", "Jr.",
     "n/a", "None", "и", "Иванов", "others", ".", "。", "٪", "١٢"]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=300), st.lists(WORDS, max_size=30).map(" ".join))


@given(text=TEXTS, is_entry=st.booleans())
@BRIEF
def test_every_letter_is_in_a_name_a_declared_part_or_the_remainder(text, is_entry):
    reading = free_text.read(text, is_entry=is_entry)
    assert "".join(part.text for part in reading.parts) == text
    assert all(part.kind for part in reading.parts)
    # No letter is in a separator, but for the words that separate.
    for part in reading.parts:
        if part.kind == "separator":
            assert len(part.text.strip()) <= 25


@given(text=TEXTS)
@BRIEF
def test_each_part_that_is_a_name_is_among_the_names(text):
    """The words of a name are screened: whole, or within a further reading."""
    reading = free_text.read(text)
    screened = " ".join(name.text for name in reading.names).casefold()
    for part in reading.parts:
        if part.kind != "name":
            continue
        for word in part.text.split():
            plain = word.strip(EDGES).casefold()
            assert plain in screened or plain in WORDS_BETWEEN or is_role(plain)


WORDS_BETWEEN = {
    "the",  # before a role: "THE CCO"
    "and",
    "&",
    "",
    "of",
    "и",
    "e",
    "i",
    "y",
    "et",
    "+",
    "or",
    "und",
    "oder",
    "та",
    "و",
}


def is_role(word: str) -> bool:
    return any(part.kind == "role" for part in free_text.read(word).parts)


def test_an_answer_before_a_long_blank_hides_nothing():
    text = "None" + " " * tunables.MOST_TEXT + "Ana Reyes"
    assert free_text.read(text).remainder == ("Ana Reyes",)


@pytest.mark.parametrize(
    "text",
    ["director " * 4000, "and " * 9000, "1,1" * 9000, "(" * 9000, "Aa and " * 4000, " " * 30000, "the " * 9000,
     "\u3000" * 30000, "a-" * 9000, "John Smith 60%, " * 4000],
)  # fmt: skip
def test_very_long_texts_are_read_and_cut(text):
    reading = free_text.read(text)
    assert "".join(part.text for part in reading.parts) == text
    assert len(reading.names) <= 2 * tunables.MOST_NAMES


ANY_JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), TEXTS),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.sampled_from(["owners", "name", "ownership", "1", "Ana Reyes", "details", "x"]), inner),
    ),
    max_leaves=12,
)  # fmt: skip


@given(
    value=ANY_JSON,
    member=st.sampled_from(["owners", "ownership", "customers", "board", "x"]),
)
@BRIEF
def test_no_shape_under_a_member_raises(value, member):
    parties = parties_of({}, {member: value})
    assert all(party.subjects or party.unread or party.place for party in parties)


@pytest.mark.parametrize(
    ("member", "rule"),
    [
        ("ownership", "party"), ("ownershipStructure", "party"), ("owners", "party"), ("owner_2", "party"),
        ("beneficial_owners", "party"), ("shareholders", "party"), ("directors_and_officers", "party"),
        ("board_of_directors", "party"), ("management", "party"), ("cap_table", "party"),
        ("persons_with_significant_control", "party"), ("associated_entities", "party"),
        ("parent_company", "party"), ("partners", "party"), ("shareholder_structure", "party"),
        ("customers", "counterparty"), ("key_suppliers", "counterparty"), ("employer", "counterparty"),
        ("staff", "mention"), ("main_business", "mention"),
        ("description", "none"), ("address_of_operation", "none"), ("ownership_type", "none"),
        ("risk_management", "none"), ("customer_countries", "none"), ("number_of_owners", "none"),
        ("user_agent", "none"), ("business_name", "none"), ("power_of_attorney", "mention"),
        ("business_purpose", "none"), ("source_of_funds", "none"),
    ],
)  # fmt: skip
def test_which_members_name_parties(member, rule):
    assert text_rule(member) == rule


@pytest.mark.parametrize(
    "owners",
    [
        {"1": "Ana Reyes", "2": "Igor Sechin"},
        {"Ana Reyes": 60, "Igor Sechin": "40 %"},
        {"Ana Reyes": {"percentage": 60}, "Igor Sechin": {"percentage": 40}},
        {"description": "Ana Reyes 60 %, Igor Sechin 40 %"},
        [["Ana Reyes"], ["Igor Sechin"]],
        [{"name": "Ana Reyes 60 %; Igor Sechin 40 %"}],
        [{"name": "Ana Reyes and Igor Sechin"}],
        [{"names": ["Ana Reyes", "Igor Sechin"]}],
        [{"Full name": "Ana Reyes"}, {"Full Name": "Igor Sechin"}],
        json.dumps([{"name": "Ana Reyes"}, {"name": "Igor Sechin"}]),
        json.dumps({"a": {"name": "Ana Reyes"}, "b": {"name": "Igor Sechin"}}),
    ],
)
def test_other_shapes_are_read(owners):
    parties = parties_of({}, {"owners": owners})
    read = {
        name
        for party in parties
        for subject in party.subjects
        for name in subject.names
    }
    assert {"Ana Reyes", "Igor Sechin"} <= read
    assert all(party.subjects for party in parties)


@pytest.mark.parametrize("member", ["ownership", "ownership_structure", "shareholding"])
@pytest.mark.parametrize(
    "text", ["Private", "privately held", "60 %", "None", "Sole proprietorship."]
)
def test_a_kind_of_ownership_names_nobody(member, text):
    assert parties_of({}, {member: text}) == []
    assert parties_of({}, {"owners": [{"name": "Ana Reyes", member: text}]}) != []
