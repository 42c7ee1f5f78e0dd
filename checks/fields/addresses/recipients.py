"""To whom a letter, statement or bill belongs: first by its labels, else by the window of the
letter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from checks.evidence import Evidence
from checks.fields import tunables
from checks.fields.addresses.addressees import addressees_of, blocks_of, holder_of
from checks.fields.addresses.postal import Address
from checks.fields.addresses.windows import (
    BOX,
    NO_NAME,
    SENDER,
    TITLE,
    Window,
    address_on_line,
    find_windows,
)
from checks.fields.extracted import ExtractedValue
from checks.fields.letterheads import is_address_of_issuer
from checks.fields.names.companies import split_legal_form
from checks.fields.names.shape import looks_like_name
from checks.text.characters import count_letters
from checks.text.folding import folded
from checks.text.phrases import Pattern, Phrase
from checks.text.words import (
    Span,
    Text,
)

# Labels of the holder in languages other than English; `addressees` has the English ones.
HOLDERS = Phrase(
    r"(?:^|\n|  )(?:titular(?: del contrato| de la cuenta| da conta)?|intestatario|nom du titulaire|titulaire(?: du (?:compte|contrat))?|kontoinhaber(?:in)?"
    r"|kunde|nome do cliente|cliente|client|rekeninghouder|ten name van|nabywca|klient|odbiorca|posiadacz rachunku|kontohavare|kontohaver|kontoinnehaver"
    r"|facturé à|bill(?:ed)? to|invoice to|destinatario|destinataire|contribuyente|contribuente|taxpayer|podatnik|abonné|abonnent"
    r"|factuur aan|rechnung an|fatturato a|faktura till|sold to)"
    r" ?: ?\n?(?P<name>[^\n:]{3,80})|\bintestat[oa] a:? (?P<other>[^\n:]{3,60})"
)
SERVED = Phrase(
    r"(?:service|supply|property|premises|insured) (?:address|location)|verbrauchsstelle|lieferstelle|lieu de consommation|point de livraison"
    r"|dirección (?:del? )?suministro|punto de suministro|indirizzo di fornitura|leveringsadres(?:se)?|local de consumo|morada de fornecimento"
    r"|anläggningsadress|punkt poboru|adres (?:dostawy|punktu poboru)|endereço(?: de instalação)?|(?:^|[\n\f]|  )property(?= ?:)"
)
ADDRESS = Phrase(
    r"(?:^|\n|  )(?:(?:billing |mailing |customer )?address|adresse|dirección|indirizzo|endereço|morada|adresa|adres|adress) ?(?=:)"
)
# Words above the addressee of an invoice alone.
BILL_TO = re.compile(
    r"^(?:bill(?:ed)? to|invoice to|sold to|facturé à|factuur aan|rechnung an|fatturato a|faktura till?)\b",
    re.IGNORECASE,
)
CARE_OF = re.compile(r"(?:c/o|care of|%|z\.? ?hd\.?|attn)\b", re.IGNORECASE)
LINE = re.compile(r"[^\n\f]{8,120}")
LINE_BELOW = re.compile(r"\n[^\n\f:]{1,80}(?=[\n\f])")


@dataclass(frozen=True, slots=True)
class Recipient:
    """The holder, if it was read, and its addresses, the likeliest first.

    `rivals` are windows that are equally likely, of which one may be the sender's, or the only one
    if it names another business than the labelled holder. If there are any, no window is used and
    a person decides. `unlike`: what was read as the name, but does not look like one, and
    the line below it in the window. `over`: a line above
    the name in the window, which may be the addressee. `possible`: addresses of the text that neither a label nor a window gives.
    """

    name: ExtractedValue[str] | None
    addresses: list[ExtractedValue[Address]]
    rivals: Sequence[Window] = ()
    unlike: Sequence[ExtractedValue[str]] = ()
    over: ExtractedValue[str] | None = None
    possible: Sequence[ExtractedValue[Address]] = ()

    @property
    def possible_names(self) -> list[ExtractedValue[str]]:
        names = [window.name for window in self.rivals if window.name]
        return [*self.unlike, *names]

    @property
    def possible_addresses(self) -> list[ExtractedValue[Address]]:
        return [*(window.address for window in self.rivals), *self.possible]


def recipient_of(evidence: Evidence) -> Recipient:
    """Return the recipient, for `Evidence.once`. Its spans are positions in `blocks_of`."""
    windows = find_windows(evidence.once(blocks_of))
    best, rivals = _best(windows)
    is_clear = not rivals
    name = _name(evidence, best, is_clear=is_clear)
    if name and best and name is best.name and _is_beside_label(evidence, best, None):
        name = None
    # The labelled service address comes first: a bill proves that address, even if it was sent
    # elsewhere.
    addresses = _labelled(evidence, SERVED)
    if best and (_is_of_another(best, name) or _is_beside_label(evidence, best, name)):
        rivals = [best]
    elif best:
        addresses.append(_with_country(evidence, best.address))
    elif is_clear:
        addresses += _labelled(evidence, ADDRESS)
    possible: list[ExtractedValue[Address]] = []
    if is_clear and not best and not addresses:
        others = _of_holder(_of_addressees(evidence), name)
        # Below a title such as “Mietvertrag” may stand the address of either party.
        holder = name if name and _is_name(evidence, name) else None
        addresses = [a for a in others if _is_below(evidence, a.span, holder)]
        possible = [] if addresses else others
    unlike: list[ExtractedValue[str]] = []
    if name and not _is_name(evidence, name):
        unlike = [*_lines_below(evidence, name, best), name]
        name = None
    over = best.over if best and best.name is name else None
    return Recipient(name, addresses, rivals, unlike, over, possible)


def _is_name(evidence: Evidence, name: ExtractedValue[str]) -> bool:
    return looks_like_name(evidence.once(blocks_of), name.value)


def _lines_below(
    evidence: Evidence, name: ExtractedValue[str], window: Window | None
) -> list[ExtractedValue[str]]:
    """The line between the name and the street of a window, if it looks like a name itself."""
    text = evidence.once(blocks_of)
    if window is None or window.name is not name:
        return []
    start = name.span.end + 1
    end = text.value.find("\n", start, window.address.span.start)
    line = text.value[start:end] if end > 0 else ""
    if not looks_like_name(text, line):
        return []
    how = "the lines above an address"
    return [ExtractedValue(line, Span(start, end), how, name.confidence)]


def _is_below(
    evidence: Evidence, span: Span, holder: ExtractedValue[str] | None
) -> bool:
    """Whether the name of the holder stands on one of the lines directly above the address, or begins it."""
    if holder is None:
        return False
    text = evidence.once(blocks_of).value
    end = text.find("\n", span.start)
    lines = text[:end].split("\n")[-tunables.LINES_OF_HOLDER :]
    return folded(holder.value) in folded(" ".join(lines))


def _is_of_another(window: Window, holder: ExtractedValue[str] | None) -> bool:
    """A window below a business that is not the labelled holder may be the sender's."""
    if holder is None or window.name is None or not _is_business(window):
        return False
    words = set(split_legal_form(holder.value)[0].split())
    return words.isdisjoint(split_legal_form(window.name.value)[0].split())


