"""The company's own address, found by its role, its label, the labels of its parts, or the name
above it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from rapidfuzz import fuzz

from checks.evidence import Evidence
from checks.fields.addresses.addressees import addressees_of
from checks.fields.addresses.comparison import compare_addresses
from checks.fields.addresses.postal import (
    OWN_ROLES,
    Address,
    PlacedAddress,
    find_addresses,
)
from checks.fields.addresses.whole import address_of_lines
from checks.fields.addresses.windows import BOX
from checks.fields.extracted import ExtractedValue
from checks.fields.general import jurisdiction_of
from checks.fields.labels.parts import address_of_parts
from checks.fields.labels.values import labelled_addresses
from checks.fields.layout.label_cells import labels
from checks.fields.names.parties import is_of_party
from checks.incorporation_document import tunables
from checks.incorporation_document.layout import pairs_of
from checks.incorporation_document.names import (
    LETTERS,
    is_at_another,
    is_in_record_of_another,
    without_entry_number,
)
from checks.incorporation_document.readings import FieldReading
from checks.text.characters import count_letters_and_digits, has_digit
from checks.text.flow import flowing
from checks.text.folding import folded
from checks.text.phrases import Phrase
from checks.text.words import (
    Span,
)

Placed = ExtractedValue[PlacedAddress]
# An address with one of these roles belongs to someone other than the company.
OF_OTHERS = ("registered_agent", "incorporator", "director")

# Offices that issue documents about companies.
OFFICE = re.compile(
    r"\b(?:registry services|registries|registrar|secretary of (?:the )?(?:state|commonwealth)|department of|ministry of|commission|companies house"
    r"|greffe|c[áa]mara de|camera di commercio|kamer van koophandel|conservat[óo]ria|registro (?:mercantil|p[úu]blico)|bureau of|division of"
    r"|amtsgericht|handelsregisteramt|revenue|uzņēmumu reģistrs|registrų centras)\b",
    re.IGNORECASE,
)
# The line of a town. Lines with districts may stand above it, as on Portuguese extracts.
TOWN_BELOW = re.compile(
    r"\n(?:[^\n]*(?:distrito|concelho|freguesia)[^\n]*\n){0,2}(?P<town>(?:[A-Z]{1,2} ?- ?)?\d{4,5}(?: ?- ?\d{3})? [^\W\d_][^\n\d:]{2,40})(?=\n)",
    re.IGNORECASE,
)
# “… the registered office of the above company is situated at:”, and the address behind it.
STATED = Phrase(
    r"\bregistered office of (?:the|this) (?:(?:above|said|above[- ](?:named|mentioned)) )?(?:company|corporation) (?:is|was) (?:situated |located )?at:?"
    r"\s(?:the offices? of [^,\n]{3,80}, )?(?P<address>[^\n]{12,160}?)(?=\.?(?:\n|\Z|\. ))"
)
# “… the registered office of the company / NAME / is situated at the following address:”, and the address
# on the lines below: a certificate sets each of them in the middle of the page.
BELOW = Phrase(
    r"\bregistered office of [^.;:]{3,160}?\b(?:is|was) (?:now )?(?:situated |located )?(?:at|as) (?:the )?(?:following(?: address)?|address below|follows) ?:?"
    r"\n(?P<address>(?:(?!dated?\b|given\b|this\b|registrar\b|issued\b|signed\b)[^\n:]{4,80}\n){1,4})"
)
# The clause of statutes about the seat, and the address behind it, in five languages.
OF_SEAT = Phrase(
    r"(?:\bhead office is (?:located|situated) at"
    r"|\b(?:fija|establece|tiene|tendrá|fijará) su domicilio(?: social)? en"
    r"|\bdomicilio social (?:se (?:establece|fija|encuentra)|estará|queda fijado|radica|será|es)[^.,\d]{0,25}? en"
    r"|\bla società ha (?:la )?sede(?: legale)? (?:in|nel|a)"
    r"|\b(?:terá|tem)(?: a)?(?: sua)? sede(?: e foro)?(?: social)? (?:na|no|em|à)"
    r"|\bsiège(?: social)? est (?:fixé|établi|situé)(?: :| à| au| aux)?"
    r"|\bregistered office of (?:the|this) (?:company|corporation)(?: in [^,.\d]{3,40})? (?:is|shall be|will be)(?: situated| located)?(?: at)?)"
    r"\s(?P<address>(?:[^\n.;]|\.(?!\s*(?-i:[A-ZÀ-Þ][a-zà-ÿ])|\s*$)){12,170}?)(?=\.?\s*(?:;|\n|$)|\.\s+(?-i:[A-ZÀ-Þ][a-zà-ÿ])|, (?:podendo|pouvant|pudiendo))"
)
CODE_BELOW = re.compile(
    r"^[^\d:]{3,60}, \d{4,6}$"
    r"|\b[A-Z]{2,3} \d{4}$|\b[A-Z]{2} \d{5}(?:-\d{4})?$|\b[A-Z]\d[A-Z] ?\d[A-Z]\d$|\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}$"
)
# How such an address is read (`checks/fields/addresses/postal.py`).
OF_WORDS = "its role from the words before it"
READ_BACK = "read back from its postal code"
PAIRED = (("(", ")"), ("„", "“”"), ("«", "»"))
# “8310 KABELVÅG”: the line of the street was not read.
TOWN_ALONE = re.compile(r"(?:[A-Z]{1,2}-)?\d{4,6} [^\d,]+")
# “5/1., 8. A létesítő okirat kelte, 8/1.”: the column of the values of an extract.
ENTRIES_WITHIN = re.compile(r"(?<!\d)\d{1,2}/\d{1,2}\.(?!\d)")
# “…, PRAVNI OBLIK:, 1 društvo s …”: the label of the next row, on a line of its own.
ROW_WITHIN = re.compile(r", [^,:\d]{3,}:,")
# A clause with no number of a house or a code names only a place: “situated in the State of Tamil Nadu”.
# The mark of a footnote is no such number.
OWN_NUMBER = re.compile(r"(?<!\w)\d+\w?(?!\w)")
# “labelled “principal address””
LABEL_OF_WORDS = re.compile(r"“\S+ \S")
LABELS_OF_ROLES = (
    (
        "mailing_address",
        re.compile(
            r"\b(?:mailing|postal|postale|correspond\w+|postadress\w*|postadres|korespond\w+)\b"
        ),
    ),
    (
        "registered_office",
        re.compile(
            r"\b(?:registered|siege|sede|zetel|sitz|geschaftsanschrift|domicilio social|siedziba|sidlo)\b"
        ),
    ),
)


def read_addresses(evidence: Evidence) -> list[Placed]:
    """Return every address of the text. Addresses that only a label reveals come last."""
    placed = [_without_label(item) for item in find_addresses(evidence.text)]
    placed = [_without_entry(evidence, item) for item in placed]
    placed = [item for item in placed if not _is_of_letterhead(evidence, item)]
    place = evidence.once(jurisdiction_of)
    country = place.value.country_code if place else ""
    pairs = evidence.once(pairs_of)
    labelled = [
        _with_code(evidence, item, country)
        for item in labelled_addresses(pairs, country)
    ]
    labelled += _stated(evidence, country)
    of_parts = address_of_parts(pairs, country)
    if of_parts:
        labelled.append(of_parts)
    for address in labelled:
        same = []
        for other in placed:
            if _is_same(address.value, other.value.address):
                same.append(other)
        # The same address may be found by its postal code and by its label. The label knows the
        # role if no sentence gave one.
        role = _role_of(address.how)
        # A label of several words beside the value knows more than the words that stand above it.
        weaker = {"other"}
        if role != "mailing_address" and LABEL_OF_WORDS.search(address.how):
            weaker.add("mailing_address")
        if all(other.value.role in weaker for other in same):
            placed = [other for other in placed if other not in same]
            # Read back from its postal code it is the same or longer: “300 - 1055 Wharf Street”.
            posted = [p for p in same if p.value.role == "mailing_address"]
            if posted:
                address = replace(address, value=posted[0].value.address)
            placed.append(_with_role(address, role))
    return placed


def _stated(evidence: Evidence, country: str) -> list[ExtractedValue[Address]]:
    """Return the addresses that a sentence gives as the registered office."""
    addresses = []
    joined = flowing(evidence.text)
    seats = []
    for seat in OF_SEAT.finditer(joined):
        if OWN_NUMBER.search(seat["address"]):
            seats.append(seat)
    below = BELOW.finditer(evidence.text.value)
    for match in (*STATED.finditer(joined), *below, *seats):
        address = address_of_lines(match["address"].rstrip(" ."), country)
        if address is not None:
            span = Span(*match.span("address"))
            how = "the sentence about the registered office"
            addresses.append(ExtractedValue(address, span, how, 0.9))
    return addresses


def _without_label(address: Placed) -> Placed:
    """Remove a label that was read as the beginning of the street."""
    postal = address.value.address
    words = postal.street_1.split()
    # The longest label first. At least one word of the street must remain.
    for count in range(min(len(words) - 1, 4), 0, -1):
        if labels().get(folded(" ".join(words[:count]))) == "address":
            shorter = replace(postal, street_1=" ".join(words[count:]).strip(" :"))
            role = address.value.role
            if role == "other":
                role = _role_of(folded(" ".join(words[:count])))
            value = PlacedAddress(role, shorter)
            return replace(address, value=value)
    return address


def _without_entry(evidence: Evidence, address: Placed) -> Placed:
    """Remove the number of an entry before the street: “1 Kirchgasse 11”, where lines begin with such numbers."""
    postal = address.value.address
    street = without_entry_number(evidence.text, postal.street_1)
    if street == postal.street_1 or not has_digit(street):
        return address
    shorter = PlacedAddress(address.value.role, replace(postal, street_1=street))
    return replace(address, value=shorter)


def _with_code(
    evidence: Evidence, address: ExtractedValue[Address], country: str
) -> ExtractedValue[Address]:
    """Add the line of the town if it begins at the margin below a labelled street.

    Such a line is outside the column of the value, so that the label alone does not reach it.
    """
    if address.value.postal_code:
        return address
    text = evidence.text
    below = TOWN_BELOW.match(text.value, address.span.end)
    if below is None:
        return address
    lines = text.value[address.span.start : address.span.end]
    whole = address_of_lines(f"{lines}\n{below['town']}", country)
    if whole is None or not whole.postal_code:
        return address
    span = Span(address.span.start, below.end())
    return replace(address, value=whole, span=span)


def _is_of_letterhead(evidence: Evidence, address: Placed) -> bool:
    """Whether the address stands beside the name of the issuing office, on the first lines."""
    start = address.span.start
    if start > tunables.LETTERHEAD:
        return False
    _, _, line = evidence.text.value[:start].rpartition("\n")
    return bool(OFFICE.search(line))


def _role_of(label: str) -> str:
    """Return the role that the label of an address names.

    The postal address may differ from the office.
    """
    for role, words in LABELS_OF_ROLES:
        if words.search(label):
            return role
    return "principal_office"


def _is_same(address: Address, other: Address) -> bool:
    state, _ = compare_addresses(address, other)
    if state == "close":
        # Two offices may share town and postal code, so that the street decides.
        likeness = fuzz.token_set_ratio(
            folded(address.street_1), folded(other.street_1)
        )
        return likeness >= tunables.SAME_STREET
    return state == "equal"


def _with_role(address: ExtractedValue[Address], role: str) -> Placed:
    value = PlacedAddress(role, address.value)
    return ExtractedValue(value, address.span, address.how, address.confidence)


def own_address(
    evidence: Evidence, addresses: Sequence[Placed], name: str, kind: str
) -> FieldReading[PlacedAddress]:
    """Return the company's own address. Those of agents and incorporators are excluded.

    The order is: the addressee of a tax letter, an address with a role of the company, an address
    on the line of the name, one below the name. Any other address is only a candidate.
    """
    # A letter of the tax office prints the address of the office, too; only that of the addressee
    # is the company's.
    if kind in LETTERS:
        addressee = _addressee(evidence, addresses)
        if addressee:
            return FieldReading([addressee])
    of_office = _of_offices(evidence, addresses, name)
    if of_office.values or of_office.candidates:
        return of_office
    # Without an office of its own named, that of a party is none of it.
    addresses = [
        address for address in addresses if not is_of_party(evidence.text, address.span)
    ]
    beside_name = _beside_name(evidence, addresses, name) if name else None
    if beside_name is not None:
        return FieldReading([beside_name])
    # No address certainly belongs to the company, so the rest are candidates.
    others = [a for a in addresses if a.value.role not in OF_OTHERS]
    return FieldReading(candidates=others[: tunables.CANDIDATES])


def _beside_name(
    evidence: Evidence, addresses: Sequence[Placed], name: str
) -> Placed | None:
    """Return the first address on the line of the name, else the first one below it."""
    for address in addresses:
        behind = _behind_name(evidence, address, name)
        if behind is not None:
            return behind
    # An address below the name may be only the postal address.
    for address in addresses:
        if is_at_another(evidence, address.span):
            continue
        if _is_below(evidence, address.span, name):
            return _with_role_of(address, "mailing_address")
    return None


def _of_offices(
    evidence: Evidence, addresses: Sequence[Placed], name: str
) -> FieldReading[PlacedAddress]:
    """Return the addresses with a role of the company, unless another company stands at them."""
    of_company: list[Placed] = []
    for role in OWN_ROLES:
        of_company += [address for address in addresses if address.value.role == role]
    at_another = [
        address
        for address in of_company
        if is_at_another(evidence, address.span)
        or _is_labelled_as_that_of_party(evidence, address)
    ]
    of_company = [address for address in of_company if address not in at_another]
    if not of_company:
        return FieldReading(candidates=at_another[: tunables.CANDIDATES])
    without_label = [a for a in addresses if a.value.role == "other"]
    if BOX.match(of_company[0].value.address.street_1) and without_label:
        # A post office box only receives mail. The office may be one of the others, whose label was
        # not read.
        several = [*without_label, *of_company]
        return FieldReading(candidates=several[: tunables.CANDIDATES])
    is_whole = _is_whole(str(of_company[0].value.address)) and not _is_end(
        evidence, of_company[0]
    )
    is_sure = is_whole and not _is_below_unread_office(evidence, of_company[0])
    if _goes_on(evidence, of_company[0]) or not is_sure:
        return FieldReading(candidates=of_company[: tunables.CANDIDATES])
    above = _above(evidence, of_company[0], addresses, name)
    if above:
        several = [of_company[0], *above]
        return FieldReading(candidates=several[: tunables.CANDIDATES])
    return FieldReading([_without_name(address, name) for address in of_company])


def role_of(evidence: Evidence, address: Placed, best: Placed | None) -> str:
    """Return the role to show for an address; `best` is the one that is given as the company's.

    “Address” says nothing of an office, if it is not the company's, and neither does an address at another company.
    """
    role = address.value.role
    if role not in OWN_ROLES or (best is not None and best.span == address.span):
        return role
    is_of_any = _has_short_label(address) or is_at_another(evidence, address.span)
    return "other" if is_of_any else role


def _has_short_label(address: Placed) -> bool:
    """Whether a label of one word gave it, such as “Address”, which may be anybody's."""
    is_labelled = address.how.startswith("labelled")
    return is_labelled and not LABEL_OF_WORDS.search(address.how)


