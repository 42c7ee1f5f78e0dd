# ruff: noqa: RUF001 - dashes, quotes and commas of other scripts are its subject
"""Classifies the pieces of a text between separators: a name, a role, a share, or
something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from checks.data import table
from checks.fields.names.forms_of_address import person_of
from checks.list_screening.parties import tunables
from checks.screening.matching import names as screening_names
from checks.screening.matching.parts import titles
from checks.text.characters import count_letters, has_digit, has_letter
from papers import countries

Kind = Literal[
    "", "name", "share", "role", "detail", "answer", "separator", "remainder"
]
NameKind = Literal["person", "business", "either"]


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of the text, unchanged, with its kind."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class PartyName:
    text: str
    kind: NameKind = "either"


@cache
def words_of(kind: str) -> frozenset[str]:
    words: set[str] = set()
    for row in table("party_words"):
        if row["kind"] == kind:
            words.update(row["words"].split())
    return frozenset(words)


@cache
def _texts_of(kind: str) -> frozenset[str]:
    """Those of a kind whose entries may have several words."""
    texts: set[str] = set()
    for row in table("party_words"):
        if row["kind"] == kind:
            texts.update(row["words"].split("|"))
    return frozenset(texts)


@cache
def _answers() -> frozenset[str]:
    return words_of("answer") | _texts_of("answer_text")


@cache
def _forms() -> frozenset[str]:
    forms: set[str] = set()
    for row in table("company_words"):
        if row["kind"] == "form":
            forms.add(row["word"])
    return frozenset(forms)


# Further small words within names.
_FURTHER_PARTICLES = frozenset([
    "of", "the", "and", "for", "in", "und", "et", "&", "af", "av", "zum", "zur", "het", "op",
    "d", "t",
])  # fmt: skip


@cache
def _particles() -> frozenset[str]:
    particles = titles.particles() | screening_names.company_particles()
    return particles | _FURTHER_PARTICLES


def _any_of(*kinds: str) -> str:
    """Return a pattern of these words, the longest first."""
    words: set[str] = set()
    for kind in kinds:
        words |= words_of(kind)
    if "title" in kinds:
        words |= _texts_of("title_text")
    longest_first = sorted(words, key=len, reverse=True)
    return "|".join(map(re.escape, longest_first))


def plain_word(word: str) -> str:
    folded = word.casefold().strip(".\"'’")
    return folded.replace(".", "")


def plain_words(piece: str) -> list[str]:
    return [plain_word(word) for word in WORD.findall(piece)]


def has_capital(text: str) -> bool:
    return any(map(str.isupper, text))


def _is_cased(text: str) -> bool:
    """Whether the text is in a script with capitals."""
    for char in text:
        if char.isupper() or char.islower():
            return True
    return False


# Characters at the edges of a piece that belong to no name.
EDGES = " \t\r\n\"'“”„«»*_,:;–—-…"
# A letter or digit, and everything up to the next space or mark. Combining marks of other scripts
# are not letters for `\w`, so the pattern lists what ends a word instead.
WORD = re.compile(r"[^\W_][^\s,،，、;；:：|&\"“”„«»()\[\]{}（）*_…–—+=<>]*|&")
_COMMA = re.compile(r"([,،，、])")
_JOINT = re.compile(
    r"((?<=\s)(?<!\bvon\s)(?:(?i:and|und|oder|or)|et|y|e|i|и|та|و|&|\+)(?=\s))"
)
_LEADING_JOINT = re.compile(
    r"\s*(?:(?i:and|und|plus|as well as|together with|along with|sowie|then|by)|of|et|y|и|&|\+)\s+"
)
_TRAILING_JOINT = re.compile(
    r"(?<=\s)(?:(?i:and|und|plus|with|via|through)|et|y|и|&|\+)$"
)


def role_pattern(*kinds: str) -> str:
    """Return a pattern for a role with its noun: chief executive officer, member of the board."""
    noun, beside = _any_of(*kinds), _any_of("modifier")
    return (
        rf"(?:\b(?:{beside})[\s-]){{0,4}}\b(?:{noun})\b"
        rf"(?:(?:\s?[/&,-]\s?|\s)(?:(?:{beside})\s){{0,3}}(?:{noun}|board)\b){{0,4}}"
    )


@cache
def role_alone() -> re.Pattern[str]:
    """Return a pattern for the role of one party.

    “Owners” and “investors” may be several parties without names.
    """
    return re.compile(role_pattern("title"), re.IGNORECASE)


def chunk(text: str, *, is_entry: bool) -> tuple[list[Part], list[PartyName]]:
    """Split a text at commas and return its parts and names.

    A legal form after a comma belongs to the name before it.
    """
    parts: list[Part] = []
    names: list[PartyName] = []
    plain: list[str] = []  # names without “and”, which commas may have cut
    for piece, comma in _between_commas(text):
        head, body, tail = _trimmed(piece)
        body_parts, body_names = _piece(body, is_entry=is_entry)
        parts.append(Part("separator", head))
        parts += body_parts
        parts.append(Part("separator", tail))
        parts.append(Part("separator", comma))
        names += body_names
        if [name.text for name in body_names] == [_clean(body)]:
            plain.append(body)
    all_names = _with_inversions(names, plain)
    if len(plain) == len(names) == 2 and _may_be_one(plain, is_entry=is_entry):
        # The two may also be one name: “AL BEN MAHMOUD, Isa Ben Tarif” or “Educational, Scientific
        # and Cultural Organization”.
        first, second = map(_clean, plain)
        all_names.append(PartyName(f"{first}, {second}"))
    return parts, all_names


def _may_be_one(plain: Sequence[str], *, is_entry: bool) -> bool:
    """Whether two names with a comma between them may be one: the surname first, or a long name."""
    first, second = plain
    if _is_single(first) or _is_single(second):
        return False
    if _has_sure_form(first) or _has_sure_form(second):
        return False
    return is_entry or (first.isupper() and not second.isupper())


def _between_commas(text: str) -> list[tuple[str, str]]:
    """Return each piece with the comma after it."""
    split = [*_COMMA.split(text), ""]
    texts, commas = split[::2], split[1::2]
    pieces: list[tuple[str, str]] = []
    for piece, comma in zip(texts, commas, strict=True):
        if pieces and is_tail(piece):
            before, comma_before = pieces.pop()
            piece = f"{before}{comma_before}{piece}"
        pieces.append((piece, comma))
    return pieces


def is_tail(piece: str) -> bool:
    """Whether the piece is a legal form, or a suffix of a person's name: Inc., Jr."""
    words = plain_words(piece)
    if not words:
        return False
    # A Dutch name with its particle at the end: “Heerenveen, van”.
    if titles.particles().issuperset(words):
        return True
    return _words_of_tails().issuperset(words)


