"""Whose block of a document something stands in: the company's own, another party's, or that of a former name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from checks.fields import tunables
from checks.fields.labels.cells import Cell, cells_of
from checks.fields.names.companies import (
    clean,
    compare_names,
    folded,
    is_plausible,
    split_legal_form,
)
from checks.text.words import Span, Text, phrase

# Of whom something is that stands behind these words in the same sentence or block.
ANOTHER_PARTY = phrase(
    r"\b(?:asset[- ]locked? body|registered agents?|agent for service|resident agent|incorporators?|shareholders?"
    r"|members?|subscribers?|directors?|secretary(?! of)|auditors?|presenter|presented by|filed by|prepared by|parent company"
    r"|holding company|trustees?|sponsor|landlord|transferees?|distribut(?:ed|ion)|dissolution|dissolved"
    r"|another (?:company|charity|organi[sz]ation)|lodged by|lodging|authori[sz]ed by|guarantors?|lender|donees?"
    r"|gesellschafter|geschäftsführer|associés?|gérante?|présidente?|commissaires? aux comptes|socios?|administrador(?:es)?"
    r"|soci[oa]?|amministrator[ei]|sócios?|gerente|bestuurders?|aandeelhouders?|wspólnic[ya]|wspólnik)\b"
)
# The last of these before a number says that what follows is the company's own again.
OWN = phrase(
    r"\b(?:the|this|said|our) (?:company|corporation|association|society|entity)\b|\b(?:company|corporation|entity) (?:number|no|name|reg)"
    r"|\bcorporate identity|\bentity (?:number|name)|\bname of (?:the )?(?:company|corporation|entity)"
)
# The heading of a block about names that a company had before.
FORMER = phrase(
    r"\b(?:previous|former|formerly|old|past|prior|anciens?|anciennes?|précédente?s?|früherer?n?|bisherig\w*|vormals|ehemalig\w*|anterior(?:es)?"
    r"|antigu[ao]s?|precedent[ei]|vorige|vroegere|voormalig\w*|poprzedni\w*|tidigare|tidligere|aiemm\w*|dřívější|korábbi|gelöscht\w*|löschungen)\b"
)
# The heading of a block about somebody else: owners, officers, auditors, agents.
OF_OTHERS = phrase(
    r"\b(?:persons? with significant control|beneficial owners?|(?:ultimate |immediate )?(?:holding|parent) (?:company|entity)|parent"
    r"|shareholder(?:s|\(s\))?|stockholders?|members?|partners?|subscribers?|directors?|officers?|secretary(?! of)|secretaries|auditors?|audit firms?|accountants?"
    r"|(?:registered |resident )?agents?|incorporators?|organizers?|trustees?|liquidators?|service of process|chief executive officer(?:'s name)?"
    r"|gesellschafter(?:in)?|aktionäre?|geschäftsführer(?:in)?|vorstand|revisionsstelle|abschlussprüfer|prüfungsverband|steuerberater(?:in)?|prokura"
    r"|associé(?:s|\(s\))?|actionnaires?|gérante?s?|présidente?|dirigeants?|administrateurs?|commissaires? aux comptes"
    r"|soci(?:o|os|a|e)?(?: únic[oa]| unico)?|accionistas?|administrador(?:es)?(?: únic[oa])?|apoderados?|revisores? fiscales?|agente residente"
    r"|amministrator[ei]|sindac[oi]|revisore|sócios?|gerentes?|acionistas?"
    r"|bestuurders?|(?:enig )?aandeelhouders?|functies|accountant|wspólni[ck]\w*|udziałow\w*|zarząd|prokurenci"
    r"|revisor\w*|styrelse\w*|ägare|legale ejere|ejere|bestyrelse|direktion|eier\w*|regnskapsfører|styre|tilintarkas\w*|hallitus"
    r"|jednatel\w*|společní\w*|spoloční\w*|osanik\w*|juhatus|könyvvizsgáló\w*|administratori?|asociați?|ortaklar?"
    r"|съдружни\w*|управител\w*|εταίρ\w*|διαχειριστ\w*)(?!\w)"
)
CLAUSE_END = re.compile(r"[.;](?=\s)|\n\n|\f")
# Forms that are words of titles and of laws, too: “of a Domestic Corporation” names no company.
WORD_OF_TITLE = re.compile(
    r"\b(?:company|corporation|society|association|haftung|partnership|incorporation|limitata|limitada|limitée|ograniczoną odpowiedzialnością)$"
)
SMALL_WORD = re.compile(r"(?<![\w'\u2019.])[a-zà-ÿ]{4,}")
# Certificates in capital letters have sentences that no small letter tells from a name.
VERB = re.compile(
    r"\b(?:is|has|have|was|were|are|this|that|hereby|shall|which)\b", re.IGNORECASE
)
LABEL_BEFORE = re.compile(r"^[^:]{2,60}:\s+(?=\S)")
BRACKET_BEHIND = re.compile(r"\s*[,(]?\s*\(?[^()]*\d[^()]*\)?\s*$")


@dataclass(frozen=True, slots=True)
class Mention:
    """A company that a line of the text names; `is_own`: nothing says that it is another party, or a former name."""

    name: str
    span: Span
    is_own: bool
    is_former: bool


def is_of_another(text: Text, span: Span) -> bool:
    """Do the words before a number say that it is another party's?"""
    start = max(0, span.start - tunables.ABOUT_A_PARTY)
    before = text.value[start : span.start]
    ends = [match.end() for match in CLAUSE_END.finditer(before)]
    before = before[ends[-1] :] if ends else before
    parties = [match.start() for match in ANOTHER_PARTY.finditer(before)]
    if not parties:
        return False
    own = [match.start() for match in OWN.finditer(before)]
    return not own or own[-1] < parties[-1]


