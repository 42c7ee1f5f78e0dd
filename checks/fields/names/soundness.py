"""Whether a text that was read as a name has something else in it: a label, an address, a day, or a sentence.

A reading with more than a name is no sure reading, whatever rule gave it.
"""

from __future__ import annotations

import re
from functools import cache

from checks.fields.layout.label_cells import labels
from checks.fields.names.companies import MARKS_AROUND, PARTICLE, split_legal_form
from checks.fields.names.quotations import strip_around
from checks.text.folding import folded

# “Alfa Hoveniers, sinds 1 april 2020”: since when the name is valid.
SINCE = re.compile(
    r",?\s+\(?(?:sinds|since|depuis|seit|desde|dal|dalla|od|från|fra|alkaen|from)\s[^,]{0,16}\d.*$",
    re.IGNORECASE | re.DOTALL,
)
# “Naam in het Nederlands”, “dénomination en français”: a remark on the language of a name.
OF_LANGUAGE = re.compile(
    r",?\s+\(?(?:naam|name|dénomination|bezeichnung|denominación|denominazione) (?:in|en|auf|em) [^\W\d_]{2,12}(?: [^\W\d_]{4,12})?\b.*$",
    re.IGNORECASE | re.DOTALL,
)
# The name of a tax office or another authority. It writes, and is not written about.
OFFICE = re.compile(
    r"^(?:das |the |la |le |l['\u2019]|il )?(?:finanzamt|bundeszentralamt|amtsgericht|landesgericht|internal revenue|hm revenue|revenue (?:commissioners|service)"
    r"|agenzia delle|agencia (?:tributaria|estatal)|direction (?:générale|départementale)|autoridade tributária|belastingdienst|urząd skarbowy|skatteverket"
    r"|skattestyrelsen|skatteetaten|finanční úřad|finančné riaditeľstvo|tribunal de|greffe d|registro mercantil|camera di commercio|registrar of"
    r"|secretary of state|department of|ministry of|minist[eè]r\w+ )",
    re.IGNORECASE,
)
# What follows the comma behind a legal form, if the address of the company was read with its name.
DIGIT = re.compile(r"\d")
# “Alfa Limited, which was incorporated”, “Alfa Inc. duly executed”: the sentence goes on behind the legal form.
GOES_ON = re.compile(
    r",? (?:which|who|whose|that|duly|having|has|have|had|was|were|is|are|hereby|qui|dont|ayant|avente|welche|cuya|cuja)(?= )"
)
# Small words that join two others. A name does not end with one.
ENDS_NO_NAME = re.compile(
    r"(?:and|of|the|for|und|der|die|das|von|zum|zur|et|de|du|des|la|le|les|y|los|las|del|do|da|dos|di|della|van|het|den|og|och|oraz|i)"
)


@cache
def _label_words() -> frozenset[str]:
    return frozenset(" ".join(labels()).split())


def is_of_labels(name: str) -> bool:
    """Whether the text is a label, or several words of which each is one of a label: “Name & Address”."""
    words = folded(name).split()
    if " ".join(words) in labels():
        return True
    return len(words) > 1 and all(word in _label_words() for word in words)


def is_broken(name: str) -> bool:
    """Whether the text stops within a name: “ALGUES ET SAVONS DU”, whose line was too short for the rest."""
    last = folded(name).split()[-1:]
    is_open = name.rstrip().endswith(("-", "\u2013", "&", "/", "("))
    return is_open or bool(last and ENDS_NO_NAME.fullmatch(last[0]))


def is_office(name: str) -> bool:
    return bool(OFFICE.match(name.strip()))


def without_notes(name: str) -> str:
    """Remove since when the name is valid, and in which language it is written."""
    return OF_LANGUAGE.sub("", SINCE.sub("", name))


def name_within(name: str) -> str:
    """Return the part of the text that can be a name: all of it, if nothing else was read with it."""
    within = _without_words_before(without_notes(name))
    within = _without_sentence(_without_address(within))
    within = _without_label_behind(within)
    return strip_around(within, MARKS_AROUND) if within != name else name


def _without_words_before(name: str) -> str:
    """Remove words in small letters before the first one with a capital: “this day changed to ALFA LTD”."""
    words = name.split(" ")
    small = 0
    for word in words:
        letters = word.strip(".,:;")
        if not (letters.isalpha() and letters.islower() and letters.isascii()):
            break
        small += 1
    behind = words[small:]
    if not small or not behind or not behind[0][:1].isupper():
        return name
    # “de Jong B.V.” and “van der Berg”: such words begin names.
    if all(PARTICLE.fullmatch(folded(word)) for word in words[:small]):
        return name
    return " ".join(behind)


def _without_address(name: str) -> str:
    """Remove what stands behind the comma of a legal form, if it has a number: “Alfa ApS, Kajen 4, 7730 Hanstholm”."""
    before, comma, behind = name.partition(", ")
    if comma and DIGIT.search(behind) and split_legal_form(before)[1]:
        return before
    return name


def _without_sentence(name: str) -> str:
    """Remove the rest of a sentence behind a legal form: “Alfa Limited, which was incorporated”."""
    match = GOES_ON.search(f"{name} ")
    if match and split_legal_form(name[: match.start()])[1]:
        return name[: match.start()]
    return name


def _without_label_behind(name: str) -> str:
    """Remove a label of several words behind a legal form: “Alfa S.A. Forme juridique”, where it begins the next cell."""
    words = name.split(" ")
    for count in (4, 3, 2):
        before = " ".join(words[:-count])
        is_label = folded(" ".join(words[-count:])) in labels()
        if is_label and split_legal_form(before)[1]:
            return before
    return name
