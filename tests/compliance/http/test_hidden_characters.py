"""Characters that nobody sees are shown as �, so that they cannot make a name read as another one."""

from __future__ import annotations

import logging

import pytest
from django.urls import reverse

from compliance.http.responses import hidden_characters
from compliance.security import csv_cells
from compliance.security.logs import Formatter, JsonFormatter
from papers.writing import report
from reviews.people import notes
from tests.factories import make_case, make_user

# Each turns text around, has no width, or is a control.
HIDDEN = (
    "\u202e", "\u202d", "\u202a", "\u202b", "\u202c", "\u2066", "\u2067", "\u2068", "\u2069", "\u200e",
    "\u200f", "\u061c", "\u200b", "\u2060", "\u2062", "\ufeff", "\u00ad", "\u180e", "\u2028", "\u2029",
    "\u3164", "\uffa0", "\ufff9", "\U000e0041", "\x1b", "\x08", "\x85",
)  # fmt: skip


@pytest.mark.parametrize("char", HIDDEN, ids=[f"U+{ord(char):04X}" for char in HIDDEN])
def test_it_is_shown(char):
    assert hidden_characters.show(f"Acme{char}Ltd") == "Acme\ufffdLtd"


def test_what_scripts_need_stays():
    for text in (
        "Müller & Söhne",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian
        "\u0915\u094d\u200d\u0937",  # an Indic script
        "👩\u200d💻",
        "Line one\nLine two\tand a tab",
        "\u2068sealed\u2069 by us",
    ):
        assert hidden_characters.show(text) == text


def test_a_joiner_in_a_latin_word_is_shown():
    assert hidden_characters.show("Goo\u200cgle \u200dx") == "Goo\ufffdgle \ufffdx"


def test_an_isolate_hides_nothing_else():
    assert "\u202e" not in hidden_characters.show("\u2068a\u202eb\u2069")
    assert "\u2068" not in hidden_characters.show("\u2068never closed")


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "de"])
def test_pages_show_it(client, language):
    user = make_user("ana", role="senior")
    name = "Acme \u202egnp.exe\u200b Ltd"
    case = make_case(
        subject=name,
        reference="R-\u202e1",
        self_attested_data={"business_name": name, "description": "a\u2067b"},
    )
    notes.add(case, actor=user, text="Called \u202eback")
    client.force_login(user)
    client.cookies["django_language"] = language
    for address in (
        reverse("queue"),
        case.get_absolute_url(),
        f"{case.get_absolute_url()}?tab=data",
        f"{case.get_absolute_url()}?tab=activity",
    ):
        page = client.get(address).content.decode()
        for char in "\u202e\u200b\u2067":
            assert char not in page, address
    page = client.get(case.get_absolute_url()).content.decode()
    assert "Acme \ufffdgnp.exe\ufffd Ltd" in page


@pytest.mark.django_db
def test_stored_values_are_as_they_came(client):
    case = make_case(subject="Acme \u202eLtd")
    client.force_login(make_user("ana"))
    client.get(case.get_absolute_url())
    case.refresh_from_db()
    assert case.subject == "Acme \u202eLtd"


def test_csv_files_show_it_and_run_no_formula():
    assert csv_cells.escape("Acme \u202eLtd") == "Acme \ufffdLtd"
    for start in ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20"):  # fmt: skip
        assert csv_cells.escape(f"{start}1").startswith("'")
    # What hides the start of a formula is in front of it then.
    assert csv_cells.escape("\u200b=1") == "\ufffd=1"


@pytest.mark.parametrize("formatter", [Formatter("%(message)s"), JsonFormatter()])
def test_lines_of_the_log_show_it(formatter):
    record = logging.LogRecord(
        "x", logging.INFO, "", 0, "file %s", ("a\u202eb\x1b[2J",), None
    )
    line = formatter.format(record)
    assert "\u202e" not in line
    assert "\x1b" not in line
    assert "a\ufffdb" in line


def test_printed_reports_show_it(settings):
    report.register_fonts(settings.VENDORED_DIR)
    assert report.markup("Acme \u202eLtd\u200b") == "Acme □Ltd□"