@cache
def _words_of_tails() -> frozenset[str]:
    return _forms() | words_of("sure_form") | words_of("suffix")


def _is_abbreviated(piece: str) -> bool:
    """Whether a full stop at the end belongs to the piece: Inc., Jr., John S."""
    words = plain_words(piece)
    if not words:
        return False
    last = words[-1]
    return len(last) == 1 or last in _words_of_tails()


def _trimmed(piece: str) -> tuple[str, str, str]:
    """Return the text before the piece, the piece without spaces, quotes and “and” at its ends, and
    the rest.
    """
    start = 0
    if leading := _LEADING_JOINT.match(piece):
        start = leading.end()
    end = len(piece.rstrip(EDGES + "."))
    if trailing := _TRAILING_JOINT.search(piece, start, end):
        end = trailing.start()
    end = max(end, start)
    body = piece[start:end]
    start += len(body) - len(body.lstrip(EDGES))
    body = body.strip(EDGES)
    end = start + len(body)
    has_full_stop = piece.startswith(".", end)
    if has_full_stop and _is_abbreviated(body):
        body += "."
        end += 1
    return piece[:start], body, piece[end:]


def _with_inversions(names: list[PartyName], plain: Sequence[str]) -> list[PartyName]:
    """Add inverted names: “Sechin, Igor” is one person or two companies.

    So names of one word between commas are read in both ways.
    """
    are_pairs = len(plain) > 0 and len(plain) % 2 == 0
    if not are_pairs or any(map(_has_sure_form, plain)):
        return names
    single = [_clean(name) for name in plain if _is_single(name)]
    # Of two names one may have several words (Reyes, Ana Maria). Of more names, each must be a
    # single word.
    if len(plain) == 2:
        least = 1
    else:
        least = len(plain)
    if len(single) < least:
        return names
    surnames, given_names = plain[::2], plain[1::2]
    all_names: list[PartyName] = []
    for surname, given_name in zip(surnames, given_names, strict=True):
        inverted = f"{_clean(surname)}, {_clean(given_name)}"
        all_names.append(PartyName(inverted, "person"))
    for name in names:
        if name.text in single:
            name = PartyName(name.text, "business")
        all_names.append(name)
    return all_names


