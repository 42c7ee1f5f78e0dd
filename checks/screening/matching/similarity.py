"""How alike two words are, and in which way: by letters, by consonants, by sound, as nicknames."""

from __future__ import annotations

from functools import cache, lru_cache

from nicknames import NickNamer
from rapidfuzz.distance import OSA, JaroWinkler

from checks.data import table
from checks.screening.matching import names, phonetics

Likeness = tuple[float, str]
WITHOUT_ARTICLE = 0.91
# The same consonants in Arabic, with another long vowel between them.
OTHER_VOWELS = 0.84
# A foreign word in Arabic, which has no p and no v.
FOREIGN = 0.84
WITHOUT_ABDUL = "without Abdul"
NOT_ALIKE: Likeness = (0.0, "")


@lru_cache(100_000)
def alike(a: str, b: str, script: str) -> Likeness:
    """How alike two words are, from 0 to 1, and in which way; 0 where they are not.

    `script` says by which sounds: "abjad" (one side in it), "consonants" (both), "hangul", "han",
    "syllables", or "" for letters.
    """
    if a == b:
        return 1.0, "equal"
    if a.isdigit() or b.isdigit():
        return _alike_numbers(a, b)
    if len(a) == 1 or len(b) == 1:
        is_form = a in names.form_classes() or b in names.form_classes()
        return (0.8, "initial") if a[0] == b[0] and not is_form else NOT_ALIKE
    return _BY_SCRIPT[script](a, b)


def _alike_numbers(a: str, b: str) -> Likeness:
    """Thee for three: a slip in a number that is written out. Two numbers are the same or not."""
    word, number = (b, a) if a.isdigit() else (a, b)
    if len(word) < 4 or word.isdigit():
        return NOT_ALIKE
    spellings = names.spellings_of_numbers().get(number, ())
    near = any(OSA.distance(word, one, score_cutoff=1) <= 1 for one in spellings)
    return (0.85, "number") if near else NOT_ALIKE


def _alike_letters(a: str, b: str) -> Likeness:
    fa, fb = phonetics.spelling(a), phonetics.spelling(b)
    if fa == fb:
        return 0.96, "spelling variant"
    if is_nickname(a, b):
        return 0.85, "nickname"
    if a in names.form_classes() or b in names.form_classes():
        return _alike_forms(a, b)
    if fa[0] != fb[0] and fa[-1] != fb[-1]:
        return NOT_ALIKE  # nobody mistypes both ends of a word, and most pairs end here
    if a.startswith("abdul") or b.startswith("abdul"):
        return _alike_servants(a, b)
    return _spelt_alike(a, b, fa, fb)


def _alike_forms(a: str, b: str) -> Likeness:
    """CORPP for a corporation: a slip in a legal form. Two forms are alike or not by class."""
    word, form = (b, a) if a in names.form_classes() else (a, b)
    if len(word) < 3 or word in names.form_classes():
        return NOT_ALIKE
    for written in names.spellings_of_forms().get(form, ()):
        if OSA.distance(word, written, score_cutoff=1) <= 1:
            return 1 - 1.1 / max(len(word), len(written)), "legal form"
    return NOT_ALIKE


def _alike_servants(a: str, b: str) -> Likeness:
    """Abdul Hamid and Abdul Ghani: what they serve tells them apart. Abdul is left out at times."""
    of_a, of_b = a.removeprefix("abdul"), b.removeprefix("abdul")
    if not of_a or not of_b:
        return NOT_ALIKE
    score, how = alike(of_a, of_b, "")
    if (of_a == a) != (of_b == b):
        return (0.8, WITHOUT_ABDUL) if score > 0.95 else NOT_ALIKE
    return (score and (1 + score) / 2), how


def _spelt_alike(a: str, b: str, fa: str, fb: str) -> Likeness:
    shortest, longest = sorted((len(a), len(b)))
    budget = 0 if shortest <= 2 else 1 if shortest <= 5 else 2 if shortest <= 9 else 3
    # Beyond the cut-off it is one more than that, which the comparisons below take as too far.
    plain = OSA.distance(a, b, score_cutoff=budget)
    folded = OSA.distance(fa, fb, score_cutoff=budget)
    if plain <= budget or folded <= budget - (shortest <= 4):
        slips = min(plain, folded + 0.5)
        return max(1 - slips / longest * 1.1 - (0.05 if slips >= 2 else 0.0), 0.0), "spelling"
    if len(bones := phonetics.skeleton(a)) > 2 and bones == phonetics.skeleton(b):
        return 0.82, "same consonants"
    if shortest >= 5:
        if JaroWinkler.similarity(a, b, score_cutoff=0.92) > 0.92:
            return 0.8, "spelling"
        if a.startswith(b) or b.startswith(a):
            return 0.75, "cut short"
    return NOT_ALIKE


