"""A name as words to compare, for persons and for all other entities."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cache, lru_cache
from itertools import chain
from typing import NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import OSA

from checks.data import table
from checks.screening import tunables
from checks.screening.matching import tunables as word_tunables
from checks.screening.matching.parts import (
    compounds,
    country_names,
    own_acronyms,
    titles,
    translations,
)
from checks.screening.romanisation import coarse, scripts
from checks.screening.romanisation.languages import Reading


class Name(NamedTuple):
    """The words of a name in lower-case ASCII. `script` decides how sounds are compared.

    A tuple, because each search makes some dozens of them.
    """

    tokens: tuple[str, ...]
    script: str
    person: bool
    # Titles are not among the words. They are kept because a word of another name may be one of
    # them with a typo.
    titles: tuple[str, ...] = ()

    @classmethod
    def read(cls, text: str, script: str, *, person: bool) -> Name:
        """Rebuild a name from its `text`, which is the form that an index keeps."""
        words = text.split()
        if "~" not in text:
            return cls(tuple(words), script, person)
        tokens: list[str] = []
        titles: list[str] = []
        for word in words:
            if word[0] == "~":
                titles.append(word[1:])
            else:
                tokens.append(word)
        return cls(tuple(tokens), script, person, tuple(titles))

    @property
    def text(self) -> str:
        """The words, followed by the titles with a tilde before each."""
        titles = [f"~{title}" for title in self.titles]
        return " ".join((*self.tokens, *titles))

    @property
    def joined(self) -> str:
        """The words without spaces; of a company, without its legal form."""
        if self.person:
            return "".join(self.tokens)
        return _joined_of_company(self.tokens)


@lru_cache(tunables.CACHED_NAMES)
def _joined_of_company(tokens: tuple[str, ...]) -> str:
    forms, parts = form_classes(), form_parts()
    words = [word for word in tokens if word not in forms and word not in parts]
    return "".join(words or tokens)


def alternatives(text: str, *, person: bool) -> list[str]:
    """Return the name, and the names within it: Al-Qaida/Islamic Army, Ann Bell alias Nan Bell.

    An alias of a person needs two words: one alone is a name of many people.
    """
    text = _written_out(text)
    parts = [part.strip() for part in text.split("/")]
    if len(parts) > 1 and min(map(len, parts)) >= tunables.SHORTEST_ALTERNATIVE:
        return [text, *parts]
    born = _BORN.fullmatch(text)
    if born:
        now, before = born.groups()
        given = now.rsplit(maxsplit=1)[0]
        return [now, f"{given} {before}"]
    renamed = _RENAMED.fullmatch(text)
    if renamed:
        return [text, *renamed.groups()]
    if person:
        return _of_person(text)
    return [text, *_TRADING_AS.split(text)] if _TRADING_AS.search(text) else [text]


def _of_person(text: str) -> list[str]:
    """Return the names within the text: beside alias and in brackets, and without what is quoted."""
    texts = []
    for part in _ALIAS.split(_QUOTED.sub(" ", text)):
        outside = _IN_BRACKETS.sub(" ", part)
        texts.append(outside)
        for inside in _IN_BRACKETS.findall(part):
            texts.append(inside)
            # The name at birth: Olga Semenova (Karpova).
            given = " ".join(outside.split()[:-1])
            texts.append(f"{given} {inside}")
    several: dict[str, None] = {}
    for each in texts:
        name = " ".join(each.split())
        if name.count(" "):
            several[name] = None
    # A name alone, as of people of Indonesia.
    return list(several) or [text]


# A name by which somebody is called stands between quotes: Joaquín "El Chapo" Guzmán.
_QUOTED = re.compile(
    '["\u201c\u201d\u201e\u00ab]([^"\u201c\u201d\u00bb]+)["\u201c\u201d\u00bb]'
)
_IN_BRACKETS = re.compile(r"\(([^()]+)\)")
_ALIAS = re.compile(
    r"[,;]? (?:alias|a\.k\.a\.|aka|a/k/a|also known as|better known as|known as|genannt|alcunha|vulgo|dite?|detto|@)[:,]? ",
    re.IGNORECASE,
)
_TRADING_AS = re.compile(
    r",? (?:t/a|d/b/a|dba|o/a|trading as|doing business as|operating as)[:,]? ",
    re.IGNORECASE,
)


def _written_out(text: str) -> str:
    """Return the text with the abbreviations of names written out: G/Medhin is Gebremedhin."""
    for pattern, words in _ABBREVIATIONS:
        text = pattern.sub(words, text)
    return _DEGREES_BEHIND.sub("", _DEGREES.sub(r"\1 ", text))


# What capitals and dots tell from initials and from whole names.
_ABBREVIATIONS = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"(?<=\w )b\. ?(?=\w)", "bin "),
        (r"(?<=\w )(?:bt\.|bte\.?) ?(?=\w)", "binti "),
        (r"\bM(?:a\.|ª\.?)(?!\w)", "Maria"),
        (r"\bS[kK]\. ?(?=\w)", "Sheikh "),
        # Of Ethiopia and Eritrea.
        (r"\bG/ ?(?=[A-Z])", "Gebre"),
        (r"\bH/ ?(?=[A-Z])", "Haile"),
        (r"\bT/ ?(?=[A-Z])", "Tekle"),
        (r"\bW/ ?(?=[A-Z])", "Wolde"),
    )
)
# Dr. med. dent., Prof. Dr. h.c.: academic degrees have small letters and a dot.
_DEGREES = re.compile(
    r"\b(Dr\.|Prof\.)(?: ?(?:med|dent|vet|phil|jur|iur|rer|nat|pol|oec|techn|theol|habil|h|c)\.)+ ?"
)
_DEGREES_BEHIND = re.compile(
    r",? (?:Ph\. ?D|M\. ?B\. ?A|LL\. ?M|[BMD]\. ?Sc|M\. ?A|M\. ?D)\.(?=$|[ ,])"
)


def of_vessel(text: str) -> list[str]:
    """Return the name of a vessel, also without its kind before it: M/T Lana is Lana."""
    first, _, rest = text.strip().partition(" ")
    kind = re.sub(r"[./]", "", first.casefold())
    if rest.strip() and kind in _company("vessel"):
        return [text, rest.strip()]
    return [text]


# What stands before an earlier name: Lana (ex Pegas), Acme Ltd formerly known as Zenith Ltd. Imp ex is
# import and export.
_RENAMED = re.compile(
    r"(\S.{3,}?),? \(?(?:(?:formerly|previously)(?: known as)?|f/k/a|fka|(?<!imp )ex|ex-name)[:.]? ([^()]{4,})\)?",
    re.IGNORECASE,
)
# What languages write before the name at birth: Elena Petrescu née Vulcanescu is Elena Vulcanescu, too.
_BORN = re.compile(
    r"(\S+(?: \S+)+?),? \(?(?:n[ée]e|geb\.?|geborene?|z domu|rozen[áa]|roz\.|урожд[её]нная|урожд\.|born|nata|nacida"
    r"|født|född|szül\.)\)? ([^\s()]+(?: [^\s()]+)?)\)?",
    re.IGNORECASE,
)


@lru_cache(tunables.CACHED_NAMES)
def parse(text: str, *, person: bool, reading: Reading = "usual") -> Name:
    """Parse a name. A name without letters and digits has no tokens and matches nothing.

    `reading`: one of those of `readings`.
    """
    text = _written_out(text)
    # A limit of the length, because alignment takes time for every pair of words.
    text = text[: tunables.LONGEST_COMPARED]
    if not person:
        text = own_acronyms.without(text)
    cleaned = scripts.clean(text, person=person)
    if reading in _TRANSLATED:
        cleaned = translations.in_english(cleaned)
    script = scripts.script_of(cleaned)
    folded = scripts.latin(cleaned, script, reading=reading)
    if reading in _COARSE:
        script = coarse.SCRIPT
    elif reading in _TRANSLATED:
        script = script or translations.SCRIPT
    if not person:
        has_own_countries = reading == "own-countries"
        tokens = _of_company(folded, has_own_countries=has_own_countries)
        tokens = tokens[: tunables.MOST_WORDS]
        return Name(tuple(tokens), script, person)
    folded = _TITLE_RUN_ON.sub(r"\1 \2", folded)
    if not script:
        folded = compounds.with_plain_compounds(folded)
        folded = compounds.with_plain_beginnings(folded)
        folded = compounds.with_plain_articles(folded)
    all_words = compounds.with_ends(folded.split(), titles.of_script(script))
    words, all_titles = titles.split(all_words, script)
    tokens = _with_abd_compounds(words)[: tunables.MOST_WORDS]
    return Name(tuple(tokens), script, person, tuple(all_titles))


_TRANSLATED: Collection[Reading] = ("translated", "translated-coarse")
_COARSE: Collection[Reading] = ("coarse", "translated-coarse")


def readings(text: str, *, person: bool) -> Iterator[Reading]:
    """Yield the ways to read a name that is looked for: the usual one first."""
    yield from scripts.readings(text)
    if person:
        return
    if country_names.has_another(text):
        yield "own-countries"
    if translations.can_translate(text):
        yield "translated"


def readings_of_listed(
    text: str, *, person: bool, has_latin_name: bool
) -> Iterator[Reading]:
    """Yield the ways to read a listed name: in translation, if it has no name in Latin letters."""
    yield from scripts.readings_of_listed(text, has_latin_name=has_latin_name)
    if not person and country_names.has_another(text):
        yield "own-countries"
    if person or has_latin_name or not translations.can_translate(text):
        return
    yield "translated"
    if coarse.has_letters(text):
        yield "translated-coarse"


_TITLE_RUN_ON = re.compile(
    r"\b(haji|hajji|mullah|mufti|qari|sheikh|shaikh|maulavi|maulana)(abd[aeu][lr])\b"
)
_ABD = re.compile(r"ab[ei]?d([aeiou]?[lrn])?")
_ABD_COMPOUND = re.compile(r"^ab[ei]?d[aeiou]?[lr](?=[^l])|^abd[aeou]rr")
_ARTICLES = {"al", "el", "ul", "ur", "ol", "il", "ar", "as", "an"}


def _with_abd_compounds(words: list[str]) -> list[str]:
    """Join Abd with the name that follows it.

    Abd al-Rahman, Abdul Rahman, Abdelrahman and Abdur-Rehman become one word with one spelling.
    """
    compounds: list[str] = []
    rest = list(words)
    if len(rest) == 2 and rest[1] == "abdul":
        # A form with the family name first: Baqi Abdul.
        rest.reverse()
    while rest:
        word = rest.pop(0)
        if rest and _is_abd(word):
            if len(rest) > 1 and rest[0] in _ARTICLES:
                del rest[0]
                word = "abdul" + rest.pop(0)
            else:
                word = "abdul" + rest.pop(0).removeprefix("al")
        compounds.append(_ABD_COMPOUND.sub(_abdul, word))
    return compounds


def _is_abd(word: str) -> bool:
    """Abd or Abdul, which may have one slip in it: Abdlu, Adbul, Abdoul. Abdu and Abdulla are names."""
    if _ABD.fullmatch(word):
        return True
    letters = len(word)
    if letters < len("abdul") or (letters > len("abdul") and word.endswith(_VOWELS)):
        return False
    return OSA.distance(word, "abdul", score_cutoff=1) <= 1


_VOWELS = tuple("aeiou")


def _abdul(match: re.Match[str]) -> str:
    if match.group().endswith("rr"):
        return "abdulr"
    # Abdirahman and Abdurazzaq: the r belongs to the name, and the l of Abdul was assimilated to
    # it.
    follows = match.string[match.end() : match.end() + 1]
    if match.group().endswith("r") and follows in _VOWELS:
        return "abdulr"
    return "abdul"


def _of_company(folded: str, *, has_own_countries: bool) -> list[str]:
    # The order matters: legal forms that are glued to a word are split first, then phrases are
    # replaced by their class, and only then initials are joined, so that “S. A.” is already a legal
    # form.
    folded = " ".join(chain.from_iterable(map(_split_form, folded.split())))
    folded = _GLUED_PHRASE.sub(" ", folded)
    for pattern, form in _phrases():
        folded = pattern.sub(f" {form} ", folded)
    folded = _INITIALS.sub(_without_blanks, folded)
    folded = _ORDINAL.sub(r"\1", folded)
    stands_for = _short_forms()
    words: list[str] = []
    tens = ""
    all_words = folded.split()
    if not has_own_countries:
        all_words = country_names.in_english(all_words)
    for word in _without_slips(all_words):
        for part in _split_form(word):
            form = _form_without_slip(part)
            word_of_class = stands_for.get(form, form)
            if tens and len(word_of_class) == 1 and word_of_class.isdigit():
                words[-1] = tens + word_of_class
                tens = ""
                continue
            words.append(word_of_class)
            # “Forty-Four” is 44: the tens are remembered and joined with the next digit.
            is_written = form != word_of_class and word_of_class in _TENS
            tens = word_of_class[0] if is_written else ""
    return _without_kind_of_vessel(words)


def _without_kind_of_vessel(words: list[str]) -> list[str]:
    """Leave out what stands before the name of a vessel: M/V Ocean Pearl."""
    if len(words) > tunables.WORDS_OF_VESSEL and words[0] in _company("vessel"):
        return words[1:]
    return words


_TENS = frozenset(str(number) for number in range(20, 100, 10))


def _without_blanks(initials: re.Match[str]) -> str:
    return re.sub(" (and )?", "", initials.group())


@cache
def _short_forms() -> dict[str, str]:
    """Return what replaces legal forms, numbers, cities and usual words in the words of a name."""
    return _company("city") | _company("short") | _company("form") | _company("number")


def _without_slips(words: list[str]) -> list[str]:
    """Replace a long legal form with one or two typos (jont stock company) by its class."""
    phrases = _long_phrases()
    for size in (3, 4):
        for i in range(len(words) - size + 1):
            run = " ".join(words[i : i + size])
            if len(run) < word_tunables.SHORTEST_PHRASE - 1:
                continue
            most = word_tunables.SLIPS_IN_PHRASE
            nearest = process.extractOne(
                run, phrases.keys(), scorer=OSA.distance, score_cutoff=most
            )
            if nearest:
                form = phrases[nearest[0]]
                return [*words[:i], form, *words[i + size :]]
    return words


# “1st” and “22nd” become numbers, as “First” does.
_ORDINAL = re.compile(r"\b([0-9]+)(?:st|nd|rd|th)\b")
# A missing space before a legal form: SDM-BANKPUBLIC JOINT STOCK COMPANY.
_GLUED_PHRASE = re.compile(
    "(?<=[a-z]{3})(?=(?:(?:public|open|closed|private) )?(?:joint stock|limited liability) company|sanayi ve tic)"
)
# Initials that are written apart: A. B. C., and H & M.
_INITIALS = re.compile(r"\b[a-z](?: (?:and )?[a-z]\b)+")


@lru_cache(tunables.CACHED_SELDOM)
def _split_form(word: str) -> tuple[str, ...]:
    """Split a legal form from a word: COMPANYLLC becomes two words."""
    is_short = len(word) < word_tunables.SHORTEST_WITH_FORM
    if is_short or word in _company("form"):
        return (word,)
    for form in _glued():
        rest = _without(form, word)
        if len(rest) >= word_tunables.LEFT_BY_GLUED:
            return (form, rest) if word.startswith(form) else (rest, form)
    return (word,)


def _without(form: str, word: str) -> str:
    """Return the word without a legal form at its beginning or end; "" if it has none there."""
    if word.startswith(form):
        return word.removeprefix(form)
    if word.endswith(form):
        return word.removesuffix(form)
    return ""


@cache
def _glued() -> tuple[str, ...]:
    """Return words of legal forms that are too long to begin or end another word by chance, the
    longest first.
    """
    shortest = word_tunables.SHORTEST_GLUED
    words = {*_company("form"), *_company("form_part")}
    long = {word for word in words if len(word) >= shortest and " " not in word}
    return tuple(sorted(long | {"company", "limited"}, key=len, reverse=True))


@lru_cache(tunables.CACHED_SELDOM)
def _form_without_slip(word: str) -> str:
    """Return the legal form if the word is a long one with one typo, else the word."""
    if len(word) < word_tunables.SHORTEST_LONG_FORM:
        return word
    if word in _company("form") or word in _company("form_part"):
        return word
    for form in _long_forms():
        if OSA.distance(word, form, score_cutoff=1) <= 1:
            return form
    return word


@cache
def _long_forms() -> tuple[str, ...]:
    forms = (*_company("form"), *_company("form_part"))
    shortest = word_tunables.SHORTEST_LONG_FORM
    long = [form for form in forms if len(form) >= shortest]
    # Airlines stands for air, which a slip in it does not resemble. Shorter words are near others.
    long += [word for word in _company("short") if len(word) > shortest]
    return tuple(long)


@cache
def form_parts() -> frozenset[str]:
    return frozenset(_company("form_part"))


@lru_cache(tunables.CACHED_NAMES)
def patronymic(words: tuple[str, ...]) -> str:
    """Return the patronymic of a person's name, or "".

    It stands between given name and family name, or after both, so that the name needs three words.
    Abramovich alone may be a family name.
    """
    if len(words) < tunables.WORDS_WITH_PATRONYMIC:
        return ""
    for word in words[1:]:
        if is_patronymic(word):
            return word
    return ""


def is_patronymic(word: str) -> bool:
    """Whether the word may be a patronymic, if it stands at the place of one."""
    return bool(_PATRONYMIC.fullmatch(word))


# Petrovich, Petrovych, Ilyich, Petrovna, Petrivna, Ilinichna. Family names in -vic do not match.
_PATRONYMIC = re.compile(r"[a-z]{2,}(?:v[iy]t?ch|vitj|vna|yich|ichna|ovitsj)")


@cache
def company_particles() -> frozenset[str]:
    return frozenset(_company("particle"))


@cache
def generic_words() -> frozenset[str]:
    return frozenset(_company("generic"))


@cache
def form_classes() -> frozenset[str]:
    return frozenset(_company("form").values()) | {"fgup"}


@cache
def spellings_of_forms() -> dict[str, list[str]]:
    """Return spellings of legal forms by class.

    Short ones are left out: they are too similar to other words.
    """
    return _by_meaning("form", shortest=word_tunables.SHORTEST_SPELLING)


@cache
def spellings_of_numbers() -> dict[str, list[str]]:
    """Return spellings of numbers by number.

    Short ones are left out: they are too similar to other words.
    """
    return _by_meaning("number", shortest=word_tunables.SHORTEST_SPELLING)


@cache
def every_spelling() -> dict[str, list[str]]:
    """Return all spellings of legal forms and numbers, by what replaces them."""
    return _by_meaning("form", "number")


def _by_meaning(*kinds: str, shortest: int = 0) -> dict[str, list[str]]:
    spellings: dict[str, list[str]] = {}
    for kind in kinds:
        for spelling, stands_for in _company(kind).items():
            if len(spelling) >= shortest:
                spellings.setdefault(stands_for, []).append(spelling)
    return spellings


@cache
def _company(kind: str) -> dict[str, str]:
    stands_for: dict[str, str] = {}
    for row in table("company_words"):
        if row["kind"] == kind:
            stands_for[row["word"]] = row["stands_for"]
    return stands_for


@cache
def _phrases() -> tuple[tuple[re.Pattern[str], str], ...]:
    phrases = []
    for row in table("company_phrases"):
        # The spaces within a legal form may be missing, so they are optional in the pattern.
        pattern = re.sub(r"(?<=[a-z][a-z?]) (?=[a-z]{2})", " ?", row["pattern"])
        phrases.append((re.compile(rf"\b(?:{pattern})\b"), row["stands_for"]))
    return tuple(phrases)


@cache
def _long_phrases() -> dict[str, str]:
    """Return legal forms of three or four written-out words, with their classes."""
    phrases: dict[str, str] = {}
    for row in table("company_phrases"):
        pattern = row["pattern"].replace(" ?", " ")
        for part in re.split(r"[|()?]", pattern):
            phrase = part.strip()
            is_long = len(part) >= word_tunables.SHORTEST_PHRASE
            if is_long and phrase.count(" ") in {2, 3}:
                phrases[phrase] = row["stands_for"]
    return phrases
