"""Who holds the account and where: given where two readings that do not depend on each other agree.

A window shows a name and an address by its place, a label by its words, and the sender of the paper by its head
and foot. One of these alone is right nine times of ten, which is not enough to give a value. So a name of a
window needs words that address it, a second place in the text, or another party that sends the paper; a label
needs a value with the form of a name that no other label contradicts. An address needs the words for the place
that is served, or that the text has no further address that may be the holder's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from checks.evidence import Evidence
from checks.extraction.clear_words import is_clear
from checks.extraction.whole_names import whole_name
from checks.fields.addresses.addressees import OTHERS, blocks_of
from checks.fields.addresses.postal import Address, find_addresses
from checks.fields.addresses.recipients import (
    Recipient,
    is_written_with_initials,
    recipient_of,
)
from checks.fields.addresses.whole import address_of_lines
from checks.fields.addresses.windows import (
    BOX,
    NO_NAME,
    NO_STREET,
    OF_HONOUR,
    OF_OFFICE,
    TITLE,
    address_on_line,
    find_windows,
    is_salutation,
)
from checks.fields.dates import find_dates
from checks.fields.extracted import ExtractedValue
from checks.fields.letterheads import OF_TAX, is_address_of_issuer
from checks.fields.names.companies import is_sentence, split_legal_form
from checks.fields.names.forms_of_address import without_form
from checks.fields.names.shape import looks_like_name
from checks.proof_of_address import tunables
from checks.proof_of_address.agreements import LESSEE, names_role, parties_of
from checks.proof_of_address.issuers import Sender, is_same, senders_of
from checks.proof_of_address.labels import (
    HOLDER,
    ISSUER,
    PARTY,
    SERVED,
    Entry,
    address_below,
    of_kind,
)
from checks.text.characters import has_digit
from checks.text.folding import folded
from checks.text.phrases import Phrase
from checks.text.words import (
    Span,
    Text,
    Word,
)

Name = ExtractedValue[str]
Place = ExtractedValue[Address]

# Where the name ends, if an address or a number follows on its line.
# What follows a name on its line: its address, a remark, or the number of the person with its label.
NAME_END = re.compile(
    r",\s+(?=[^,]*\d)|\s+[|·•\u2013-]\s+"
    r"|\s+(?:C\.? ?F\.?|P\.? ?IVA|N\.?I\.?F\.?|C\.?I\.?F\.?|D\.?N\.?I\.?|N\.?I\.?E\.?|NIPC|CPF|CNPJ|RUC|RUT|RFC|CURP|PESEL|NIP|PAN|TIN|CNP)"
    r"(?=[\s:]|$)(?=[^\n]*\d|[\s:]*$)"
)
# “I, Ada Quist, of”: the line of a sentence, above an address that goes on with it.
DECLARATION = re.compile(
    r"^(?:I|We|Ich|Wir|Je,? soussignée?|Je|Nous|Yo|El suscrito|La suscrita|Io|(?:Il|La) sottoscritt[oa]|Io sottoscritt[oa]|Eu|Ik|Ondergetekende|Ja"
    r"|Niżej podpisan[ya]|Undertecknad|Undertegnede|Allekirjoittanut|Já|Alulírott|Subsemnat(?:ul|a)|Я)[,:]? "
    r"(?P<name>[^,;]{3,60}?)(?:[,;].*| (?:of|in|wohnhaft))?$"
)
# “Dear Mr Wainwright”, “Sehr geehrte Frau Möbius”: the letter greets its addressee.
GREETING = Phrase(
    r"(?:^|[\n\f])(?:dear|sehr geehrte[r]?|liebe[r]?|guten tag|chère?|bonjour|estimad[oa]|apreciad[oa]|gentile|egregi[oa]|caro|cara|prezad[oa]|exm[oa]\.?"
    r"|geachte|beste|szanown[ya]|vážen[ýáa]|kære|kjære|hej|hei|hyvä|tisztelt|stimat[ăe]|say\u0131n|poštovan[ia]|αγαπητ[έή]) (?P<name>[^\n\f]{2,60})"
)
# A passage that names another party before its address.
OF_PARTY = Phrase(
    r"\b(?:landlord|lessor|owner|agent|mortgagee|lender|branch|your adviser|delivered? (?:to|at)|ship(?:ped)? to|payable to|on behalf of|trustee"
    r"|vermieter|eigentümer(?:in)?|filiale|lieferung an|im auftrag|bailleur|propriétaire|agence|livr[ée]+ à|mandataire|pour le compte"
    r"|arrendador[a]?|propietari[oa]|sucursal|oficina|entrega|en nombre de|locatore|proprietario|filiale|destinazione|senhorio|proprietário|agência"
    r"|verhuurder|eigenaar|filiaal|wynajmujący|właściciel|oddział|hyresvärd|udlejer|utleier|pronajímatel|bérbeadó|offices? (?:at|in|of)|domicilio en)\b"
)

# “8,200.00”, “FN 204482x”: no address has these.
NO_ADDRESS = re.compile(r"\d[.,]\d{2}(?!\d)|\b(?:FN|HR[AB]|Reg|Nr|No)\b", re.IGNORECASE)
# A plot by the numbers of its survey, and no street.
OF_LAND = Phrase(
    r"\b(?:lots? \d|plan \d|parcel|section \d|flurst[üu]ck|gemarkung|parcel(?:a|le)|foglio|mappale|matr(?:ikel|\.)|catastral|cadastr\w+|katast\w+)"
)


# How an address was read of which nothing says whose it is.
UNATTRIBUTED = "another address of the text"


@dataclass(frozen=True, slots=True)
class Roles:
    """The holder with the addresses, or what they may be. Spans are positions in `blocks_of`."""

    name: Name | None
    names: Sequence[Name]
    addresses: Sequence[Place]
    places: Sequence[Place]


def roles_of(evidence: Evidence) -> Roles:
    """Return who the holder is, and which address is the holder's, for `Evidence.once`."""
    recipient = evidence.once(recipient_of)
    name, names = _holder(evidence, recipient)
    addresses, places = _addresses(evidence, recipient, name)
    # Whose address it is depends on whose name it is, not on whether OCR read its letters well.
    text = evidence.once(blocks_of)
    if name is not None and not is_clear(evidence, text, name.span, name.value):
        names = _distinct([name, *names])
        name = None
    if name is not None:
        whole = whole_name(text, name.span, name.value)
        if whole != name.value:
            # The line below may be the rest of the name, or the first line of the address.
            names = _distinct([replace(name, value=whole), name, *names])
            name = None
    if addresses:
        best = addresses[0]
        if not is_clear(evidence, text, best.span, str(best.value)):
            addresses, places = [], _distinct_places([*addresses, *places])
    country = next((p.value.country_code for p in [*addresses, *places]), "")
    names = _distinct([without_form(each, country) for each in names])
    name = without_form(name, country) if name else None
    return Roles(name, names, addresses, places)


