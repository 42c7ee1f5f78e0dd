"""Whether two names of companies are the same, and whether a name says that its company is wound up.

A name is taken apart into words and legal form. “Oy Foo Ab” and “Foo Oy” are the same name, “Foo GmbH” and “Foo AG”
are names that a person compares. `companies` reads the names that are compared here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from rapidfuzz import fuzz

from checks.comparisons import State
from checks.data import table
from checks.fields import tunables
from checks.fields.names.companies import legal_forms, split_legal_form
from checks.screening.romanisation.scripts import is_latin
from checks.text.characters import only_letters_and_digits, with_ascii_digits
from checks.text.folding import folded

SPELLED_OUT = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "æ": "ae"}
)
AND = re.compile(r"\s+(?:&|\+|and|und|et|y|e|i|og|och|en|ja|ve|si)\s+")
# Chinese, Japanese and Korean names have no space beside their form: “トヨタ自動車株式会社”.
UNSPACED_FORM = re.compile(
    r"(株式会社|合同会社|股份有限公司|有限责任公司|有限責任公司|有限会社|有限公司|주식회사|유한회사|[(\uff08]株[)\uff09]|㈱|[(\uff08]주[)\uff09]|㈜)"
)
# Codes of countries and words, too, so that they mean a form only where two names are compared.
SHORT_FORMS = (("se", "se"), ("pt", "pt"), ("ek", "ek"))
# Romanian papers begin with “societate comercială”: “S.C. FOO S.R.L.”.
COMMERCIAL = "sc "
ROMANIAN = {"srl", "sa"}
STATUS = "same name; one side says that the company is wound up or insolvent"
ONE_FORM = "same name; the legal form is given on one side only"
NUMERAL = re.compile(r"\b[IVX]+\b")
DIGITS = re.compile(r"\d+")
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
# 1.000 and 1,000 are a thousand, 1.5 is not fifteen.
THOUSANDS = re.compile(r"\d{1,3}(?:[.,]\d{3})+")
# What stands between a name and a remark about it: “Alfa (in liquidation)”, “Alfa, en liquidation”.
BEHIND_SIGN = re.compile(r"[(\[,;]| [-\u2013\u2014] ")


@dataclass(frozen=True, slots=True)
class NameMatch:
    """The state of a comparison with its reason.

    `for_person`: the names are close, but may belong to two parties, so a person decides.
    """

    state: State
    how: str
    for_person: bool = False


@dataclass(frozen=True, slots=True)
class _Parts:
    """A name without its legal forms.

    `forms` are the codes of all its forms, `before` the codes of a form at the beginning.
    """

    base: str
    forms: tuple[str, ...]
    before: frozenset[str] = frozenset()
    # The form has two letters, as other words have: “Studio PC”.
    is_short: bool = False

    def has_form_of(self, other: _Parts) -> bool:
        """Whether the form at the beginning of the other name is a form of this name, too.

        If not, those words may be words of the other name.
        """
        return not other.before or bool(other.before & {*self.forms})


def _parts(name: str) -> Iterator[_Parts]:
    """Yield each way to split a name into its words and its legal form.

    The form may stand at the end (“Foo SARL”), at the beginning (“SARL Foo”) or at both (“Oy Foo Ab”).
    """
    words = folded(UNSPACED_FORM.sub(r" \1 ", name)).removeprefix("the ")
    base, spelling = _split_behind(_without_notes(words), _compared_forms())
    forms = _compared_forms().get(spelling, ())
    if not forms:
        base, forms = _short_form(base)
    letters = len(spelling.replace(" ", ""))
    is_short = 0 < letters <= len("pc")
    is_sure = not _sure_codes().isdisjoint(forms)
    yield _Parts(base, forms, is_short=is_short and not is_sure)
    if not ROMANIAN.isdisjoint(forms) and base.startswith(COMMERCIAL):
        yield _Parts(base.removeprefix(COMMERCIAL), forms)
    for before, behind in _split_before(base, _compared_forms()):
        codes = frozenset(_compared_forms()[before])
        is_sure = not _sure_codes().isdisjoint(codes)
        is_word = not is_sure and len(before) <= len("pc")
        if not is_word and codes.isdisjoint(forms):
            yield _Parts(behind, (*forms, *sorted(codes)), codes)
    for before, code in SHORT_FORMS:
        beginning = f"{before} "
        if base.startswith(beginning):
            behind = base.removeprefix(beginning)
            yield _Parts(behind, (*forms, code), frozenset({code}))


@cache
def _compared_forms() -> Mapping[str, tuple[str, ...]]:
    """Return the codes of legal forms by the spellings by which two names are compared.

    “Private Limited” is a form of two countries, and has the codes of both. The table for the comparison
    tells apart what the table for reading takes for one form.
    """
    codes: dict[str, tuple[str, ...]] = {}
    for row in table("compared_forms"):
        code = row["code"]
        for text in row["spellings"].split("|"):
            for spelling in _spellings(folded(text)):
                known = codes.get(spelling, ())
                if code not in known:
                    codes[spelling] = (*known, code)
    forms: dict[str, tuple[str, ...]] = {}
    for spelling, code in legal_forms():
        forms[spelling] = (code,)
    return forms | codes


@cache
def _sure_codes() -> frozenset[str]:
    """The forms that documents are read by: no words of names."""
    codes = [row["code"] for row in table("legal_forms")]
    return frozenset([*codes, *dict(SHORT_FORMS).values()])


def _split_behind(words: str, known: Collection[str]) -> tuple[str, str]:
    """Split off the longest known words at the end. The first word stays: a name is never empty."""
    parts = words.split(" ")
    for start in range(max(1, len(parts) - tunables.WORDS_OF_FORM), len(parts)):
        behind = " ".join(parts[start:])
        if behind in known:
            return " ".join(parts[:start]), behind
    return words, ""


def _split_before(words: str, known: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield known words at the beginning, the longest first, and the words behind them."""
    parts = words.split(" ")
    for end in range(min(tunables.WORDS_OF_FORM, len(parts) - 1), 0, -1):
        before = " ".join(parts[:end])
        if before in known:
            yield before, " ".join(parts[end:])