def _is_single(name: str) -> bool:
    """Whether the name is one word, in a script in which names of people have several words."""
    return len(WORD.findall(name)) == 1 and _is_cased(name)


def _piece(body: str, *, is_entry: bool) -> tuple[list[Part], list[PartyName]]:
    kind = _judge(body, is_entry=is_entry)
    sides = _JOINT.split(body)
    if len(sides) > 1 and kind in {"name", "remainder"}:
        return _joint(sides, kind, is_entry=is_entry)
    return _single(body, is_entry=is_entry)


def _single(body: str, *, is_entry: bool) -> tuple[list[Part], list[PartyName]]:
    kind = _judge(body, is_entry=is_entry)
    if kind == "name":
        return [Part("name", body)], _names_of(body)
    if kind == "remainder":
        return _prose(body)
    return [Part(kind, body)], []


def _joint(
    sides: Sequence[str], kind: Kind, *, is_entry: bool
) -> tuple[list[Part], list[PartyName]]:
    """Split a text with “and”: it names several parties, or is the name of one."""
    members, joints = sides[::2], sides[1::2]
    if kind == "name":
        body = "".join(sides)
        if all(_judge(member, is_entry=is_entry) == "name" for member in members):
            return [Part("name", body)], _names_of_joint(members, joints)
        if _is_of_business(body):
            return [Part("name", body)], [PartyName(_clean(body), "business")]
    parts: list[Part] = []
    names: list[PartyName] = []
    for member, joint in zip(members, [*joints, ""], strict=True):
        head, inner, tail = _trimmed(member)
        inner_parts, inner_names = _single(inner, is_entry=is_entry)
        parts.append(Part("separator", head))
        parts += inner_parts
        parts.append(Part("separator", tail))
        parts.append(Part("separator", joint))
        names += inner_names
    return parts, names


def _names_of_joint(members: Sequence[str], joints: Sequence[str]) -> list[PartyName]:
    """Return each of the names joined by “and”, and the whole if it may be the name of a firm."""
    whole = members[0]
    for joint, member in zip(joints, members[1:], strict=True):
        whole += joint + member
    # “Ortega y Gasset” is one person: these words also join two surnames.
    is_person = not _WITHIN_SURNAMES.isdisjoint(joints)
    firm = PartyName(_clean(whole), "either" if is_person else "business")
    short = [member for member in members if _is_single(member)]
    if not short:
        names = _names_of_all(members)
        # “Boston Research and Trading Ltd” is one firm, but “John Smith and Acme Ltd” are two
        # parties, so both readings are kept.
        are_companies = all(map(_has_sure_form, members))
        is_firm = _is_of_business(members[-1]) and not are_companies
        if is_firm or is_person:
            return [firm, *names]
        return names
    # “Smith & Wesson” is only a firm.
    are_short = len(short) == len(members)
    if _has_sure_form(whole) or (are_short and "&" in joints):
        return [firm]
    if is_person and _is_single(members[-1]):
        # The second surname alone is not a name.
        longer = [member for member in members if member not in short]
        return [firm, *_names_of_all(longer)]
    return [firm, *_names_with_family(members)]


# “And” in languages in which it also joins two surnames.
_WITHIN_SURNAMES = frozenset(["y", "e", "i", "und"])


def _names_of_all(members: Sequence[str]) -> list[PartyName]:
    names: list[PartyName] = []
    for member in members:
        names += _names_of(member)
    return names


def _names_with_family(members: Sequence[str]) -> list[PartyName]:
    """Add the last family name to names of one word: John and Mary Smith."""
    family = ""
    if not _is_single(members[-1]):
        family = members[-1].split()[-1]
    names: list[PartyName] = []
    for member in members:
        if _is_single(member):
            full_name = _clean(f"{member} {family}")
            names.append(PartyName(full_name, "person"))
        else:
            names += _names_of(member)
    return names


