"""Parts of persons' names that some languages write together and others apart.

Bengali and Urdu write the article of the second word at the end of the first: Fazlur Rehman is Fazl
al-Rahman. Persian writes the end of a family name apart: Haji Zadeh is Hajizadeh, and Haji is no
title there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

# After which letter of the article which words stand. They are those of names that consist of two
# words, because other words in -ul and -ur are names of their own.
_SECOND_WORDS = {
    "l": (
        "h[ao][qk](?:ue)?|hu[qk]|hoque|islam|kar[ie]+m|hak[ie]+m|aziz|alam|am[ie]+n|has+an|hus+[ae][iy]?n|hos+[ae][iy]?n"
        "|hadi|m[ou]men|m[ou]min|mul[uo]?k|abedin|abidin|aref[ie]+n|kab[ie]+r|bari|g?hani|gani|malik|wah+ab|huda"
        "|bas[ha]+r|[qk]ad[ei]+r"
    ),
    "r": "r[ae]h?m[aeo]+n|rah[ie]+m|ras?h[ie]+d|razz?a[qk]|rau?f|rab+",
    "z": "zaman",
    "s": "sa+l[ae]+m|sat+ar|samad|saleh[ie]+n",
    "d": "d[ie]+n|do?ula|dowla",
    "n": "nabi|no+r|nur",
}  # fmt: skip
# Names of the form of Mansur and Rasul end in these letters without an article.
_WHOLE = "rasul|ma[qk]bul|batul|mansur|masrur|mashkur|maghfur|gh?afur|shakur|sabur|t[aei]+mur|shahpur|mashhur|manzur"
_ARTICLE = re.compile(
    rf"\b(?!(?:{_WHOLE}|ab[aeiou]?[dl]?[aeiou]?[lrsz])\b)([a-z]{{3,}})(?<![ou])[uo](?:"
    + "|".join(rf"{letter}(?= (?:{words})\b)" for letter, words in _SECOND_WORDS.items())
    + ")"
)  # fmt: skip
# Countries spell the article in several ways, and its l takes the sound of the next letter: el-Shami and
# ash-Shami are al-Shami. Il, ul and un are names of Korea.
_ARTICLE_ALONE = re.compile(r"\b(?:[aeu](sh|[drstz])(?= \1)|el(?= ))")
# Ends of Persian family names: in Latin letters, and as Arabic letters are transliterated.
_ENDS = frozenset(
    ["zadeh", "zada", "zade", "zadah", "pour", "poor", "pur", "nejad", "nezhad", "nezad", "nia", "niya",
     "zdh", "pwr", "njd", "ny"]
)  # fmt: skip


# Titles of several words, by the word of `person_words.csv` that stands for each.
_LONG_TITLE = re.compile(
    r"\b(?:(?P<hojatoleslam>h[ou]j+at (?:(?:al|ol|ul) ?)?[ie]slam)(?= \w+ \w)"
    r"|(?P<datuk>(?:tan|dato?|datuk|puan) se?ri)(?= \w+ \w)"
    r"|(?P<admiral>(?:vice|rear) admiral))\b"
)
# Arabic and Persian names that begin with Abu and the article are one name, with or without the
# article, in one word or in two: Abolfazl, Abu al-Fadl, Abualfazl. So is Abubakar.
_KUNYA = re.compile(
    r"\bab(?:ou|oo|u|o) ?(?:[aeuo]?l ?)?"
    r"(?:(?P<abolfazl>fa[zd]h?[ae]?l)|(?P<abolqasim>(?:gh|q|k)as+[ei]m)|(?P<abubakr>ba[kc]a?r))\b"
)


# The mother of somebody, as the French write it. Um alone may be a name of Korea.
_UMM = re.compile(r"\boumm?(?= \w)")


# Names that end in al-Din are one word in most spellings: Taqi ad-Din, Takieddine, Mohi Uddin. A word in
# -din alone is none of them (Borodin, Fedin).
_DIN = re.compile(
    r"\b(?!(?:abd|ibn|bin|ben|bint)\b)([a-z]{2,}?)(?:[aeiou]? (?:[aeou][dl]|id)[ -]?d[iey]{1,2}ne?|[aeiou]?[aeiou]dd[iey]{1,2}ne?"
    r"|u?uddin|(?<=[a-z]{3})(?:udine?|edine))\b"
)
# Rahman and others with the article in one word: Ziaurrahman is Zia-ur-Rehman, in which the article is
# left out.
_GLUED = re.compile(
    r"\b(?!abd)([a-z]{3,})(?:[uo]r(?=r[ae]h?m[ae]+n\b)|[uo]l(?=(?:ha[qk]|haque|islam)\b))"
)


def with_plain_compounds(text: str) -> str:
    """Return a folded name with one word for each name with al-Din, and two for others that are
    written together with their article.
    """
    if "d" in text:
        text = _DIN.sub(r"\1uddin", text)
    return _GLUED.sub(r"\1 ", text)


def with_plain_beginnings(text: str) -> str:
    """Return a folded name with one word for each title of several words, and for each usual name
    that begins with Abu.
    """
    if "ab" in text:
        text = _KUNYA.sub(_by_group, text)
    if "oum" in text:
        text = _UMM.sub("umm", text)
    return _LONG_TITLE.sub(_by_group, text)


def _by_group(match: re.Match[str]) -> str:
    return str(match.lastgroup)


def with_plain_articles(text: str) -> str:
    """Return a folded name with al for each article in another form, and without those at the end of
    words: fazlur rehman becomes fazl rehman.
    """
    return _ARTICLE.sub(r"\1", _ARTICLE_ALONE.sub("al", text))


# Ends that are no names of their own, and so belong to the word before them, whatever it is.
_ENDS_ALONE = frozenset(["zadeh", "zadah", "pour", "poor", "pur", "nejad", "nezhad"])


def with_ends(words: Sequence[str], titles: frozenset[str]) -> list[str]:
    """Join the end of a family name with the word before it, as in Haji Zadeh and Qasem Poor.

    If this is a title, together they are the family name.
    """
    joined: list[str] = []
    for word in words:
        is_end = word in _ENDS and bool(joined) and joined[-1] in titles
        if is_end or (word in _ENDS_ALONE and len(joined) > 1):
            joined[-1] += word
        else:
            joined.append(word)
    return joined
