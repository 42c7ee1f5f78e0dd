"""The numbers of the company: with a label, in the format of a register, or alone below
the title.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from checks.evidence import Evidence
from checks.extraction.whole_names import is_rest_of_cell
from checks.fields.dates import find_dates
from checks.fields.document_types import OF_REGISTER, TAX_REGISTRATIONS
from checks.fields.extracted import ExtractedValue
from checks.fields.general import numbers_of
from checks.fields.labels.numbers import (
    PrintedNumber,
    fits_register,
    printed_numbers,
)
from checks.fields.labels.values import labelled_numbers
from checks.fields.labels.whole_numbers import is_whole, whole_number
from checks.fields.layout.cells import Cell
from checks.fields.layout.label_cells import labels
from checks.fields.letterheads import (
    digit_height,
    is_of_issuer,
    is_small_print,
    stands_beside_contact,
)
from checks.fields.names.companies import split_legal_form
from checks.fields.names.parties import (
    company_in_clause,
    is_in_block_of_another,
    is_of_another,
    is_same_company,
)
from checks.fields.registration_numbers import RegistrationNumber, compact, is_year
from checks.incorporation_document import tunables
from checks.incorporation_document.layout import (
    has_cell_on_left,
    is_behind_caption,
    page_cells_of,
    pairs_of,
)
from checks.incorporation_document.names import (
    is_at_another,
    is_in_record_of_another,
    is_late,
    is_repeated,
    names_of,
)
from checks.incorporation_document.readings import FieldReading, distinct
from checks.text.characters import count_digits
from checks.text.flow import flowing
from checks.text.folding import folded
from checks.text.phrases import Phrase
from checks.text.words import (
    Span,
    Text,
)

Number = ExtractedValue[RegistrationNumber]

BARE = re.compile(
    r"^[ \t(]*(?P<number>[A-Z]{0,3}[- ]?\d[\d -]{3,12}\d)\)?(?: ?\([^)\n]{3,14}\))?[ \t]*$",
    re.MULTILINE,
)
# A line that ends with a number and introduces it as one: “IBC No. 198765”.
CALLED = Phrase(
    r"^(?P<words>[^\d\n]{0,60}?\b(?:no|n[°º]|nº|number|nr|num|code|n[úu]mero|num[ée]ro)\b[°º.]?(?: of (?:the )?company)?) ?[:.#]{0,2} ?"
    r"(?P<number>[A-Z]{0,5}[ ./-]?\d[\dA-Z./-]{2,18}(?: [A-Z])?|\d{2,3}(?: \d{3}){1,3})\.?$",
    re.IGNORECASE | re.MULTILINE,
)
# Words that introduce numbers of certificates, laws and offices.
NOT_OF_COMPANY = Phrase(
    r"certificat|receipt|\breference|\bref\b|form\b|act\b|law\b|chapter|section|page|serial|series|verif|authenti|authori|transact|track|applic|request"
    r"|tel|phone|fax|account|order|document|barcode|code de|c[óo]digo|sheet|issue|seri|expediente|tr[áa]mite|recibo|operaci|solicitud|print|batch"
)
OF_TAX_OFFICE = Phrase(
    r"\b(?:tax|vat|tva|iva|gst|fiscal|tribut|contribu|fisc|податк|налог)|^business number"
)
# Numbers that a company has besides that of its register.
BESIDE_ANOTHER = frozenset({"NZBN", "EIN", "VAT number", "IRD"})
# Numbers of a tax office that stand for the company, which has one of a register, too.
WITH_REGISTER = frozenset({"CNPJ", "codice fiscale"})
# Kinds that stand for labels which many registers use.
OF_ANY_REGISTER = frozenset(
    {"file number", "company number", "number in the register", "register number"}
)
OF_FILING = re.compile(
    r"\b(?:file|filing|document) *(?:numbers?|no\.?|#|id)[\s:.#]*$", re.IGNORECASE
)
BARE_LABEL = re.compile(r"(?:numbers?|no\.?|id)[\s:.#]*", re.IGNORECASE)
# Letters that OCR confuses with digits. Two readings that differ only in these are the same number.
MISREAD = str.maketrans({"O": None, "0": None, "I": "1", "L": "1"})
ZIP_CODE = re.compile(r"\d{5}-\d{4}")


@dataclass(frozen=True, slots=True)
class _Numbers:
    """The numbers of a document, by the party that they belong to."""

    own: list[Number]
    others: list[Number]  # of another party, as the words before them say
    of_issuer: list[Number]  # in the head or the foot, with other particulars
    beside: list[Number]  # at the name of another company
    invalid: list[Number]  # with wrong check digits
    left_out: list[Number]  # not the company's, because a better one is there


def read_numbers(
    evidence: Evidence, kind: str, code: str = ""
) -> FieldReading[RegistrationNumber]:
    """Return the numbers of the company. `code` is that of its jurisdiction.

    Numbers with wrong check digits and numbers of other parties are candidates at most. A number is given only where
    its label and its form do not say that it is one of something else.
    """
    reading = _by_rules(evidence, kind)
    # The number of a tax office is not written as that of a register.
    if kind in TAX_REGISTRATIONS:
        return reading
    printed = _register_numbers(evidence)
    if reading.values:
        # In a paper of unknown type the number of a filing is hardly that of the company.
        is_of_filing = not kind and _is_of_filing(evidence.text, reading.values[0])
        reading = _with_form(reading, printed, code, is_of_filing=is_of_filing)
    else:
        reading = _by_words(evidence, kind, code, reading, printed)
    return _only_whole(evidence, reading, code)


def _only_whole(
    evidence: Evidence, reading: FieldReading[RegistrationNumber], code: str
) -> FieldReading[RegistrationNumber]:
    """Return the reading with whole numbers, but only as candidates if the first one may be a part of a longer one.

    A further number that may be a part is not given.
    """
    if not reading.values:
        return reading
    kept: dict[str, Number] = {}
    beside = [*reading.beside]
    cells = sorted(evidence.once(page_cells_of), key=_start_of)
    for number in reading.values:
        longer = _longer(cells, number)
        whole = _whole(number, longer, code) if longer else number
        if whole:
            kept.setdefault(compact(whole.value.number), whole)
        elif kept or not longer:
            beside.append(number)
        else:
            several = [longer, *reading.values[: tunables.CANDIDATES]]
            several = distinct(several, _is_same)
            return FieldReading(candidates=several[: tunables.CANDIDATES])
    return replace(reading, values=list(kept.values()), beside=beside)


def _whole(number: Number, longer: Number, code: str) -> Number | None:
    """Return which of the two is the number; None if nothing tells."""
    is_longer = is_whole(number.value.number, longer.value.number, code)
    if is_longer is None:
        return None
    return longer if is_longer else number


def _is_same(number: RegistrationNumber, other: RegistrationNumber) -> bool:
    return compact(number.number) == compact(other.number)


def _start_of(cell: Cell) -> int:
    return cell.span.start


def _longer(cells: Sequence[Cell], number: Number) -> Number | None:
    """Return the longer number of the same cell of which the read one may be a part. `cells` are in order of the text."""
    span = number.span
    index = bisect_right(cells, span.start, key=_start_of) - 1
    # Right check digits: nothing is missing.
    if number.value.valid or index < 0 or span.end > cells[index].span.end:
        return None
    text, start = cells[index].text, cells[index].span.start
    whole = whole_number(text, span.start - start, span.end - start)
    if whole is None:
        return None
    value = replace(number.value, number=text[whole.start : whole.end])
    longer = Span(start + whole.start, start + whole.end)
    return replace(number, value=value, span=longer)


def _with_form(
    reading: FieldReading[RegistrationNumber],
    printed: list[PrintedNumber],
    code: str,
    *,
    is_of_filing: bool,
) -> FieldReading[RegistrationNumber]:
    """Put the numbers first that are written as those of the register, and doubt what another label or form has.

    `is_of_filing`: whether the first one is labelled as that of a filing, and the type of the document is not known.
    """
    values = reading.values
    fitting = _fitting(values, code)
    rivals = _of_register(printed, code, [*values, *reading.beside])
    has_form = any(fits_register(number.value.number, code) for number in fitting)
    is_named = _is_named(values[0], printed)
    # What speaks against the number. One of these alone was right nearly always, two were mostly wrong.
    against = (bool(rivals), not fitting, not has_form and not is_named)
    is_doubted = is_of_filing and not has_form
    if sum(against) > 1 or is_doubted:
        several = [*rivals, *values]
        return FieldReading(candidates=several[: tunables.CANDIDATES])
    unfit = [number for number in values if number not in fitting]
    ordered: list[Number] = [*fitting, *unfit]
    first, *others = ordered
    kept: list[Number] = []
    beside = [*reading.beside]
    for number in others:
        if _is_second(number, printed, code):
            kept.append(number)
        else:
            beside.append(number)
    return FieldReading([first, *kept], beside=beside)


def _fitting(values: Sequence[Number], code: str) -> list[Number]:
    """Return the numbers that may be of the register, or else those with right check digits."""
    fitting = []
    for number in values:
        if fits_register(number.value.number, code) is not False:
            fitting.append(number)
    return fitting or [number for number in values if number.value.valid]


def _is_second(number: Number, printed: list[PrintedNumber], code: str) -> bool:
    """Whether a further number is given, too: it is not of another form, or its label is that of a register."""
    has_other_form = fits_register(number.value.number, code) is False
    return not has_other_form or _is_named(number, printed)


def _by_words(
    evidence: Evidence,
    kind: str,
    code: str,
    reading: FieldReading[RegistrationNumber],
    printed: list[PrintedNumber],
) -> FieldReading[RegistrationNumber]:
    """Return the only number whose label has a word of registers, where no rule has read another one."""
    if kind and kind not in OF_REGISTER:
        return reading
    several = _of_register(printed, code, reading.candidates)
    is_alone = len(several) == 1 and not reading.candidates
    # In a paper of an unknown type the form has to agree.
    is_sure = bool(kind) or (
        is_alone and bool(fits_register(several[0].value.number, code))
    )
    if is_alone and is_sure and not is_late(evidence.text, several[0].span):
        return FieldReading(several, beside=reading.beside)
    candidates = [*reading.candidates, *several]
    return FieldReading(
        candidates=candidates[: tunables.CANDIDATES], beside=reading.beside
    )


def _is_named(number: Number, printed: list[PrintedNumber]) -> bool:
    """Whether the words before a number name a register."""
    for item in printed:
        if item.span.start <= number.span.end and number.span.start <= item.span.end:
            return True
    return False


def _of_register(
    printed: list[PrintedNumber], code: str, known: Sequence[Number]
) -> list[Number]:
    """Return the further numbers that are labelled as those of a register, each once."""
    keys = [compact(number.value.number) for number in known]
    numbers: list[Number] = []
    for item in printed:
        key = compact(item.number)
        if fits_register(item.number, code) is False:
            continue
        # A part of another number, or the same with the letters of its register.
        if any(key in other or other in key for other in keys):
            continue
        keys.append(key)
        number = RegistrationNumber("number in the register", item.number)
        words = " ".join(item.words.split())[-tunables.WORDS_BEFORE :].strip(" :")
        how = f"labelled “{words}”"
        numbers.append(ExtractedValue(number, item.span, how, tunables.BARE_NUMBER))
    return numbers


def _register_numbers(evidence: Evidence) -> list[PrintedNumber]:
    """Return the numbers whose words name a register, and of which nothing says that they are another party's."""
    invalid = [n.span for n in evidence.once(numbers_of) if n.value.valid is False]
    numbers: list[PrintedNumber] = []
    for item in printed_numbers(evidence.once(page_cells_of)):
        # A long table has thousands of numbers: look closely only at these.
        if item.of != "register":
            continue
        is_invalid = any(
            span.start < item.span.end and item.span.start < span.end
            for span in invalid
        )
        if not is_invalid and not _is_of_others(evidence, item.span):
            numbers.append(item)
    return numbers