def _names_of(body: str) -> list[PartyName]:
    """Return the name without roles before or after it: CEO John Smith."""
    text = _clean(body)
    kind: NameKind = "business" if _has_sure_form(text) else "either"
    without_role = _clean(_role_at_edge().sub(" ", text))
    if not _is_of_business(text):
        # “Mme Claire Martin”: no list has the form of address.
        without_role = person_of(without_role, None)
    words = WORD.findall(without_role)
    # One word is a full name where names have no blanks: 代表取締役 佐藤健一.
    least = 2 if _is_cased(without_role) else 1
    if without_role == text or len(words) < least:
        return [PartyName(text, kind)]
    if kind == "business" or _is_of_business(text):
        # In “Partner Re Ltd” the role may be part of the name, so both readings are kept.
        return [PartyName(text, kind), PartyName(without_role, kind)]
    return [PartyName(without_role, kind)]


@cache
def _role_at_edge() -> re.Pattern[str]:
    role = role_pattern("title")
    return re.compile(rf"^(?:{role})\s+(?:of\s+)?|\s+(?:{role})$", re.IGNORECASE)


def _clean(text: str) -> str:
    return " ".join(text.strip(EDGES).split())


# Judging a piece


def _judge(piece: str, *, is_entry: bool) -> Kind:
    if not has_letters(piece):
        if has_digit(piece):
            return "detail"
        return "separator"
    if is_answer(piece):
        return "answer"
    words = plain_words(piece)
    lettered = [word for word in words if has_letters(word)]
    if words_of("share").issuperset(lettered):
        return "share"
    if countries.code_by_name(piece):
        return "detail"
    if role_alone().fullmatch(_clean(piece)):
        return "role"
    if _is_name(piece, words, is_entry=is_entry):
        return "name"
    return "remainder"


def _is_name(piece: str, words: Sequence[str], *, is_entry: bool) -> bool:
    is_business = _is_of_business(piece)
    most_words = tunables.MOST_WORDS_OF_BUSINESS if is_business else tunables.MOST_WORDS
    # Longer texts are sentences.
    if len(words) > most_words:
        return False
    # Without capitals only the length distinguishes a name from a sentence.
    if not _is_cased(piece):
        return _is_short_without_capitals(piece, words)
    if not _tells(words) or not words_of("prose").isdisjoint(words):
        return False
    if not is_business and not words_of("collective").isdisjoint(words):
        return False
    is_small = not has_capital(piece)
    # If all letters have the same case, verbs are the only sign of a sentence.
    if len(words) > 1 and (is_small or piece.isupper()):
        verbs = words_of("verb" if is_small else "verb_capitals")
        if not verbs.isdisjoint(words):
            return False
    if is_small:
        is_short = 1 < len(words) <= tunables.MOST_WORDS_IN_SMALL_LETTERS
        return _has_sure_form(piece) or (is_entry and is_short)
    return all(map(_is_like_name, WORD.findall(piece)))


def _is_short_without_capitals(piece: str, words: Sequence[str]) -> bool:
    letters = count_letters(piece)
    telling_words = [word for word in words if word not in _SON_OF]
    is_short = len(telling_words) <= tunables.MOST_WORDS_WITHOUT_CAPITALS
    return is_short and letters <= tunables.MOST_LETTERS_WITHOUT_CAPITALS


# Words in Arabic names for “son of” or “family of”, which make names long.
_SON_OF = frozenset(["بن", "ابن", "بنت", "آل", "عبد", "أبو"])


def _tells(words: Sequence[str]) -> bool:
    """Whether a word identifies somebody, and is not one that many names have."""
    common = _common_words()
    if any(word not in common and has_letters(word) for word in words):
        return True
    if not words or words[-1] not in _forms():
        return False
    # “Partners Group AG” has no specific word, but a legal form after two others.
    forms = _words_of_forms()
    others = [word for word in words if word not in forms]
    return len(others) > 1


@cache
def _words_of_forms() -> frozenset[str]:
    return _forms() | words_of("sure_form") | {"liability", "private", "public"}