def is_in_block_of_another(text: Text, span: Span) -> bool:
    """Is this another party, or a former name?"""
    return is_in_block_of(text, span, OF_OTHERS) or is_in_block_of(text, span, FORMER)


def is_of_party(text: Text, span: Span) -> bool:
    """Does it stand in the block of an owner, an officer or an agent?"""
    return is_in_block_of(text, span, OF_OTHERS)


def is_in_block_of(text: Text, span: Span, words: re.Pattern[str]) -> bool:
    """Does the line, or a heading right above it, have these words?

    A heading is a short line without a value: a line that states something ends the block above it.
    """
    start = text.value.rfind("\n", 0, span.start) + 1
    line = text.value[start : span.start]
    if words.search(line):
        return True
    above = text.value[:start].split("\n")[:-1]
    for heading in reversed(above[-tunables.HEADING_LINES :]):
        if not heading.strip() or len(heading) > tunables.HEADING_LENGTH:
            return False
        if any(map(str.isdigit, heading)):
            return False
        if words.search(heading):
            # “Shareholder: Alfa Ltd” is a value, and the next line may be about something else.
            return ":" not in heading.rstrip(": ")
    return False


def mentions_of(text: Text) -> list[Mention]:
    """The companies that lines or cells of the first pages name, by their legal forms."""
    return list(_mentions(text))


def _mentions(text: Text) -> Iterator[Mention]:
    for cell in cells_of(text):
        for part, offset in _parts(cell):
            name = clean(part)
            base, form = split_legal_form(name)
            if not form or not base or not _can_be_company(name):
                continue
            start = cell.span.start + offset
            span = Span(start, start + len(part))
            is_former = is_in_block_of(text, span, FORMER)
            is_own = not is_former and not is_in_block_of(text, span, OF_OTHERS)
            yield Mention(name, span, is_own, is_former)


def _can_be_company(name: str) -> bool:
    """A name by itself: neither a part of a sentence, with words in small letters, nor of a title."""
    if not is_plausible(name) or ":" in name or SMALL_WORD.search(name):
        return False
    if len(name.split()) > tunables.NAME_WORDS or VERB.search(name):
        return False
    return not WORD_OF_TITLE.search(folded(name))


def _parts(cell: Cell) -> Iterator[tuple[str, int]]:
    """What stands behind the label of a cell, with and without what follows a comma or is a number at its end."""
    label = LABEL_BEFORE.match(cell.text)
    offset = label.end() if label else 0
    part = cell.text[offset:]
    yield part, offset
    first, comma, _ = part.partition(", ")
    if comma:
        yield first, offset
    behind = BRACKET_BEHIND.search(part)
    if behind and behind.start():
        yield part[: behind.start()], offset


def nearest_company(text: Text, mentions: list[Mention], span: Span) -> Mention | None:
    """The last company that a line names up to the end of the line of a value, and not far above it."""
    end = text.value.find("\n", span.end)
    if end < 0:
        end = len(text.value)
    before = [
        mention for mention in mentions
        if mention.span.start < end and not mention.is_former
    ]  # fmt: skip
    if not before:
        return None
    last = max(before, key=lambda mention: mention.span.start)
    between = text.value[last.span.end : span.start]
    if between.count("\n") > tunables.LINES_OF_PARTY:
        return None
    return last


def _is_latin(name: str) -> bool:
    letters = "".join(filter(str.isalpha, name))
    return "LATIN" in unicodedata.name(letters[0], "") if letters else True


def is_same_company(name: str, other: str) -> bool:
    """The same name, one that has the other within it, or a name in other letters, as its translation."""
    if _is_latin(name) != _is_latin(other):
        return True
    if compare_names(name, other).state in {"equal", "close"}:
        return True
    short, long = sorted((folded(name), folded(other)), key=len)
    return f" {short} " in f" {long} "