# ── The name ──────────────────────────────────────────────────────────────────────────────────────


def _holder(evidence: Evidence, recipient: Recipient) -> tuple[Name | None, list[Name]]:
    read = _without_number(recipient.name)
    labelled = _labelled_names(evidence)
    declarant = _declarant(read)
    if declarant is not None:
        # Who declares something may do so of somebody else: a host of a guest, a giver of a receiver.
        return None, _distinct([declarant, *labelled, *recipient.possible_names])
    others = list(recipient.possible_names)
    over = recipient.over
    if read is not None and over is not None and not _is_sender(evidence, over.value):
        # A company with a person below it: either may be meant.
        return None, _distinct([over, read, *labelled])
    if not labelled:
        return _of_window(evidence, read, others)
    return _of_labels(evidence, labelled, read, others)


def _of_labels(
    evidence: Evidence,
    labelled: Sequence[Name],
    read: Name | None,
    others: Sequence[Name],
) -> tuple[Name | None, list[Name]]:
    """Return the name behind the labels, if the window and all labels have the same one."""
    if read is not None and _is_of_party(evidence, read):
        read = None
    first, *rest = labelled
    rivals = [name for name in rest if not _is_one(name.value, first.value)]
    if read is not None and not _is_one(read.value, first.value):
        rivals.insert(0, read)
    if rivals:
        return None, _distinct([first, *rivals, *others])
    if read is not None:
        return _longer(read, first), []
    if _is_sender(evidence, first.value):
        return None, _distinct([first, *others])
    return first, []


