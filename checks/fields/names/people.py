"""Names of people: first and last name in either order, with initials, titles and further names.

A name may be attested in one script and printed in another.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

from rapidfuzz import fuzz

from checks.data import table
from checks.fields import tunables
from checks.fields.names.companies import PARTICLE
from checks.fields.names.company_comparison import NameMatch, as_seen
from checks.fields.names.romanised import is_romanised
from checks.screening.romanisation.scripts import are_of_one_script, is_latin
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
NO_READING = (
    "the names are in two scripts, and how one is read in the other is not known"
)
OTHER_GENERATION = "“Jr.”, “Sr.” or a number behind the name is another"
ONE_GENERATION = "“Jr.”, “Sr.” or a number stands behind one of the names only"
LOOKS_ALIKE = "the same name, but for letters that look alike"
OTHER_FURTHER_NAMES = "same first and last name, other further names"
ONE_OF_LAST_NAMES = "same first name, and one of the last names"
SIMILAR = "similar names"
OTHER_NAME = "similar in letters, but another name"
INITIAL = "same last name; the first name is an initial"

# What tells father and son apart, by its meaning.
GENERATIONS = {
    "jr": "jr", "junior": "jr", "sr": "sr", "senior": "sr", "ii": "ii", "iii": "iii", "iv": "iv",
}  # fmt: skip
NOT_OF_NAME = TITLES | {*GENERATIONS}
# Short for Maria in Spanish and Portuguese.
MARIA = re.compile(r"\bM\.?ª", re.IGNORECASE)
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
    initial. A name in a script whose reading is not known cannot be compared.
    """
    extracted = MARIA.sub("Maria", extracted)
    match = _compare_names(attested, extracted)
    middle = _words(attested.get("middle_name"))
    if match.state == "equal" and _has_other_names(attested, middle, extracted):
        return NameMatch("close", OTHER_FURTHER_NAMES, for_person=True)
    if match.state in {"equal", "close"}:
        return _by_generation(attested, extracted) or match
    return match


def _by_generation(attested: Mapping[str, object], extracted: str) -> NameMatch | None:
    """Compare what stands behind the names of father and son, who often live at one address."""
    own = _generations(attested_person(attested))
    other = _generations(extracted)
    if own == other:
        return None
    if own and other:
        return NameMatch("differs", OTHER_GENERATION)
    return NameMatch("close", ONE_GENERATION, for_person=True)


def _generations(name: str) -> set[str]:
    return {GENERATIONS[word] for word in _words(name) if word in GENERATIONS}


def _compare_names(attested: Mapping[str, object], extracted: str) -> NameMatch:
    first = MARIA.sub("Maria", str(attested.get("first_name") or ""))
    last = attested.get("last_name")
    match = _compare(first, last, extracted)
    if match.state == "equal":
        return match
    # “Jürgen” is JUERGEN in the zone of a German passport, and may be written so anywhere.
    spelled = _compare(*map(_as_in_zones, (first, last, extracted)))
    if spelled.state == "equal":
        return spelled
    seen = _compare(as_seen(first), as_seen(str(last or "")), as_seen(extracted))
    if seen.state == "equal":
        return NameMatch("close", LOOKS_ALIKE)
    # A further name, such as that of the father, is not in every passport.
    attested_name = f"{first or ''} {last or ''}".strip()
    if not are_of_one_script(attested_name, extracted):
        return _of_another_script(attested_name, extracted) or match
    if match.how.startswith(SIMILAR):
        return _by_sound(attested_name, extracted, match)
    has_last_name = _stand_in(_words(last), _words(extracted))
    if match.state == "differs" and has_last_name:
        return _by_short_form(attested_name, extracted) or match
    return match