def _is_below_unread_office(evidence: Evidence, address: Placed) -> bool:
    """Whether “Address” gave it, below a longer label such as “Registered office” whose value was not read.

    The office is elsewhere then, and the address may be that of an owner or an officer.
    """
    return _has_short_label(address) and any(
        pair.field == "address"
        and " " in pair.label
        and pair.span.end <= address.span.start
        for pair in evidence.once(pairs_of)
    )


def _is_labelled_as_that_of_party(evidence: Evidence, address: Placed) -> bool:
    """Whether a label of one word, such as “Address”, stands in the block or the record of another party.

    A longer label such as “Registered office” says whose address it is.
    """
    return _has_short_label(address) and (
        is_of_party(evidence.text, address.span)
        or is_in_record_of_another(evidence, address.span)
    )


def _above(
    evidence: Evidence, best: Placed, addresses: Sequence[Placed], name: str
) -> list[Placed]:
    """Return the addresses between the name and one that only the words before it call the company's.

    Its own address is the first below its name. Those of owners and agents follow, and the words before them
    (“registered office”) are the same.
    """
    begin = evidence.text.folded.find(name.lower()) if name else -1
    if OF_WORDS not in best.how or begin < 0 or _is_below(evidence, best.span, name):
        return []
    return [
        address
        for address in addresses
        if begin < address.span.start < best.span.start
        and not _is_same(best.value.address, address.value.address)
    ]