def _without_number(name: Name | None) -> Name | None:
    """Return the name without the label of a number behind it: “NIF”.

    None for words such as “hereinafter called the landlord”, which stand above an address, too.
    """
    if name is None or names_role(name.value):
        return None
    value = NAME_END.split(name.value)[0].strip(" ,;:*")
    return replace(name, value=value) if value else name


def _declarant(name: Name | None) -> Name | None:
    """Return the name without the words of a sentence in the first person: “I, Ada Quist, of”."""
    match = DECLARATION.match(name.value) if name else None
    if name is None or match is None:
        return None
    start = name.span.start + match.start("name")
    span = Span(start, start + len(match["name"]))
    return replace(name, value=match["name"], span=span)


def _of_window(
    evidence: Evidence, read: Name | None, others: list[Name]
) -> tuple[Name | None, list[Name]]:
    """Return the name of the window if something confirms it; no label names the holder."""
    if read is None:
        return None, others
    if _is_confirmed(evidence, read):
        return read, []
    return None, [read, *others]


def _labelled_names(evidence: Evidence) -> list[Name]:
    text = evidence.once(blocks_of)
    names = []
    for entry in of_kind(evidence, HOLDER):
        line = 0
        while line < len(entry.lines) and is_salutation(entry.lines[line]):
            line += 1
        if line == len(entry.lines):
            continue
        name = NAME_END.split(entry.lines[line])[0].strip(" ,;:*")
        if NO_NAME.search(name) or not looks_like_name(text, name):
            continue
        name_words = evidence.text.words(entry.spans[line])[: len(name.split())]
        span = text.span_of(name_words)
        if span is not None:
            how = f"labelled “{entry.label}”"
            names.append(ExtractedValue(name, span, how, tunables.OF_LABEL))
    return [*names, *_names_of_lessees(evidence)]


def _names_of_lessees(evidence: Evidence) -> list[Name]:
    """Return the names that a sentence of a lease calls the tenants."""
    names = []
    for party in evidence.once(parties_of):
        if party.kind == LESSEE and party.name:
            how = f"called “{party.label}” in a sentence"
            names.append(
                ExtractedValue(party.name, party.name_span, how, tunables.OF_LABEL)
            )
    return names


def _is_one(name: str, other: str) -> bool:
    """Whether two readings are of one name, with or without a title or a further line."""
    first = folded(TITLE.sub("", name)).split()
    second = folded(TITLE.sub("", other)).split()
    shorter, longer = sorted((first, second), key=len)
    if set(shorter) <= set(longer):
        return True
    if is_written_with_initials(name, other) or is_written_with_initials(other, name):
        return True
    return is_same(name, other)


def _longer(name: Name, other: Name) -> Name:
    """The first reading, unless the other has its words and more."""
    words = set(folded(name.value).split())
    if words < set(folded(other.value).split()):
        return other
    return name


def _distinct(names: Sequence[Name]) -> list[Name]:
    several: dict[str, Name] = {}
    for name in names:
        several.setdefault(folded(name.value), name)
    return list(several.values())[: tunables.CANDIDATES]


def _is_confirmed(evidence: Evidence, name: Name) -> bool:
    """Whether a second reading says that a name of the window or behind a label is the holder's."""
    text = evidence.once(blocks_of)
    if _is_of_party_label(evidence, name.value):
        return False
    if _is_addressed(text, name) or _is_greeted(text, name.value):
        return True
    if _is_named_again(text, name) and not _has_letterhead(evidence, name.value):
        return not _is_sender(evidence, name.value)
    return _has_other_sender(evidence, name)


def _is_addressed(text: Text, name: Name) -> bool:
    """Whether a title stands before the name, or words such as “Bill to” above it."""
    if TITLE.match(name.value) or OF_HONOUR.match(text.value[name.span.start :]):
        return True
    above = text.value[: name.span.start].rstrip("\n").rpartition("\n")[2]
    return bool(above) and "\f" not in above and is_salutation(above.strip())