def _is_of_others(evidence: Evidence, span: Span) -> bool:
    text = evidence.text
    return (
        is_of_issuer(text, span)
        or stands_beside_contact(text, span)
        or is_of_another(text, span)
        or is_in_block_of_another(text, span)
        or is_at_another(evidence, span)
        or _is_of_clause(evidence, span)
        or is_in_record_of_another(evidence, span)
    )


def _by_rules(evidence: Evidence, kind: str) -> FieldReading[RegistrationNumber]:
    """Return the numbers that labels of the table and forms of registers give."""
    read = _by_owner(evidence)
    by_rules = [*read.own, *read.others, *read.of_issuer, *read.beside, *read.left_out]
    labelled = _labelled(evidence, by_rules)
    every = [*read.own, *labelled]
    small = _in_small_print(evidence.text, labelled, every)
    labelled = [n for n in labelled if n not in small]
    numbers = [n for n in read.own if not _is_after_its_like(n, labelled)]
    numbers += [n for n in labelled if not _is_after_its_like(n, labelled)]
    alone = _alone(evidence.text) if kind in OF_REGISTER else []
    # “PIB 110841827” on a line of its own is the labelled number, with its label.
    keys = [compact(n.value.number) for n in labelled]
    alone = [
        n for n in alone
        if not any(compact(n.value.number).endswith(key) for key in keys)
    ]  # fmt: skip
    if numbers:
        # A number with a cell on its left is not alone: that cell says what it is.
        alone = [n for n in alone if not has_cell_on_left(evidence, n.span)]
        # The last word of a cell may stand on a line of its own: “VIA DELLE FERRIERE 22 CAP” above “13019”.
        alone = [n for n in alone if not is_rest_of_cell(evidence.text, n.span)]
    of_tax = _beside_tax_numbers(evidence.text, kind, numbers, alone)
    if of_tax is not None:
        return of_tax
    rivals = _rivals(evidence, numbers, read)
    if rivals:
        several = [numbers[0], *rivals]
        return FieldReading(candidates=several[: tunables.CANDIDATES])
    if numbers:
        return _of_own(evidence, kind, numbers)
    if read.beside:
        # It stands at the name of another company, and no other number is read.
        return FieldReading(candidates=read.beside[: tunables.CANDIDATES])
    others = [*read.others, *read.of_issuer, *read.invalid]
    if kind in OF_REGISTER:
        return _without_label(evidence.text, alone, others)
    return FieldReading(candidates=others[: tunables.CANDIDATES])


