"""The day of a letter, statement or bill: that of its issue, else the end of its period."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache

from checks.data import table
from checks.evidence import Evidence
from checks.extraction.clear_words import is_clear
from checks.extraction.values import code_of
from checks.fields.dates import DateOrder, FoundDate, find_dates, order_within
from checks.fields.extracted import ExtractedValue
from checks.fields.general import jurisdiction_of, type_of
from checks.fields.tax_offices import plain
from checks.proof_of_address import tunables
from checks.proof_of_address.roles import roles_of
from checks.text.characters import has_digit
from checks.text.phrases import Pattern, Phrase
from checks.text.words import (
    Span,
    Text,
)

ISSUED, OTHER_DAY, WAGES = "issued", "other_day", "wages"
OF_ISSUE = "labelled as the date of issue"
MENTION = "the day of a paper that a sentence names"
ALONE = "alone on its line"
MAYBE_PLACE = "behind a word and a comma, as behind the name of a place"
OF_DATE = "labelled as the date"
OF_WAGES = "the day on which the wages are paid"
PERIOD_END = "the end of the period that it is for"
# Each row: a pattern for the words before a date, its weight, and a description. The first row that
# matches counts, so the order matters. A date of issue outweighs the end of a period, and that
# outweighs a date without a label.
LABELS = (
    (
        Phrase(
            r"(?:statement|bill(?:ing)?|invoice|issued?|letter|notice|document|policy|print)(?: issue)? date[:. ]{0,4}$|date of (?:issue|this (?:bill|notice|letter|statement)|bill|invoice|statement)[:. ]{0,4}$|(?:issued|dated|billed) (?:on |this )?(?:the )?$"
        ),
        5,
        OF_ISSUE,
    ),
    (
        Phrase(
            r"(?:rechnungsdatum|rechnung vom|datum der rechnung|ausstellungsdatum|erstellt am|date (?:de (?:la )?factur(?:e|ation)|d['\u2019](?:[ée]mission|[ée]tablissement))|facture du"
            r"|fecha del extracto|établie? le|fecha (?:de )?(?:la )?(?:emisi[oó]n|expedici[oó]n|factura|facturaci[oó]n)(?: (?:de )?(?:la )?factura)?|date (?:de )?facture|datum vystavení|(?:számla )?kelte|data emiterii|düzenleme tarihi|tarikh bil|dated|[ée]dit[ée]e? le|emitid[oa] (?:el|em)|emess[ao] il|[ée]mise? le|ausgestellt am|utf[äa]rdad|udstedt|data (?:di |de )?(?:emiss(?:ione|[ãa]o)|fattura|fatura)|factuurdatum|dagtekening"
            r"|data wystawienia|fakturadato?u?m?|udskriftsdato|utskriftsdatum|laskun päivä(?:ys)?)[ ]?[:. ]{0,4}$"
            r"|(?:factur[ea]|fattura|bolletta|fatura|rechnung|faktura|bescheid|factură|factuur|számla|račun|lasku|rēķins|arve|sąskaita|рахунок|счет|счёт|фактура|рачун|сметка|invoice|bill|tagihan)\b[^\n]{0,40} (?:du|del|dal|vom|z dnia|ze dne|zo dňa|din|fra|från|av|af|van|od|z|від|от|dated|of|d\.d\.|tanggal) ?$"
        ),
        5,
        OF_ISSUE,
    ),
    (
        Phrase(
            r"(?:statement|billing|service)? ?(?:period|from)[^\n]{0,45}(?:to|through|until|[-\u2013]) ?$|(?:period|year|month|statement) end(?:ing|ed)[:. ]{0,3}$|closing date[:. ]{0,3}$|[a-z]{3,9}\.? \d{1,2}(?:, \d{4})? ?(?:to|through|[-\u2013]) ?$|\b\d{1,2} [^\W\d_]{3,9}\.?(?: \d{4})? ?(?:to|through|until|[-\u2013]) ?$|\b\d{1,4}[./-]\d{1,2}[./-]\d{2,4} ?(?:to|through|until|au|bis|al?|t/m|do|[-\u2013]) ?$"
        ),
        4,
        PERIOD_END,
    ),
    (
        Phrase(
            r"(?:\b(?:du|vom|del?|dal|van|od|från|fra)|período de|periodo:?|period:?|zeitraum|à compter du)[ :]{1,2}\d[^\n]{0,24} ?(?:au|bis|al?|tot(?: en met)?|till?|do|[-\u2013]) ?$"
            r"|(?:estratto conto|relevé|arrêté|rekeningafschrift|kontoauszug|saldo final|kontostand)[^\n]{0,24} (?:al|au|am|per|tot) ?$|\b(?:from)[ :]{1,3}\d[^\n]{5,24} to[ :]{1,3}$"
        ),
        4,
        PERIOD_END,
    ),
    # The date of a letter stands on a line of its own, or after the name of a place: “Wien, am 3.
    # Mai 2026”.
    (
        Phrase(r"(?:^|\n|\f)[^\W\d_][^\d\n,]{1,24}, (?:den|am|le|a|il|li) $"),
        5,
        "behind the name of a place",
    ),
    (
        Phrase(r"(?:^|\n|\f)[^\W\d_][^\d\n,]{1,24}, ?$"),
        4,
        MAYBE_PLACE,
    ),
    (
        Phrase(
            r"\b(?:expide|extiende|firma)\b[^\n]{0,80}\ben [^\W\d_][^\d\n,]{1,24}, a $"
        ),
        5,
        "behind the name of a place",
    ),
    (Phrase(r"(?:^|\n|\f)(?:datum|fecha|data|dato) ?: ?$"), 5, OF_DATE),
    (
        Phrase(r"(?:^|\n|\f)(?:datum|fecha|data|dato)[^\S\n]\Z"),
        5,
        OF_DATE,
    ),
    (
        Phrase(
            r"(?:^|\n|\f|[^a-z] )(?:date|as of|as at|datum|fecha|data|dato|päivä|data dokumentu)[:. ]{0,3}$"
        ),
        3,
        OF_DATE,
    ),
    # The last row: a label in the cell beside such a date says more.
    (Phrase(r"(?:^|\n|\f)$"), 2, ALONE),
)
OTHER_DATES = Phrase(
    r"(?:due|pay(?:ment|able)? by|expir|valid (?:until|to)|birth|born|next|renew|last payment|received|member since|opened|before|move|commenc|scheduled|direct debit"
    r"|fällig|zahlen|zahlbar|liefer|échéance|prélev|prélèvement|recouvrement|limite|límite|cargo|vencim|scaden|entro|vervaldat|vóór|uiterlijk|termin|förfall|forfald"
    r"|expira|última|anterior|precedente|vorig)[^\n]{0,30}$"
)


@cache
def _words_of(kind: str) -> str:
    """Return the labels of days of one kind in all languages, without accents, as a pattern."""
    words: set[str] = set()
    for row in table("letter_words"):
        if row["kind"] == kind:
            words.update(map(plain, row["words"].split("|")))
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    return "|".join(map(re.escape, longest_first))


@cache
def _issued() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{_words_of(ISSUED)})\s*[:.]?\s{{0,4}}$")


@cache
def _wages() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{_words_of(WAGES)})\s*[:.]?\s{{0,4}}$")


@cache
def _other_days_label() -> re.Pattern[str]:
    # The table has the beginnings of words. A number between belongs to another day.
    return re.compile(rf"(?<!\w)(?:{_words_of(OTHER_DAY)})[^\n\d]{{0,30}}$")


def _without_accents(pattern: Phrase) -> Phrase:
    """Return the pattern for text without accents, which OCR loses: “Datum vystaveni”."""
    text = ""
    for char in pattern.pattern:
        text += char if char.isascii() else plain(char)
    return Phrase(text, pattern.flags)


PLAIN_LABELS = tuple(
    (_without_accents(pattern), weight, how) for pattern, weight, how in LABELS
)


@cache
def _labels() -> Sequence[tuple[Pattern, int, str]]:
    """Return the labels with their weights: those of the table are as good as those of sentences."""
    return ((_issued(), tunables.ISSUED, OF_ISSUE), *PLAIN_LABELS)


PLAIN_OTHER_DATES = _without_accents(OTHER_DATES)
# “29 July 2026 to 28 August 2026”: the first day of a period is never the date of the document.
PERIOD_GOES_ON = Phrase(
    r"\.? ?(?:to|through|until|bis|au|al?|hasta|t/m|tot(?: en met)?|till?|do|iki|kuni|l\u012bdz|\u0434\u043e|\u043f\u043e|\u03ad\u03c9\u03c2|s\.?d\.?|\u0111\u1ebfn|[-\u2013]) ?\d{1,2}(?:[./-]\d|\.? [^\W\d_]{3})"
)


def days_of(evidence: Evidence, text: Text) -> list[ExtractedValue[date]]:
    """The date with the best label; several, where it may be another.

    No paper is written before a day of which it speaks: a period that ends before a later day of the text, which
    is no day of payment, is not surely the last one.
    """
    place = evidence.once(jurisdiction_of)
    if place:
        order = place.value.date_order
    else:
        # Bills rarely name a law, so the addresses must tell the order of day and month.
        order = _order(evidence, text)
    order = order or order_within(text.value)
    weighed: list[tuple[int, ExtractedValue[date]]] = []
    for fact in find_dates(text.value, order):
        item = _weigh(evidence, text, fact)
        if item:
            weighed.append(item)
    # Dates alone on their lines are rows of a table if there are several. A letter has only one.
    alone = [fact for _, fact in weighed if fact.how == ALONE]
    if len({fact.value for fact in alone}) > 1:
        weighed = [item for item in weighed if item[1].how != ALONE]
    # A period of insurance may end in the future. Such dates are used only if there is no other.
    past = [item for item in weighed if item[1].value <= evidence.today]
    weighed = past or weighed
    if not weighed:
        return [] if order else _in_either_order(evidence, text)
    best = max(weight for weight, _ in weighed)
    candidates = [fact for weight, fact in weighed if weight == best]
    # A statement for several months lists them; the last is that of the statement.
    day = max(candidates, key=lambda fact: fact.value)
    days = _with_rivals(evidence, text, day, candidates, order)
    if len(days) == 1:
        return days
    weighed.sort(key=lambda item: -item[0])
    others = [fact for _, fact in weighed]
    by_value = {fact.value: fact for fact in [*days, *others]}
    return list(by_value.values())[: tunables.CANDIDATES]


def _in_either_order(evidence: Evidence, text: Text) -> list[ExtractedValue[date]]:
    """Return the two days that a date with a label may mean, where nothing tells which comes first, day or month."""
    days: dict[date, tuple[int, ExtractedValue[date]]] = {}
    orders: tuple[DateOrder, ...] = ("DMY", "MDY")
    for order in orders:
        for fact in find_dates(text.value, order):
            item = _weigh(evidence, text, fact)
            if item:
                days.setdefault(item[1].value, item)
    ranked = sorted(days.values(), key=lambda item: -item[0])
    if len(ranked) < 2:
        return []
    return [day for _, day in ranked][: tunables.CANDIDATES]


def sure_day(
    evidence: Evidence, text: Text, days: Sequence[ExtractedValue[date]]
) -> ExtractedValue[date] | None:
    """The only day, if OCR read it clearly.

    One of many years ago without a label is rather that of a birth, as on a payslip that names only its month.
    """
    if len(days) != 1:
        return None
    day = days[0]
    is_long_ago = (evidence.today - day.value).days > tunables.LONG_AGO
    if is_long_ago and day.how in {ALONE, MENTION, MAYBE_PLACE}:
        return None
    return day if is_clear(evidence, text, day.span, None) else None


def _with_rivals(
    evidence: Evidence,
    text: Text,
    day: ExtractedValue[date],
    candidates: Sequence[ExtractedValue[date]],
    order: DateOrder,
) -> list[ExtractedValue[date]]:
    """The day, and the others that it may be."""
    if day.value > evidence.today:
        # No paper is written in the future: this is the end of a period, or a day of payment.
        return [day, *_other_days(evidence, text, day, order)]
    if _may_head_column(text, day):
        later = _later(evidence, text, day, order)
        return [day, later] if later else [day]
    if day.how not in {PERIOD_END, ALONE, MENTION, MAYBE_PLACE}:
        # Two days with labels of the issue: one of them is of another paper or of a payment.
        others = {fact.value: fact for fact in candidates if fact.value != day.value}
        return [day, *others.values()]
    return [day, *_rival_days(evidence, text, day, order)]


def _may_head_column(text: Text, day: ExtractedValue[date]) -> bool:
    """Whether a word such as “Date”, without a colon, may be the head of a column with the days of entries."""
    before = text.value[max(0, day.span.start - 3) : day.span.start]
    return day.how == OF_DATE and ":" not in before


def _rival_days(
    evidence: Evidence, text: Text, day: ExtractedValue[date], order: DateOrder
) -> list[ExtractedValue[date]]:
    """The days that the text may mean instead of the end of a period, or of a day without a label."""
    if day.how in {ALONE, MENTION}:
        others = _other_days(evidence, text, day, order)
        if others:
            return others
    later = _later(evidence, text, day, order)
    return [later] if later else []


def _other_days(
    evidence: Evidence, text: Text, day: ExtractedValue[date], order: DateOrder
) -> list[ExtractedValue[date]]:
    """The past days of the text that no words exclude, beside one that has no label.

    Their labels may be in a language that the rules do not have, so the one without a label may be a day of payment.
    """
    others: dict[date, ExtractedValue[date]] = {}
    # Where the order of day and month is not known, any reading of such a day is a rival.
    for fact in find_dates(text.value, order or "DMY"):
        if fact.value is None or fact.value == day.value or fact.value > evidence.today:
            continue
        if _is_of_another(evidence, text, fact):
            continue
        how = "another day of the text"
        item = ExtractedValue(fact.value, fact.span, how, tunables.LATER_DAY)
        others.setdefault(fact.value, item)
    return list(others.values())[: tunables.CANDIDATES - 1]


def _later(
    evidence: Evidence, text: Text, day: ExtractedValue[date], order: DateOrder
) -> ExtractedValue[date] | None:
    """The last day of which the text speaks, where it is past, behind this one, and none of a payment."""
    best: ExtractedValue[date] | None = None
    for fact in find_dates(text.value, order):
        if fact.value is None or not day.value < fact.value <= evidence.today:
            continue
        if _is_of_another(evidence, text, fact):
            continue
        if best is None or fact.value > best.value:
            how = "the last day of which the text speaks"
            best = ExtractedValue(fact.value, fact.span, how, tunables.LATER_DAY)
    return best


def _weigh(
    evidence: Evidence, text: Text, fact: FoundDate
) -> tuple[int, ExtractedValue[date]] | None:
    """Return the weight of the label before a date, or None if it is the date of something else."""
    before = _before(evidence, text, fact.span)
    if fact.value is not None and _is_of_wages(evidence, before):
        return tunables.ISSUED, ExtractedValue(
            fact.value, fact.span, OF_WAGES, tunables.OF_LABEL
        )
    if fact.value is None or _is_other_day(before):
        return None
    if PERIOD_GOES_ON.match(text.value, fact.span.end):
        return None
    plain_before = [plain(words) for words in before]
    for pattern, weight, how in _labels():
        match = None
        for words in plain_before:
            match = match or pattern.search(words)
        if match is None:
            continue
        if how == OF_ISSUE and _is_in_sentence(match, before):
            # “under a lease dated”: the day of another paper.
            weight, how = tunables.MENTIONED, MENTION
        confidence = 0.6 + 0.06 * weight
        return weight, ExtractedValue(fact.value, fact.span, how, confidence)
    return None


def _is_of_wages(evidence: Evidence, before: Sequence[str]) -> bool:
    """Whether the words call it the day on which the wages of a payslip are paid."""
    if code_of(evidence.once(type_of)) != "payslip":
        return False
    return any(_wages().search(plain(words)) for words in before)


def _is_of_another(evidence: Evidence, text: Text, fact: FoundDate) -> bool:
    """Whether the day is that of something else than the paper, or only the first of a period."""
    if PERIOD_GOES_ON.match(text.value, fact.span.end):
        return True
    return _is_other_day(_before(evidence, text, fact.span))


def _is_other_day(before: Sequence[str]) -> bool:
    """Whether words before a day call it that of a payment, a birth, or another paper."""
    for words in map(plain, before):
        if _issued().search(words):
            return False
        if PLAIN_OTHER_DATES.search(words) or _other_days_label().search(words):
            return True
    return False


def _is_in_sentence(label: re.Match[str], before: Sequence[str]) -> bool:
    """Whether words in small letters stand before the label of a day on its line."""
    # `plain` keeps the length, so the place of the label is the same in the text as it is written.
    sentence = next(text for text in before if plain(text) == label.string)
    line = re.split(r"[\n\f]", sentence[: label.start()])[-1]
    small = 0
    for word in line.split():
        small += word.isalpha() and word.islower()
    return small >= tunables.SMALL_WORDS


def _before(evidence: Evidence, text: Text, span: Span) -> list[str]:
    """Return the words before a date: in its block, and beside it on its row if it begins a cell.

    In a table the label is in the cell on the left, which is in another block.
    """
    before = text.value[max(0, span.start - 70) : span.start]
    in_cell = re.split(r"[\n\f]", before)[-1]
    own = evidence.text.span_of(text.words(span))
    if len(in_cell) > tunables.SHORT_WORD or own is None:
        return [before]
    before_own = evidence.text.value[max(0, own.start - 70) : own.start]
    head, _, row = before_own.rpartition("\n")
    if row.strip() != in_cell.strip():
        return [f"\n{row}", before]
    # A narrow column breaks a label in two lines, and the date stands between them.
    label = " ".join(head.split("\n")[-2:])
    if label.endswith(":") and not has_digit(label):
        return [f"\n{label} ", before]
    return [before]


# Words of statements and bills in languages whose dates begin with the day.
NOT_ENGLISH = Phrase(
    r"\b(?:kontoauszug|rechnung|relevé de compte|facture|extracto|factura|estratto conto|avviso|bolletta|fattura|rekeningafschrift|factuur|extrato|fatura"
    r"|wyciąg|faktura|kontoudskrift|kontoutskrift|tiliote|lasku)\b"
)
# By country. Canada uses both orders, so none is assumed. Any other country writes the day first.
ORDERS: Mapping[str, DateOrder] = {"US": "MDY", "CA": ""}


def _order(evidence: Evidence, text: Text) -> DateOrder:
    """Return the order of day and month by the country of the addresses, as bills rarely name a
    law.
    """
    roles = evidence.once(roles_of)
    places = [*roles.addresses, *roles.places]
    countries = {place.value.country_code for place in places}
    if len(countries) == 1:
        return ORDERS.get(countries.pop(), "DMY")
    if not countries and NOT_ENGLISH.search(text.value):
        return "DMY"
    return ""