def _is_end(evidence: Evidence, address: Placed) -> bool:
    """Whether the line has words and a comma before the address, so that only its end was read: “Quay House, 2 Shore St”."""
    if not address.how.startswith(READ_BACK):
        return False
    before = evidence.text.before_on_line(address.span)
    return before.rstrip().endswith(",")


def _is_whole(address: str) -> bool:
    """Whether nothing shows that only a part was read, or more: an open bracket, numbers of entries, one part alone."""
    is_open = any(
        address.count(opening) > sum(map(address.count, closing))
        for opening, closing in PAIRED
    )
    has_more = bool(ENTRIES_WITHIN.search(address) or ROW_WITHIN.search(address))
    letters = count_letters_and_digits(address)
    is_short = letters < tunables.WHOLE_ADDRESS or bool(TOWN_ALONE.fullmatch(address))
    return not is_open and not has_more and not is_short


def _goes_on(evidence: Evidence, address: Placed) -> bool:
    """Whether an address without a postal code has one on the line below, so that it was read in part."""
    if address.value.address.postal_code:
        return False
    rows = evidence.text.value[address.span.end :].split("\n")
    below = rows[1] if len(rows) > 1 and not rows[0].strip() else ""
    return ":" not in below and bool(CODE_BELOW.search(below))