def _has_other_names(
    attested: Mapping[str, object], middle: Sequence[str], extracted: str
) -> bool:
    """Whether both sides have further names, and no two of them can be one: “John Adam” and “John Brian”."""
    joined = ""
    for name in (attested.get("first_name"), attested.get("last_name")):
        joined += f"{folded(str(name or ''))} {folded(_as_in_zones(name))} "
    joined = joined.replace(" ", "")
    rest = []
    for word in _words(extracted):
        is_further = word not in joined and word not in TITLES | FORMS_OF_ADDRESS
        if is_further and not PARTICLE.fullmatch(word):
            rest.append(word)
    if not middle or not rest:
        return False
    is_one_script = is_latin("".join(middle)) == is_latin("".join(rest))
    if not is_one_script:
        return False
    return not any(_may_be_one(a, b) for a in middle for b in rest)


def _may_be_one(name: str, other: str) -> bool:
    """Whether two further names are alike, or one is the initial or the beginning of the other."""
    is_beginning = name.startswith(other) or other.startswith(name)
    return is_beginning or fuzz.ratio(name, other) >= tunables.SIMILAR_FURTHER_NAME


def _by_sound(attested: str, extracted: str, match: NameMatch) -> NameMatch:
    """Tell a slip from another name: Jon is John, and Maria is not Mario, though they are spelt as much alike.

    Between them nobody can tell by the letters: Kristian and Kristina may be a slip, or a couple.
    """
    from checks.fields.names.by_sound import likeness

    score = likeness(attested, extracted)
    if score >= tunables.SURELY_ONE_PERSON or _are_variants(attested, extracted):
        return match
    if score >= tunables.ONE_PERSON:
        return replace(match, for_person=True)
    return NameMatch("differs", OTHER_NAME)


def _are_variants(name: str, other: str) -> bool:
    """Whether the names differ in one word, which is one given name in two languages: Oleksandr, Aleksandr."""
    words = set(_words(name))
    others = set(_words(other))
    different = words ^ others
    if len(different) != 2 or len(words - others) != 1:
        return False
    for variants in _given_names():
        if different <= variants:
            return True
    return False


@cache
def _given_names() -> list[frozenset[str]]:
    return [frozenset(row["names"].split()) for row in table("given_names")]


def _by_short_form(attested: str, extracted: str) -> NameMatch | None:
    """Compare two names of which one may have a short form of the first name: Bob Smith."""
    # Most names agree, and the rules for short forms take a while to load.
    from checks.screening.same_name import is_same

    if is_same(attested, extracted, person=True):
        return NameMatch("close", "may be the same name with a short form")
    return None


def _of_another_script(attested: str, extracted: str) -> NameMatch | None:
    """Compare two names in different scripts."""
    if is_romanised(attested, extracted):
        return NameMatch("equal", "the same name in Latin letters")
    # Most processes read no name of another script, and the rules for all of them take a while to load.
    from checks.fields.names.by_sound import are_distinct
    from checks.screening.same_name import is_same

    if is_same(attested, extracted, person=True):
        return NameMatch("close", "may be the same name in Latin letters")
    if not are_distinct(attested, extracted):
        return NameMatch("cannot_compare", NO_READING)
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


def _is_joined(first: Sequence[str], last: Sequence[str], words: Sequence[str]) -> bool:
    whole = "".join(words)
    return bool(first and last) and whole in {
        "".join([*last, *first]),
        "".join([*first, *last]),
    }


def _compare(first_name: object, last_name: object, extracted: object) -> NameMatch:
    words = [word for word in _words(extracted) if word not in NOT_OF_NAME]
    first = _without_address(_words(first_name))
    last = [word for word in _words(last_name) if word not in GENERATIONS]
    # Chinese, Japanese and Korean names have no space within: 山田太郎.
    if words and not is_latin(words[0]) and _is_joined(first, last, words):
        return NameMatch("equal", "first and last name stand in it")
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
    if score >= tunables.SIMILAR_PERSON:
        return NameMatch("close", f"{SIMILAR} ({score:.0f} of 100)")
    return NameMatch("differs", f"different names (likeness {score:.0f} of 100)")
