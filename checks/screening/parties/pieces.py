# ruff: noqa: RUF001 - dashes, quotes and commas of other scripts are its subject
"""The pieces of a text between its separators: is each a name, a role, a share, or none of these."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from checks.data import table
from checks.screening.matching import names as screening_names
from papers import countries

Kind = Literal[
    "", "name", "share", "role", "detail", "answer", "separator", "remainder"
]
NameKind = Literal["person", "business", "either"]


# Words of a name: Arabic and Portuguese names of people have up to ten.
MOST_WORDS, MOST_WORDS_OF_BUSINESS = 10, 14
# Words of a name in a script without capitals, where a sentence looks like a name.
MOST_WORDS_WITHOUT_CAPITALS, MOST_LETTERS_WITHOUT_CAPITALS = 5, 40


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of the text as it stands, and what it is."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class PartyName:
    text: str
    kind: NameKind = "either"


@cache
def words_of(kind: str) -> frozenset[str]:
    rows = [row["words"] for row in table("party_words") if row["kind"] == kind]
    return frozenset(" ".join(rows).split())


@cache
def _answers() -> frozenset[str]:
    rows = [
        row["words"] for row in table("party_words") if row["kind"] == "answer_text"
    ]
    return frozenset("|".join(rows).split("|")) | words_of("answer")


@cache
def _forms() -> frozenset[str]:
    return frozenset(
        row["word"] for row in table("company_words") if row["kind"] == "form"
    )


@cache
def _particles() -> frozenset[str]:
    found = screening_names.particles() | screening_names.company_particles()
    return found | {
        "of",
        "the",
        "and",
        "for",
        "in",
        "und",
        "et",
        "&",
        "af",
        "av",
        "zum",
        "zur",
        "het",
        "op",
        "d",
        "t",
    }


def _any_of(*kinds: str) -> str:
    """A pattern of these words, the longest first."""
    found = sorted(
        {word for kind in kinds for word in words_of(kind)}, key=len, reverse=True
    )
    return "|".join(map(re.escape, found))


def plain_word(word: str) -> str:
    return word.casefold().strip('."' + "'’").replace(".", "")


def plain_words(piece: str) -> list[str]:
    return [plain_word(word) for word in WORD.findall(piece)]


# Edges of a piece that belong to no name.
EDGES = " \t\r\n\"'“”„«»*_,:;–—-…"
# A letter or digit, and what follows to the next blank or sign: marks of other scripts are no letters.
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
    """Words of a role, one of them its noun: chief executive officer, member of the board."""
    noun, beside = _any_of(*kinds), _any_of("modifier")
    return (
        rf"(?:\b(?:{beside})[\s-]){{0,4}}\b(?:{noun})\b"
        rf"(?:(?:\s?[/&,-]\s?|\s)(?:(?:{beside})\s){{0,3}}(?:{noun}|board)\b){{0,4}}"
    )


@cache
def role_alone() -> re.Pattern[str]:
    """One role alone, of one party: owners and investors may be several without a name."""
    return re.compile(role_pattern("title"), re.IGNORECASE)


def chunk(text: str, *, is_entry: bool) -> tuple[list[Part], list[PartyName]]:
    """The pieces between commas; a legal form behind a comma belongs to the name before it."""
    parts: list[Part] = []
    names: list[PartyName] = []
    plain: list[str] = []  # names without “and”, which commas may have cut
    for piece, comma in _between_commas(text):
        head, body, tail = _trimmed(piece)
        parts.append(Part("separator", head))
        body_parts, body_names = _piece(body, is_entry=is_entry)
        parts += body_parts
        names += body_names
        if [one.text for one in body_names] == [_clean(body)]:
            plain.append(body)
        parts += [Part("separator", tail), Part("separator", comma)]
    found = _with_inversions(names, plain)
    if len(plain) == len(names) == 2 and _may_be_one(plain, is_entry=is_entry):
        # AL BEN MAHMOUD, Isa Ben Tarif; Educational, Scientific and Cultural Organization
        found.append(PartyName(f"{_clean(plain[0])}, {_clean(plain[1])}"))
    return parts, found


def _may_be_one(plain: Sequence[str], *, is_entry: bool) -> bool:
    """Whether two names with a comma between them may be one: surname first, or a long name."""
    one, other = plain
    if (
        _is_single(one)
        or _is_single(other)
        or _has_sure_form(one)
        or _has_sure_form(other)
    ):
        return False
    return is_entry or (one.isupper() and not other.isupper())


def _between_commas(text: str) -> list[tuple[str, str]]:
    """Each piece with the comma behind it."""
    split = [*_COMMA.split(text), ""]
    found: list[tuple[str, str]] = []
    for piece, comma in zip(split[::2], split[1::2], strict=True):
        if found and is_tail(piece):
            before, comma_before = found.pop()
            piece = f"{before}{comma_before}{piece}"
        found.append((piece, comma))
    return found


def is_tail(piece: str) -> bool:
    """Whether it is a legal form, or what stands behind names of people: Inc., Jr."""
    found = plain_words(piece)
    known = _forms() | words_of("sure_form") | words_of("suffix")
    # “Heerenveen, van”
    is_particle = all(word in screening_names.particles() for word in found)
    return bool(found) and (is_particle or all(word in known for word in found))


def _is_abbreviated(piece: str) -> bool:
    """Whether a full stop at its end belongs to it: Inc., Jr., John S."""
    last = plain_words(piece)[-1:]
    known = _forms() | words_of("sure_form") | words_of("suffix")
    return any(len(word) == 1 or word in known for word in last)


def _trimmed(piece: str) -> tuple[str, str, str]:
    """Without blanks, quotes and an “and” at its ends."""
    start = match.end() if (match := _LEADING_JOINT.match(piece)) else 0
    end = len(piece.rstrip(EDGES + "."))
    if match := _TRAILING_JOINT.search(piece, start, end):
        end = match.start()
    end = max(end, start)
    while start < end and piece[start] in EDGES:
        start += 1
    while end > start and piece[end - 1] in EDGES:
        end -= 1
    if piece[end : end + 1] == "." and _is_abbreviated(piece[start:end]):
        end += 1
    return piece[:start], piece[start:end], piece[end:]


def _with_inversions(names: list[PartyName], plain: Sequence[str]) -> list[PartyName]:
    """“Sechin, Igor” is one person or two companies: names of one word between commas are read
    both ways."""
    single = [name for name in plain if _is_single(name)]
    if (
        not single
        or len(plain) < 2
        or len(plain) % 2
        or any(map(_has_sure_form, plain))
    ):
        return names
    if len(plain) > 2 and len(single) < len(plain):
        return names
    pairs = zip(plain[::2], plain[1::2], strict=True)
    found = [
        PartyName(f"{_clean(one)}, {_clean(other)}", "person") for one, other in pairs
    ]
    known = {_clean(name) for name in single}
    found += [
        PartyName(name.text, "business") if name.text in known else name
        for name in names
    ]
    return found


def _is_single(name: str) -> bool:
    """One word, in a script that writes several words for a person."""
    return len(WORD.findall(name)) == 1 and any(
        c.isupper() or c.islower() for c in name
    )


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
    """What has “and” in it: several parties, or the name of one."""
    members, joints = sides[::2], sides[1::2]
    body = "".join(sides)
    kinds = [_judge(one, is_entry=is_entry) for one in members]
    if kind == "name":
        if all(one == "name" for one in kinds):
            return [Part("name", body)], _names_of_joint(members, joints)
        if _is_of_business(body):
            return [Part("name", body)], [PartyName(_clean(body), "business")]
    parts: list[Part] = []
    names: list[PartyName] = []
    for one, joint in zip(members, [*joints, ""], strict=True):
        head, inner, tail = _trimmed(one)
        inner_parts, inner_names = _single(inner, is_entry=is_entry)
        parts += [Part("separator", head), *inner_parts, Part("separator", tail)]
        parts.append(Part("separator", joint))
        names += inner_names
    return parts, names


def _names_of_joint(members: Sequence[str], joints: Sequence[str]) -> list[PartyName]:
    """Of names with “and” between them, each; and the whole where it may be the name of a firm."""
    whole = "".join(
        f"{one}{joint}" for one, joint in zip(members, [*joints, ""], strict=True)
    )
    # Ortega y Gasset is one person.
    is_person = bool({"y", "e", "i", "und"} & {*joints})
    firm = PartyName(_clean(whole), "either" if is_person else "business")
    short = [one for one in members if _is_single(one)]
    if not short:
        names = [name for one in members for name in _names_of(one)]
        # Boston Research and Trading Ltd; John Smith and Acme Ltd
        is_firm = _is_of_business(members[-1]) and not all(map(_has_sure_form, members))
        return [firm, *names] if is_firm or is_person else names
    is_short = len(short) == len(members)
    if _has_sure_form(whole) or (is_short and "&" in "".join(joints)):
        return [firm]
    # John and Mary Smith
    family = "" if _is_single(members[-1]) else members[-1].split()[-1]
    names = [firm]
    for one in members:
        if is_person and _is_single(members[-1]):
            # The second surname alone is no name.
            names += [] if _is_single(one) else _names_of(one)
        elif _is_single(one):
            names.append(PartyName(_clean(f"{one} {family}"), "person"))
        else:
            names += _names_of(one)
    return names


def _names_of(body: str) -> list[PartyName]:
    """The name, without the roles that stand before or behind it: CEO John Smith."""
    text = _clean(body)
    kind: NameKind = "business" if _has_sure_form(text) else "either"
    without = _clean(_role_at_edge().sub(" ", text))
    is_shorter = without != text and len(WORD.findall(without)) > 1
    if not is_shorter:
        return [PartyName(text, kind)]
    if kind == "business" or _is_of_business(text):
        # Partner Re Ltd: the role may be part of the name.
        return [PartyName(text, kind), PartyName(without, kind)]
    return [PartyName(without, kind)]


@cache
def _role_at_edge() -> re.Pattern[str]:
    role = role_pattern("title")
    return re.compile(rf"^(?:{role})\s+(?:of\s+)?|\s+(?:{role})$", re.IGNORECASE)


def _clean(text: str) -> str:
    return " ".join(text.strip(EDGES).split())


# Judging a piece


def _judge(piece: str, *, is_entry: bool) -> Kind:
    if not has_letters(piece):
        return "detail" if any(c.isdigit() for c in piece) else "separator"
    if is_answer(piece):
        return "answer"
    found = plain_words(piece)
    if all(word in words_of("share") or not has_letters(word) for word in found):
        return "share"
    if countries.code(piece):
        return "detail"
    if role_alone().fullmatch(_clean(piece)):
        return "role"
    return "name" if _is_name(piece, found, is_entry=is_entry) else "remainder"


def _is_name(piece: str, words: Sequence[str], *, is_entry: bool) -> bool:
    is_business = _is_of_business(piece)
    if len(words) > (MOST_WORDS_OF_BUSINESS if is_business else MOST_WORDS):
        return False
    if not any(c.isupper() or c.islower() for c in piece):
        letters = sum(map(str.isalpha, piece))
        counted = [word for word in words if word not in _SON_OF]
        is_short = len(counted) <= MOST_WORDS_WITHOUT_CAPITALS
        return is_short and letters <= MOST_LETTERS_WITHOUT_CAPITALS
    if not _tells(words) or words_of("prose") & {*words}:
        return False
    if not is_business and words_of("collective") & {*words}:
        return False
    is_small = not any(c.isupper() for c in piece)
    verbs = words_of("verb" if is_small else "verb_capitals")
    if (is_small or piece.isupper()) and len(words) > 1 and verbs & {*words}:
        return False
    if is_small:
        return _has_sure_form(piece) or (is_entry and 1 < len(words) <= 5)
    return all(map(_is_like_name, WORD.findall(piece)))


# Words of Arabic names that say whose son or of which family: they make names long.
_SON_OF = frozenset(["بن", "ابن", "بنت", "آل", "عبد", "أبو"])


def _tells(words: Sequence[str]) -> bool:
    """Whether a word says who it is, beside words that many names have."""
    common = (
        words_of("business") | words_of("collective") | _forms() | words_of("sure_form")
    )
    common |= {"the", "of", "and", "for", "&"}
    if any(word not in common and has_letters(word) for word in words):
        return True
    # Partners Group AG: no word of its own, but a legal form behind two others.
    forms = _forms() | words_of("sure_form") | {"liability", "private", "public"}
    others = [word for word in words if word not in forms]
    return bool(words) and words[-1] in _forms() and len(others) > 1


def _is_like_name(word: str) -> bool:
    """With a capital or a digit, in a script without capitals, or one that names have within."""
    is_cased = any(c.isupper() or c.islower() for c in word)
    if not is_cased or any(c.isupper() or c.isdigit() for c in word):
        return True
    return plain_word(word) in _particles() or plain_word(word) in words_of("sure_form")


def _is_of_business(piece: str) -> bool:
    found = plain_words(piece)
    known = words_of("business") | words_of("sure_form") | _forms() - _particles()
    return any(word in known for word in found[1:])


def _has_sure_form(piece: str) -> bool:
    found = plain_words(piece)
    return any(word in words_of("sure_form") for word in found[1:])


def is_answer(piece: str) -> bool:
    return " ".join(piece.casefold().strip(EDGES + ".!").split()) in _answers()


def has_letters(piece: str) -> bool:
    return any(c.isalpha() for c in piece)


def _prose(body: str) -> tuple[list[Part], list[PartyName]]:
    """Words that are no name as a whole: names of two words and more in it are screened, and the
    rest is the remainder."""
    if _is_name(body, plain_words(body), is_entry=True) or _is_small_word(body):
        # In small letters: a name or a description.
        return [Part("remainder", body)], _names_of(body)
    parts: list[Part] = []
    names: list[PartyName] = []
    end = 0
    for start, stop in _runs(body):
        parts.append(_rest(body[end:start]))
        parts.append(Part("name", body[start:stop]))
        names += _names_of(body[start:stop])
        end = stop
    parts.append(_rest(body[end:]))
    if not names and all(map(_is_like_name, WORD.findall(body))) and " " in body:
        # Investors Bank: every word may be anybody's, and all are written like a name.
        names = [PartyName(_clean(body))]
    if all(part.kind in {"name", "separator"} for part in parts):
        # Two names with no separator that is known between them.
        return [Part("remainder", body)], names
    return parts, names


def _is_small_word(body: str) -> bool:
    """One word in small letters: faberlic."""
    found = plain_words(body)
    common = (
        words_of("collective")
        | words_of("verb")
        | words_of("prose")
        | words_of("business")
    )
    return (
        len(found) == 1
        and found[0] not in common
        and not any(c.isupper() for c in body)
    )


def _rest(text: str) -> Part:
    """What stands between two names of a sentence: a role (“our founder”), or nothing known."""
    if not has_letters(text):
        return Part("separator", text)
    role = _DETERMINER.sub("", text.strip(EDGES))
    return Part("role" if role_alone().fullmatch(role) else "remainder", text)


_DETERMINER = re.compile(r"^(?:the|our|its|my|his|her|their)\s+", re.IGNORECASE)


def _runs(body: str) -> Iterator[tuple[int, int]]:
    """Where words with capitals stand together, at least two."""
    never = (
        words_of("prose")
        | words_of("collective")
        | words_of("title")
        | words_of("title_many")
    )
    run: list[re.Match[str]] = []
    for match in [*WORD.finditer(body), None]:
        word = "" if match is None else plain_word(match[0])
        is_capital = match is not None and any(c.isupper() for c in match[0])
        if match is not None and (match.start() == 0 or body.isupper()):
            # The first word of a sentence has a capital, too: He owns, Will Smith owns.
            is_capital = is_capital and word not in words_of("verb_capitals")
        is_within = bool(run) and (is_capital or word in _particles())
        if match is not None and word not in never and (is_capital or is_within):
            run.append(match)
            continue
        while run and not any(c.isupper() for c in run[-1][0]):
            run.pop()
        if len(run) > 1:
            yield run[0].start(), run[-1].end()
        run = []