def _alike_across(a: str, b: str) -> Likeness:
    """A word in Arabic or Hebrew letters and one in others."""
    if (a in names.particles()) != (b in names.particles()):
        return NOT_ALIKE
    found = _transliterated(phonetics.abjad(a), phonetics.abjad(b))
    foreign = [phonetics.as_in_arabic(word) for word in (a, b)]
    if foreign != [a, b]:
        other = _transliterated(*map(phonetics.abjad, foreign))
        found = max(found, (min(other[0], FOREIGN), other[1]))
    if found[0] > OTHER_VOWELS and phonetics.vowels_contradict(a, b):
        return OTHER_VOWELS, "transliteration, other vowels"
    if found[0] < WITHOUT_ARTICLE:
        plain = [phonetics.without_article(word) for word in (a, b)]
        if plain != [a, b]:
            other = _transliterated(*map(phonetics.abjad, plain))
            found = max(found, (min(other[0], WITHOUT_ARTICLE), other[1]))
    return found


def _transliterated(a: str, b: str) -> Likeness:
    if not a or not b:
        return (0.6, "transliteration") if a == b else NOT_ALIKE
    if a == b:
        return (0.93 if len(a) > 1 else 0.87), "transliteration"
    shortest = min(len(a), len(b))
    if shortest < 3:
        return NOT_ALIKE
    if a.translate(_SOFT) == b.translate(_SOFT):
        return 0.85, "transliteration"
    if OSA.distance(a, b, score_cutoff=1) <= 1:
        if shortest > 3:
            return 0.78, "transliteration"
        if a[0] == b[0]:
            return 0.6, "transliteration"
    return NOT_ALIKE


# One letter of Arabic is read as either: Nazmi and Nadhmi, Uthman and Osman.
_SOFT = str.maketrans("dt", "ss")


def _alike_consonants(a: str, b: str) -> Likeness:
    """Two words in Arabic or Hebrew letters: these tell more than the sounds they stand for."""
    bones = phonetics.abjad(a)
    if len(bones) > 2 and bones == phonetics.abjad(b):
        return 0.93, "same consonants"
    shortest = min(len(a), len(b))
    if shortest > 3 and OSA.distance(a, b, score_cutoff=1) <= 1:
        return 0.85, "spelling"
    return NOT_ALIKE


def _alike_han(a: str, b: str) -> Likeness:
    same = phonetics.spelling(a) == phonetics.spelling(b)
    return (0.95, "romanisation") if same else NOT_ALIKE


def _alike_syllables(a: str, b: str) -> Likeness:
    """A syllable in the same script is the same or another."""
    return NOT_ALIKE


def _alike_korean(one: str, other: str) -> Likeness:
    a, b = phonetics.korean(one), phonetics.korean(other)
    if a and a == b:
        return 0.93, "romanisation"
    if min(len(a), len(b)) > 1 and OSA.distance(a, b, score_cutoff=1) <= 1:
        return 0.7, "romanisation"
    return NOT_ALIKE


def is_nickname(a: str, b: str) -> bool:
    known = _nicknames()
    if a in _other_languages().get(b, ()):
        return True
    return b in known.get(a, ()) or a in known.get(b, ())


@cache
def _other_languages() -> dict[str, frozenset[str]]:
    """Of each form of a given name, all its forms."""
    found: dict[str, frozenset[str]] = {}
    for row in table("given_names"):
        forms = frozenset(row["names"].split())
        for form in forms:
            found[form] = found.get(form, frozenset()) | forms
    return found


@cache
def _nicknames() -> dict[str, set[str]]:
    """By full name. One of two letters stands for too many."""
    return {
        name: {short for short in shorts if len(short) > 2}
        for name, shorts in NickNamer().nickname_lookup.items()
        if len(name) > 2
    }


_BY_SCRIPT = {
    "": _alike_letters,
    "abjad": _alike_across,
    "consonants": _alike_consonants,
    "hangul": _alike_korean,
    "han": _alike_han,
    "syllables": _alike_syllables,
}
