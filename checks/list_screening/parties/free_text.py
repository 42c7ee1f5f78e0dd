# ruff: noqa: RUF001 - dashes, quotes and commas of other scripts are its subject
"""Free text about parties, split into names, shares and roles. No part of the text is lost.

The grammar:

- separators: line ends, `;`, `|`, bullets, list numbers, `:`, `/`, a dash between spaces, brackets,
  commas, “and”, `&`; and words between two names of one party (“also known as”);
- shares: a number with %, “percent” or “shares”, with its verb (“owns 60 % of the company”);
- roles: alone between separators or in brackets, before or after a name, before a colon, or in a
  phrase (“owned by”, “is the sole director of the company”);
- details: numbers, dates of birth, countries, email and web addresses.

The rest is a name if it is written like one, otherwise it is the remainder. A text with two
possible readings (“Sechin, Igor”, “Boston Research and Trading Ltd”) gives the names of both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from checks.list_screening.parties import tunables
from checks.list_screening.parties.pieces import (
    EDGES,
    Kind,
    Part,
    PartyName,
    chunk,
    has_capital,
    has_letters,
    is_answer,
    is_tail,
    plain_words,
    role_alone,
    role_pattern,
    words_of,
)  # fmt: skip
from papers import countries


@dataclass(frozen=True, slots=True)
class Reading:
    """`parts` together are the text. `names` has further readings of names that are unclear."""

    parts: tuple[Part, ...]
    names: tuple[PartyName, ...]

    @property
    def remainder(self) -> tuple[str, ...]:
        """The parts that could not be read, unchanged."""
        remainder: list[str] = []
        for part in self.parts:
            text = part.text.strip(EDGES)
            if part.kind == "remainder" and text:
                remainder.append(text)
        return tuple(remainder)

    @property
    def names_nobody(self) -> bool:
        """Whether the text mentions a party (a role, a country, an address) but has no name."""
        if self.names:
            return False
        for part in self.parts:
            if part.kind in {"role", "detail"} and has_letters(part.text):
                return True
        return False


def read(text: str, *, is_entry: bool = False) -> Reading:
    """Split a text. `is_entry`: the text is an entry of a list, which may be in small letters."""
    head, tail = text[: tunables.MOST_TEXT], text[tunables.MOST_TEXT :]
    if is_answer(head) and not tail:
        return Reading((Part("answer", text),), ())
    pieces = [Part("", head)]
    # Mark what the grammar knows, rule by rule. A later rule only sees what is not marked yet.
    for kind, pattern in _grammar():
        pieces = list(_marked(pieces, kind, pattern))
    pieces = list(_without_brackets(pieces))
    parts: list[Part] = []
    names: dict[PartyName, None] = {}
    for piece in pieces:
        if piece.kind:
            parts.append(piece)
        elif len(names) >= tunables.MOST_NAMES:
            parts.append(_unread(piece.text))
        else:
            chunk_parts, chunk_names = chunk(piece.text, is_entry=is_entry)
            parts += chunk_parts
            names.update(dict.fromkeys(chunk_names))
    if tail:
        parts.append(Part("remainder", tail))
    filled_parts = tuple(part for part in parts if part.text)
    reading = Reading(filled_parts, tuple(names))
    # An entry of a list may be one long name, so the whole is screened as well.
    if is_entry and reading.remainder and _may_be_whole(text):
        names[PartyName(" ".join(text.split()))] = None
        return Reading(filled_parts, tuple(names))
    return reading


def _unread(text: str) -> Part:
    if has_letters(text):
        return Part("remainder", text)
    return Part("separator", text)


def _may_be_whole(text: str) -> bool:
    """Whether an entry of a list is short and has a capital, so that it is also screened as a
    whole.
    """
    return len(text.split()) <= tunables.MOST_WORDS and has_capital(text)


# Grammar


@cache
def _grammar() -> tuple[tuple[Kind, re.Pattern[str]], ...]:
    """Return the rules in the order in which they are applied.

    The rest of the text is judged piece by piece.
    """
    rules: list[tuple[Kind, str]] = [
        ("detail", r"\b(?:https?://|www\.)[^\s,;|]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
        ("separator", _ALIAS),
        ("share", _SHARE),
        ("detail", _BORN),
        ("role", _phrases()),
        (
            "role",
            rf"(?:(?<=[\n;,.(|])|^)\s{{0,3}}{role_pattern('title', 'title_many')}(?=\s?[:：])",
        ),
        ("separator", _NUMBERING),
        ("separator", _SEPARATOR),
    ]
    grammar: list[tuple[Kind, re.Pattern[str]]] = []
    for kind, rule in rules:
        flags = re.IGNORECASE
        if rule in _SPACED:
            flags |= re.VERBOSE
        grammar.append((kind, re.compile(rule, flags)))
    return tuple(grammar)


_NUMBER = r"\d{1,15}(?:[.,'’]\d{1,9}){0,6}(?:[ ]\d{3}){0,5}"
_SHARE = rf"""
    (?:\b(?:who[ ])?(?:owns?|holds?|has|have|owned|held|owning|holding|with|at|for|each
        |hält|halten|besitzt|mit|détient|détiennent|possède|avec|à|posee|tiene|con[ ]el|detiene|possiede|detém|possui|com
        |bezit|houdt|met|posiada|владеет|имеет|володіє|vlastní|birtokol|äger|eier|ejer|omistaa|med)\b[ ]?)?
    (?:\b(?:the|an?|remaining|other|about|approx\.?|approximately|circa|ca\.?|over|under|direct|indirect
        |more[ ]than|less[ ]than|at[ ]least|up[ ]to)[ ]{{1,3}}|[~<>≥≤=][ ]?){{0,4}}
    (?:
        (?<![\w.,]){_NUMBER}[ ]{{0,3}}(?:%?[ ]{{0,3}}(?:-|–|to|bis)[ ]{{0,3}}{_NUMBER})?[ ]{{0,3}}
        (?:[%٪％﹪]|(?:per[ ]?cent|percent|pct|prozent|por[ ]ciento|pour[ ]cent|procent)\b\.?
            |(?:ordinary[ ]|preferred[ ]|common[ ]|class[ ]\w[ ])?
             (?:shares?|units?|votes?|stocks?|aktien|anteile|acciones|actions)\b)
        |(?<![\w.,%])[%٪][ ]?{_NUMBER}
        |\b\d{{1,3}}[/:]\d{{1,3}}\b|\ball(?:[ ]of)?(?:[ ]the)?[ ]shares\b
        |\b(?:(?:one|two|three)[ -](?:half|thirds?|quarters?|fourths?)|half|equally|in[ ]equal[ ](?:parts|shares))\b
    )
    (?:[ ]{{0,3}}\b(?:each|direct(?:ly)?|indirect(?:ly)?|ownership|owner|stake|interest|equity|shareholding|shares?
        |shareholder|share[ ]capital|voting[ ]rights|votes
        |(?:of|in)[ ](?:the[ ])?(?:total[ ])?(?:issued[ ])?(?:ordinary[ ])?
         (?:shares?|stock|share[ ]capital|capital|voting[ ]rights|votes|company|business|firm|equity|ownership)
        |(?:is[ ]|are[ ])?(?:owned|held)[ ]by|by
        |des[ ]parts|des[ ]actions|du[ ]capital|de[ ](?:parts|las[ ](?:acciones|participaciones)|quote)|del[ ]capitale?|delle[ ]quote
        |der[ ](?:anteile|geschäftsanteile|aktien)|am[ ]kapital|do[ ]capital|das[ ]quotas|udziałów|акций|долей|доли|частки)\b){{0,4}}
