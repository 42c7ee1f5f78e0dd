"""A name as words to compare, for persons and for everything else."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from checks.data import table
from checks.screening.matching import scripts

MAX_LENGTH = 400  # characters of a name that are looked at
MAX_TOKENS = 24
# Legal forms of as many letters are known with a slip in them.
SHORTEST_PHRASE = 15


@dataclass(frozen=True, slots=True)
class Name:
    """The words of a name in lower-case ASCII. `script` says how sounds are to be compared."""

    tokens: tuple[str, ...]
    script: str
    person: bool
    # Left out of the words: a word of another name may be one of them with a slip in it.
    titles: tuple[str, ...] = ()

    @classmethod
    def read(cls, written: str, script: str, *, person: bool) -> Name:
        """From what `written` says: as an index keeps it."""
        words = written.split()
        return cls(
            tuple([word for word in words if word[0] != "~"]),
            script,
            person,
            tuple([word[1:] for word in words if word[0] == "~"]),
        )

    @property
    def written(self) -> str:
        return " ".join((*self.tokens, *(f"~{title}" for title in self.titles)))

    @property
    def joined(self) -> str:
        """The words without blanks; of a company without its legal form."""
        return _joined(self.tokens, self.person)


@lru_cache(10_000)
def _joined(tokens: tuple[str, ...], person: bool) -> str:  # noqa: FBT001
    if person:
        return "".join(tokens)
    forms, parts = form_classes(), form_parts()
    return "".join([w for w in tokens if w not in forms and w not in parts] or tokens)


@lru_cache(100_000)
def parse(text: str, *, person: bool) -> Name:
    """Read a name. One without a letter or digit has no tokens, and matches nothing."""
    cleaned = scripts.clean(text[:MAX_LENGTH], person=person)
    script = scripts.script_of(cleaned)
    folded = scripts.latin(cleaned, script)
    if not person:
        return Name(tuple(_of_company(folded)[:MAX_TOKENS]), script, person)
    said = _TITLE_RUN_ON.sub(r"\1 \2", folded).split()
    words = _without_titles(said, script)
    titles = [word for word in said if word not in words]
    return Name(tuple(_with_servants(words)[:MAX_TOKENS]), script, person, tuple(titles))


def _without_titles(words: list[str], script: str) -> list[str]:
    titles = _person("abjad_title" if script == "abjad" else "title")
    return [word for word in words if word not in titles] or words


@lru_cache(50_000)
def is_nearly_title(word: str) -> bool:
    """A title with a slip in it (seyymd), which is a word of the name then."""
    if len(word) < 6:
        return False
    known = [title for title in _person("title") if len(title) > 4]
    return process.extractOne(word, known, scorer=OSA.distance, score_cutoff=1) is not None


_TITLE_RUN_ON = re.compile(r"\b(haji|hajji|mullah|qari|sheikh|shaikh|maulavi|maulana)(abd[aeu]l)\b")
_SERVANT = re.compile(r"ab[ei]?d([aeiou]?[lrn])?")
_ARTICLES = {"al", "el", "ul", "ur", "ol", "il", "ar", "as", "an"}


def _with_servants(words: list[str]) -> list[str]:
    """Abd al-Rahman, Abdul Rahman, Abdelrahman and Abdur-Rehman are one word, spelt one way."""
    found: list[str] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if _SERVANT.fullmatch(word) and rest:
            article = rest.pop(0) if len(rest) > 1 and rest[0] in _ARTICLES else ""
            word = f"abdul{rest.pop(0).removeprefix('al') if not article else rest.pop(0)}"
        found.append(re.sub(r"^ab[ei]?d[aeiou]?[lr](?=[^l])|^abd[aeou]rr", _abdul, word))
    return found


def _abdul(found: re.Match[str]) -> str:
    return "abdulr" if found.group().endswith("rr") else "abdul"


def _of_company(folded: str) -> list[str]:
    for pattern, form in _phrases():
        folded = pattern.sub(f" {form} ", folded)
    folded = _INITIALS.sub(lambda found: re.sub(" (and )?", "", found.group()), folded)
    stands_for = _company("short") | _company("form") | _company("number")
    words = [part for word in _without_slips(folded.split()) for part in _split_form(word)]
    return [stands_for.get(word, word) for word in map(_mended_form, words)]


def _without_slips(words: list[str]) -> list[str]:
    """A long legal form with a slip or two in it (jont stock company) as its class."""
    phrases = _long_phrases()
    for size in (3, 4):
        for i in range(len(words) - size + 1):
            run = " ".join(words[i : i + size])
            if len(run) < SHORTEST_PHRASE - 1:
                continue
            found = process.extractOne(run, phrases.keys(), scorer=OSA.distance, score_cutoff=2)
            if found:
                return [*words[:i], phrases[found[0]], *words[i + size :]]
    return words


# A. B. C., and H & M.
_INITIALS = re.compile(r"\b[a-z](?: (?:and )?[a-z]\b)+")


@lru_cache(100_000)
def _split_form(word: str) -> tuple[str, ...]:
    """COMPANYLLC is two words."""
    if len(word) > 8 and word not in _company("form"):
        for form in ("company", "limited", "corporation"):
            if word.startswith(form) and word != form:
                return form, word.removeprefix(form)
            if word.endswith(form) and word != form:
                return word.removesuffix(form), form
    return (word,)


@lru_cache(100_000)
def _mended_form(word: str) -> str:
    """A long word for a legal form with one slip in it."""
    if len(word) < 6 or word in _company("form") or word in _company("form_part"):
        return word
    for form in _long_forms():
        if OSA.distance(word, form, score_cutoff=1) <= 1:
            return form
    return word


@cache
def _long_forms() -> tuple[str, ...]:
    return tuple(w for w in (*_company("form"), *_company("form_part")) if len(w) > 5)


@cache
def form_parts() -> frozenset[str]:
    return frozenset(_company("form_part"))


@cache
def particles() -> frozenset[str]:
    return _person("particle")


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
    """How legal forms are written, by class; those of few letters are too near other words."""
    found: dict[str, list[str]] = {}
    for written, form in _company("form").items():
        if len(written) > 3:
            found.setdefault(form, []).append(written)
    return found


@cache
def spellings_of_numbers() -> dict[str, list[str]]:
    """How numbers are written out, by number; those of few letters are too near other words."""
    found: dict[str, list[str]] = {}
    for written, number in _company("number").items():
        if len(written) > 3:
            found.setdefault(number, []).append(written)
    return found


@cache
def every_spelling() -> dict[str, list[str]]:
    """All ways in which legal forms and numbers are written, by what stands for them."""
    found: dict[str, list[str]] = {}
    for kind in ("form", "number"):
        for written, stands_for in _company(kind).items():
            found.setdefault(stands_for, []).append(written)
    return found


@cache
def _company(kind: str) -> dict[str, str]:
    return {row["word"]: row["stands_for"] for row in table("company_words") if row["kind"] == kind}


@cache
def _person(kind: str) -> frozenset[str]:
    return frozenset(row["word"] for row in table("person_words") if row["kind"] == kind)


@cache
def _phrases() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple(
        (re.compile(rf"\b(?:{_run_on(row['pattern'])})\b"), row["stands_for"])
        for row in table("company_phrases")
    )


def _run_on(pattern: str) -> str:
    """A legal form in several words is one with blanks missing, too."""
    return re.sub(r"(?<=[a-z][a-z?]) (?=[a-z]{2})", " ?", pattern)


@cache
def _long_phrases() -> dict[str, str]:
    """Legal forms written out in several words, and their classes."""
    return {
        phrase.strip(): row["stands_for"]
        for row in table("company_phrases")
        for phrase in re.split(r"[|()?]", row["pattern"].replace(" ?", " "))
        if phrase.strip().count(" ") in {2, 3} and len(phrase) >= SHORTEST_PHRASE
    }