def _beside_tax_numbers(
    text: Text, kind: str, numbers: list[Number], alone: list[Number]
) -> FieldReading[RegistrationNumber] | None:
    """Return the numbers where only numbers of a tax office have a label, and the register's may be another."""
    if not numbers or not all(map(_is_of_tax, numbers)):
        return None
    # A certificate may label its tax number, and print its register number alone below the title.
    if len(alone) == 1 and _is_of_title(text, alone[0]):
        return FieldReading([*alone, *numbers])
    of_register = alone if len(alone) > 1 else []
    # On papers of registers, what a label calls a tax number was never the number of the register.
    is_of_office = kind in OF_REGISTER and all(map(_is_called_tax, numbers))
    if not of_register and not is_of_office:
        return None
    several = [*numbers, *of_register]
    return FieldReading(candidates=several[: tunables.CANDIDATES])


def _of_own(
    evidence: Evidence, kind: str, numbers: list[Number]
) -> FieldReading[RegistrationNumber]:
    first, *others = numbers
    beside: list[Number] = []
    if kind in OF_REGISTER or not kind:
        # What a label alone gives in the lower part is the number of an owner, an officer or an entry.
        beside += [n for n in others if _is_late_by_label(evidence.text, n)]
    # “Number” alone may be the end of a longer label: “authentication”, and “number:” in the line below.
    beside += [n for n in others if _is_by_bare_label(evidence.text, n)]
    if first.value.valid and not _may_be_second(first):
        # Beside a number with right check digits, a label such as “number” or “ID” gives that of a filing, a branch
        # or a trade name.
        beside += [n for n in others if not n.value.valid and _is_of_any_label(n)]
    others = [n for n in others if n not in beside]
    return FieldReading([first, *others], beside=beside)