def _is_greeted(text: Text, name: str) -> bool:
    parts = folded(TITLE.sub("", name)).split()
    words = {word for word in parts if len(word) >= tunables.LONG_WORD}
    for match in GREETING.finditer(text.value):
        if words & set(folded(match["name"]).split()):
            return True
    return False


def _is_named_again(text: Text, name: Name) -> bool:
    """Whether a line has the name and other words: a signature is the name alone."""
    key = folded(TITLE.sub("", name.value))
    if len(key) < tunables.SAME_BEGINNING:
        return False
    for line, span in text.lines():
        if span.start <= name.span.start <= span.end:
            continue
        whole = f" {folded(line)} "
        if f" {key} " in whole and whole.strip() != key:
            return True
    return False


def _is_sender(evidence: Evidence, name: str) -> bool:
    """Whether the name stands where only senders stand."""
    match = _sender_of(evidence, name)
    return match is not None and bool(match.signs & OF_SENDER)


def _is_of_party_label(evidence: Evidence, name: str) -> bool:
    """Whether a label such as “Landlord” says that the name is another party's."""
    for entry in of_kind(evidence, PARTY, ISSUER):
        if is_same(NAME_END.split(entry.lines[0])[0].strip(" ,;:*"), name):
            return True
    for party in evidence.once(parties_of):
        if party.kind != LESSEE and party.name and is_same(party.name, name):
            return True
    return False


def _is_of_party(evidence: Evidence, name: Name) -> bool:
    """Whether a label or a sentence says that the name is another party's.

    A window may have the word before the name, too: “between Ada Quist”.
    """
    if _is_of_party_label(evidence, name.value):
        return True
    for party in evidence.once(parties_of):
        own = party.name_span
        is_within = name.span.start <= own.start < name.span.end
        if party.kind != LESSEE and party.name and is_within:
            return True
    return False


def _has_letterhead(evidence: Evidence, name: str) -> bool:
    """Whether the name stands at the top of the page above an address, as that of a sender does."""
    match = _sender_of(evidence, name)
    return match is not None and {"head", "letterhead"} <= match.signs


def _has_other_sender(evidence: Evidence, name: Name) -> bool:
    """Whether another party sends the paper: its name stands above, behind a label, or in the foot."""
    same_sender = _sender_of(evidence, name.value)
    if same_sender is not None and same_sender.signs & OF_SENDER:
        return False
    text = evidence.once(blocks_of)
    signs_of_name = len(same_sender.signs) if same_sender else 0
    box = text.boxes(name.span)[0]
    for sender in evidence.once(senders_of):
        if sender is same_sender:
            continue
        if sender.signs & OF_SENDER:
            return True
        place = text.boxes(sender.span)[0]
        if place.page != box.page or place.y0 > box.y0:
            continue
        # Of two blocks beside each other the sender's has more of its signs.
        if place.y1 <= box.y0 or len(sender.signs) > signs_of_name:
            return True
    return False


# Signs that no addressee has.
OF_SENDER = frozenset({"label", "foot", "sender"})


def _sender_of(evidence: Evidence, name: str) -> Sender | None:
    for sender in evidence.once(senders_of):
        if is_same(sender.name, name):
            return sender
    return None


# ── The address ───────────────────────────────────────────────────────────────────────────────────


def _addresses(
    evidence: Evidence, recipient: Recipient, name: Name | None
) -> tuple[list[Place], list[Place]]:
    """Return the sure addresses, the best first; else none, and what they may be."""
    of_others = [p for p in recipient.addresses if _is_place_of_party(evidence, p)]
    read = [place for place in recipient.addresses if place not in of_others]
    possible = [*recipient.possible_addresses, *of_others]
    served, unparsed = _served(evidence)
    served += [place for place in read if place.how.startswith("labelled")]
    if served:
        return _of_served(served, [place for place in read if place not in served])
    of_label = _below_label(evidence, name)
    if len(of_label) == 1 and all(_agree(place, of_label[0]) for place in possible):
        read = read or of_label
    if not read:
        return [], _distinct_places([*possible, *of_label])
    best = read[0]
    rivals = [place for place in of_label if not _agree(place, best)]
    rivals += [place for place in unparsed if not _is_within(place, best)]
    rivals += _free(evidence, best, name)
    if name is None and (recipient.name is not None or rivals):
        # The window may be the sender's.
        return [], _distinct_places([*read, *rivals, *possible])
    if rivals:
        return [], _distinct_places([best, *rivals])
    return list(read), []


