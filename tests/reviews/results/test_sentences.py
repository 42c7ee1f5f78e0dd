"""Sentences of results are shown in the language of the reader; what is stored stays English."""

from __future__ import annotations

import re
import time
from types import SimpleNamespace

import pytest
from django.template import engines
from django.template.loader import render_to_string
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from compliance.models import LocalePreference
from compliance.storage import stored_files
from reviews import results
from reviews.documents import page_images
from reviews.models import Document, RiskPolicy
from reviews.results.sentences import in_words, pieces
from reviews.results.sentences.matching import Catalogue
from reviews.results.words import translated
from reviews.templatetags.reviews import cell
from tests.factories import make_case, make_user
from tests.reviews.pages.case.rows import add_check_result, reviewed_case

EDITED = "This document was edited: the year was 2015, now 2009."
UNKNOWN = "The moon was full."


def german(text: str) -> str:
    with translation.override("de"):
        return in_words(text)


def arabic(text: str) -> str:
    with translation.override("ar"):
        return in_words(text)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("This is an EIN letter of the IRS.", "Art des Dokuments: EIN-Schreiben des IRS."),
        ("This is a certificate of incorporation of Halden AS.", "Art des Dokuments: Gründungsurkunde; Firma: Halden AS."),
        ("This is articles of incorporation of Bank of Halden.", "Art des Dokuments: Gesellschaftsvertrag oder Satzung; Firma: Bank of Halden."),
        # A kind that nobody knows ends at the first of these words.
        ("This is a book of Halden.", "Art des Dokuments: a book; Firma: Halden."),
    ],
)  # fmt: skip
def test_a_value_may_have_the_words_that_end_it(sentence, expected):
    assert german(sentence) == expected


def test_reasons_for_a_second_person_are_translated():
    assert german("The agent recommends: Review") == "Der Agent empfiehlt: Überprüfung"
    assert german("The agent says: No document of incorporation was submitted.") == (
        "Der Agent sagt: Es wurde kein Gründungsdokument eingereicht."
    )
    assert german("Not passed: Sanctions screening, Adverse list screening") == (
        "Nicht bestanden: Sanktionsabgleich, Abgleich mit Negativlisten"
    )
    assert german("Overridden: Sanctions screening") == "Übersteuert: Sanktionsabgleich"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "self_attested_data.country_code: Not a two-letter country code.",
            "self_attested_data.country_code: Kein Ländercode aus zwei Buchstaben.",
        ),
        (
            "The row has 2 cells, the header 3.",
            "Die Zeile hat 2 Zellen, die Kopfzeile 3.",
        ),
        (
            "The id a-1 stands in an earlier row: give each case its own.",
            "Die ID a-1 steht in einer früheren Zeile: Geben Sie jedem Fall seine eigene.",
        ),
    ],
)
def test_why_a_row_of_a_file_was_not_started_is_translated(text, expected):
    assert german(text) == expected


def rendered(text: str) -> str:
    template = engines["django"].from_string("{% load reviews %}{{ text|sentences }}")
    with translation.override("de"):
        return str(template.render({"text": text}))


def test_english_is_shown_as_it_came():
    text = f"{EDITED}  {UNKNOWN}"
    assert in_words(text) == text
    assert rendered_in_english(text) == text


def rendered_in_english(text: str) -> str:
    template = engines["django"].from_string("{% load reviews %}{{ text|sentences }}")
    return str(template.render({"text": text}))


def test_a_sentence_keeps_its_values():
    expected = "Dieses Dokument wurde bearbeitet: das Jahr war 2015, jetzt 2009."
    assert german(EDITED) == expected


def test_a_check_or_a_finding_and_what_it_says():
    text = "Fraud indicators: Text is hidden under a picture: Text lies under a picture: page 3: “A; B” is hidden, nothing is shown in its place."
    result = german(text)
    assert result.startswith(
        "Betrugsindikatoren: Text ist unter einem Bild verborgen: "
    )


def test_days_and_numbers_are_written_as_the_reader_does():
    day = "The document is of 2020-01-31, the file was modified on 2021-12-01."
    amounts = "The amounts give 1,234.50 and the document says 1,200.00."
    share = "The shares add up to 62.5 %, not to 100 %."
    assert "31.01.2020" in german(day)
    assert "1.234,50" in german(amounts)
    assert "62,5 %" in german(share)


def test_a_day_that_is_none_stays_as_it_is():
    text = "The document bears the date 2026-13-45."
    assert "2026-13-45" in german(text)


def test_a_quoted_value_is_no_text_of_ours():
    """The words of a document may be words of the catalogue, and stay what they are."""
    text = "page 1: “a bank statement” is hidden, “metadata” is shown"
    result = german(f"Text lies under a picture: {text}.")
    assert "„a bank statement“" in result
    assert "„metadata“" in result


