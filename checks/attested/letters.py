"""Whether a domain has letters that look like others, by which it passes for another domain."""

from __future__ import annotations

import re
import unicodedata

import idna

# Small letters that look like Latin ones, by the name of their script in Unicode. Domains have no
# capitals.
_LOOK_ALIKES = {
    "CYRILLIC": frozenset("асԁеһіјкӏорԛѕԝхуѵ"),
    "GREEK": frozenset("αικνορτυω"),
}
# Scripts that one language writes together, each also with Latin letters.
_TOGETHER = (
    frozenset(["LATIN", "CJK", "HIRAGANA", "KATAKANA"]),
    frozenset(["LATIN", "CJK", "HANGUL"]),
    frozenset(["LATIN", "CJK", "BOPOMOFO"]),
)
# Phonetic letters and small capitals, and the i without a dot, which is a letter of two languages.
_LATIN_LOOK_ALIKES = re.compile("[\u0131\u0250-\u02af\u1d00-\u1dbf]")
_WITH_DOTLESS_I = frozenset(["tr", "az"])


def in_letters(host: str) -> str:
    """Return a host as its labels are read, without Punycode; "" if one of them is none."""
    labels = []
    for label in host.rstrip(".").casefold().split("."):
        try:
            labels.append(idna.decode(label) if label.startswith("xn--") else label)
        except idna.IDNAError:
            return ""
    return ".".join(labels)


def look_like_others(host: str) -> bool:
    """Whether a label of the host mixes scripts, or has only letters that look like Latin ones.

    A label in the letters of one language is what it looks like: münchen.de, пример.рф. Under a
    domain in the same script nobody expects Latin letters.
    """
    labels = in_letters(host).split(".")
    under = _scripts(labels[-1])
    for label in labels[:-1]:
        if _is_mixed(label) or _looks_latin(label, under, labels[-1]):
            return True
    return False


def _is_mixed(label: str) -> bool:
    scripts = _scripts(label)
    if len(scripts) < 2:
        return False
    return not any(scripts <= together for together in _TOGETHER)


def _looks_latin(label: str, under: frozenset[str], top: str) -> bool:
    if top in _WITH_DOTLESS_I:
        label = label.replace("\u0131", "i")
    if _LATIN_LOOK_ALIKES.search(label):
        return True
    letters = set(filter(str.isalpha, label))
    for script, look_alikes in _LOOK_ALIKES.items():
        if letters and letters <= look_alikes and script not in under:
            return True
    return False


def _scripts(label: str) -> frozenset[str]:
    """Return the scripts of the letters, each by the first word of the names of its letters."""
    names = []
    for letter in filter(str.isalpha, label):
        names.append(unicodedata.name(letter, "UNKNOWN").partition(" ")[0])
    # The mark of a long vowel, which belongs to both kinds of kana, and the repeated character.
    return frozenset(names) - {"KATAKANA-HIRAGANA", "IDEOGRAPHIC"}
