"""Who sends a bill, a statement or a letter: from the head of the page, a label, and the foot.

One of these signs alone leaves the name unsure. The form of a name (a legal form, a word such as
“bank” or “council”) counts as a second sign, and so does its repetition in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from checks.evidence import Evidence
from checks.extraction.clear_words import is_clear
from checks.extraction.tool import Fact
from checks.extraction.whole_names import count_of, goes_on_from_above, whole_name
from checks.fields.addresses.addressees import CARE, blocks_of
from checks.fields.addresses.windows import SENDER, TITLE, address_on_line
from checks.fields.extracted import ExtractedValue
from checks.fields.names.companies import split_legal_form
from checks.fields.names.company_comparison import compare_names
from checks.proof_of_address import tunables
from checks.proof_of_address.labels import ISSUER, of_kind
from checks.proof_of_address.totals import UNSURE, words
from checks.text.characters import count_letters, has_digit
from checks.text.folding import folded
from checks.text.words import Span, Text

NOT_FOUND = "not found in the text"
# Where a name ends within a line: at a dot or stroke between parts, or at words about the company.
NAME_END = re.compile(
    r"\s+[·•|\u2013\u2014-]\s+|\s*[;|]\s*|,\s+(?=[^\W\d_].*\d)|\s+(?:is (?:a )?|au capital|with registered|registered|eingetragen|trading as|t/a|sede\b|capital social|siège"
    r"|ABN\b|ACN\b|VAT\b|CNPJ\b|C\.?I\.?F\.?\b|N\.?I\.?F\.?\b|NIP\b|BTW\b|KvK\b|P\.? ?IVA\b|SIRET\b|RCS\b|HRB\b|Org\.?\s?nr|RFC\b|CVR\b|PAN\b|GSTIN\b|Tel\b)",
    re.IGNORECASE,
)
PART_END = re.compile(r"\s+[·•|\u2013\u2014-]\s+|\s*[;|,]")
# The foot of a business letter states the register and the tax number.
LEGAL = re.compile(
    r"\b(?:registered (?:in|office|number|no)|company (?:no|number|reg)|vat (?:no|reg|number)|rcs\b|siren|siret|au capital|amtsgericht|registergericht|hr[ab] ?\d|ust-?id"
    r"|geschäftsführer|kvk|btw|partita iva|p\. ?iva|reg\. ?imp|c\.i\.f|cif\b|nif\b|nipc|cnpj|rfc\b|nip\b|krs\b|regon|organisationsn|org\.? ?nr|cvr|y-tunnus|abn\b|acn\b"
    r"|gstin|cin\b|uen\b|member fdic|financial conduct authority|trading name|registro mercantil|capital social|fn \d|uid\b|bankgiro|che-\d)",
    re.IGNORECASE,
)
# An address or telephone number below the name at the head of a page.
LETTERHEAD = re.compile(r"(?=.*[,·•|\u2013-]).*\b\d{4,6}\b|\b(?:tel|phone|tél|telefon|www)\b", re.IGNORECASE)  # fmt: skip
MARKS = re.compile(r"(?:\s[·•|\u2013\u2014-]\s.*){2}")
DATE_OR_NUMBER = re.compile(r"\d{4,}|\d[\d./ -]{5,}\d|[@#]|www\.|https?:")


@dataclass
class Sender:
    """Spellings of one name, and the signs that it is the sender."""

    name: str
    span: Span
    signs: set[str] = field(default_factory=set)
    # Longer spellings with a legal form.
    whole: dict[str, tuple[str, Span]] = field(default_factory=dict)
    # The line below may be the rest of the name.
    may_go_on: bool = False

    @property
    def key(self) -> str:
        return folded(self.name)


def senders_of(evidence: Evidence, besides: Sequence[str] = ()) -> list[Sender]:
    """Return who may have sent the paper, the one with the most signs first.

    `besides` are names of others, such as that of the holder, which are left out.
    """
    text = evidence.once(blocks_of)
    senders: list[Sender] = []
    signs = [
        *_labelled(text),
        *_in_cells(evidence, text),
        *_of_head(evidence, text),
        *_of_foot(text),
    ]
    for sign, name, span in signs:
        if not _is_one_of(name, besides):
            _add(senders, sign, name, span)
    for sender in senders:
        _remove_mark(text, sender)
        _add_signs(text, sender)
    senders = [_to_its_end(text, sender) for sender in senders if sender.signs]
    return sorted(senders, key=lambda sender: -len(sender.signs))


def issuer_of(
    evidence: Evidence, holder: str | None, possible: Sequence[str] = ()
) -> Fact:
    """Return the issuer, or its candidates. Spans belong to `blocks_of`.

    `possible` are names of which one is the holder's, if that is unsure.
    """
    text = evidence.once(blocks_of)
    own = list(possible)
    if holder:
        # The name of the recipient is never that of the issuer.
        own.append(holder)
    senders = senders_of(evidence, own)
    if not senders:
        return Fact(None, None, NOT_FOUND)
    senders = _legal_first(senders)
    best, *others = senders
    # A value needs two signs, more than any other name, a place where senders stand, and a sure
    # spelling. Without a holder nothing shows that the name is not the recipient's.
    is_alone = not others or len(others[0].signs) < len(best.signs)
    is_placed = bool(best.signs & {"label", "head", "sender", "owner"})
    is_spelled = not text.has_ocr(best.span) or bool(best.signs & TWICE)
    is_spelled = is_spelled and is_clear(evidence, text, best.span, best.name)
    # A narrow cell breaks a long name, and only its second line names a business.
    is_whole = not (best.may_go_on or goes_on_from_above(text, best.span))
    is_read = is_placed and is_spelled and is_whole
    if len(best.signs) > 1 and is_alone and is_read and holder:
        extracted = _extracted(best, tunables.SURE)
        return Fact(best.name, extracted)
    candidates = [_extracted(sender, tunables.ONE_SIGN) for sender in senders]
    return Fact(None, None, UNSURE, tuple(candidates[: tunables.CANDIDATES]))


# “… é uma marca comercial de …”: whose mark it is.
OWNER = re.compile(
    r"\b(?:trading (?:name|style)|trade ?mark|brand|marca|marque|nom commercial|nombre comercial|nome commerciale|nome comercial|marke|handelsnaam|handelsname"
    r"|varumärke|varemerke|varemærke|märke|aputoiminimi|znak(?:iem)? towarowy\w*|mark(?:a|ą|ou)|značk\w+|kaubamärk|марка|marcă)(?: \w+){0,2}"
    r" (?:of|de|da|do|du|der|von|van|di|della|dell['\u2019]|av|af|for|spółki|firmy|společnosti|spoločnosti|a)(?: (?:the|la|der|de))? (?=[A-ZÀ-Þ\u0100-\u017f])",
    re.IGNORECASE,
)


def _legal_first(senders: Sequence[Sender]) -> list[Sender]:
    """Put a legal name before a mark at the top of the page.

    The legal name stands in the foot or behind a label. It is alone if it is labelled, or if the page says that
    the mark is its own; else a person decides.
    """
    mark = senders[0]
    legal = [sender for sender in senders if _is_legal(sender)]
    if not legal or not _is_mark(mark):
        return [*senders]
    own = legal[0]
    if len(legal) == 1 and own.signs & {"label", "owner"}:
        return [own]
    return [*legal, *(sender for sender in senders if sender not in legal)]


def _is_legal(sender: Sender) -> bool:
    is_placed = bool(sender.signs & {"foot", "label", "owner"})
    return is_placed and bool(split_legal_form(sender.name)[1])


def _is_mark(sender: Sender) -> bool:
    """Whether it may be a mark at the top of the page, and not the name of a company: it has no legal form."""
    return "label" not in sender.signs and not split_legal_form(sender.name)[1]


# OCR may misread a letter. A name that it read only once is unsure, wherever it stands.
TWICE = frozenset({"repeated", "foot"})
SIGNS = {
    "label": "behind a label",
    "head": "at the top of the page",
    "sender": "above the window of the letter",
    "letterhead": "above its address or tax number",
    "foot": "beside its register or tax number",
    "owner": "the page says that the mark is its own",
    "form": "its words name a business or an office",
    "repeated": "repeated in the text",
}


def _extracted(sender: Sender, confidence: float) -> ExtractedValue[str]:
    descriptions = []
    for sign, description in SIGNS.items():
        if sign in sender.signs:
            descriptions.append(description)
    how = ", ".join(descriptions)
    return ExtractedValue(sender.name, sender.span, how, confidence)


def _to_its_end(text: Text, sender: Sender) -> Sender:
    """Return the sender with the rest of its name on the line below, if the text has the whole elsewhere.

    A narrow column breaks the name of a head: “Sparbanken” / “Kalmarsund”. Without such a place the line
    below may as well be another one, and the sender is only a candidate.
    """
    if len(sender.whole) == 1:
        [(name, span)] = sender.whole.values()
        return replace(sender, name=name, span=span)
    if sender.whole:
        # Companies of one group: which of them sends the paper is not known.
        return replace(sender, may_go_on=True)
    whole = whole_name(text, sender.span, sender.name)
    if whole == sender.name or _has_other_font(text, sender.span):
        return sender
    if count_of(text, whole) > 1:
        signs = sender.signs | {"repeated"}
        return Sender(whole, sender.span, signs)
    return replace(sender, may_go_on=True)


def _has_other_font(text: Text, span: Span) -> bool:
    """Whether the line below the passage is in another font, so that it does not go on there."""
    end = text.value.find("\n", span.end)
    last = text.words(span)[-1:]
    first = text.words(Span(end, end + tunables.ISSUER_LENGTH))[:1]
    return bool(last and first) and last[0].font != first[0].font


def _is_one_of(name: str, own: Sequence[str]) -> bool:
    """Whether it is one of these names, also behind its label: “Titular Talleres Urquiola, S.L.”."""
    key = folded(name)
    return any(
        is_same(name, other) or key.endswith(f" {folded(other)}") for other in own
    )


def is_same(name: str, other: str) -> bool:
    if compare_names(name, other).state in {"equal", "close"}:
        return True
    key, second = sorted((folded(name), folded(other)), key=len)
    return len(key) >= tunables.SAME_BEGINNING and second.startswith(f"{key} ")


def _add(senders: list[Sender], sign: str, name: str, span: Span) -> None:
    for sender in senders:
        if is_same(sender.name, name):
            sender.signs.add(sign)
            if _is_longer(name, sender.name):
                sender.whole.setdefault(folded(name), (name, span))
            return
    senders.append(Sender(name, span, {sign}))


def _is_longer(name: str, mark: str) -> bool:
    """Whether the name begins with a mark and goes on to its legal form: “Noordwind Energie B.V.”."""
    begins = folded(name).startswith(f"{folded(mark)} ")
    is_mark = not split_legal_form(mark)[1]
    return is_mark and begins and bool(split_legal_form(name)[1])


# What OCR reads for the mark of a logo beside a name: a letter, or signs.
MARK = re.compile(r"^(?:[^\W\d_]|\W{1,3}|[^\W\d_]{1,3}[)\]]) (?=\S)")


def _remove_mark(text: Text, sender: Sender) -> None:
    """Remove what was read for a mark before the name, if the text has the name without it elsewhere."""
    mark = MARK.match(sender.name)
    if mark is None or not text.has_ocr(sender.span):
        return
    name = sender.name[mark.end() :]
    is_letter = mark[0].strip().isalpha()
    if not is_letter or count_of(text, name) > count_of(text, sender.name):
        start = sender.span.start + mark.end()
        sender.name = name
        sender.span = Span(start, sender.span.end)


def _add_signs(text: Text, sender: Sender) -> None:
    if is_of_business(sender.name):
        sender.signs.add("form")
    key = split_legal_form(sender.name)[0]
    if len(key) > tunables.SAME_BEGINNING and count_of(text, key) > 1:
        sender.signs.add("repeated")


# A box or a bag of the post, and whom to call.
OF_PLACE = re.compile(
    r"^(?:p\.? ?o\.? ?box|box \d|private bag|locked bag|casella postale|postfach|postbus|postboks|boîte postale|apartado|pl \d|tsa \d|service clients?|kundenservice|klantenservice)",
    re.IGNORECASE,
)
# “Energieweg 40”: a street with its number.
STREET = re.compile(r"[^\d]{3,40} \d{1,4}[a-z]?", re.IGNORECASE)


SENTENCE_END = re.compile(r"(?<=[^\W\d_]{5})\.$")


def _named(line: str) -> str:
    """Return the name at the beginning of a line, or an empty string if it begins with something
    else.
    """
    name = _up_to_end(line.strip()).strip(" ,;:*|·•-\u2013")
    # The end of a sentence, and not that of an abbreviation.
    name = SENTENCE_END.sub("", name)
    letters = count_letters(name)
    if letters < tunables.ISSUER_LETTERS or len(name) > tunables.ISSUER_LENGTH:
        return ""
    if STREET.fullmatch(name) or CARE.match(name) or OF_PLACE.search(name):
        return ""
    if address_on_line(name) is not None or _is_heading(name):
        return ""
    if ":" in name or DATE_OR_NUMBER.search(name) or TITLE.match(name):
        return ""
    return name


def _up_to_end(line: str) -> str:
    """Return the line up to where a name ends. A comma before its legal form is within the name: “Águas do Minho, S.A.”."""
    end = NAME_END.search(line)
    if end is None:
        return line
    name = line[: end.start()]
    if end[0].strip() == ",":
        behind = PART_END.split(line[end.end() :], maxsplit=1)[0]
        key, legal_form = split_legal_form(f"{name}, {behind}")
        if legal_form and key == split_legal_form(name)[0]:
            return f"{name}{end[0]}{behind}"
    return name


def _headings() -> frozenset[str]:
    return frozenset(map(folded, words("heading")))


def _is_heading(name: str) -> bool:
    """Whether it is a heading, or ends with one of one word: “Natural gas bill”."""
    key = folded(name)
    headings = _headings()
    return key in headings or key.rpartition(" ")[2] in headings


def _begins_with_heading(name: str) -> bool:
    key = folded(name)
    for heading in _headings():
        if key.startswith(f"{heading} "):
            return True
    return False


def _lines(text: Text) -> Iterator[tuple[str, Span]]:
    for line, span in text.lines():
        if line.strip():
            yield line, span


def _of_head(evidence: Evidence, text: Text) -> Iterator[tuple[str, str, Span]]:
    """Yield names of the first lines of the first page: the topmost line, and others with a
    business name.
    """
    head = []
    for line, span in _lines(text):
        box = text.boxes(span)[0]
        if box.page == 1 and box.y1 <= tunables.HEAD:
            head.append((round(box.y0, 2), box.x0, line, span))
    head.sort(key=lambda item: item[:2])
    for number, (_, _, line, span) in enumerate(head[: tunables.HEAD_LINES]):
        name = _named(line)
        if not name or _begins_with_heading(name):
            continue
        # A name with an address on the same line is the sender line above the window of a letter.
        is_sender = name != line.strip() and has_digit(line)
        name, span = _with_next_word(text, name, span)
        # The topmost line may be any name. Further lines must look like a business.
        is_above_window = is_sender and number > 0
        if is_above_window and MARKS.search(line):
            # Marks between a name and its address are those of the line above a window.
            yield "sender", name, span
        if number == 0 or is_of_business(name):
            sign = "sender" if is_above_window else "head"
            yield sign, name, span
            if _has_particulars(text, span):
                yield "letterhead", name, span


# One word of letters alone on the next line.
LINE_BELOW = re.compile(r"\n(?P<words>[^\W\d_]+)(?=[\n\f]|$)")


def _with_next_word(text: Text, name: str, span: Span) -> tuple[str, Span]:
    """Add the word on the next line, where that is the end of the name: “Electric” / “Cooperative”."""
    below = LINE_BELOW.match(text.value, span.end)
    if below and _named(below["words"]) and is_of_business(below["words"]):
        return f"{name} {below['words']}", Span(span.start, below.end())
    return name, span


def is_of_business(name: str) -> bool:
    """Whether the name has a legal form, or a word for organisations that send bills."""
    _, legal_form = split_legal_form(name)
    return bool(legal_form or SENDER.search(name) or _office().search(name))


@cache
def _office() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(words('office'))})(?!\w)", re.IGNORECASE)


def _has_particulars(text: Text, span: Span) -> bool:
    """Whether one of the next lines states a register, a tax number or an address, as a letterhead
    does.
    """
    block = text.value[span.end :].partition("\f")[0]
    lines = block.strip("\n").split("\n")[: tunables.LETTERHEAD_LINES]
    for line in lines:
        if LEGAL.search(line) or LETTERHEAD.search(line):
            return True
    return False


def _of_foot(text: Text) -> Iterator[tuple[str, str, Span]]:
    """Yield names with a legal form: beside a register or a tax number, or at the bottom of a page,
    where other particulars follow.
    """
    for line, span in _lines(text):
        owner = OWNER.search(line)
        if owner:
            name = _named(line[owner.end() :])
            if name and split_legal_form(name)[1]:
                start = span.start + line.index(name, owner.end())
                yield "owner", name, Span(start, start + len(name))
                continue
        name = _named(line)
        if not name or not split_legal_form(name)[1]:
            continue
        is_alone = name == line.strip()
        if LEGAL.search(line) and not is_alone:
            yield "foot", name, span
        elif text.boxes(span)[0].y0 > tunables.FOOT:
            # At the bottom of the page its particulars follow on the line or on those below.
            block = text.value[span.end :].partition("\f")[0]
            if not is_alone or LEGAL.search(block):
                yield "foot", name, span


def _in_cells(evidence: Evidence, text: Text) -> Iterator[tuple[str, str, Span]]:
    """Yield names beside or below a label such as “Supplier”."""
    for entry in of_kind(evidence, ISSUER):
        name = _named(entry.lines[0])
        span = text.span_of(evidence.text.words(entry.spans[0]))
        if name and span is not None:
            yield "label", name, span


def _labelled(text: Text) -> Iterator[tuple[str, str, Span]]:
    several = "|".join(map(re.escape, words("issuer")))
    pattern = re.compile(
        rf"(?:^|[\n\f])(?:{several}) ?:\s*(?P<name>[^\n\f]{{3,90}})", re.IGNORECASE
    )
    for match in pattern.finditer(text.value):
        name = _named(match["name"])
        if name:
            start = match.start("name")
            yield "label", name, Span(start, start + len(name))