"""
_BORN = r"""
    \b(?:born|dob|d\.o\.b\.?|date[ ]of[ ]birth|geb\.?|geboren|née?[ ]le|b\.)[ ]*:?[ ]*(?:on[ ]|am[ ])?
    (?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{1,2}\.?[ ][^\W\d_]+[ ]\d{4}|[^\W\d_]+[ ]\d{1,2},?[ ]\d{4}|\d{4})
    |\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[./]\d{1,2}[./]\d{4}\b
"""
_ALIAS = r"""
    (?<![\w])(?:a\.?k\.?a\.?|f\.?k\.?a\.?|n\.?k\.?a\.?|[af]/k/a|d/?b/?a|t/a|c/o|also[ ]known[ ]as|formerly(?:[ ]known[ ]as)?
        |known[ ]as|doing[ ]business[ ]as|trading[ ]as|alias)(?![\w])[ ]*:?
"""
_NUMBERING = r"(?:(?<=\s)|(?<=[;,\n])|^)(?:\(?\d{1,3}[.)]|\(?(?:[a-h]|i{1,3}|iv|v)\))\s+(?=\S)|(?:(?<=\n)|^)[ \t]{0,9}[-*–—>•·]{1,9}"
_SEPARATOR = r"""
    [\n\r\v\f\x1c-\x1e\x85\u2028\u2029\t;；|•●▪■◦‣→:：]+|->|=>|(?<=\s)[-–—]{1,3}(?=\s)|(?<=\s)/(?=\s)|(?<=[^\W\d_]{2})/(?=[^\W\d_]{2})
    |(?<=[^\W\d_]{4})(?<!\bcorp)(?<!\bprof)(?<!assoc)(?<!\bbros)(?<!\bmessrs)[.。](?=\s+\S)|[。]