def _is_beside_label(
    evidence: Evidence, window: Window, holder: ExtractedValue[str] | None
) -> bool:
    """Whether the text has words such as “Bill to” on a line, but not above this window.

    The window may then be that of the sender, and the block below those words was not recognised.
    """
    if holder is not None or window.weight >= tunables.OF_ADDRESSEE:
        return False
    text = evidence.once(blocks_of)
    for line, _ in text.lines():
        if BILL_TO.match(line.strip()):
            return True
    return False


def _with_country(
    evidence: Evidence, address: ExtractedValue[Address]
) -> ExtractedValue[Address]:
    """Add the country that the street or the town tells, if several countries use such postal
    codes.
    """
    own = address.value
    if own.country_code:
        return address
    for addressee in evidence.once(addressees_of):
        other = addressee.address.value
        if other.postal_code == own.postal_code:
            return replace(address, value=replace(own, country_code=other.country_code))
    return address


def _best(windows: Sequence[Window]) -> tuple[Window | None, list[Window]]:
    """Return the window of the addressee, or the rivals if several are equally likely."""
    likely = [window for window in windows if window.weight > 0]
    if not likely:
        return None, []
    best = likely[0]
    places: dict[tuple[str, ...], Window] = {}
    for window in likely:
        if window.weight == best.weight:
            places.setdefault(_place(window), window)
    as_likely = list(places.values())
    if len(as_likely) == 1:
        return best, []
    # A business writes to a person, and its own block stands above that of the person.
    first, *below = sorted(as_likely, key=lambda window: window.address.span.start)
    people = [window for window in below if not _is_business(window)]
    if len(as_likely) == 2 and people and _is_business(first):
        return people[0], []
    return None, as_likely


def _place(window: Window) -> tuple[str, ...]:
    """Return the postal code and the numbers of the street: sender and addressee may be of one town."""
    address = window.address.value
    street = f"{address.street_1} {address.street_2 or ''}"
    return address.postal_code, *sorted(set(re.findall(r"\d+", street)))


def _is_business(window: Window) -> bool:
    return bool(window.name and split_legal_form(window.name.value)[1])