def _rivals(evidence: Evidence, numbers: list[Number], read: _Numbers) -> list[Number]:
    """Return further numbers of the register of the first one, where nothing says that it is the company's.

    The first of several is that of an office, if it stands on a line with a postal code or a telephone, and that of
    an agent may come first where the name itself is not sure.
    """
    if not numbers:
        return []
    first = numbers[0]
    others = read.left_out
    is_of_office = stands_beside_contact(evidence.text, first.span)
    if not evidence.once(names_of).values:
        # Nothing says whose the numbers at the names of a sentence are.
        others = [*others, *read.others, *read.beside]
        is_of_office |= bool(company_in_clause(evidence.once(_joined), first.span))
    if not is_of_office:
        return []
    return [
        number for number in others
        if number.value.kind == first.value.kind
        and compact(number.value.number) != compact(first.value.number)
        and number.value.valid is not False
    ]  # fmt: skip


def _may_be_second(number: Number) -> bool:
    """Whether a company has another number in its register beside this one."""
    return _is_of_tax(number) or number.value.kind in WITH_REGISTER


def _is_of_any_label(number: Number) -> bool:
    """Whether the words for the number are those of any register, so that its form says nothing."""
    is_of_any = number.value.kind in OF_ANY_REGISTER or _is_by_label(number)
    return is_of_any and not _is_of_tax(number)


