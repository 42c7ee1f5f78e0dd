"""Names in a plain form: what makes another name stays, and what people leave out does not."""

from __future__ import annotations

import pytest

from checks.fields.names.people import compare_people
from checks.text.folding import folded


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("मीना शर्मा", "मोना शर्मा"),
        ("মিনা", "মনা"),
        ("สุชาติ", "สูชาติ"),
        ("かきた", "かぎた"),
        ("ハン", "バン"),
        ("ハン", "パン"),
        ("ကိုကို", "ကုကု"),
        ("김민수", "이민수"),
    ],
)
def test_another_syllable_is_another_name(name, other):
    assert folded(name) != folded(other)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("José Núñez", "JOSE NUNEZ"),
        ("Đặng Văn", "dang van"),
        ("أَحْمَد", "أحمد"),
        ("דָּוִד", "דוד"),
        ("Γεώργιος", "ΓΕΩΡΓΙΟΣ"),
        ("ガク", "ｶﾞｸ"),
        ("か\u3099く", "がく"),
        # A form of a character that only the font chooses.
        ("葛\U000e0100城", "葛城"),
        ("S.A.R.L.", "sarl"),
        ("मीना।", "मीना"),
    ],
)
def test_another_spelling_is_the_same_name(name, other):
    assert folded(name) == folded(other)


def test_a_name_of_another_vowel_is_not_the_attested_one():
    attested = {"first_name": "मीना", "last_name": "शर्मा"}

    assert compare_people(attested, "मोना शर्मा").state != "equal"
