"""Since when the company exists: what sentences and what labels say of the dates of a document."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from checks.evidence import Evidence
from checks.fields.extracted import ExtractedValue
from checks.fields.general import jurisdiction_of, type_of
from checks.fields.labels.values import labelled_dates
from checks.incorporation_document import tunables
from checks.incorporation_document.layout import pairs_of
from checks.incorporation_document.readings import FieldReading

# A licence of trade says since when it is valid, and not when the company was formed.
LICENCE = "business_licence"
Dated = ExtractedValue[date]
# Labels of the birth of a company, before those of its entry or of a filing.
OF_BIRTH = re.compile(
    r"incorp|constit|formation|formed|establish|creat|creaci|creaz|criaç|gründ|opricht|costituz|abertura"
    r"|kuruluş|bild|vznik|stift|perust|înfiin|fond|fundaci|powstania|inicio|inscri|contrato|entry|immatric|eintrag",
    re.IGNORECASE,
)
# The company may begin its work on another day.
OF_ACTIVITY = re.compile(
    r"activ|atividade|attività|operac|début|commenc|działaln", re.IGNORECASE
)


def with_labels(
    evidence: Evidence, weighed: Sequence[tuple[int, Dated]], threshold: int
) -> FieldReading[date]:
    """The date with the most weight, or the labelled one; unsure where two are as likely."""
    best = max((weight for weight, _ in weighed), default=0)
    leaders = [item for weight, item in weighed if weight == best]
    values = {item.value for item in leaders}
    labelled = _labelled(evidence)
    if best < threshold or not leaders:
        return labelled
    if len(values) == 1:
        return FieldReading(leaders[:1])
    agreeing = [item for item in labelled.values if item.value in values]
    if agreeing:
        return FieldReading(agreeing)
    several = list({item.value: item for item in leaders}.values())
    return FieldReading(candidates=several[: tunables.CANDIDATES])


def _labelled(evidence: Evidence) -> FieldReading[date]:
    place = evidence.once(jurisdiction_of)
    order = place.value.date_order if place else ""
    pairs = evidence.once(pairs_of)
    dates = labelled_dates(pairs, order)
    kind = evidence.once(type_of)
    if not dates and kind and kind.value.code == LICENCE:
        dates = labelled_dates(pairs, order, "tax_date")
    # A label that comes again is that of an officer or an establishment.
    dates = list({item.how: item for item in reversed(dates)}.values())[::-1]
    of_birth = [item for item in dates if OF_BIRTH.search(item.how)]
    chosen = of_birth or dates
    before_work = [item for item in chosen if not OF_ACTIVITY.search(item.how)]
    chosen = before_work or chosen
    several = list({item.value: item for item in reversed(chosen)}.values())
    if len(several) > 1:
        return FieldReading(candidates=several[: tunables.CANDIDATES])
    return FieldReading(chosen[:1])