def test_a_value_with_braces_is_not_read_again():
    result = german("It states two names: {name2} and {x.y}.")
    assert result == "Es nennt zwei Namen: {name2} und {x.y}."


def test_values_in_arabic_are_isolated():
    assert "\u20682009\u2069" in arabic(EDITED)


def test_each_sentence_of_a_text_is_translated_alone():
    with translation.override("de"):
        first, second, third = pieces(f"{EDITED} {UNKNOWN} The file is empty.")
    assert not first.is_foreign
    assert (second.text, second.is_foreign) == (UNKNOWN, True)
    assert third.text == "Die Datei ist leer."


def test_a_full_stop_within_a_value_ends_no_sentence():
    text = "It states two names: Acme Inc. Holding and Acme Ltd. Trust."
    assert german(text) == "Es nennt zwei Namen: Acme Inc. Holding und Acme Ltd. Trust."


def test_what_stays_english_says_so_to_who_reads_it_aloud():
    text = f"{UNKNOWN} <b>The file is empty.</b> Really. The file is empty."
    page = rendered(text)
    assert '<span lang="en" dir="ltr">' in page
    assert "&lt;b&gt;" in page
    assert page.endswith("</span> Die Datei ist leer.")


def test_of_two_patterns_the_one_with_more_words_is_meant():
    catalogue = Catalogue(
        ["No {kind} was attested.", "No name of the {kind} was attested."]
    )
    match = catalogue.find("No name of the dog was attested.")
    assert match is not None
    assert match[0] == "No name of the {kind} was attested."


def test_a_kind_of_document_that_has_the_words_behind_it_is_not_cut():
    result = german("This is a certificate of incorporation of House of Cards Ltd.")
    expected = "Art des Dokuments: Gründungsurkunde; Firma: House of Cards Ltd."
    assert result == expected


def test_a_value_has_the_form_of_its_name():
    catalogue = Catalogue(["{count} files are embedded."])
    assert catalogue.find("3,000 files are embedded.")
    assert catalogue.find("Many files are embedded.") is None
    assert catalogue.find(" files are embedded.") is None


@given(st.text(max_size=300))
def test_no_text_of_a_service_raises(text):
    for language in ("de", "ar"):
        with translation.override(language):
            page_text = "".join(piece.text for piece in pieces(text))
            assert bool(page_text.strip()) == bool(text.strip())


@pytest.mark.parametrize(
    "words", ["a. ", ": ", "; ", "“x” and “y”, ", "page 1: “", "After x signed, "]
)
def test_a_text_that_is_made_to_be_slow_is_not(words):
    text = f"Text lies under a picture: {words * 1000}"[:4000]
    start = time.process_time()
    german(text)
    assert time.process_time() - start < 0.5


@pytest.mark.django_db
def test_the_sentence_over_a_case_is_in_the_language_of_its_reader(client):
    case, job = reviewed_case()
    case.recommendation = "Deny"
    case.save()
    add_check_result(job, {"passed": False, "explanation": EDITED})
    person = make_user(role="analyst")
    LocalePreference.objects.create(user=person, language="de")
    client.force_login(person)
    page = client.get(f"/cases/{case.pk}/").content.decode()
    assert "das Jahr war 2015, jetzt 2009" in page
    question = re.search(r'data-ask="([^"]+)"', page)
    assert question
    assert question[1].startswith("Gründungsdokument: nicht bestanden.")
    assert EDITED not in page


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "A strong hit on a list of sanctions was not cleared.",
            "Ein starker Treffer auf einer Sanktionsliste wurde nicht ausgeräumt.",
        ),
        (
            "Case 7 has the same name, date of birth and e-mail address",
            "Fall 7 hat dieselben Angaben: Name, Geburtsdatum, E-Mail-Adresse",
        ),
        (
            "Case 7 has the same date of birth, name",
            "Fall 7 hat dieselben Angaben: Geburtsdatum, Name",
        ),
        (
            "The barcode agrees: attested name, front expiry.",
            "Der Barcode stimmt überein: Name, angegeben, Ablaufdatum, Vorderseite.",
        ),
        (
            "Attested date of birth: 1990-01-01; the barcode says 1991-02-02.",
            "Geburtsdatum, angegeben: 1990-01-01; der Barcode sagt 1991-02-02.",
        ),
        (
            "Proposed by the words: “grill” in industry, “bar, inn” in description.",
            "Nach den Wörtern vorgeschlagen: „grill“ in Branche, „bar, inn“ in Beschreibung.",
        ),
        (
            "pages 4 to 7 not looked at: of long documents the first 3 and the last 2 are.",
            "nicht angesehen: Seiten 4 bis 7; bei langen Dokumenten werden die ersten 3 und die letzten 2 Seiten angesehen.",
        ),
        (
            "labelled as company number, check digits right",
            "bezeichnet als: Gesellschaftsnummer, Prüfziffern richtig",
        ),
        (
            "Strong match: “A B” on A list (X): score 0.91, and date of birth and nationality agree.",
            "Starker Treffer: „A B“ auf A list (X): Wert 0,91, übereinstimmend: Geburtsdatum, Staatsangehörigkeit.",
        ),
        ("Partner Jane Doe", "Gesellschafter Jane Doe"),
        (
            "The website answers with an error (HTTP 500).",
            "Die Website antwortet mit einem Fehler (HTTP 500).",
        ),
    ],
)
def test_sentences_of_many_checks(text, expected):
    assert german(text) == expected


