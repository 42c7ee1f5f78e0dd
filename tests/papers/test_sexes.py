from __future__ import annotations

import pytest

from papers import sexes


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("M", "m"),
        ("male", "m"),
        ("Männlich", "m"),
        ("Masculino", "m"),
        ("мужской", "m"),
        ("f", "f"),
        ("Female.", "f"),
        ("Mujer", "f"),
        ("mulher", "f"),
        ("Ženský / female", ""),
        ("F / weiblich", "f"),
        ("M/F", ""),
        ("女", "f"),
        ("kad\u0131n", "f"),
        ("Mx", ""),
        ("from birth unknown", ""),
        ("X", ""),
        ("", ""),
    ],
)
def test_a_sex_is_told_by_whole_words(text, letter):
    assert sexes.letter(text) == letter