def _with_role_of(address: Placed, role: str) -> Placed:
    value = PlacedAddress(role, address.value.address)
    how = "below the name of the company"
    return ExtractedValue(value, address.span, how, address.confidence)


def _without_name(address: Placed, name: str) -> Placed:
    """Remove the name of the company, or its end, from the beginning of the address.

    A name that is broken over two lines leaves its end above the street.
    """
    postal = address.value.address
    head = folded(postal.street_1)
    is_name = len(head) > tunables.SHORT_NAME and folded(name).endswith(head)
    if not is_name or not postal.street_2:
        return address
    street, _, rest = postal.street_2.partition(", ")
    shorter = replace(postal, street_1=street, street_2=rest or None)
    value = PlacedAddress(address.value.role, shorter)
    return ExtractedValue(value, address.span, address.how, address.confidence)


def _behind_name(evidence: Evidence, address: Placed, name: str) -> Placed | None:
    """Return an address on the line of the name, including the text between the two."""
    if address.value.role in OF_OTHERS:
        return None
    words = evidence.text.before_on_line(address.span).split()
    folded_name = folded(name)
    for count in range(1, len(words) + 1):
        if folded(" ".join(words[:count])) == folded_name:
            between = " ".join(words[count:]).strip(" ,;:-")
            postal = address.value.address
            if between:
                postal = replace(postal, street_1=f"{between} {postal.street_1}")
            return ExtractedValue(
                PlacedAddress("mailing_address", postal),
                address.span,
                "behind the name of the company",
                address.confidence,
            )
    return None


def _is_below(evidence: Evidence, span: Span, name: str) -> bool:
    """Whether the name of the company stands at most three lines above the address."""
    start = max(0, span.start - tunables.NAME_ABOVE)
    before = evidence.text.value[start : span.start]
    lines = [line for line in before.split("\n") if line.strip()]
    folded_name = folded(name)
    for line in reversed(lines[-3:]):
        words = folded(line)
        # A long name is broken over two lines; the line that is nearer to the address has only its
        # end.
        if words and (
            words == folded_name
            or (folded_name.endswith(words) and len(words) > tunables.SHORT_NAME)
        ):
            return True
    return False


def _addressee(evidence: Evidence, addresses: Sequence[Placed]) -> Placed | None:
    """Return the address to which a letter of the tax office was sent."""
    for addressee in evidence.once(addressees_of):
        if not addressee.name:
            continue
        postal = addressee.address.value
        for address in addresses:
            if _is_same(postal, address.value.address):
                value = PlacedAddress("mailing_address", postal)
                return _with_role_of(replace(address, value=value), "mailing_address")
        return None
    return None
