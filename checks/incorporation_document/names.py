"""The name of the company, read from sentences, labels and the title."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from checks.evidence import Evidence
from checks.extraction.whole_names import to_end_of_quotation
from checks.fields.addresses.addressees import addressees_of
from checks.fields.document_types import INCORPORATION
from checks.fields.extracted import ExtractedValue
from checks.fields.general import type_of
from checks.fields.jurisdictions import states
from checks.fields.labels.values import HEADING, labelled_names
from checks.fields.layout.cells import cells_of
from checks.fields.layout.label_cells import labels
from checks.fields.names.companies import (
    clean,
    find_names,
    is_plausible,
    is_sentence,
    split_legal_form,
)
from checks.fields.names.company_comparison import compare_names
from checks.fields.names.parties import (
    FORMER,
    OF_OTHERS,
    Mention,
    company_of_bracket,
    is_auditor_of,
    is_in_block_of_another,
    is_same_company,
    mentions_of,
    nearest_company,
)
from checks.fields.names.shape import (
    is_at_two_places,
    looks_like_name,
    rest_of_quotation,
)
from checks.fields.names.soundness import is_broken, is_office, name_within
from checks.incorporation_document import tunables
from checks.incorporation_document.layout import has_cell_on_right, pairs_of
from checks.incorporation_document.readings import FieldReading, distinct
from checks.text.characters import count_digits, only_letters
from checks.text.folding import folded
from checks.text.words import Span, Text

LETTERS = frozenset({"ein_letter", "irs_determination_letter"})
# Types of document that are about one company only. Letters and bills also name their sender, and so may a document
# whose type is not known.
MAY_NAME_ONE = INCORPORATION | {"business_licence"}
SAME = {"equal", "close"}
HOLDER = "holder"
LABELLED_FIELD = "labelled field"
# A label of one word may be that of anybody.
SHORT_LABEL = re.compile(r"labelled (?:field|“\S+”)$")
OF_TITLE = "title of the document"
ENTRY = re.compile(r"^\d{1,2} (?=\S+ \S)", re.MULTILINE)
# Words of legal forms and of the terms of company law. A text with no other words is no name.
GENERIC = re.compile(
    r"\b(?:private|public|domestic|foreign|stock|nonprofit|non-profit|profit|general|business|exempt(?:ed)?|ordinary"
    r"|company|companies|corporation|limited|liability|partnership|by|shares|guarantee|and|having|a|an|the|of|or|for|not|share"
    r"|capital|professional|proprietary|type|form|tipo|forma|sociedade|sociedad|empresária|empresa|simples|anónima|anônima|limitada|société"
    r"|à|de|por|quotas|acciones|responsabilidad|responsabilidade|responsabilité|limitée|gesellschaft|mit|beschränkter"
    r"|haftung|società|a|responsabilità|limitata|besloten|vennootschap|met|beperkte|aansprakelijkheid|llc|inc|ltd|plc|smllc"
    r"|registered|incorporated|value|added|tax|goods|services|single|member|limited company|ultimate|holding|parent|nz)\b",
    re.IGNORECASE,
)
# In these phrases “limited” is a term of law and not part of a name.
GENERIC_PHRASE = re.compile(
    r"\b(?:private |public |exempt(?:ed)? |domestic |foreign )*(?:limited (?:by|liability|company|partnership)\b|company limited by\b)"
    r"|\b(?:private|public|proprietary) limited company\b|\bis limited\b|\bprivate company limited\b",
    re.IGNORECASE,
)
# Words for people who receive letters, audit the accounts or act for the company. A name on their
# line is not that of the company.
OF_AN_AGENT = re.compile(
    r"\bc/[-o]|\bcare of\b|\b(?:auditors?|agents?|secretary|revisor|abschlussprüfer|commissaire|accountants?|attn)\b",
    re.IGNORECASE,
)
SHORT_FORM = re.compile(
    r"\b(?:limited|ltd|llc|llp|plc|inc|corp|gmbh|pte|pty|bhd|sarl|sas|srl|spa|lda|ltda|bv|nv|aps|oy|sro|doo|kft|zrt|eood|sp z o o|s a)\b"
)


def read_names(evidence: Evidence, kind: str) -> FieldReading[str]:
    """Return the names of the company, or candidates if readings of similar trust differ."""
    if kind in LETTERS:
        addressee = _addressee(evidence)
        if addressee:
            return _by_shape(evidence, FieldReading([addressee]))
    reading = _of_names_alone(evidence, _by_rules(evidence, kind))
    reading = _by_place(evidence, _with_rivals(evidence, reading))
    return _by_shape(evidence, reading)


def _by_place(evidence: Evidence, reading: FieldReading[str]) -> FieldReading[str]:
    """The reading as it is, unless a short label in the lower part of the paper gave it, and no other place has the name.

    Below stand the names of owners, officers and agents, under headings that no table has. The company itself is
    named above.
    """
    first = next(iter(reading.values), None)
    if first is None or not SHORT_LABEL.match(first.how):
        return reading
    text = evidence.text
    if not is_late(text, first.span) or is_repeated(text, first.value):
        return reading
    return FieldReading(candidates=reading.values[: tunables.CANDIDATES])


def is_late(text: Text, span: Span) -> bool:
    """Whether the passage stands in the lower part of the lines of the first page, or on a later page."""
    page, _, _ = text.value.partition("\f")
    lines = page.rstrip().count("\n") + 1
    above = text.value[: span.start].count("\n")
    return above > max(tunables.LATE * lines, tunables.LATE_LINES)


def _by_shape(evidence: Evidence, reading: FieldReading[str]) -> FieldReading[str]:
    """The reading as it is where the text looks like a name, whatever rule gave it; else its values as candidates."""
    text = evidence.text
    if reading.values:
        whole = to_end_of_quotation(text, reading.values[0])
        reading = replace(reading, values=[whole, *reading.values[1:]])
    first = next(iter(reading.values), None)
    if first is None:
        return reading
    is_of_sentence = not first.how.startswith("labelled")
    is_named_twice = is_at_two_places(text, first.value)
    # A label of one word may be any word, and so may the word behind it.
    may_be_single = is_of_sentence or (
        is_named_twice and not SHORT_LABEL.match(first.how)
    )
    # “certifies that … is incorporated”: rules by sentences have the words of theirs in quotes.
    is_in_sentence = first.how.startswith("“")
    if looks_like_name(
        text,
        first.value,
        may_be_single=may_be_single,
        is_in_sentence=is_in_sentence,
    ):
        return reading
    several = [*reading.values]
    rest = rest_of_quotation(text, first.value)
    if rest:
        several.insert(0, replace(first, value=f"{first.value} {rest}"))
    return FieldReading(candidates=several[: tunables.CANDIDATES])


def _name_alone(name: ExtractedValue[str]) -> ExtractedValue[str]:
    return replace(name, value=name_within(name.value))


def _of_names_alone(
    evidence: Evidence, reading: FieldReading[str]
) -> FieldReading[str]:
    """The reading as it is if it has nothing but names.

    What was read with more is a name only where the text repeats that part of it. Else a person chooses.
    """
    if reading.candidates:
        # Two candidates may differ only by the label that was read with one of them.
        whole = [_name_alone(name) for name in reading.candidates]
        complete = [name for name in whole if not is_broken(name.value)]
        several = distinct(_without_longer(complete), is_same)
        if len(several) == 1 < len(reading.candidates):
            return FieldReading(several)
        return reading
    values = [name for name in reading.values if not is_office(name.value)]
    if not values:
        return FieldReading()
    first, *others = values
    if is_broken(first.value):
        # Its line was too short for the name, and the rest was not read with it.
        beginning = folded(first.value)
        longer = [name for name in others if folded(name.value).startswith(beginning)]
        return FieldReading(candidates=[*longer, first][: tunables.CANDIDATES])
    within = name_within(first.value)
    if within == first.value:
        return FieldReading([first, *others], reading.candidates)
    part = replace(first, value=within)
    rest = [name for name in others if name.value != within]
    if any(is_same(name.value, within) for name in others) or is_repeated(
        evidence.text, within
    ):
        return FieldReading([part, *rest])
    return FieldReading(candidates=[part, first, *rest][: tunables.CANDIDATES])


def _without_longer(names: list[ExtractedValue[str]]) -> list[ExtractedValue[str]]:
    """Leave out names that go on behind the legal form of another one: “Alfa S.A. Forme juridique”."""
    shortest = []
    for name in names:
        own = folded(name.value)
        is_longer = any(
            split_legal_form(other.value)[1]
            and own.startswith(f"{folded(other.value)} ")
            for other in names
        )
        if not is_longer:
            shortest.append(name)
    return shortest


def _by_rules(evidence: Evidence, kind: str) -> FieldReading[str]:
    text = evidence.text
    # Sentences and labels are two independent readings: they are compared if both exist. Only
    # without either is a line of the title used.
    sentences = [
        name
        for name in _of_companies(text)
        # A short label in the block of an owner or an officer names that party.
        if name.how != LABELLED_FIELD
        or name.confidence >= tunables.SURE
        or not is_in_block_of_another(text, name.span)
    ]
    labelled = [
        replace(name, value=without_entry_number(text, name.value))
        for name in labelled_names(evidence.once(pairs_of))
        if not is_in_block_of_another(text, name.span)
        and not is_of_forms_alone(name.value)
    ]
    if labelled:
        # What is only the first line of a name is no reading of it.
        whole = labelled[0].value
        sentences = [name for name in sentences if not _is_first_line_of(name, whole)]
        # A line below a label that has a cell beside it is the label of that cell. The layout tells
        # them apart, where OCR reads the labels as a column of their own.
        sentences = [
            name
            for name in sentences
            if name.how != LABELLED_FIELD
            or is_same(name.value, labelled[0].value)
            or not has_cell_on_right(evidence, name.span)
        ]
    if sentences and labelled:
        return _of_both(text, sentences, labelled)
    if labelled:
        return _of_labels(labelled)
    if sentences:
        return _of_sentences(text, sentences)
    # Neither sentences nor labels name the company.
    return _of_title(text, kind)


def _with_rivals(evidence: Evidence, reading: FieldReading[str]) -> FieldReading[str]:
    """The reading as it is where a second one agrees; unsure where a line names another company instead.

    The second reading is another place of the text with the same name, or a sentence of registers. Companies
    that the text names as owners, officers or agents, or as what this one was called before, are no rivals.
    """
    if not reading.values:
        return reading
    first, *others = reading.values
    text = evidence.text
    is_sure = first.confidence >= tunables.SURE or is_repeated(text, first.value)
    is_sure = is_sure or _is_whole_title(first)
    if is_sure:
        return reading
    rivals = []
    mentions = evidence.once(named_companies)
    # A company that is named as an owner or an officer is no candidate at another place either.
    of_others = [m.name for m in mentions if not m.is_own and not m.is_former]
    for mention in mentions:
        if is_auditor_of(mention.name, first.value) or _is_number(mention.name):
            continue
        if any(is_same_company(mention.name, other) for other in of_others):
            continue
        if mention.is_own and not is_same_company(mention.name, first.value):
            how = "a line that names a company"
            rival = ExtractedValue(mention.name, mention.span, how, tunables.OF_TITLE)
            rivals.append(rival)
    if not rivals:
        return reading
    several = distinct([first, *rivals, *others], is_same)
    return FieldReading(candidates=several[: tunables.CANDIDATES])


def _is_number(name: str) -> bool:
    """Whether the words before the legal form are a number: “CHE-418.827.044 Aktiengesellschaft” is a row of a table.

    Companies may be named by a number, with the place behind it: “10418822 Canada Inc.”, “9188-2704 Québec inc.”
    """
    stem = split_legal_form(name)[0]
    return (
        count_digits(stem) >= tunables.DIGITS_OF_NUMBER
        and stem[-1].isdigit()
        and count_digits(stem) > len(only_letters(stem))
    )


def _is_whole_title(name: ExtractedValue[str]) -> bool:
    """Whether the title of statutes names the company: “Articles of Association of Alfa Limited”."""
    return (
        name.how == OF_TITLE
        and name.span.end <= tunables.HEAD
        and bool(split_legal_form(name.value)[1])
    )


def names_of(evidence: Evidence) -> FieldReading[str]:
    """For `Evidence.once`: the names, with the kind of document that decides how they are read."""
    kind = evidence.once(type_of)
    return read_names(evidence, kind.value.code if kind else "")


def named_companies(evidence: Evidence) -> list[Mention]:
    """For `Evidence.once`: what is no label, and has other words than those of legal forms."""
    return [
        mention
        for mention in mentions_of(evidence.text)
        if not is_label(mention.name) and not is_of_forms_alone(mention.name)
    ]


def is_at_another(evidence: Evidence, span: Span) -> bool:
    """Is the company that stands last before a value, or on its line, another than this one?"""
    reading = evidence.once(names_of)
    names = reading.values
    holder = company_of_bracket(evidence.text, span)
    if holder:
        possible = names[:1] or reading.candidates
        return bool(possible) and not any(
            is_same_company(holder, name.value) for name in possible
        )
    nearest = nearest_company(evidence.text, evidence.once(named_companies), span)
    possible = names[:1] or reading.candidates
    if nearest is None or not possible:
        return False
    return not any(is_same_company(nearest.name, name.value) for name in possible)


def is_in_record_of_another(evidence: Evidence, span: Span) -> bool:
    """Whether the label that named this company stands again above the passage, with another name.

    The rows below such a label, up to the next one, are those of an owner, an officer or a branch.
    """
    names = evidence.once(names_of)
    possible = names.values[:1] or names.candidates
    rows = []
    for pair in evidence.once(pairs_of):
        if pair.field == "name":
            rows.append(pair)
    own_labels = {
        row.label
        for row in rows
        if any(is_same_company(clean(row.value), name.value) for name in possible)
    }
    above = [
        row for row in rows if row.label in own_labels and row.span.start < span.start
    ]
    if not above:
        return False
    last = clean(max(above, key=lambda row: row.span.start).value)
    return is_plausible(last) and not any(
        is_same_company(last, name.value) for name in possible
    )


def is_repeated(text: Text, name: str) -> bool:
    return _count(text, name) >= tunables.REPEATED


def _of_companies(text: Text) -> list[ExtractedValue[str]]:
    """Return the names in sentences, without texts that are only labels, legal forms or entry
    numbers.
    """
    names = []
    ends = {cell.span.end for cell in cells_of(text)}
    for name in find_names(text):
        if name.how == LABELLED_FIELD and (
            _is_of_two_cells(text, name.span, ends) or HEADING.match(name.value)
        ):
            # The rule reads a line. Where the line has cells, the labels of the layout tell them apart.
            continue
        value = without_entry_number(text, name.value)
        if not is_label(value) and not is_of_forms_alone(value):
            names.append(replace(name, value=value))
    return [name for name in names if not _is_end_of_another(name, names)]


def _is_of_two_cells(text: Text, span: Span, ends: set[int]) -> bool:
    """Whether a wide gap within a line divides the passage, so that it is a value with its neighbour."""
    for end in ends:
        if span.start < end < span.end and text.value[end] != "\n":
            return True
    return False


def _is_end_of_another(
    name: ExtractedValue[str], names: Sequence[ExtractedValue[str]]
) -> bool:
    """A rule that begins with a line read “Recycling, Inc.”, where the name began on the line above."""
    return any(
        folded(other.value).endswith(f" {folded(name.value)}")
        and other.span.start < name.span.start <= other.span.end
        for other in names
    )


def is_label(name: str) -> bool:
    """Whether the text is a label of the table, and so no name."""
    return folded(name) in labels()


def is_same(name: str, other: str) -> bool:
    return compare_names(name, other).state in SAME


def _of_both(
    text: Text,
    sentences: list[ExtractedValue[str]],
    labelled: list[ExtractedValue[str]],
) -> FieldReading[str]:
    sentence, label = sentences[0], labelled[0]
    if is_same(sentence.value, label.value):
        several = _rivals(labelled)
        if len(several) > 1:
            return FieldReading(candidates=several[: tunables.CANDIDATES])
        return FieldReading(sentences)
    if HOLDER in label.how:
        # “Holder” labels the person or company that owns the business, which is not the business
        # itself.
        return FieldReading(candidates=[label, sentence])
    # The two readings differ. Clearly more trust decides; otherwise further sentences may support
    # one of them.
    lead = sentence.confidence - label.confidence
    is_surer = sentence.confidence >= tunables.SURE > label.confidence
    if lead >= tunables.LEAD or is_surer:
        return FieldReading(sentences)
    # Neither reading is clearly better. If a second sentence supports the label, and the first
    # sentence is not sure, the label wins.
    supported = [name for name in sentences if is_same(name.value, label.value)]
    if supported and sentence.confidence < tunables.SURE:
        others = [name for name in sentences if name not in supported]
        return FieldReading([*supported, *others])
    if supported:
        return FieldReading(sentences)
    if -lead >= tunables.LEAD:
        return FieldReading([label, *sentences])
    return FieldReading(candidates=[sentence, label])


def _is_first_line_of(sentence: ExtractedValue[str], whole: str) -> bool:
    """Whether the rule for one line read the beginning of a name that its cell has whole: “ADIRONDACK GUIDEBOAT”
    above “RENTALS INC.”.
    """
    is_begun = folded(whole).startswith(f"{folded(sentence.value)} ")
    is_complete = not split_legal_form(sentence.value)[1] and split_legal_form(whole)[1]
    return sentence.how == LABELLED_FIELD and is_begun and bool(is_complete)


def _of_labels(labelled: list[ExtractedValue[str]]) -> FieldReading[str]:
    several = _rivals(labelled)
    if len(several) > 1:
        return FieldReading(candidates=several[: tunables.CANDIDATES])
    return FieldReading(labelled)


def _rivals(labelled: list[ExtractedValue[str]]) -> list[ExtractedValue[str]]:
    """Return the names whose labels have about the same trust as the first, each once."""
    best = labelled[0].confidence
    rivals = []
    for name in labelled:
        if best - name.confidence < tunables.LEAD:
            rivals.append(name)
    return distinct(rivals, is_same)


def _of_sentences(
    text: Text, sentences: list[ExtractedValue[str]]
) -> FieldReading[str]:
    """Return the names, or candidates if the first is unsure and another sentence states a
    different name.

    Among such rivals the name that the text repeats most often wins.
    """
    first = sentences[0]
    # A sure sentence needs no support.
    if first.confidence >= tunables.SURE:
        return FieldReading(sentences)
    several = distinct(
        [n for n in sentences if first.confidence - n.confidence < tunables.RIVAL],
        is_same,
    )
    if len(several) == 1:
        return FieldReading(sentences)
    ranked = sorted(several, key=lambda name: -_count(text, name.value))
    if _count(text, ranked[0].value) > _count(text, ranked[1].value):
        others = [name for name in sentences if name is not ranked[0]]
        return FieldReading([ranked[0], *others])
    return FieldReading(candidates=several[: tunables.CANDIDATES])


def _count(text: Text, name: str) -> int:
    """Return how often the text contains the name, ignoring case and line ends."""
    whole = " ".join(text.folded.split())
    return whole.count(" ".join(name.lower().split()))


def _is_of_another(text: Text, name: str) -> bool:
    """Whether the text mentions the name as that of another company."""
    for mention in mentions_of(text):
        is_other = not mention.is_own and not mention.is_former
        if is_other and is_same_company(name, mention.name):
            return True
    return False


def _of_title(text: Text, kind: str) -> FieldReading[str]:
    """Return a line of the head that ends with a legal form.

    It is a value if the text repeats it, or if a document about one company names no other company.
    Otherwise it is only a candidate.
    """
    # Collect the cells of the head that end in a legal form.
    candidates: list[ExtractedValue[str]] = []
    for cell in cells_of(text):
        if cell.span.start > tunables.HEAD:
            break
        # The words for another party may stand before its name, in the same cell.
        if is_in_block_of_another(text, cell.span) or _is_labelled_as_another(
            cell.text
        ):
            continue
        name = clean(_without_label(text, cell.text))
        if (
            is_label(name)
            or is_of_forms_alone(name)
            or not is_plausible(name)
            or is_sentence(name)
            or not split_legal_form(name)[1]
        ):
            continue
        if folded(name) == split_legal_form(name)[1]:
            continue
        how = "a line of the head that ends in a legal form"
        candidates.append(ExtractedValue(name, cell.span, how, tunables.OF_TITLE))
    several = distinct(candidates, is_same)
    own = [name for name in several if not OF_AN_AGENT.search(name.value)]
    # Names beside words for agents are dropped, unless nothing else is left.
    several = own or several
    # The letterhead names the issuer once; the document repeats the name of its subject.
    # An owner is repeated, too: as the parent company, and among the holders of shares.
    repeated = [
        name
        for name in several
        if _count(text, name.value) >= tunables.REPEATED
        and not _is_of_another(text, name.value)
    ]
    if len(repeated) == 1:
        return FieldReading(repeated)
    is_only = len(several) == 1 and not names_another(text, several[0].value)
    if is_only and kind in MAY_NAME_ONE and _is_line_of_title(text, several[0]):
        return FieldReading(several)
    return FieldReading(candidates=several[: tunables.CANDIDATES])


def _is_line_of_title(text: Text, name: ExtractedValue[str]) -> bool:
    """Whether its cell has nothing behind the name, and stands in the upper part of the page.

    A sentence may begin with the name of whoever speaks, and owners and auditors stand below.
    """
    cell = text.value[name.span.start : name.span.end]
    is_whole = folded(cell).endswith(folded(name.value))
    return is_whole and not is_late(text, name.span)


def _is_labelled_as_another(line: str) -> bool:
    label, colon, _ = line.partition(": ")
    return bool(colon) and bool(OF_OTHERS.search(label) or FORMER.search(label))


def _without_label(text: Text, line: str) -> str:
    """Remove a label with a colon, or the number of an entry, from the beginning of a line."""
    _, colon, behind = line.partition(": ")
    # “RE: Marl Ltd (C 88442)”: the form stands before the bracket.
    if colon and split_legal_form(clean(behind))[1]:
        return behind
    return without_entry_number(text, line)


def without_entry_number(text: Text, line: str) -> str:
    """Remove the entry number from “1 Muster GmbH”, if the lines or the cells of this extract begin with such
    numbers.
    """
    number = ENTRY.match(line)
    if number is None:
        return line
    lines = text.value.split("\n")
    cells = [cell.text for cell in cells_of(text)]
    entry = int(number[0])
    if _is_of_entries(entry, lines) or _is_of_entries(entry, cells):
        return line[number.end() :]
    return line


def _is_of_entries(number: int, lines: Iterable[str]) -> bool:
    """Whether the lines begin with the numbers of entries, and this is one of them.

    The number of a house has no next one, and stands before one street. An entry has several lines.
    """
    matches = [ENTRY.match(line) for line in set(lines)]
    numbers = []
    for match in matches:
        if match is not None:
            numbers.append(int(match[0]))
    if len(numbers) < tunables.ENTRIES:
        return False
    beside = {number - 1, number + 1}
    is_repeated = numbers.count(number) > 1
    return number == 1 or is_repeated or not beside.isdisjoint(numbers)


def is_of_forms_alone(name: str) -> bool:
    """Whether the text has only words of legal forms and places: “California stock corporation”."""
    words = folded(GENERIC.sub(" ", name)).split()
    return not words or " ".join(words) in states()


def names_another(text: Text, name: str) -> bool:
    """Whether a line of the text has a legal form that does not belong to this name."""
    own = folded(name)
    start = 0
    for line in text.value.split("\n"):
        end = start + len(line)
        rest = folded(GENERIC_PHRASE.sub(" ", line)).replace(own, " ")
        has_form = SHORT_FORM.search(rest) and not OF_AN_AGENT.search(line)
        # An owner, an officer or a former name is no other subject of the paper.
        if has_form and not is_in_block_of_another(text, Span(end, end)):
            return True
        start = end + 1
    return False


def _addressee(evidence: Evidence) -> ExtractedValue[str] | None:
    """Return the name to which a letter of the tax office is sent."""
    for addressee in evidence.once(addressees_of):
        if addressee.name:
            return in_text(evidence.text, addressee.name)
    return None


def in_text(text: Text, value: ExtractedValue[str]) -> ExtractedValue[str] | None:
    """Return the value with its position in this text, or None if its words do not follow one
    another here.

    The value was read from the text by blocks, whose positions differ.
    """
    words = map(re.escape, value.value.split())
    match = re.search(r"\s+".join(words), text.value)
    if match is None:
        return None
    span = Span(*match.span())
    return ExtractedValue(value.value, span, value.how, value.confidence)