def _of_served(
    served: Sequence[Place], read: Sequence[Place]
) -> tuple[list[Place], list[Place]]:
    """Return the place that is served, if the letter went there or to a box.

    A bill for one place that is sent to another street may prove either.
    """
    first, *rest = served
    posted = [place for place in read if not BOX.search(place.value.street_1)]
    for place in [*rest, *posted]:
        if not _agree(place, first):
            return [], _distinct_places([*served, *read])
    with_town = [place for place in posted if place.value.city]
    best = with_town[0] if with_town else first
    others = [place for place in read if place is not best]
    return [best, *others], []


def _served(evidence: Evidence) -> tuple[list[Place], list[Place]]:
    """Return the addresses behind labels of the place that is served, and those without a town."""
    served: list[Place] = []
    unparsed: list[Place] = []
    for entry in of_kind(evidence, SERVED):
        place = _place_of(evidence, entry, 0)
        if place is None:
            continue
        if place.value.postal_code and place.value.city:
            served.append(place)
        elif not OF_LAND.search(" ".join(entry.lines)):
            unparsed.append(place)
    return served, unparsed


def _below_label(evidence: Evidence, name: Name | None) -> list[Place]:
    """Return the addresses below the names behind the labels of the holder."""
    places = []
    for entry in of_kind(evidence, HOLDER):
        labelled_name = NAME_END.split(entry.lines[0])[0]
        if name is not None and not _is_one(labelled_name, name.value):
            continue
        place = _place_of(evidence, entry, 1)
        form = address_below(evidence, entry) if place is None else None
        if form is not None:
            place = _place_of(evidence, form, 0)
        if place is not None:
            places.append(place)
    return _distinct_places(places)


def _place_of(evidence: Evidence, entry: Entry, first: int) -> Place | None:
    lines: list[str] = []
    words: list[Word] = []
    for line, place in list(zip(entry.lines, entry.spans, strict=True))[first:]:
        if NO_STREET.search(line) or OF_TAX.search(line):
            if lines:
                break
            # “CIF: B95118842” stands between the name and the street.
            continue
        lines.append(line.rstrip(" ,/"))
        words.extend(evidence.text.words(place))
    written = "\n".join(lines)
    if not has_digit(written):
        return None
    flat = ", ".join(lines)
    address = address_on_line(flat)
    if address is None or not address.postal_code:
        address = address_of_lines(written, "") or address
    if address is None:
        return None
    span = evidence.once(blocks_of).span_of(words)
    if span is None:
        return None
    how = f"labelled “{entry.label}”"
    return ExtractedValue(address, span, how, tunables.OF_LABEL)


def _agree(place: Place, other: Place) -> bool:
    """Whether two readings are of one address: its code and a number of the street, or the words of the shorter."""
    first, second = place.value, other.value
    if first.postal_code and second.postal_code:
        codes = sorted((_key(first.postal_code), _key(second.postal_code)), key=len)
        if not codes[1].startswith(codes[0]) and not codes[1].endswith(codes[0]):
            return False
        numbers, others = _numbers(first), _numbers(second)
        if numbers and others:
            return bool(numbers & others)
        return True
    return _is_within(place, other) or _is_within(other, place)


def _key(code: str) -> str:
    return re.sub(r"\W", "", code).upper()


def _numbers(address: Address) -> set[str]:
    return set(re.findall(r"\d+", f"{address.street_1} {address.street_2 or ''}"))


