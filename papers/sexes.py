"""The sex of a person as people, documents and lists state it."""

from __future__ import annotations

from functools import cache
from typing import Literal

from papers import countries

Sex = Literal["m", "f", ""]

# In the languages of identity documents. "M" begins the words for both in Spanish and Portuguese
# (masculino, mujer), so that the first letter of a word tells nothing.
_WORDS: dict[Sex, str] = {
    "m": "m male man masculine mannlich maennlich mann herr masculin homme masculino hombre varon"
    " homem maschio maschile uomo mannelijk mand mies mężczyzna męski muž muški férfi bărbat erkek"
    " м муж мужской мужчина чоловік чоловіча мъж άνδρας άρρεν ذكر مرد זכר 男 남 남성",
    "f": "f female woman feminine weiblich frau w feminin femme femenino mujer hembra feminino mulher"
    " femmina femminile donna vrouwelijk vrouw kvinna kvinde kvinne nainen kobieta żeński žena ženski"
    " nő femeie kad\u0131n kadin ж жен женский женщина жінка жіноча жена γυναίκα θήλυ أنثى زن נקבה 女 여 여성",
}


def letter(text: str) -> Sex:
    """Return m or f; "" where the text says neither, or something else.

    Forms print the word in two languages, or a letter beside it: "F / weiblich".
    """
    found = {_letters().get(_fold(part), "") for part in text.split("/")}
    return found.pop() if len(found) == 1 else ""


@cache
def _letters() -> dict[str, Sex]:
    letters: dict[str, Sex] = {}
    for sex, words in _WORDS.items():
        letters |= dict.fromkeys(map(_fold, words.split()), sex)
    return letters


def _fold(text: str) -> str:
    return countries.sort_key(text.strip(" ."))
