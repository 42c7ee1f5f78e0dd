"""Names without the form of address before them: “Mevr.”, “Bapak”, “Monsieur”.

A letter addresses its reader; the words are no part of the name. A doctorate stays: it is on passports of some countries.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace

from checks.fields.extracted import ExtractedValue
from checks.fields.names.companies import split_legal_form
from checks.text.words import Span

# Words that are a form of address wherever they begin a name.
EVERYWHERE = (
    "mr|mrs|ms|miss|mx|mme|mlle|monsieur|madame|mademoiselle|herrn?|frau|sr|sra|srta|señora?|signora?|sig\\.ra|sig\\.na|sig\\.|senhora?|exm[oa]\\.?|ilm[oa]\\."
    "|de heer|dhr|mevr|mevrouw|fru|hr\\.|bapak|bpk|shri|smt|ông|bà|say\u0131n|domnul|doamna|gospodin|gospođa|gospa|κύριος|κυρία|\u0433-н|\u0433-жа|מר|גב'|גברת"
    "|السيد|السيدة"
)
# Words that are names or initials elsewhere, by the country of the address.
BY_COUNTRY: Mapping[str, Collection[str]] = {
    "m": ("FR", "BE", "CH", "LU", "MC"),
    "d|dª|dña|don|doña": ("ES", "PT"),
    "pan|pani|paní": ("PL", "CZ", "SK"),
    "sri": ("IN",),
    # Tuan is a given name in Vietnam.
    "encik|puan|tuan": ("MY", "SG", "BN", "ID"),
    "bay|bayan|sn": ("TR",),
}
# Behind the name, without a space.
BEHIND = re.compile(r"(?<=\S\S)\s?(?:女士|先生|小姐|様|殿|御中|귀하|님)$")
# Two people: without the first form of address the name of the first would be cut.
SEVERAL = re.compile(r"\s(?:&|and|und|et|y|e|en|og|och|i)\s", re.IGNORECASE)


def without_form(name: ExtractedValue[str], country: str) -> ExtractedValue[str]:
    """Return the name without its form of address; see `person_of`."""
    value = person_of(name.value, country)
    if value == name.value:
        return name
    # The name ends or begins where it did; what was left out is on one side only.
    if name.value.endswith(value):
        start = max(name.span.start, name.span.end - len(value))
        return replace(name, value=value, span=Span(start, name.span.end))
    return replace(name, value=value)


def person_of(name: str, country: str | None) -> str:
    """Return the name without a form of address, unless too little would be left.

    Without a country the words of all countries count. Two people keep theirs, and so does a company: “MS Pumps Ltd”.
    """
    if split_legal_form(name)[1]:
        return name
    value = BEHIND.sub("", name)
    if SEVERAL.search(value):
        return value
    forms = [EVERYWHERE]
    for words, countries in BY_COUNTRY.items():
        if country is None or country in countries:
            forms.append(words)
    pattern = re.compile(rf"^(?:{'|'.join(forms)})(?:(?<=\.)|\b\.?)\s+", re.IGNORECASE)
    rest = value
    while (match := pattern.match(rest)) is not None:
        rest = rest[match.end() :]
    # “Mevr. Oosterveld”: a family name alone is less than what the letter says.
    return rest if len(rest.split()) > 1 else value
