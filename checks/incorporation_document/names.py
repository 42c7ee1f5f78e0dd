"""The name of the company: by the sentences that state it, by its label, and by the title."""

from __future__ import annotations

import re

from checks.evidence import Evidence
from checks.fields.addresses.addressees import addressees_of
from checks.fields.extracted import ExtractedValue
from checks.fields.labels.values import labelled_names
from checks.fields.names.companies import (
    clean,
    compare_names,
    find_names,
    folded,
    is_plausible,
    split_legal_form,
)
from checks.incorporation_document import tunables
from checks.incorporation_document.layout import pairs_of
from checks.incorporation_document.readings import FieldReading, distinct
from checks.text.words import Span, Text

LETTERS = frozenset({"ein_letter", "irs_determination_letter"})
TITLE_LINE = re.compile(r"^[^\n]{3,110}$", re.MULTILINE)
SAME = {"equal", "close"}


def read_names(evidence: Evidence, kind: str) -> FieldReading[str]:
    """What the company is called. Unsure where readings of about the same trust differ."""
    text = evidence.text
    if kind in LETTERS:
        addressee = _addressee(evidence)
        if addressee:
            return FieldReading([addressee])
    sentences = find_names(text)
    labelled = labelled_names(evidence.once(pairs_of))
    if sentences and labelled:
        return _of_both(text, sentences, labelled)
    if labelled:
        return _of_labels(labelled)
    if sentences:
        return _of_sentences(text, sentences)
    return _of_title(text)


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
    lead = sentence.confidence - label.confidence
    is_surer = sentence.confidence >= tunables.SURE > label.confidence
    if lead >= tunables.LEAD or is_surer:
        return FieldReading(sentences)
    supported = [name for name in sentences if is_same(name.value, label.value)]
    if supported and sentence.confidence < tunables.SURE:
        others = [name for name in sentences if name not in supported]
        return FieldReading([*supported, *others])
    if supported:
        return FieldReading(sentences)
    if -lead >= tunables.LEAD:
        return FieldReading([label, *sentences])
    return FieldReading(candidates=[sentence, label])


def _of_labels(labelled: list[ExtractedValue[str]]) -> FieldReading[str]:
    several = _rivals(labelled)
    if len(several) > 1:
        return FieldReading(candidates=several[: tunables.CANDIDATES])
    return FieldReading(labelled)


def _rivals(labelled: list[ExtractedValue[str]]) -> list[ExtractedValue[str]]:
    """The names whose labels are about as sure as that of the first, each once."""
    best = labelled[0].confidence
    rivals = [name for name in labelled if best - name.confidence < tunables.LEAD]
    return distinct(rivals, is_same)


def _of_sentences(
    text: Text, sentences: list[ExtractedValue[str]]
) -> FieldReading[str]:
    """One rule that is not sure of itself, and another that reads another name: neither is given."""
    first = sentences[0]
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
    """How often the text names it, in whatever letters."""
    return text.folded.count(" ".join(name.lower().split()))


def _of_title(text: Text) -> FieldReading[str]:
    """Lines of the head that end in a legal form: given where the text repeats it, else unsure."""
    candidates: list[ExtractedValue[str]] = []
    head = text.value[: tunables.HEAD]
    for match in TITLE_LINE.finditer(head):
        name = clean(match[0])
        if not is_plausible(name) or not split_legal_form(name)[1]:
            continue
        if folded(name) == split_legal_form(name)[1]:
            continue
        span = Span(*match.span())
        how = "a line of the head that ends in a legal form"
        candidates.append(ExtractedValue(name, span, how, tunables.OF_TITLE))
    several = distinct(candidates, is_same)
    repeated = [n for n in several if _count(text, n.value) >= tunables.REPEATED]
    if len(repeated) == 1:
        return FieldReading(repeated)
    return FieldReading(candidates=several[: tunables.CANDIDATES])


def _addressee(evidence: Evidence) -> ExtractedValue[str] | None:
    """To whom a letter of the tax office is sent."""
    for addressee in evidence.once(addressees_of):
        if addressee.name:
            return in_text(evidence.text, addressee.name)
    return None


def in_text(text: Text, value: ExtractedValue[str]) -> ExtractedValue[str] | None:
    """The value with its place in this text, where it was read from the same words by blocks."""
    words = map(re.escape, value.value.split())
    match = re.search(r"\s+".join(words), text.value)
    if match is None:
        return None
    span = Span(*match.span())
    return ExtractedValue(value.value, span, value.how, value.confidence)
