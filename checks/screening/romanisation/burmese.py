"""Transliterates names in Burmese script, as passports and lists spell them.

Burmese writes a name by syllables: a consonant, signs for further sounds, a vowel, and the end of
the syllable. Each syllable becomes a word, because Burmese omits spaces freely and names in Latin
letters have them (Min Aung Hlaing). Tones are not written, except the t of a short syllable that
ends in n (Myint, Nyunt).
"""

from __future__ import annotations

import re
import unicodedata

_CONSONANTS = dict(
    zip(
        "ကခဂဃငစဆဇဈညဉဋဌဍဎဏတထဒဓနပဖဗဘမယရလဝသဟဠအဿ",
        ["k", "kh", "g", "g", "ng", "s", "s", "z", "z", "ny", "ny", "t", "ht", "d", "d", "n", "t", "ht", "d", "d",
         "n", "p", "ph", "b", "b", "m", "y", "y", "l", "w", "th", "h", "l", "", "th"],
        strict=True,
    )
)  # fmt: skip
# Consonants with the signs for y and h that are not pronounced as they are written.
_TOGETHER = {"khy": "ch", "ngy": "ny", "yh": "sh", "lyh": "sh", "thyh": "sh"}
# Vowels with a letter of their own.
_VOWEL_LETTERS = dict(
    zip("ဣဤဥဦဧဩဪ", ["i", "i", "u", "oo", "e", "aw", "aw"], strict=True)
)
# By the sign for w, the vowel, and the final consonant. Tone marks and long forms were removed
# before.
_RHYMES = {
    "": "a", "ာ": "a", "ိ": "i", "ု": "u", "ေ": "e", "ဲ": "e", "ော": "aw", "ို": "o",
    "ံ": "an", "ုံ": "on", "ိံ": "ein",
    "က": "et", "စ": "it", "တ": "at", "ပ": "at", "င": "in", "ဉ": "in", "ည": "i", "န": "an", "မ": "an", "ယ": "e",
    "ဏ": "an", "ဒ": "at", "ဗ": "at", "လ": "an", "သ": "at",
    "ောင": "aung", "ောက": "auk", "ိုင": "aing", "ိုက": "aik",
    "ိန": "ein", "ိမ": "ein", "ိတ": "eik", "ိပ": "eik", "ိဏ": "ein",
    "ုန": "on", "ုမ": "on", "ုတ": "ok", "ုပ": "ok", "ုဏ": "on",
    "ွန": "un", "ွမ": "un", "ွတ": "ut", "ွပ": "ut", "ွံ": "un",
}  # fmt: skip
_SYLLABLE = re.compile(
    "(?P<first>[က-အဿ])(?P<with>[ျြွှ]*)(?P<vowel>[ါ-ဲံ]*်?)[့း]*"
    "(?:(?P<last>[က-အ])(?:[့း]*[်္][့း]*))?[့း]*"
    "|(?P<letter>[ဣ-ဪ])း?|(?P<digit>[\u1040-\u1049])"
)
_OF_MYANMAR = re.compile("[က-႟]+")
_LONG = str.maketrans({"ါ": "ာ", "ီ": "ိ", "ူ": "ု", "်": None})
_SHORT_TONE = "့"
_LONG_TONE = "း"


def in_latin(text: str) -> str:
    """Return the text with every Burmese word in Latin letters, with its syllables separated."""
    if not _OF_MYANMAR.search(text):
        return text
    return _OF_MYANMAR.sub(_word_in_latin, unicodedata.normalize("NFC", text))


def _word_in_latin(match: re.Match[str]) -> str:
    syllables = map(_syllable_in_latin, _SYLLABLE.finditer(match.group()))
    return f" {' '.join(syllables)} "


def _syllable_in_latin(syllable: re.Match[str]) -> str:
    if syllable["digit"]:
        return str(int(syllable["digit"]))
    if syllable["letter"]:
        return _VOWEL_LETTERS.get(syllable["letter"], "")
    signs = syllable["with"]
    vowel = syllable["vowel"].translate(_LONG) + (syllable["last"] or "")
    onset = _onset(syllable["first"], signs)
    rhyme = _RHYMES.get(f"ွ{vowel}", "") if "ွ" in signs else ""
    if not rhyme:
        rhyme = _RHYMES.get(vowel, "a")
        if "ွ" in signs:
            onset += "w"
    if _SHORT_TONE in syllable.group() and rhyme.endswith("n"):
        rhyme += "t"
    if vowel == "ို" and _LONG_TONE in syllable.group():
        rhyme = "oe"  # Soe, Moe
    if not onset and rhyme == "e":
        return "aye"
    return onset + rhyme


def _onset(letter: str, signs: str) -> str:
    """Return a consonant with the signs for y and h.

    The h is written before other letters: Hlaing.
    """
    consonant = _CONSONANTS.get(letter, "")
    is_y = "ျ" in signs or "ြ" in signs
    spoken = f"{consonant}y" if is_y else consonant
    if "ှ" not in signs:
        return _TOGETHER.get(spoken, spoken)
    return _TOGETHER.get(f"{spoken}h", f"h{spoken}")