def _is_within(place: Place, other: Place) -> bool:
    """Whether the street of the first is also that of the other: its first long word, and a number."""
    words = folded(place.value.street_1).split()
    others = set(folded(str(other.value)).split())
    numbers: set[str] = set()
    long: set[str] = set()
    for word in words:
        if has_digit(word):
            numbers.add(word)
        if len(word) >= tunables.LONG_WORD and not word.isdigit():
            long.add(word)
    if long and not long & others:
        return False
    return not numbers or bool(numbers & others)


def _distinct_places(places: Sequence[Place]) -> list[Place]:
    several: list[Place] = []
    for place in places:
        has_code = bool(place.value.postal_code)
        if not has_code or not any(_agree(place, other) for other in several):
            several.append(place)
    return several[: tunables.CANDIDATES]


def _free(evidence: Evidence, best: Place, name: Name | None) -> list[Place]:
    """Return the other addresses of the text of which nothing says that they are somebody else's."""
    free = []
    for place in _all_places(evidence):
        if _agree(place, best) or _is_of_other(evidence, place, best, name):
            continue
        free.append(place)
    return free


def _all_places(evidence: Evidence) -> Iterator[Place]:
    text = evidence.once(blocks_of)
    for match in find_addresses(text):
        yield _unattributed(match.value.address, match.span)
    for window in find_windows(text):
        if NO_ADDRESS.search(str(window.address.value)):
            continue
        yield replace(window.address, how=UNATTRIBUTED)
    for line, span in text.lines():
        # A day, a sum, a sentence or an entry of a register has numbers and words, too.
        if find_dates(line) or NO_ADDRESS.search(line) or is_sentence(line):
            continue
        address = address_on_line(line.strip())
        if address is not None and address.postal_code and address.city:
            yield _unattributed(address, span)


def _unattributed(address: Address, span: Span) -> Place:
    return ExtractedValue(address, span, UNATTRIBUTED, tunables.ONE_SIGN)


def _is_of_other(
    evidence: Evidence, place: Place, best: Place, name: Name | None
) -> bool:
    text = evidence.once(blocks_of)
    start = text.line_start(place.span.start)
    lines = text.value[start : place.span.end].lstrip("\f")
    near = text.value[max(0, start - tunables.NEAR) : place.span.end]
    if is_address_of_issuer(text, place.span) or _stands_as_sender(text, place, best):
        return True
    if BOX.search(lines) or OF_OFFICE.search(lines) or OTHERS.search(near):
        return True
    if OF_PARTY.search(near) or _is_place_of_party(evidence, place):
        return True
    return _names_another(evidence, lines, near, name)


def _stands_as_sender(text: Text, place: Place, best: Place) -> bool:
    """Whether the address is in the foot, or in the head above the best one.

    A sender has its address above the window.
    """
    box = text.boxes(place.span)[0]
    best_box = text.boxes(best.span)[0]
    if box.y0 > tunables.FOOT:
        return True
    is_above = box.page == best_box.page and box.y1 < best_box.y0
    return is_above and box.y0 < tunables.HEAD


def _is_place_of_party(evidence: Evidence, place: Place) -> bool:
    words = evidence.once(blocks_of).words(place.span)
    boxes = {word.box for word in words}
    for entry in of_kind(evidence, PARTY, ISSUER):
        form = address_below(evidence, entry)
        for span in [*entry.spans, *(form.spans if form else ())]:
            boxes_of_label = {word.box for word in evidence.text.words(span)}
            if boxes & boxes_of_label:
                return True
    for party in evidence.once(parties_of):
        is_within = party.span.start <= place.span.start < party.span.end
        if party.kind != LESSEE and is_within:
            return True
    return False


def _names_another(
    evidence: Evidence, lines: str, near: str, name: Name | None
) -> bool:
    """Whether the sender is named on the line or on those above, or another company on the line."""
    key_of_name = folded(name.value) if name else ""
    for part in lines.split(","):
        base, form = split_legal_form(part.strip())
        if form and base and base not in key_of_name:
            return True
    near_words = f" {folded(near)} "
    for sender in evidence.once(senders_of):
        key = split_legal_form(sender.name)[0]
        if key and sender.key != key_of_name and f" {key} " in near_words:
            return True
    return False