@cache
def _words_behind(kind: str) -> frozenset[str]:
    words: set[str] = set()
    for row in table("company_states"):
        if row["kind"] == kind:
            for text in row["words"].split("|"):
                words.update(_spellings(folded(text)))
    return frozenset(words)


def _spellings(words: str) -> Iterator[str]:
    """Yield the words, and single letters without their spaces: “I. L.” is folded to “i l”, “I.L.” to “il”."""
    yield words
    if all(len(word) == 1 for word in words.split()):
        yield words.replace(" ", "")


def _without_notes(words: str) -> str:
    """Return a folded name with a legal form without notes behind it, such as the size of the company."""
    rest, _ = _split_behind(words, _words_behind("note"))
    has_form = bool(_split_behind(rest, _compared_forms())[1])
    if not has_form:
        has_form = any(True for _ in _split_before(rest, _compared_forms()))
    return rest if has_form else words


def _without_status(name: str) -> str:
    """Return the name without the words that say that the company is wound up, folded if it had some."""
    states = _words_behind("status")
    words = folded(name)
    rest, status = _split_behind(words, states)
    # Two letters are a word of the name, unless they stand behind a legal form.
    is_long = len(status) > len("f a") or _split_behind(rest, _compared_forms())[1]
    if status and is_long:
        return rest
    for _, behind in _split_before(words, states):
        return behind
    return name


def status_of(name: str) -> str:
    """Return the words of a name that say that the company is wound up, insolvent or struck off; else "".

    A name may hold such words itself (Dissolved Oxygen Ltd): they count behind a legal form, apart from the name by
    a sign, and before it where registers put them there.
    """
    states = _words_behind("status")
    rest, status = _split_behind(folded(name), states)
    if status:
        apart = BEHIND_SIGN.split(name, maxsplit=1)
        has_form = bool(_split_behind(rest, _compared_forms())[1])
        has_form = has_form or any(True for _ in _split_before(rest, _sure_spellings()))
        is_apart = len(apart) > 1 and folded(apart[-1]) == status
        if has_form or (is_apart and len(status) > len("f a")):
            return status
    for before, _ in _split_before(folded(name), _words_behind("before")):
        return before
    return ""


@cache
def _sure_spellings() -> Mapping[str, tuple[str, ...]]:
    """The spellings of legal forms that are no words of names."""
    sure: dict[str, tuple[str, ...]] = {}
    for spelling, codes in _compared_forms().items():
        is_sure = spelling in _read_spellings() or _sure_codes() & {*codes}
        if is_sure and len(spelling) > len("pc"):
            sure[spelling] = codes
    return sure


@cache
def _read_spellings() -> frozenset[str]:
    return frozenset(dict(legal_forms()))


def _short_form(base: str) -> tuple[str, tuple[str, ...]]:
    for spelling, code in SHORT_FORMS:
        if base.endswith(f" {spelling}"):
            return base.removesuffix(f" {spelling}"), (code,)
    return base, ()


