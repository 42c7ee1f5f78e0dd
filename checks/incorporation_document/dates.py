"""Since when the company exists, from the sentences and labels of the document."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from checks.evidence import Evidence
from checks.fields.extracted import ExtractedValue
from checks.fields.general import date_order_of, type_of
from checks.fields.labels.values import labelled_dates
from checks.incorporation_document import tunables
from checks.incorporation_document.layout import pairs_of
from checks.incorporation_document.readings import FieldReading

# A trade licence states since when it is valid, but not when the company was formed.
LICENCE = "business_licence"
Dated = ExtractedValue[date]
# Labels of the formation of a company. They win over labels of its entry in the register or of a
# filing.
OF_BIRTH = re.compile(
    r"incorp|constit|formation|formed|establish|creat|creaci|creaz|criaç|gründ|opricht|costituz|abertura"
    r"|kuruluş|bild|vznik|stift|perust|înfiin|fond|fundaci|powstania|inicio|inscri|contrato|entry|immatric|eintrag",
    re.IGNORECASE,
)
# “Tag der letzten Eintragung”: that of a change.
OF_LAST_ENTRY = re.compile(
    r"\b(?:last|letzten?|derni[èe]re?|[úu]ltim[ao]|laatste|ostatni\w*)\b",
    re.IGNORECASE,
)
# A company may begin its activity on another day than that of its formation.
OF_ACTIVITY = re.compile(
    r"activ|atividade|attività|operac|début|commenc|działaln", re.IGNORECASE
)


def with_labels(
    evidence: Evidence, weighed: Sequence[tuple[int, Dated]], threshold: int
) -> FieldReading[date]:
    """Return the date with the highest weight, or the labelled one, or candidates if two are
    equally likely.

    `weighed` are pairs of a weight and a date. Weights below `threshold` do not count.
    """
    best = max((weight for weight, _ in weighed), default=0)
    leaders = [item for weight, item in weighed if weight == best]
    values = {item.value for item in leaders}
    labelled = labelled_reading(evidence)
    if best < threshold or not leaders:
        return labelled
    if len(values) == 1:
        others = _of_other_birth(leaders[0], labelled)
        if others:
            several = [leaders[0], *others]
            return FieldReading(candidates=several[: tunables.CANDIDATES])
        return FieldReading(leaders[:1])
    # Sentences are equally strong for several days; a label can decide between them.
    agreeing = [item for item in labelled.values if item.value in values]
    if agreeing:
        return FieldReading(agreeing)
    several = list({item.value: item for item in leaders}.values())
    return FieldReading(candidates=several[: tunables.CANDIDATES])


def _of_other_birth(leader: Dated, labelled: FieldReading[date]) -> list[Dated]:
    """Return the labelled days of a formation or an entry that differ from the leader.

    A page may print the day of the constitution beside that of the entry. Of five days that differed so two were
    wrong at first sight, and none of 263 others.
    """
    return [
        item
        for item in (*labelled.values, *labelled.candidates)
        if item.value != leader.value and OF_BIRTH.search(item.how)
    ]


def labelled_reading(evidence: Evidence) -> FieldReading[date]:
    order = evidence.once(date_order_of)
    pairs = evidence.once(pairs_of)
    dates = labelled_dates(pairs, order, latest=evidence.today)
    dates = [item for item in dates if not OF_LAST_ENTRY.search(item.how)]
    kind = evidence.once(type_of)
    if not dates and kind and kind.value.code == LICENCE:
        dates = labelled_dates(pairs, order, "tax_date", latest=evidence.today)
    # If a label occurs again, the later one belongs to an officer or a branch. Keep the first.
    dates = list({item.how: item for item in reversed(dates)}.values())[::-1]
    # Narrow the labelled dates in two steps, each only if something is left: formation before
    # entry, and formation before start of activity.
    of_birth = [item for item in dates if OF_BIRTH.search(item.how)]
    chosen = of_birth or dates
    before_work = [item for item in chosen if not OF_ACTIVITY.search(item.how)]
    chosen = before_work or chosen
    several = list({item.value: item for item in reversed(chosen)}.values())
    if len(several) > 1:
        return FieldReading(candidates=several[: tunables.CANDIDATES])
    return FieldReading(chosen[:1])
