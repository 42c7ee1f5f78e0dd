"""How similar two words are, and why: by letters, by consonants, by sound, or as nicknames."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache, lru_cache
from itertools import product

from nicknames import NickNamer
from rapidfuzz.distance import OSA, JaroWinkler

from checks.data import table
from checks.screening import tunables
from checks.screening.matching import names
from checks.screening.matching import tunables as word_tunables
from checks.screening.matching.parts import frequent_names, titles, translations
from checks.screening.romanisation import coarse, mandarin, phonetics

# A score from 0 to 1, and the reason.
Similarity = tuple[float, str]
WITHOUT_ABDUL = "without Abdul"
NOT_ALIKE: Similarity = (0.0, "")


@lru_cache(tunables.CACHED_PAIRS)
def compare_words(a: str, b: str, script: str) -> Similarity:
    """Return the similarity of two words, from 0 to 1, and the reason.

    `script` selects the sounds: "abjad" (one side in it), "consonants" (both), "hangul", "han",
    "syllables", or "" for letters.
    """
    if a == b:
        return 1.0, "equal"
    if a.isdigit() or b.isdigit():
        return _compare_numbers(a, b)
    if len(a) == 1 or len(b) == 1:
        return _compare_initials(a, b)
    return _BY_SCRIPT[script](a, b)


def _compare_numbers(a: str, b: str) -> Similarity:
    """Compare two numbers, which are equal or not.

    A written number may have a typo: Thee for three.
    """
    word, number = a, b
    if a.isdigit():
        word, number = b, a
    if len(word) < word_tunables.SHORTEST_NUMBER or word.isdigit():
        return NOT_ALIKE
    for spelling in names.spellings_of_numbers().get(number, ()):
        if _is_one_slip(word, spelling):
            return word_tunables.NUMBER_WITH_SLIP, "number"
    return NOT_ALIKE


def _compare_initials(a: str, b: str) -> Similarity:
    forms = names.form_classes()
    if a[0] != b[0]:
        return NOT_ALIKE
    if a in forms or b in forms:
        return NOT_ALIKE
    return word_tunables.INITIAL, "initial"


def _is_one_slip(a: str, b: str) -> bool:
    return OSA.distance(a, b, score_cutoff=1) <= 1


def _compare_letters(a: str, b: str) -> Similarity:
    sound_a, sound_b = phonetics.spelling(a), phonetics.spelling(b)
    if sound_a == sound_b:
        return _score_of_variant(a, b), "spelling variant"
    if is_nickname(a, b):
        return word_tunables.NICKNAME, "nickname"
    forms = names.form_classes()
    if a in forms or b in forms:
        return _compare_forms(a, b)
    if phonetics.as_read(a) == phonetics.as_read(b):
        return word_tunables.MISREAD, "misread by a machine"
    begin_alike = sound_a[0] == sound_b[0]
    end_alike = sound_a[-1] == sound_b[-1]
    if not begin_alike and not end_alike:
        # Hardly anybody mistypes both ends of a word. Most pairs end here.
        return NOT_ALIKE
    if a.startswith("abdul") or b.startswith("abdul"):
        return _compare_abd_compounds(a, b)
    return _compare_spellings(a, b, sound_a, sound_b)


def _score_of_variant(a: str, b: str) -> float:
    """Return the score of two words with the same sound.

    Very different spellings score less, unless they are known forms of one name.
    """
    # Words of the same folded sound may still be different names if hardly any letter agrees.
    is_far = OSA.distance(a, b) * 2 > max(len(a), len(b))
    if is_far and not is_nickname(a, b):
        return word_tunables.FAR_VARIANT
    return word_tunables.SPELLING_VARIANT


def _compare_forms(a: str, b: str) -> Similarity:
    """Compare a legal form with a word that may be one with a typo: CORPP. Two legal forms are
    never similar.
    """
    classes = names.form_classes()
    word, form = a, b
    if a in classes:
        word, form = b, a
    if len(word) < word_tunables.SHORTEST_FORM or word in classes:
        return NOT_ALIKE
    for spelling in names.spellings_of_forms().get(form, ()):
        if _is_one_slip(word, spelling):
            longest = max(len(word), len(spelling))
            return 1 - word_tunables.FORM_SLIP / longest, "legal form"
    return NOT_ALIKE


def _compare_abd_compounds(a: str, b: str) -> Similarity:
    """Compare names with Abdul by the name after it: Abdul Hamid and Abdul Ghani differ.

    One side may lack Abdul, because people often omit it.
    """
    rest_a, rest_b = a.removeprefix("abdul"), b.removeprefix("abdul")
    if not rest_a or not rest_b:
        return NOT_ALIKE
    score, how = compare_words(rest_a, rest_b, "")
    on_both = rest_a != a and rest_b != b
    if not on_both:
        if score > word_tunables.SAME_WITHOUT_ABDUL:
            return word_tunables.WITHOUT_ABDUL, WITHOUT_ABDUL
        return NOT_ALIKE
    if score < tunables.SAME_WORD:
        return score, how
    return (1 + score) / 2, how


def _compare_spellings(a: str, b: str, sound_a: str, sound_b: str) -> Similarity:
    shortest, longest = sorted((len(a), len(b)))
    # The number of allowed typos grows with the length of the word.
    allowed = slips_allowed(shortest)
    # Beyond the cut-off the distance is reported as cut-off + 1, which is too far.
    slips = OSA.distance(a, b, score_cutoff=allowed)
    slips_of_sound = OSA.distance(sound_a, sound_b, score_cutoff=allowed)
    # The form of the sound is shorter than the word, so that a slip in it changes more.
    allowed_of_sound = allowed
    if shortest <= word_tunables.SHORT_WORD:
        allowed_of_sound -= 1
    if slips <= allowed or slips_of_sound <= allowed_of_sound:
        cost = min(slips, slips_of_sound + word_tunables.SLIP_OF_SOUND)
        score = 1 - cost / longest * word_tunables.SLIP
        if cost >= 2:
            score -= word_tunables.SEVERAL_SLIPS
        if begin_otherwise(a, b):
            score -= word_tunables.OTHER_BEGINNING
        return max(score, 0.0), "spelling"
    if _are_same_consonants(a, b):
        if phonetics.are_other_vowels(sound_a, sound_b):
            return word_tunables.CONSONANTS_ALONE, "same consonants, other vowels"
        if longest > shortest * word_tunables.FAR_LENGTH:
            return word_tunables.FAR_CONSONANTS, "same consonants"
        return word_tunables.SAME_CONSONANTS, "same consonants"
    return _compare_long_words(a, b, shortest)


def begin_otherwise(a: str, b: str) -> bool:
    """Whether the words begin with unrelated consonants.

    A letter that was left out or swapped does not count.
    """
    sound_a = phonetics.spelling(phonetics.as_read(a))
    sound_b = phonetics.spelling(phonetics.as_read(b))
    if sound_a[0] == sound_b[0] or len(a) != len(b):
        return False
    if sound_a[0] in _VOWELS or sound_b[0] in _VOWELS:
        return False
    if _related(sound_a[0]) == _related(sound_b[0]):
        return False
    return a[:2] != b[1::-1]


_VOWELS = frozenset("aeiou")
# Sounds that people confuse when they hear them or write them in another language: Chang and Zhang.
_RELATED = str.maketrans("cjzgqhpvfd", "ssskkkbbbt")


def _related(sound: str) -> str:
    return sound.translate(_RELATED)


def _compare_long_words(a: str, b: str, shortest: int) -> Similarity:
    if shortest < word_tunables.SHORTEST_PREFIX:
        return NOT_ALIKE
    common = word_tunables.COMMON_LETTERS
    if JaroWinkler.similarity(a, b, score_cutoff=common) > common:
        return word_tunables.MANY_COMMON_LETTERS, "spelling"
    if a.startswith(b) or b.startswith(a):
        return word_tunables.CUT_SHORT, "cut short"
    return NOT_ALIKE


def _are_same_consonants(a: str, b: str) -> bool:
    consonants = phonetics.consonant_key(a)
    if len(consonants) < word_tunables.SHORTEST_CONSONANTS:
        return False
    return consonants == phonetics.consonant_key(b)


def slips_allowed(letters: int) -> int:
    if letters <= word_tunables.LETTERS_WITHOUT_SLIP:
        return 0
    if letters <= word_tunables.LETTERS_WITH_ONE_SLIP:
        return 1
    if letters <= word_tunables.LETTERS_WITH_TWO_SLIPS:
        return 2
    return 3


def _compare_across(a: str, b: str) -> Similarity:
    """Compare a word in Arabic or Hebrew letters with one in other letters."""
    if translations.are_synonyms(a, b):
        return word_tunables.TRANSLATION, translations.HOW
    particles = titles.particles()
    if (a in particles) != (b in particles):
        return NOT_ALIKE
    best = _compare_consonants(a, b)
    foreign_a = phonetics.as_in_arabic(a)
    foreign_b = phonetics.as_in_arabic(b)
    if foreign_a != a or foreign_b != b:
        foreign = _compare_at_most(word_tunables.FOREIGN_WORD, foreign_a, foreign_b)
        best = max(best, foreign)
    if best[0] > word_tunables.OTHER_VOWELS and phonetics.vowels_contradict(a, b):
        return word_tunables.OTHER_VOWELS, "transliteration, other vowels"
    # Only a weak match is tried again without the article.
    if best[0] >= word_tunables.WITHOUT_ARTICLE:
        return best
    plain_a = phonetics.without_article(a)
    plain_b = phonetics.without_article(b)
    if plain_a != a or plain_b != b:
        plain = _compare_at_most(word_tunables.WITHOUT_ARTICLE, plain_a, plain_b)
        best = max(best, plain)
    return best


def _compare_translated(a: str, b: str) -> Similarity:
    """Compare two words of which one was translated, or is the sound of another script."""
    if translations.are_synonyms(a, b):
        return word_tunables.TRANSLATION, translations.HOW
    is_korean = bool(_OF_KOREAN.search(a) or _OF_KOREAN.search(b))
    if not is_korean and mandarin.is_pinyin(a) and mandarin.is_pinyin(b):
        # Another letter is another syllable: Xiaomi and Xiaoli.
        return NOT_ALIKE
    sound = phonetics.korean(a)
    if sound and sound == phonetics.korean(b):
        return word_tunables.SAME_KOREAN, "romanisation"
    return _compare_letters(a, b)


# Vowels that pinyin has only side by side in two syllables: Daedong, Seoul.
_OF_KOREAN = re.compile("ae|eo|eu")


def _compare_at_most(most: float, a: str, b: str) -> Similarity:
    score, how = _compare_consonants(a, b)
    return min(score, most), how


def _compare_consonants(word_a: str, word_b: str) -> Similarity:
    """Compare two words by the consonants that an abjad writes."""
    how = "transliteration"
    a, b = phonetics.abjad(word_a), phonetics.abjad(word_b)
    if a == b:
        differ = _differ_in_letters(word_a, word_b)
        return (word_tunables.SOFT_CONSONANTS if differ else _score_of_same(a)), how
    shortest = min(len(a), len(b))
    if shortest < word_tunables.SHORTEST_CONSONANTS:
        return NOT_ALIKE
    if a.translate(_SOFT) == b.translate(_SOFT):
        return word_tunables.SOFT_CONSONANTS, how
    if not _is_one_slip(a, b):
        return NOT_ALIKE
    if shortest > word_tunables.SHORTEST_CONSONANTS:
        return word_tunables.OTHER_CONSONANT, how
    if a[0] == b[0]:
        return word_tunables.OTHER_OF_THREE, how
    return NOT_ALIKE


def _differ_in_letters(a: str, b: str) -> bool:
    """Whether sounds that are alike here are two letters in Arabic: z and sh, j and k."""
    return phonetics.sibilants_differ(a, b) or phonetics.j_stands_for_k(a, b)


def _score_of_same(consonants: str) -> float:
    """Return the score of equal consonants. The fewer there are, the less they prove."""
    if not consonants:
        return word_tunables.TRANSLITERATION_OF_NONE
    if len(consonants) == 1:
        return word_tunables.TRANSLITERATION_OF_ONE
    return word_tunables.TRANSLITERATION


# Some Arabic letters are transcribed in two ways: Nazmi and Nadhmi, Uthman and Osman.
_SOFT = str.maketrans("dt", "ss")


def _compare_abjad(a: str, b: str) -> Similarity:
    """Compare two words that are both in Arabic or Hebrew letters.

    The letters are more specific than their sounds.
    """
    consonants = phonetics.abjad(a)
    are_enough = len(consonants) >= word_tunables.SHORTEST_CONSONANTS
    if are_enough and consonants == phonetics.abjad(b):
        return word_tunables.WRITTEN_CONSONANTS, "same consonants"
    shortest = min(len(a), len(b))
    if shortest >= word_tunables.SHORTEST_OF_ABJAD and _is_one_slip(a, b):
        return word_tunables.LETTER_OF_ABJAD, "spelling"
    return NOT_ALIKE


def _compare_han(a: str, b: str) -> Similarity:
    # Li and Lei are two syllables of pinyin, and two names.
    syllables = mandarin.pinyin()
    if a in syllables and b in syllables:
        return NOT_ALIKE
    if phonetics.spelling(a) == phonetics.spelling(b):
        return word_tunables.SAME_HAN, "romanisation"
    return NOT_ALIKE


def _compare_syllables(a: str, b: str) -> Similarity:
    """Return that two different syllables of one script are not similar."""
    return NOT_ALIKE


def _compare_korean(word_a: str, word_b: str) -> Similarity:
    a, b = phonetics.korean(word_a), phonetics.korean(word_b)
    if a and a == b:
        return word_tunables.SAME_KOREAN, "romanisation"
    shortest = min(len(a), len(b))
    if shortest > 1 and _is_one_slip(a, b):
        return word_tunables.NEAR_KOREAN, "romanisation"
    return NOT_ALIKE


def _compare_coarse(a: str, b: str) -> Similarity:
    """Compare a word with one in kana, Thai, Khmer or their like, by classes of consonants."""
    best = 0.0
    for form_a, form_b in product(coarse.forms(a), coarse.forms(b)):
        best = max(best, _score_of_forms(form_a, form_b))
    return best, coarse.HOW if best else ""


def _score_of_forms(a: str, b: str) -> float:
    shortest = min(len(a), len(b))
    if a == b:
        few = shortest < word_tunables.SHORTEST_CONSONANTS
        return word_tunables.COARSE_OF_FEW if few else word_tunables.COARSE
    slips = OSA.distance(a, b, score_cutoff=2)
    if slips == 1 and shortest >= word_tunables.SHORTEST_CONSONANTS:
        return word_tunables.COARSE_WITH_SLIP
    if slips == 2 and shortest >= word_tunables.COARSE_WITH_TWO_SLIPS:
        return word_tunables.COARSE_FAR
    return 0.0


@lru_cache(tunables.CACHED_SELDOM)
def other_names(word: str) -> tuple[str, ...]:
    """Return the other names of a person with this given name, in any language."""
    names_instead: dict[str, None] = {}
    names_instead.update(dict.fromkeys(sorted(_full_names().get(word, ()))))
    names_instead.update(dict.fromkeys(sorted(_short_forms().get(word, ()))))
    return tuple(names_instead)


@cache
def _full_names() -> dict[str, set[str]]:
    """Return for each short form the full names that it stands for."""
    full_names: dict[str, set[str]] = {}
    for lookup in (_short_forms(), _nicknames()):
        for name, short_forms in lookup.items():
            for short_form in short_forms:
                full_names.setdefault(short_form, set()).add(name)
    return full_names


def is_nickname(a: str, b: str) -> bool:
    return b in forms_of(a)


def forms_of(name: str) -> Collection[str]:
    """Return the other forms of a given name: in other languages, and short ones."""
    return _other_forms().get(name, ())


@cache
def _other_forms() -> dict[str, set[str]]:
    """Return for each given name its forms in other languages and its nicknames, and for each of
    these the name.

    One dictionary, because it is asked about nearly every two words that are compared.
    """
    forms: dict[str, set[str]] = {}
    for name, others in frequent_names.forms_in_languages().items():
        forms.setdefault(name, set()).update(others)
    for lookup in (_short_forms(), _nicknames()):
        for name, short_forms in lookup.items():
            forms.setdefault(name, set()).update(short_forms)
            for short_form in short_forms:
                forms.setdefault(short_form, set()).add(name)
    return forms


@cache
def _short_forms() -> dict[str, frozenset[str]]:
    """Return for each spelling of a given name its short forms in any language."""
    spellings_of = frequent_names.forms_in_languages()
    short_forms: dict[str, frozenset[str]] = {}
    for row in table("short_names"):
        name = row["name"]
        shorts = frozenset(row["short_forms"].split())
        for spelling in spellings_of.get(name, frozenset()) | {name}:
            short_forms[spelling] = short_forms.get(spelling, frozenset()) | shorts
    return short_forms


@cache
def _nicknames() -> dict[str, set[str]]:
    """Return nicknames by full name.

    Nicknames of two letters are left out, because they fit too many names.
    """
    nicknames: dict[str, set[str]] = {}
    for name, shorts in NickNamer().nickname_lookup.items():
        if len(name) > 2:
            nicknames[name] = {short for short in shorts if len(short) > 2}
    return nicknames


_BY_SCRIPT = {
    "": _compare_letters,
    "abjad": _compare_across,
    "consonants": _compare_abjad,
    "hangul": _compare_korean,
    "han": _compare_han,
    "syllables": _compare_syllables,
    coarse.SCRIPT: _compare_coarse,
    translations.SCRIPT: _compare_translated,
}