def headline_of(explanation: str) -> str:
    check = results.Check("kyb.x", "X", "", "fail", explanation, "", "", (), ())
    return results.headline(check)


def test_a_long_finding_is_cut_behind_a_sentence():
    """Half a sentence fits no pattern, and would stay English."""
    sentence = "Strong match: “A B” on A list (X): score 0.91."
    many = " ".join([sentence] * 20)
    assert headline_of(many).endswith("score 0.91.")
    assert len(headline_of(many)) <= 400


def test_a_long_sentence_says_that_it_is_cut():
    assert headline_of("word " * 200).endswith("word…")


STOPPED = (
    "The document could not be examined: it took too long and was stopped after 30 s."
)


def test_a_finding_behind_the_name_of_its_file_is_translated():
    """A check about all documents says of each what happened to it."""
    name = "bill_2026_05: final.pdf"
    for file in ("bill.pdf", "Ausweis: Vorderseite.pdf", name):
        assert german(f"{file}: {STOPPED}") == f"{file}: {german(STOPPED)}"
    assert arabic(f"bill.pdf: {STOPPED}").startswith("\u2068bill.pdf\u2069: ")
    # A name in front of words that nobody knows stays what it is.
    with translation.override("de"):
        (piece,) = pieces(f"bill.pdf: {UNKNOWN}")
    assert (piece.text, piece.is_foreign) == (f"bill.pdf: {UNKNOWN}", True)


STOPPED_DRAWING = "it took too long and was stopped after 30 s"


@pytest.mark.parametrize(
    "text",
    [
        *page_images.REASONS.values(),
        str(stored_files.MissingError()),
        str(stored_files.ChangedError()),
        f"Drawing its pages did not end well: {STOPPED_DRAWING}.",
        "Only 3 of 5 pages could be drawn. It has no pages.",
        "The first 50 of 312 pages are drawn.",
        f"The first 50 of 312 pages are drawn. {page_images.MISSING_FONT}",
        "Attested “Ana Roe”, Zone “ROE”: similarity 0.26.",
        "ID “Ana Roe”, Proof of address 1 “B. Roe”: similarity 0.26.",
        "“Halden Ltd” and “Halden Inc”: similarity 0.94.",
    ],
)
def test_what_the_desk_says_of_pages_and_names_is_translated(text):
    with translation.override("de"):
        assert not any(piece.is_foreign for piece in pieces(text))
        assert in_words(text) != text


@pytest.mark.django_db
def test_why_a_document_has_no_pages_is_in_the_language_of_the_reader(client):
    case = make_case()
    Document.objects.create(
        case=case,
        kind=Document.Kind.INCORPORATION,
        file_name="a.pdf",
        status=Document.Status.UNREADABLE,
        reason=page_images.REASONS["EncryptedError"],
    )
    client.force_login(make_user())
    german_reader = {"HTTP_ACCEPT_LANGUAGE": "de"}
    for address in ("/documents/", f"/cases/{case.pk}/", f"/cases/{case.pk}/report/"):
        page = client.get(address, **german_reader).content.decode()
        assert "Sie ist verschlüsselt" in page, address
        assert "It is encrypted" not in page, address


@pytest.mark.parametrize(("value", "expected"), [("no", "nein"), ("yes", "ja")])
def test_the_answer_of_a_check_in_a_table_is_translated(value, expected):
    with translation.override("de"):
        assert cell({"label": "Examined", "value": value}) == expected
        assert cell({"label": "Registered name", "value": "No Ltd"}) == "No Ltd"


def test_a_screening_without_a_list_does_not_say_that_nothing_comes_near():
    subject = SimpleNamespace(rows=[], not_shown=0, lists=[], policy=None)
    page = render_to_string("results/_screening.html", {"subject": subject})
    assert "Not checked: no list of this kind is loaded." in page
    assert "No entry comes near." not in page
    subject.lists = [SimpleNamespace(title="OFAC", entities=3, loaded_at="2026-05-12")]
    page = render_to_string("results/_screening.html", {"subject": subject})
    assert "No entry comes near." in page


@pytest.mark.django_db
def test_the_note_of_the_first_risk_policy_is_translated():
    with translation.override("de"):
        note = translated(RiskPolicy.objects.get(number=1).note)
    assert note == "Die Richtlinie, mit der eine Installation beginnt."
