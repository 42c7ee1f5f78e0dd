"""Decides to whom a passage of a document belongs: the company itself, another party, or a former name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from checks.fields import tunables
from checks.fields.layout.cells import Cell, cells_of, is_below_names_of_persons
from checks.fields.names.companies import (
    PARTICLE,
    clean,
    is_plausible,
    split_legal_form,
)
from checks.fields.names.company_comparison import compare_names
from checks.text.characters import has_digit, only_letters
from checks.text.flow import flowing
from checks.text.folding import folded
from checks.text.phrases import Pattern, Phrase
from checks.text.words import (
    Span,
    Text,
)

# Words for another party. A number behind them, in the same sentence or block, belongs to that party.
ANOTHER_PARTY = Phrase(
    r"\b(?:asset[- ]locked? body|registered agents?|agent for service|resident agent|incorporators?|shareholders?"
    r"|members?(?! of the\b)|subscribers?|directors?|secretary(?! of)|auditors?|presenter|presented by|filed by|prepared by|parent company"
    r"|holding company|trustees?|sponsor|landlord|transferees?|distribut(?:ed|ion)|dissolution|dissolved"
    r"|another (?:company|charity|organi[sz]ation)|lodged by|lodging|authori[sz]ed by|guarantors?|lender|donees?"
    r"|gesellschafter|geschäftsführer|associés?|gérante?|présidente?|commissaires? aux comptes|socios?|administrador(?:es)?"
    r"|soci[oa]?|amministrator[ei]|sócios?|gerente|bestuurders?|aandeelhouders?|wspólnic[ya]|wspólnik)\b"
)
# Words for the company itself. Behind them, a number belongs to the company again.
OWN = Phrase(
    r"\b(?:the|this|said|our) (?:company|corporation|association|society|entity)\b|\b(?:company|corporation|entity) (?:number|no|name|reg)"
    r"|\bcorporate identity|\bentity (?:number|name)|\bname of (?:the )?(?:company|corporation|entity)"
)
# Words in the heading of a block about former names of the company.
FORMER = Phrase(
    r"\b(?:previous|former|formerly|old|past|prior|anciens?|anciennes?|précédente?s?|früherer?n?|bisherig\w*|vormals|ehemalig\w*|anterior(?:es)?"
    r"|antigu[ao]s?|precedent[ei]|vorige|vroegere|voormalig\w*|poprzedni\w*|tidigare|tidligere|aiemm\w*|dřívější|korábbi|gelöscht\w*|löschungen"
    # Further names of the same company are no rivals either.
    r"|binavne?|bifirma|aputoiminim\w+|bijkomende handelsnaam)\b"
)
# Words in the heading of a block about other parties: owners, officers, auditors, agents.
OF_OTHERS = Phrase(
    r"\b(?:persons? with significant control|beneficial owners?|(?:ultimate |immediate )?(?:holding|parent) (?:company|entity)|parent"
    r"|shareholdings?|persons? entitled|charge ?holders?|chargees?|lenders?|encumbrances|investors?|domicile élu|shareholder(?:s|\(s\))?|stockholders?|members?|partners?|subscribers?|directors?|officers?|secretary(?! of)|secretaries|auditors?|audit firms?|accountants?"
    r"|(?:registered |resident )?agents?|incorporators?|organizers?|trustees?|liquidators?|service of process|chief executive officer(?:'s name)?"
    r"|gesellschafter(?:in)?|aktionäre?|geschäftsführer(?:in)?|vorstand|revisionsstelle|abschlussprüfer|prüfungsverband|steuerberater(?:in)?|prokura"
    r"|associé(?:s|\(s\))?|actionnaires?|gérante?s?|présidente?|dirigeants?|administrateurs?|commissaires? aux comptes"
    r"|soci(?:o|os|a|e)?(?: únic[oa]| unico)?|accionistas?|administrador(?:es)?(?: únic[oa])?|apoderados?|revisores? fiscales?|agente residente"
    r"|amministrator[ei]|sindac[oi]|revisore|sócios?|gerentes?|acionistas?"
    r"|bestuurders?|(?:enig )?aandeelhouders?|functies|accountant|wspólni[ck]\w*|udziałow\w*|zarząd|prokurenci"
    r"|revisor\w*|styrelse\w*|ägare|legale ejere|ejere|bestyrelse|direktion|eier\w*|regnskapsfører|styre|tilintarkas\w*|hallitus"
    r"|jednatel\w*|společní\w*|spoloční\w*|osanik\w*|juhatus|könyvvizsgáló\w*|administratori?|asociați?|asociat(?:ul)?|ortak(?:lar)?"
    r"|съдружни\w*|управител\w*|εταίρ\w*|διαχειριστ\w*"
    r"|present[eo]rs?(?:'s reference)?|(?:prepared|presented|lodged|filed|authori[sz]ed|registered) by|(?:ultimate )?holding company"
    r"|titular(?:es)?|biuro rachunkowe|prowadząc\w* księgi|pay sahib\w*|član\w*|osnivač\w*|direktor\w*|zastupni\w*|akcininka\w*|dalyvi\w*"
    r"|thành viên|cổ đông|gesellschafter/in(?:nen)?|komplementär\w*|kommanditist\w*|vertreter\w*|intermediari\w*|contador\w*|revisão)(?!\w)"
)
# Words in the names of firms that audit or keep books.
AUDITOR = re.compile(
    r"(?:revision|revisjon|revisor|audit|tilintarkastus|wirtschaftsprüf|steuerberat|treuhand|fiduciair|fiduciari|accountan|könyvvizsg)",
    re.IGNORECASE,
)
SECTION = re.compile(r"^\s*\(?(?:\d{1,2}[a-z]?|[IVX]{1,4})[.)]\s+(?=[^\W\d_]{3})")
# “Shares: 100”, with the holder of these shares below.
SHARES = re.compile(r"(?:number of )?shares?:? ?\d[\d,.]*", re.IGNORECASE)
# A line with the name of the company itself ends a block about others.
OWN_LABEL = re.compile(
    r"\s*(?:company|entity|corporation|corporate) name\b", re.IGNORECASE
)
CLAUSE_END = re.compile(r"[.;](?=\s)|\n\n|\f")
# Legal forms that also occur in titles and laws: “of a Domestic Corporation” names no company.
WORD_OF_TITLE = re.compile(
    r"\b(?:company|corporation|society|association|haftung|partnership|incorporation|limitata|limitada|limitée|ograniczoną odpowiedzialnością)$"
)
SMALL_WORD = re.compile(r"(?<![\w'\u2019.])[a-zà-ÿ]{4,}")
# In a certificate in capital letters, only a verb shows that a line is a sentence and not a name.
VERB = re.compile(
    r"\b(?:is|has|have|was|were|are|this|that|hereby|shall|which|with the|mit de[rm]|avec l[ae]|con la|com a)\b",
    re.IGNORECASE,
)
SMALL_OF_NAME = frozenset(
    {"&", "and", "of", "und", "et", "de", "du", "des", "der", "y", "e", "do", "da"}
)
LABEL_BEFORE = re.compile(r"^[^:]{2,60}:\s+(?=\S)")
BRACKET_BEHIND = re.compile(r"\s*[,(]?\s*\(?[^()]*\d[^()]*\)?\s*$")


@dataclass(frozen=True, slots=True)
class Mention:
    """A company name in the text.

    `is_own`: no heading or label says that it is another party or a former name.
    """

    name: str
    span: Span
    is_own: bool
    is_former: bool


def is_of_another(text: Text, span: Span) -> bool:
    """Whether the words before a number say that it belongs to another party."""
    start = max(0, span.start - tunables.ABOUT_A_PARTY)
    before = text.value[start : span.start]
    ends = [match.end() for match in CLAUSE_END.finditer(before)]
    before = before[ends[-1] :] if ends else before
    parties = [match.start() for match in ANOTHER_PARTY.finditer(before)]
    if not parties:
        return False
    own = [match.start() for match in OWN.finditer(before)]
    return not own or own[-1] < parties[-1]


def is_auditor_of(name: str, other: str) -> bool:
    """Whether only the first name says that it is a firm that audits or keeps books."""
    return bool(AUDITOR.search(name)) and not AUDITOR.search(other)


def company_of_bracket(text: Text, span: Span) -> str:
    """Return the company directly before the bracket that has the passage: “Alfa Ltd (file number 123)”.

    It is empty if the passage is in no bracket, or no legal form stands before it.
    """
    start = max(0, span.start - tunables.ABOUT_A_PARTY)
    before, bracket, within = text.value[start : span.start].rpartition("(")
    if not bracket or ")" in within:
        return ""
    words = before.split()
    name: list[str] = []
    for word in reversed(words):
        if not (word[:1].isupper() or word[:1].isdigit() or word in {"&", "and", "of"}):
            break
        name.insert(0, word)
    whole = clean(" ".join(name))
    return whole if split_legal_form(whole)[1] else ""


def company_in_clause(joined: str, span: Span) -> str:
    """Return the company that the same clause names last before the passage: “… to Alfa gGmbH, HRB 123”.

    `joined` is the text with its lines joined where a sentence goes on. It is empty if the clause
    names none with a legal form.
    """
    start = max(0, span.start - tunables.ABOUT_A_PARTY)
    # A line that does not go on with a sentence ends the clause, as a label does.
    before = re.split(r"[\n\f:]", joined[start : span.start])[-1]
    ends = [match.end() for match in CLAUSE_END.finditer(before)]
    words = (before[ends[-1] :] if ends else before).split()
    end = len(words)
    while end > 1:
        name = _name_before(words[:end])
        whole = clean(" ".join(name))
        base, form = split_legal_form(whole)
        if not (form and base):
            end -= 1
            continue
        if not WORD_OF_TITLE.search(folded(whole)):
            return whole
        # “the above-named Domestic Limited Liability Company”: no part of it is a name.
        end -= len(name)
    return ""


def _name_before(words: Sequence[str]) -> list[str]:
    """The words in capitals at the end, with the small words between them."""
    name: list[str] = []
    for word in reversed(words):
        is_inner = bool(name) and word.lower() in SMALL_OF_NAME
        # “Tortola Services (BVI) Limited”
        if not (word.lstrip("(")[:1].isupper() or is_inner):
            break
        name.insert(0, word)
    return name


def is_in_block_of_another(text: Text, span: Span) -> bool:
    """Whether the passage stands in a block about another party or about former names."""
    return is_in_block_of(text, span, OF_OTHERS) or is_in_block_of(text, span, FORMER)


def is_of_party(text: Text, span: Span) -> bool:
    """Whether the passage stands in a block about an owner, an officer or an agent."""
    return is_in_block_of(text, span, OF_OTHERS)


def is_in_block_of(text: Text, span: Span, words: Pattern) -> bool:
    """Whether the line before the passage, or a heading directly above it, has these words.

    A heading is a short line without a value. A line with a value ends the block above it.
    """
    if words.search(text.before_on_line(span)):
        return True
    start = text.line_start(span.start)
    above = text.value[:start].split("\n")[:-1]
    for line_above in reversed(above[-tunables.HEADING_LINES :]):
        # “6. Osanikud”: the number of a section is no value.
        heading = SECTION.sub("", line_above)
        if not heading.strip() or len(heading) > tunables.HEADING_LENGTH:
            return False
        if words is OF_OTHERS and SHARES.fullmatch(heading.strip()):
            return True
        if has_digit(heading) or OWN_LABEL.match(heading):
            return False
        if words.search(heading):
            # “Shareholder: Alfa Ltd” is a value, and the next line may be about something else.
            return ":" not in heading.rstrip(": ")
    return False


def mentions_of(text: Text) -> list[Mention]:
    """Return all company names in the text. They are recognised by their legal forms."""
    return list(_mentions(text))


def _mentions(text: Text) -> Iterator[Mention]:
    cells = cells_of(text)
    joined = flowing(text)
    for cell in cells:
        for part, offset in _parts(cell):
            name = clean(part)
            base, form = split_legal_form(name)
            if not form or not base or not _can_be_company(name):
                continue
            start = cell.span.start + offset
            span = Span.of(start, part)
            is_former = is_in_block_of(text, span, FORMER)
            # “Prepared by Alfa LLP”: the words may also stand on the line of the name, without a colon.
            is_other = OF_OTHERS.match(name) or is_in_block_of(text, span, OF_OTHERS)
            is_own = not is_former and not is_other
            is_own = is_own and not is_below_names_of_persons(cells, cell)
            if joined[start - 1 : start] == " " != text.value[start - 1 : start]:
                # The line goes on with a sentence, so that the name begins on the line above.
                is_own = False
            yield Mention(name, span, is_own, is_former)


def _can_be_company(name: str) -> bool:
    """Whether the name stands alone, and is not a part of a sentence or of a title."""
    if not is_plausible(name) or ":" in name or SMALL_WORD.search(name):
        return False
    if len(name.split()) > tunables.NAME_WORDS or VERB.search(name):
        return False
    # “Constitución de S.A.” is the title of an entry.
    last = split_legal_form(name)[0].split()[-1:]
    if last and PARTICLE.fullmatch(last[0]):
        return False
    return not WORD_OF_TITLE.search(folded(name))


def _parts(cell: Cell) -> Iterator[tuple[str, int]]:
    """Yield the possible names in a cell, each with its offset in the cell.

    They are the text behind the label, that text up to a comma, and that text without a number at
    its end.
    """
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
    """Return the company that is named last before the end of the line of `span`, unless it is too far above."""
    end = text.value.find("\n", span.end)
    if end < 0:
        end = len(text.value)
    before = [
        mention
        for mention in mentions
        if mention.span.start < end and not mention.is_former
    ]
    if not before:
        return None
    last = max(before, key=lambda mention: mention.span.start)
    between = text.value[last.span.end : span.start]
    if between.count("\n") > tunables.LINES_OF_PARTY:
        return None
    return last


def _is_latin(name: str) -> bool:
    letters = only_letters(name)
    return "LATIN" in unicodedata.name(letters[0], "") if letters else True


def is_same_company(name: str, other: str) -> bool:
    """Whether both names can be of one company.

    They are the same or nearly so, or one contains the other. Names in different scripts can be
    translations of each other, so they count as the same.
    """
    if _is_latin(name) != _is_latin(other):
        return True
    if compare_names(name, other).state in {"equal", "close"}:
        return True
    # “GORSKI VIR, proizvodnja pijač, d.o.o.” is “GORSKI VIR d.o.o.” in short.
    if _is_short_of(name, other) or _is_short_of(other, name):
        return True
    short, long = sorted((folded(name), folded(other)), key=len)
    return f" {short} " in f" {long} "


def _is_short_of(short: str, long: str) -> bool:
    first, comma, behind = long.partition(", ")
    has_form = bool(comma) and bool(split_legal_form(long)[1]) and "," in behind
    return has_form and folded(first) == split_legal_form(short)[0]