def _name(
    evidence: Evidence, best: Window | None, *, is_clear: bool
) -> ExtractedValue[str] | None:
    text = evidence.once(blocks_of)
    for match in HOLDERS.finditer(text.value):
        group = "name" if match["name"] else "other"
        name = match[group].strip(" ,;.*")
        if not NO_NAME.search(name) and count_letters(name) > 2:
            span = Span(*match.span(group))
            labelled = ExtractedValue(name, span, "labelled as the holder", 0.9)
            return _whole(text, labelled, best)
    holder = evidence.once(holder_of)
    if holder and holder.how == "labelled as the holder":
        return _whole(text, holder, best)
    if best:
        return best.name
    if is_clear and holder and not SENDER.search(holder.value):
        return holder
    return None


def _whole(
    text: Text, labelled: ExtractedValue[str], window: Window | None
) -> ExtractedValue[str]:
    """The name of the window, where the labelled one is its beginning: its line was too short for the rest."""
    if window is None or window.name is None:
        return labelled
    begin = window.name.span.start
    lines = " ".join(text.value[begin : window.address.span.start].split())
    own = folded(labelled.value)
    if is_written_with_initials(labelled.value, window.name.value):
        how = "above the address, and with initials behind the label of the holder"
        return replace(window.name, how=how)
    for name in (window.name.value, lines):
        if folded(name).startswith(f"{own} ") and not NO_NAME.search(name):
            span = Span.of(begin, name)
            how = "labelled as the holder, and whole above the address"
            return ExtractedValue(name, span, how, labelled.confidence)
    return labelled


def is_written_with_initials(short: str, whole: str) -> bool:
    """“Miss C Adeyemi” and “MISS CLEMENTINE ADEYEMI”."""
    short_words = folded(TITLE.sub("", short)).split()
    whole_words = folded(TITLE.sub("", whole)).split()
    if len(short_words) != len(whole_words) or short_words == whole_words:
        return False
    return all(
        word == other or (len(word) == 1 and other.startswith(word))
        for word, other in zip(short_words, whole_words, strict=True)
    )


def _labelled(evidence: Evidence, labels: Pattern) -> list[ExtractedValue[Address]]:
    """Return the addresses on the lines of these labels, such as the address of a service."""
    text = evidence.once(blocks_of)
    served = []
    for label in labels.finditer(text.value):
        behind = re.compile(r"\s*:?\s*").match(text.value, label.end())
        start = behind.end() if behind else label.end()
        line = LINE.match(text.value, start)
        if line is None:
            continue
        # A long address continues on the next lines.
        ends = [line.end(), _end_of_next(text, line.end())]
        if ends[1] - ends[0] <= tunables.REST_OF_LINE:
            # The line below has only the rest of the street, such as “B” of a flat.
            ends.append(_end_of_next(text, ends[1]))
        for end in ends:
            words = " ".join(text.value[start:end].split())
            address = address_on_line(words)
            # A plan or a lot has a number, too; only an address has a town.
            if address and address.postal_code and address.city:
                how = f"labelled “{label[0].strip()}”"
                served.append(ExtractedValue(address, Span(start, end), how, 0.9))
                break
    return served


def _end_of_next(text: Text, end: int) -> int:
    """Return where the next line of the block ends, or `end` if that line has a label of
    its own.
    """
    more = LINE_BELOW.match(text.value, end)
    return more.end() if more else end


def _of_holder(
    addresses: list[ExtractedValue[Address]], holder: ExtractedValue[str] | None
) -> list[ExtractedValue[Address]]:
    """Those of the holder alone, where one is read together with the name; else all."""
    if holder is None:
        return addresses
    own = []
    for address in addresses:
        place = address.value
        if folded(place.street_1) == folded(holder.value) and place.street_2:
            lines = place.street_2.split(", ")
            lines = [line for line in lines if not CARE_OF.match(line)] or lines
            street, *rest = lines
            shorter = replace(place, street_1=street, street_2=", ".join(rest) or None)
            own.append(replace(address, value=shorter))
    return own or addresses


def _of_addressees(evidence: Evidence) -> list[ExtractedValue[Address]]:
    """Return addresses of other forms, except those on a line of the sender."""
    text = evidence.once(blocks_of)
    addresses = []
    for addressee in evidence.once(addressees_of):
        span = addressee.address.span
        parts = [text.value[text.line_start(span.start) : span.end]]
        if addressee.name:
            parts.append(addressee.name.value)
        is_of_sender = any(map(_is_of_sender, parts))
        if not is_of_sender and not is_address_of_issuer(text, span):
            addresses.append(addressee.address)
    return addresses


def _is_of_sender(part: str) -> bool:
    return bool(SENDER.search(part) or BOX.search(part))
