"""Whose letter, statement or bill it is: by its labels, else by the window to which it was sent."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from checks.evidence import Evidence
from checks.fields.addresses.addressees import addressees_of, blocks_of, holder_of
from checks.fields.addresses.postal import Address
from checks.fields.addresses.windows import (
    BOX,
    NO_NAME,
    SENDER,
    Window,
    address_on_line,
    find_windows,
)
from checks.fields.extracted import ExtractedValue
from checks.text.words import Span, phrase

# Labels of the holder in further languages; English ones are those of `addressees`.
HOLDERS = phrase(
    r"(?:^|\n|  )(?:titular(?: del contrato| de la cuenta| da conta)?|intestatario|nom du titulaire|titulaire(?: du (?:compte|contrat))?|kontoinhaber(?:in)?"
    r"|kunde|nome do cliente|cliente|client|rekeninghouder|ten name van|nabywca|klient|odbiorca|posiadacz rachunku|kontohavare|kontohaver|kontoinnehaver"
    r"|facturé à|bill(?:ed)? to|invoice to|destinatario|destinataire|contribuyente|contribuente|taxpayer|podatnik|abonné|abonnent"
    r"|factuur aan|rechnung an|fatturato a|faktura till|sold to)"
    r" ?: ?\n?(?P<name>[^\n:]{3,80})|\bintestat[oa] a:? (?P<other>[^\n:]{3,60})"
)
SERVED = phrase(
    r"(?:service|supply|property|premises|insured) (?:address|location)|verbrauchsstelle|lieferstelle|lieu de consommation|point de livraison"
    r"|dirección de(?:l)? suministro|punto de suministro|indirizzo di fornitura|leveringsadres(?:se)?|local de consumo|morada de fornecimento"
    r"|anläggningsadress|punkt poboru|adres (?:dostawy|punktu poboru)|endereço(?: de instalação)?|property"
)
ADDRESS = phrase(
    r"(?:^|\n|  )(?:(?:billing |mailing |customer )?address|adresse|dirección|indirizzo|endereço|morada|adres|adress) ?(?=:)"
)
LINE = re.compile(r"[^\n\f]{8,120}")


@dataclass(frozen=True, slots=True)
class Recipient:
    """The holder, if it was read, and the addresses, the likeliest first."""

    name: ExtractedValue[str] | None
    addresses: list[ExtractedValue[Address]]


def recipient_of(evidence: Evidence) -> Recipient:
    """For `Evidence.once`. Spans belong to `blocks_of`."""
    windows = find_windows(evidence.once(blocks_of))
    best, is_clear = _best(windows)
    addresses = _labelled(evidence, SERVED)
    if best:
        addresses.append(_with_country(evidence, best.address))
    elif is_clear:
        addresses += _labelled(evidence, ADDRESS) or _of_addressees(evidence)
    return Recipient(_name(evidence, best, is_clear=is_clear), addresses)


def _with_country(
    evidence: Evidence, address: ExtractedValue[Address]
) -> ExtractedValue[Address]:
    """With the country that the street or the town tell, where several have such postal codes."""
    own = address.value
    if own.country_code:
        return address
    for addressee in evidence.once(addressees_of):
        other = addressee.address.value
        if other.postal_code == own.postal_code:
            return replace(address, value=replace(own, country_code=other.country_code))
    return address


def _best(windows: Sequence[Window]) -> tuple[Window | None, bool]:
    """The window of the addressee. Of two as likely, either may be the sender's: it is not clear."""
    likely = [window for window in windows if window.weight > 0]
    if not likely:
        return None, True
    best, *others = likely
    code = best.address.value.postal_code
    for other in others:
        if other.weight == best.weight and other.address.value.postal_code != code:
            return None, False
    return best, True


def _name(
    evidence: Evidence, best: Window | None, *, is_clear: bool
) -> ExtractedValue[str] | None:
    text = evidence.once(blocks_of)
    for match in HOLDERS.finditer(text.value):
        group = "name" if match["name"] else "other"
        name = match[group].strip(" ,;.*")
        if not NO_NAME.search(name) and sum(map(str.isalpha, name)) > 2:
            span = Span(*match.span(group))
            return ExtractedValue(name, span, "labelled as the holder", 0.9)
    holder = evidence.once(holder_of)
    if holder and holder.how == "labelled as the holder":
        return holder
    if best:
        return best.name
    if is_clear and holder and not SENDER.search(holder.value):
        return holder
    return None


def _labelled(
    evidence: Evidence, labels: re.Pattern[str]
) -> list[ExtractedValue[Address]]:
    """The addresses on the lines of labels, such as that of where the service is."""
    text = evidence.once(blocks_of)
    served = []
    for label in labels.finditer(text.value):
        behind = re.compile(r"\s*:?\s*").match(text.value, label.end())
        start = behind.end() if behind else label.end()
        line = LINE.match(text.value, start)
        address = address_on_line(line[0]) if line else None
        if line and address and address.postal_code:
            how = f"labelled “{label[0].strip()}”"
            served.append(ExtractedValue(address, Span(*line.span()), how, 0.9))
    return served


def _of_addressees(evidence: Evidence) -> list[ExtractedValue[Address]]:
    """Addresses of other forms, but for those on a line of the sender."""
    text = evidence.once(blocks_of)
    addresses = []
    for addressee in evidence.once(addressees_of):
        span = addressee.address.span
        start = text.value.rfind("\n", 0, span.start) + 1
        lines = text.value[start : span.end]
        name = addressee.name.value if addressee.name else ""
        is_of_sender = any(
            pattern.search(part) for pattern in (SENDER, BOX) for part in (lines, name)
        )
        if not is_of_sender:
            addresses.append(addressee.address)
    return addresses