def _same_but_form(name: str, other: str) -> NameMatch | None:
    """Compare the legal forms of two names that are equal without them; None if they are not equal."""
    ranked: list[NameMatch] = []
    for first in _parts(name):
        for second in _parts(other):
            # OCR and forms lose or add spaces, so they do not count.
            same_letters = first.base.replace(" ", "") == second.base.replace(" ", "")
            # A name is folded without the point of 1.5.
            if same_letters and _numbers(name) == _numbers(other):
                ranked.append(_compare_forms(first, second))
    return min(ranked, key=lambda match: match.state != "equal", default=None)


def _compare_forms(name: _Parts, other: _Parts) -> NameMatch:
    # “AS Roma” may be Roma, and “Limited Edition” is hardly Edition: a person decides.
    if not name.has_form_of(other) or not other.has_form_of(name):
        return NameMatch("close", ONE_FORM)
    has_form = bool(name.forms or other.forms)
    if not has_form or not {*name.forms}.isdisjoint(other.forms):
        return NameMatch("equal", "same name and legal form")
    if not name.forms or not other.forms:
        if name.is_short or other.is_short:
            return NameMatch("close", ONE_FORM)
        return NameMatch("equal", ONE_FORM)
    how = f"same name, other legal form ({name.forms[0]} and {other.forms[0]})"
    return NameMatch("close", how, for_person=True)


def _spelled_out(name: str) -> str:
    """Return the name with two letters for those with dots, and one word for “and” in any language."""
    return AND.sub(" & ", name.casefold().translate(SPELLED_OUT))


# Names have no digit within a word, and begin with no small letter.
LIKE_DIGITS = str.maketrans("01358", "olesb")
SMALL_L = re.compile(r"\bl(?=[a-z])")


def as_seen(name: str) -> str:
    """Return the name with one letter for those that look alike in print: `rn` and `m`, `0` and `o`.

    It is for a comparison only. Numbers stay as they are.
    """
    words = []
    for word in SMALL_L.sub("I", name).split():
        letters = sum(map(str.isalpha, word))
        if letters > len(word) / 2:
            word = word.translate(LIKE_DIGITS)
        words.append(word)
    plain = folded(" ".join(words))
    return plain.replace("rn", "m")


def _have_other_numbers(name: str, other: str) -> bool:
    """Whether both names have numbers, and not the same: “Windpark Nord 3” and “Windpark Nord 4”."""
    for pattern in (DIGITS, NUMERAL):
        numbers = pattern.findall(name)
        others = pattern.findall(other)
        if numbers and others and "".join(numbers) != "".join(others):
            return True
    return False


def _numbers(name: str) -> str:
    """Return the numbers of a name in a row, as it may have lost a space in one of them."""
    numbers: list[str] = []
    for number in NUMBER.findall(name):
        whole = THOUSANDS.fullmatch(number)
        numbers.append(only_letters_and_digits(number) if whole else number)
    return "".join(numbers).replace(",", ".")


def compare_names(attested: str, extracted: str) -> NameMatch:
    """Compare an attested name with one of a document: equal, close (a person decides) or different."""
    attested = with_ascii_digits(attested)
    extracted = with_ascii_digits(extracted)
    own = _without_status(attested)
    other = _without_status(extracted)
    match = _compare_names(own, other)
    is_like = (own == attested) == (other == extracted)
    if match.state == "equal" and not is_like:
        return NameMatch("close", STATUS)
    return match


def _compare_names(attested: str, extracted: str) -> NameMatch:
    # “Müller & Söhne” is “Mueller und Soehne” where a register or a bank has no such letters.
    for spelling in (str, _spelled_out):
        match = _same_but_form(spelling(attested), spelling(extracted))
        if match:
            return match
    base, _ = split_legal_form(_spelled_out(attested))
    other, _ = split_legal_form(_spelled_out(extracted))
    # The words are sorted, so that their order does not count.
    score = fuzz.token_sort_ratio(base, other)
    is_similar = score >= tunables.SIMILAR_COMPANY
    # Funds, plants and companies of a project differ in nothing else.
    if is_similar and _have_other_numbers(attested, extracted):
        return NameMatch("differs", "the names have other numbers")
    if is_similar:
        is_slip = as_seen(base) == as_seen(other)
        how = f"similar names ({score:.0f} of 100)"
        return NameMatch("close", how, for_person=not is_slip)
    if is_latin(attested) != is_latin(extracted):
        # Most processes read no name of another script, and the rules for all of them take a while to load.
        from checks.screening.same_name import is_same

        if is_same(attested, extracted, person=False):
            return NameMatch("close", "may be the same name in Latin letters")
    return NameMatch("differs", f"different names (likeness {score:.0f} of 100)")