@cache
def _common_words() -> frozenset[str]:
    small_words = frozenset(["the", "of", "and", "for", "&"])
    return small_words.union(
        words_of("business"), words_of("collective"), words_of("sure_form"), _forms()
    )


def _is_like_name(word: str) -> bool:
    """Whether a word is written like part of a name: with a capital or digit, without case, or as a
    particle.
    """
    if not _is_cased(word) or has_capital(word):
        return True
    if has_digit(word):
        return True
    plain = plain_word(word)
    return plain in _particles() or plain in words_of("sure_form")


def _is_of_business(piece: str) -> bool:
    """Whether a word other than the first shows that it is a business."""
    words_behind = plain_words(piece)[1:]
    return not _words_of_businesses().isdisjoint(words_behind)


@cache
def _words_of_businesses() -> frozenset[str]:
    forms = _forms() - _particles()
    return words_of("business") | words_of("sure_form") | forms


def _has_sure_form(piece: str) -> bool:
    words_behind = plain_words(piece)[1:]
    return not words_of("sure_form").isdisjoint(words_behind)


def is_answer(piece: str) -> bool:
    words = piece.casefold().strip(EDGES + ".!").split()
    return " ".join(words) in _answers()


def has_letters(piece: str) -> bool:
    return has_letter(piece)


def _prose(body: str) -> tuple[list[Part], list[PartyName]]:
    """Split words that are no name as a whole.

    Names of at least two words are kept; the rest is the remainder.
    """
    if _is_name(body, plain_words(body), is_entry=True) or _is_small_word(body):
        # In small letters it may be a name or a description, so it is both screened and reported.
        return [Part("remainder", body)], _names_of(body)
    parts: list[Part] = []
    names: list[PartyName] = []
    end = 0
    for start, stop in _runs(body):
        name = body[start:stop]
        parts.append(_rest(body[end:start]))
        parts.append(Part("name", name))
        names += _names_of(name)
        end = stop
    parts.append(_rest(body[end:]))
    words = WORD.findall(body)
    if not names and " " in body and all(map(_is_like_name, words)):
        # “Investors Bank”: no word is specific, but all are written like a name.
        names = [PartyName(_clean(body))]
    if all(part.kind in {"name", "separator"} for part in parts):
        # Two names without a known separator between them.
        return [Part("remainder", body)], names
    return parts, names


def _is_small_word(body: str) -> bool:
    """Whether it is one word in small letters, such as faberlic."""
    words = plain_words(body)
    if len(words) != 1 or has_capital(body):
        return False
    kinds = ("collective", "verb", "prose", "business")
    return all(words[0] not in words_of(kind) for kind in kinds)


def _rest(text: str) -> Part:
    """Return the text between two names of a sentence: a role (“our founder”), or a remainder."""
    if not has_letters(text):
        return Part("separator", text)
    role = _DETERMINER.sub("", text.strip(EDGES))
    if role_alone().fullmatch(role):
        return Part("role", text)
    return Part("remainder", text)


_DETERMINER = re.compile(r"^(?:the|our|its|my|his|her|their)\s+", re.IGNORECASE)


def _runs(body: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of at least two adjacent words with capitals."""
    run: list[re.Match[str]] = []
    for match in WORD.finditer(body):
        word = plain_word(match[0])
        is_capital = has_capital(match[0])
        if match.start() == 0 or body.isupper():
            # The first word of a sentence has a capital, too: “He owns” is no name, but “Will Smith
            # owns” has one.
            is_capital = is_capital and word not in words_of("verb_capitals")
        is_within = bool(run) and word in _particles()
        if (is_capital or is_within) and word not in _never_in_names():
            run.append(match)
            continue
        yield from _place_of(run)
        run = []
    yield from _place_of(run)


@cache
def _never_in_names() -> frozenset[str]:
    titles = words_of("title") | words_of("title_many") | _texts_of("title_text")
    return titles | words_of("prose") | words_of("collective")


def _place_of(run: list[re.Match[str]]) -> Iterator[tuple[int, int]]:
    """Yield start and end of a run without particles at its end; nothing if only one word
    is left.
    """
    while run and not has_capital(run[-1][0]):
        run.pop()
    if len(run) > 1:
        yield run[0].start(), run[-1].end()
