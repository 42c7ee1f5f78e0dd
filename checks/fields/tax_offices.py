"""Tax offices that give numbers to businesses, recognised by their names and the titles of their
documents.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from stdnum.exceptions import ValidationError

from checks.data import table
from checks.fields import tunables
from checks.fields.extracted import ExtractedValue
from checks.text.phrases import Pattern, Phrase
from checks.text.words import (
    Span,
    Text,
)

# Letters that Unicode does not decompose into a base letter and an accent.
PLAIN_LETTERS = str.maketrans("łøđ\N{LATIN SMALL LETTER DOTLESS I}", "lodi")
# Words that introduce a tax number, in a label or a sentence.
CALLED = Phrase(
    r"(?:\b(?:vat|gst|tin|trn|vrn|abn|pin|pan|ird|rfc|rut|ruc|nit|cuit|nif|cif|nip|cnpj|siren|cvr|uid|dic|vkn|ein)\b"
    r"|tva|iva\b|btw|moms|mva\b|mwst|ust|[a-z]*nummer\b|\bnumbers?\b|\bnumero|\bnumer\b|\bno\b|\bnr\b|\bidentif|kod podatk)"
)
# The pattern must not match inside a longer number.
BOUNDED = r"(?<![\w/.-])(?P<number>{pattern})(?![\w/-]|\.\d)"


@dataclass(frozen=True, slots=True)
class TaxOffice:
    """A tax office and the format of its numbers.

    `check` names the module of `stdnum` that validates the check digits; it is empty if there is
    none.
    """

    country: str
    name: str
    words: Pattern
    titles: Pattern
    number: Pattern
    check: str

    def is_valid(self, number: str) -> bool | None:
        """Whether the check digits are right; None if the rule for them is not public."""
        if not self.check:
            return None
        try:
            import_module(f"stdnum.{self.check}").validate(number)
        except ValidationError:
            return False
        return True


@cache
def tax_offices() -> tuple[TaxOffice, ...]:
    """Return the offices of the table in its order: an office for a part of a country comes before
    the national one.
    """
    offices = []
    for row in table("tax_offices"):
        offices.append(
            TaxOffice(
                row["country"],
                row["issuer"],
                _any_of(row["words"]),
                _any_of(row["titles"]),
                re.compile(BOUNDED.format(pattern=row["number"])),
                row["check"],
            )
        )
    return tuple(offices)


def find_tax_office(text: Text) -> ExtractedValue[TaxOffice] | None:
    """Return the office whose name and document title both stand in the head of the text.

    The span is that of the title.
    """
    head = plain(text.value[: tunables.KIND_HEAD])
    for office in tax_offices():
        title = office.titles.search(head)
        if title and office.words.search(head):
            how = "the name of the office and the title of its document"
            return ExtractedValue(office, Span(*title.span()), how, 0.9)
    return None


def is_called_number(text: Text, span: Span) -> bool:
    """Whether the words before a number call it a number or name a kind of tax number."""
    start = max(0, span.start - tunables.BEFORE_TAX_NUMBER)
    return bool(CALLED.search(plain(text.value[start : span.start])))


def plain(text: str) -> str:
    """Return the text in lower case and without accents, with every letter at its old position.

    OCR often loses accents. The length stays the same, so that positions in the result are
    positions in the text.
    """
    letters = []
    for char in text:
        first = unicodedata.normalize("NFKD", char)[:1] or char
        lower = first.lower()
        # The lower case of a few letters has two characters (“İ”), which would move all later
        # positions.
        letters.append(lower if len(lower) == 1 else first)
    return "".join(letters).translate(PLAIN_LETTERS).replace("\u2019", "'")


def _any_of(cell: str) -> Pattern:
    words = "|".join(
        re.escape(plain(part)).replace(r"\ ", " ") for part in cell.split("|")
    )
    return Phrase(rf"\b(?:{words})\b")