def _is_of_tax(number: Number) -> bool:
    kind = number.value.kind
    return kind in BESIDE_ANOTHER or labels().get(kind) == "tax_number"


def _is_by_bare_label(text: Text, number: Number) -> bool:
    line = text.value[: number.span.start].rstrip(" \n").rpartition("\n")[2]
    is_bare = bool(BARE_LABEL.fullmatch(line.strip()))
    is_of_any = number.value.kind in OF_ANY_REGISTER
    return is_bare and is_of_any and not is_repeated(text, number.value.number)


def _is_called_tax(number: Number) -> bool:
    kind = number.value.kind
    return kind not in WITH_REGISTER and bool(OF_TAX_OFFICE.search(kind))


def _is_late_by_label(text: Text, number: Number) -> bool:
    return _is_of_any_label(number) and is_late(text, number.span)


def _is_by_label(number: Number) -> bool:
    """Whether a label of the table gave the number, and not the form of one register."""
    return number.how.startswith("labelled “")


def _by_owner(evidence: Evidence) -> _Numbers:
    read = _Numbers([], [], [], [], [], [])
    for number in evidence.once(numbers_of):
        if is_behind_caption(evidence, number.span):
            # The words before it are those of the value above.
            continue
        if number.value.valid is False:
            read.invalid.append(number)
        elif is_of_issuer(evidence.text, number.span):
            read.of_issuer.append(number)
        elif is_of_another(evidence.text, number.span) or is_in_block_of_another(
            evidence.text, number.span
        ):
            read.others.append(number)
        elif (
            is_at_another(evidence, number.span)
            or _is_of_clause(evidence, number.span)
            or is_in_record_of_another(evidence, number.span)
        ):
            read.beside.append(number)
        else:
            read.own.append(number)
    small = _in_small_print(evidence.text, read.own, read.own)
    read.of_issuer.extend(small)
    read.own[:] = [number for number in read.own if number not in small]
    own = _of_one_company(evidence.text, read.own)
    read.left_out[:] = [number for number in read.own if number not in own]
    read.own[:] = own
    return read


def _in_small_print(
    text: Text, numbers: list[Number], others: list[Number]
) -> list[Number]:
    """Return the numbers beside which another one of the same form is printed clearly larger."""
    largest: dict[str, float] = {}
    for other in others:
        form = _form(other)
        height = digit_height(text, other.span)
        largest[form] = max(largest.get(form, 0.0), height)
    small = []
    for number in numbers:
        height = digit_height(text, number.span)
        if is_small_print(height, largest.get(_form(number), 0.0)):
            small.append(number)
    return small


def _joined(evidence: Evidence) -> str:
    return flowing(evidence.text)


def _is_of_clause(evidence: Evidence, span: Span) -> bool:
    """Whether the clause of a sentence names another company before its number: “… to Alfa gGmbH, HRB 123”."""
    holder = company_in_clause(evidence.once(_joined), span)
    names = evidence.once(names_of)
    possible = names.values[:1] or names.candidates
    if not holder or not possible:
        return False
    # Words before the name may have been read with it.
    return not any(
        is_same_company(holder, name.value)
        or split_legal_form(name.value)[0] in folded(holder)
        for name in possible
    )


def _of_one_company(text: Text, numbers: list[Number]) -> list[Number]:
    """Keep one number for each register, the first of the text: a second one is that of an owner or an auditor.

    Labels such as “file number” may be those of a filing, so they are dropped where another label
    names the number of the company. A part of another number is none.
    """
    first: dict[str, int] = {}
    for number in numbers:
        kind = number.value.kind
        first[kind] = min(first.get(kind, number.span.start), number.span.start)
    of_filings = [number for number in numbers if _is_of_filing(text, number)]
    has_other = any(
        number not in of_filings and not _is_of_tax(number) for number in numbers
    )
    own = []
    for number in numbers:
        is_later = number.span.start > first[number.value.kind]
        if number.value.kind not in OF_ANY_REGISTER and is_later:
            continue
        if number in of_filings and has_other:
            continue
        if any(_is_within(number.span, other.span) for other in numbers):
            continue
        own.append(number)
    return own


