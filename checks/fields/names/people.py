"""Names of people: first and last name in either order, with initials, titles and further names.

A name may be attested in one script and printed in another.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence

from rapidfuzz import fuzz

from checks.fields.names.companies import PARTICLE, NameMatch
from checks.fields.names.romanised import is_romanised
from checks.screening.romanisation.scripts import is_latin
from checks.text.folding import folded

TITLES = {
    "mr",
    "mrs",
    "ms",
    "miss",
    "dr",
    "prof",
    "sir",
    "jr",
    "sr",
    "ii",
    "iii",
    "and",
}


# What stands before a name and does not tell father and son apart, as “Jr.” and “II” do.
FORMS_OF_ADDRESS = {
    "mr", "mrs", "ms", "miss", "dr", "prof", "sir", "herr", "frau", "monsieur", "madame", "mme", "mlle", "senor", "senora", "dipl", "ing",
    "mag", "signor", "signora", "dhr", "mevr", "pan", "pani", "shri", "smt",
}  # fmt: skip
ONE_OF_LAST_NAMES = "same first name, and one of the last names"
INITIAL = "same last name; the first name is an initial"

# How machine-readable zones write letters that they do not have, where the rest only loses its accents.
OF_ZONES = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "þ": "th", "ð": "d"})  # fmt: skip


def attested_person(attested: Mapping[str, object]) -> str:
    parts: list[str] = []
    for key in ("first_name", "middle_name", "last_name"):
        part = attested.get(key)
        if part:
            parts.append(str(part).strip())
    return " ".join(parts)


def _words(name: object) -> list[str]:
    return folded(str(name or "")).split()


def _as_in_zones(name: object) -> str:
    return unicodedata.normalize("NFC", str(name or "").lower()).translate(OF_ZONES)


def _stand_in(names: Sequence[str], words: Sequence[str]) -> bool:
    """Whether the names are among the words, or are several of them in a row: “Mc Donald”."""
    if not names or set(names) <= set(words):
        return bool(names)
    whole = "".join(names)
    for start in range(len(words)):
        for end in range(start + 1, len(words) + 1):
            if "".join(words[start:end]) == whole:
                return True
    return False


def compare_people(attested: Mapping[str, object], extracted: str) -> NameMatch:
    """Equal if first and last name are among the words, close if the first name is only an
    initial.
    """
    first, last = attested.get("first_name"), attested.get("last_name")
    match = _compare(first, last, extracted)
    if match.state == "equal":
        return match
    # “Jürgen” is JUERGEN in the zone of a German passport, and may be written so anywhere.
    spelled = _compare(*map(_as_in_zones, (first, last, extracted)))
    if spelled.state == "equal":
        return spelled
    # A further name, such as that of the father, is not in every passport.
    attested_name = f"{first or ''} {last or ''}".strip()
    if is_latin(attested_name) != is_latin(extracted):
        return _of_another_script(attested_name, extracted) or match
    has_last_name = _stand_in(_words(last), _words(extracted))
    if match.state == "differs" and has_last_name:
        return _by_short_form(attested_name, extracted) or match
    return match


def _by_short_form(attested: str, extracted: str) -> NameMatch | None:
    """Compare two names of which one may have a short form of the first name: Bob Smith."""
    # Most names agree, and the rules for short forms take a while to load.
    from checks.screening.same_name import is_same

    if is_same(attested, extracted, person=True):
        return NameMatch("close", "may be the same name with a short form")
    return None


def _of_another_script(attested: str, extracted: str) -> NameMatch | None:
    """Compare two names of which one is in Latin letters and the other is not."""
    if is_romanised(attested, extracted):
        return NameMatch("equal", "the same name in Latin letters")
    # Most processes read no name of another script, and the rules for all of them take a while to load.
    from checks.screening.same_name import is_same

    if is_same(attested, extracted, person=True):
        return NameMatch("close", "may be the same name in Latin letters")
    return None


def _without_address(words: list[str]) -> list[str]:
    """Return the words without a form of address, unless they have no other."""
    return [word for word in words if word not in FORMS_OF_ADDRESS] or words


def _is_initial(
    first: Sequence[str], last: Sequence[str], words: Sequence[str]
) -> bool:
    """Whether one side has only the first letter of the first name that the other side has."""
    if first[0][0] in words:
        return True
    if len(first[0]) > 1:
        return False
    return any(word[0] == first[0] for word in words if word not in last)


def _has_one_last_name(
    first: Sequence[str], last: Sequence[str], words: Sequence[str]
) -> bool:
    """Whether the document leaves out a last name, and has no other: “José García” of José García López."""
    stated = [word for word in words if not PARTICLE.fullmatch(word)]
    of_last_name = [word for word in stated if word in last and word not in first]
    has_others = not {*stated} <= {*first, *last}
    return bool(of_last_name) and not has_others and _stand_in(first, words)


def _compare(first_name: object, last_name: object, extracted: object) -> NameMatch:
    words = [word for word in _words(extracted) if word not in TITLES]
    first = _without_address(_words(first_name))
    last = _words(last_name)
    # The order of the words does not matter, and further names of the document do not contradict.
    if first and _stand_in(last, words):
        if _stand_in(first, words):
            return NameMatch("equal", "first and last name stand in it")
        if _is_initial(first, last, words):
            return NameMatch("close", INITIAL)
    if _has_one_last_name(first, last, words):
        return NameMatch("close", ONE_OF_LAST_NAMES)
    name = " ".join(first + last)
    score = fuzz.token_sort_ratio(name, " ".join(words))
    if score >= 85:
        return NameMatch("close", f"similar names ({score:.0f} of 100)")
    return NameMatch("differs", f"different names (likeness {score:.0f} of 100)")
