"""Labels and values that are level by their middles, and rows of a page that leans."""

from __future__ import annotations

import pytest

from checks.fields.labels.pairs import find_pairs
from checks.text.words import Line, Page, Source, Text, Word
from papers.geometry import Box

HEIGHT = 0.012


def text_of(
    *cells: tuple[str, float, float], source: Source = "text layer", lean: float = 0.0
) -> Text:
    """A page of cells, each with its words and its place: from the left and from the top."""
    lines = []
    for value, x, y in cells:
        words = []
        for word in value.split():
            width = 0.008 * len(word)
            top = y + lean * (x - 0.5)
            words.append(
                Word(
                    word,
                    Box(1, x, top, x + width, top + HEIGHT),
                    source=source,
                    confidence=0.95,
                )
            )
            x += width + 0.006
        lines.append(Line(tuple(words)))
    return Text([Page(1, 595, 842, tuple(lines))])


def values(text: Text) -> dict[str, str]:
    return {pair.field: pair.value for pair in find_pairs(text)}


def test_a_label_beside_the_middle_of_two_lines_has_both():
    text = text_of(
        ("Obchodní firma:", 0.1, 0.20),
        ("Vltavín Software s.r.o.", 0.4, 0.20),
        ("Milady Horákové 1066/98, Holešovice,", 0.4, 0.23),
        ("Sídlo:", 0.1, 0.239),
        ("170 00 Praha 7", 0.4, 0.248),
        ("Identifikační číslo:", 0.1, 0.28),
        ("074 18 001", 0.4, 0.28),
    )

    assert (
        values(text)["address"]
        == "Milady Horákové 1066/98, Holešovice,\n170 00 Praha 7"
    )


def test_a_value_beside_the_middle_of_a_label_of_two_lines():
    text = text_of(
        ("vložka 300714", 0.4, 0.20),
        ("Datum vzniku a", 0.1, 0.23),
        ("10. září 2018", 0.4, 0.239),
        ("zápisu:", 0.1, 0.248),
        ("Obchodní firma:", 0.1, 0.28),
        ("Vltavín Software s.r.o.", 0.4, 0.28),
    )

    assert values(text)["date"] == "10. září 2018"


def test_the_number_of_an_entry_is_no_part_of_its_value():
    text = text_of(
        ("5. A cég székhelye", 0.1, 0.2),
        ("5/1. 1133 Budapest, Váci út 76.", 0.4, 0.2),
        ("8/1. 2019. február 11.", 0.4, 0.22),
    )

    assert values(text)["address"] == "1133 Budapest, Váci út 76."


def test_a_label_that_ocr_read_ends_before_the_digits_of_its_value():
    text = text_of(("Australian Company Number 647 220 918", 0.2, 0.2), source="OCR")

    assert values(text)["number"] == "647 220 918"


@pytest.mark.parametrize("lean", [-0.03, 0.0, 0.03])
def test_values_beside_labels_on_a_page_that_leans_and_has_no_long_row(lean):
    rows = (
        ("Statutaire naam", "Zoutkamp Offshore B.V."),
        ("Statutaire zetel", "Gemeente Eemsmond Delfzijl"),
        ("Bezoekadres", "Havenkade 21, 9979XK Eemshaven"),
        ("Datum akte van oprichting", "18-05-2020"),
        ("Geplaatst kapitaal", "EUR 100,00 volgestort kapitaal"),
        ("Activiteiten omschrijving", "Dienstverlening op zee, personeel"),
    )
    cells = []
    for column, x in ((0, 0.1), (1, 0.5)):
        for number, row in enumerate(rows):
            y = 0.2 + 0.02 * number
            cells.append((row[column], x, y))
    # Each word of a leaning page is lower or higher than the one before it.
    lines = []
    for value, x, y in cells:
        words = []
        for word in value.split():
            width = 0.008 * len(word)
            top = y + lean * (x + width / 2 - 0.5)
            words.append(
                Word(
                    word,
                    Box(1, x, top, x + width, top + HEIGHT),
                    source="OCR",
                    confidence=0.95,
                )
            )
            x += width + 0.006
        lines.append(Line(tuple(words)))
    text = Text([Page(1, 595, 842, tuple(lines))])

    found = values(text)

    assert found["name"] == "Zoutkamp Offshore B.V."
    assert found["date"] == "18-05-2020"


def test_a_value_of_three_lines_beside_the_middle_one_begins_above_its_label():
    text = text_of(
        ("Status:", 0.1, 0.20),
        ("Registered", 0.4, 0.20),
        ("18 Hagley Park", 0.4, 0.235),
        ("Registered office:", 0.1, 0.248),
        ("Road, Kingston", 0.4, 0.248),
        ("10, Saint Andrew", 0.4, 0.261),
        ("KINGSTON", 0.4, 0.296),
        ("Company secretary:", 0.1, 0.309),
        ("REGISTRARS", 0.4, 0.309),
        ("LIMITED", 0.4, 0.322),
    )

    assert values(text)["address"] == "18 Hagley Park\nRoad, Kingston\n10, Saint Andrew"


def test_rows_as_close_as_lines_are_not_one_value():
    text = text_of(
        ("Company name:", 0.1, 0.20),
        ("HAGLEY PARK", 0.4, 0.20),
        ("SEAFOODS LIMITED", 0.4, 0.213),
        ("Registered office:", 0.1, 0.226),
        ("18 Marine Drive,", 0.4, 0.226),
        ("Kingston 6", 0.4, 0.239),
    )

    assert values(text)["address"] == "18 Marine Drive,\nKingston 6"