"""
_SPACED = frozenset([_SHARE, _BORN, _ALIAS, _SEPARATOR])


def _phrases() -> str:
    """Return a pattern for phrases such as “owned by”, “is the sole director of the company”, “on
    behalf of”.
    """
    roles = role_pattern("title", "title_many")
    is_in_languages = "(?:is|are|ist|sind|est|sont|es|son|è|sono|é|são|jest|są|является|являются|är|jsou)"
    whose = r"(?:\s+of\s+(?:the|our|this)\s+(?:company|business|firm|group|entity)\b)?"
    return (
        r"(?:\b(?:the|our|this)\s+)?(?:\b(?:company|business|firm|group|entity|shares?|ownership)\s+)?"
        r"(?:\b(?:is|are|was)\s+)?(?:\b(?:wholly|jointly|fully|majority|ultimately|beneficially|solely|equally|"
        r"directly|indirectly)[\s-]){0,3}"
        r"\b(?:owned|held|controlled|managed|run|headed|founded|directed|represented|shared)(?:\s+and\s+\w+ed)?"
        r"\s+(?:by|between|among)\b"
        rf"|\b(?:is|are|as|being)\s+(?:(?:the|an?|our|its)\s+)?{roles}{whose}(?:\s+(?:for|of)(?=\s))?"
        rf"|(?<=[,;(\n])\s{{0,3}}(?:the|our|its)\s+{roles}{whose}"
        rf"|\b(?:(?:the|our|its|der|die|le|la|el|il|o|a)\s+)?{roles}{whose}\s+{is_in_languages}(?!\w)"
        r"|\b(?:on behalf of|in trust for|as trustee (?:of|for)|via|through)\b"
    )


def _marked(
    pieces: Sequence[Part], kind: Kind, pattern: re.Pattern[str]
) -> Iterator[Part]:
    for piece in pieces:
        if piece.kind:
            yield piece
            continue
        end = 0
        for match in pattern.finditer(piece.text):
            if match.end() > match.start():
                yield Part("", piece.text[end : match.start()])
                yield Part(kind, match[0])
                end = match.end()
        yield Part("", piece.text[end:])


_BRACKET = re.compile(r"[()\[\]{}（）【】]")
_IN_BRACKETS = re.compile(r"(?<=[\w.]\s)\(([^()\n,;:%]{1,40})\)(?=,?\s+([^,;()\n]+))")


def _without_brackets(pieces: Sequence[Part]) -> Iterator[Part]:
    """Split at brackets, except a pair within a name: Acme (UK) Ltd, John (Jack) Smith."""
    for piece in pieces:
        if piece.kind:
            yield piece
            continue
        within: set[int] = set()
        for pair in _IN_BRACKETS.finditer(piece.text):
            if _is_within_name(pair[1], pair[2]):
                within |= {pair.start(), pair.end(1)}
        end = 0
        for bracket in _BRACKET.finditer(piece.text):
            if bracket.start() not in within:
                yield Part("", piece.text[end : bracket.start()])
                yield Part("separator", bracket[0])
                end = bracket.end()
        yield Part("", piece.text[end:])


def _is_within_name(content: str, following: str) -> bool:
    if role_alone().fullmatch(content.strip()) or is_answer(content):
        return False
    has_sure_form = not words_of("sure_form").isdisjoint(plain_words(following))
    if has_sure_form or is_tail(following):
        return True
    if not content.isalpha() or countries.code_by_name(content):
        return False
    return following.lstrip()[:1].isalpha()