def _is_after_its_like(number: Number, labelled: list[Number]) -> bool:
    """Whether a labelled number of the same form stands above: the later one is an auditor's or an owner's."""
    form = _form(number)
    if count_digits(form) < tunables.LONG_NUMBER:
        return False
    return any(
        other.span.start < number.span.start and _form(other) == form
        for other in labelled
    )


def _form(number: Number) -> str:
    return re.sub(r"\d", "9", compact(number.value.number))


def _is_of_filing(text: Text, number: Number) -> bool:
    start = max(0, number.span.start - tunables.LABEL_BEFORE)
    before = text.value[start : number.span.start]
    return number.value.kind in OF_ANY_REGISTER and bool(OF_FILING.search(before))


def _is_within(span: Span, other: Span) -> bool:
    is_longer = other.end - other.start > span.end - span.start
    return is_longer and other.start <= span.start and span.end <= other.end


def _without_label(
    text: Text, alone: list[Number], others: list[Number]
) -> FieldReading[RegistrationNumber]:
    """Return the number of a certificate that has no known label, if there is only one."""
    called = _called(text)
    keys = {compact(number.value.number) for number in (*called, *alone)}
    # All readings of the head agree on one number.
    if called and len(keys) == 1:
        return FieldReading(called[:1])
    if len(alone) == 1 and not called and _is_of_title(text, alone[0]):
        return FieldReading(alone)
    several = [*others, *called, *alone]
    return FieldReading(candidates=several[: tunables.CANDIDATES])


def _labelled(evidence: Evidence, read: list[Number]) -> list[Number]:
    """Return numbers with a label that no rule for a specific register has read."""
    keys = {compact(number.value.number) for number in read}
    numbers: list[Number] = []
    pairs = evidence.once(pairs_of)
    for field in ("number", "tax_number"):
        for item in labelled_numbers(pairs, field):
            label, written = item.value
            number = re.sub(r"\s+", "", written)
            key = compact(number)
            if key.translate(MISREAD) in {k.translate(MISREAD) for k in keys}:
                continue
            # The same number with and without a prefix of its register is one number.
            if any(key.endswith(other) or other.endswith(key) for other in keys):
                continue
            value = RegistrationNumber(label, number)
            extracted = ExtractedValue(value, item.span, item.how, item.confidence)
            if (
                is_of_another(evidence.text, item.span)
                or is_at_another(evidence, item.span)
                or is_in_record_of_another(evidence, item.span)
            ):
                continue
            if is_of_issuer(evidence.text, item.span):
                continue
            keys.add(key)
            numbers.append(extracted)
    return numbers


def _called(text: Text) -> list[Number]:
    """Return numbers that a line of the head introduces as a number, in any words: “Company Code:
    1123”.
    """
    numbers: list[Number] = []
    for match in CALLED.finditer(text.value[: tunables.HEAD]):
        number = re.sub(r"\s+", "", match["number"])
        if NOT_OF_COMPANY.search(match["words"]) or is_year(number):
            continue
        span = Span(*match.span("number"))
        how = "what a line of the head calls a number"
        value = RegistrationNumber("number", number)
        numbers.append(ExtractedValue(value, span, how, tunables.BARE_NUMBER))
    return numbers


def _is_of_title(text: Text, number: Number) -> bool:
    return text.value[: number.span.start].count("\n") <= tunables.TITLE_LINES


def _alone(text: Text) -> list[Number]:
    """Return numbers on lines of their own in the head of a certificate."""
    numbers: list[Number] = []
    head = text.value[: tunables.HEAD]
    for match in BARE.finditer(head):
        number = re.sub(r"\s+", "", match["number"])
        if find_dates(match["number"]):
            continue
        if is_year(number) or len(number) < 5 or ZIP_CODE.fullmatch(number):
            continue
        value = RegistrationNumber("number", number)
        how = "a number on a line of its own below the title"
        span = Span(*match.span("number"))
        numbers.append(ExtractedValue(value, span, how, tunables.BARE_NUMBER))
    return numbers
