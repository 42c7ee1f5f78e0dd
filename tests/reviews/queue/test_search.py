# ruff: noqa: RUF001 - names in other letters are its subject
"""The search: other letters, typing mistakes, what was read from scans, suggestions, and marks."""

from __future__ import annotations

import html as markup

import pytest
from django.test import Client
from django.utils.timezone import now

from compliance.db import masks
from compliance.security.data_map import ERASED
from reviews.models import Case, CheckResult, Page, SearchText, SearchWord
from reviews.models.search import forms
from reviews.privacy import erasing
from reviews.queue import search
from reviews.queue.filters import sealed_search
from reviews.queue.highlights import Highlighter
from tests import factories
from tests.reviews.api.calling import Caller

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk():
    return factories.make_connection()


@pytest.fixture
def ana(client):
    client.force_login(factories.make_user("ana", role="analyst"))
    return client


def waiting(desk, subject, **fields):
    fields.setdefault("self_attested_data", {})
    return factories.make_case(
        desk, subject=subject, status=Case.Status.TO_REVIEW, **fields
    )


def looked_for(client, wanted):
    return client.post("/queue/search/", {"q": wanted, "view": "all"}, follow=True)


def suggested(client, wanted):
    return client.post("/queue/find/", {"as": "options", "q": wanted})


def marked(client, case, words):
    """The page of a case with the words of a search."""
    reader = int(client.session["_auth_user_id"])
    sealed = sealed_search(words, reader=reader)
    return client.get(f"/cases/{case.pk}/", {"sealed": sealed})


def references_for(client, wanted):
    lines = looked_for(client, wanted).context["page"]["lines"]
    return [line.subject for line in lines]


@pytest.mark.parametrize(
    ("subject", "wanted"),
    [
        ("Сергей Иванов", "ivanov"),
        ("Sergey Ivanov", "Иванов"),
        ("Müller Bau GmbH", "muller"),
        ("Muller Bau GmbH", "Müller"),
        ("Schröder AG", "schroeder"),
        ("王小明", "wang xiaoming"),
        ("李明", "liming"),
        ("Liming Trading", "李明"),
        ("محمد حسين", "Muhammad Hussein"),
        ("محمد حسين", "mohamed"),
        ("الصديق", "al-siddiq"),
        ("Γεώργιος Παππάς", "georgios pappas"),
        ("Halden Maritime", "halden maritme"),
        ("Halden Maritime", "haldne"),
        ("Halden Maritime", "haldeen"),
        ("Halden Maritime", "halxen"),
        ("Сергей Иванов", "Иваннов"),
    ],
)
def test_other_letters_and_mistakes_lead_to_the_case(ana, desk, subject, wanted):
    waiting(desk, subject)
    waiting(desk, "Quarry Lane")
    assert references_for(ana, wanted) == [subject]


@pytest.mark.parametrize(
    ("subject", "wanted"),
    [
        ("Halden Maritime", "haldxxn"),  # two letters
        ("Cedar 12346", "12345"),  # a number with another digit is another number
        ("Oslo AS", "osla"),  # too short
        ("Halden Maritime", '"haldeen"'),
    ],
)
def test_what_is_no_mistake_is_not_found(ana, desk, subject, wanted):
    waiting(desk, subject)
    assert references_for(ana, wanted) == []


def test_quotes_keep_other_spellings_out(ana, desk):
    waiting(desk, "Marina Foods")
    waiting(desk, "Marine Foods")
    assert set(references_for(ana, "marina foods")) == {"Marina Foods", "Marine Foods"}
    page = looked_for(ana, "marina").content.decode()
    assert "Words that differ by one letter match, too." in page
    assert references_for(ana, search.exactly("marina foods")) == ["Marina Foods"]
    assert references_for(ana, '"marina foods"') == ["Marina Foods"]


def test_a_renamed_case_leaves_no_word_behind(desk):
    case = waiting(desk, "Halden Maritime")
    case.subject = "Cedar Maritime"
    case.save()
    assert set(SearchWord.objects.values_list("word", flat=True)) == {
        "cedar",
        "maritime",
    }


def test_words_read_from_a_scan_lead_to_its_case(ana, desk, reading):
    case = reading("Zephyrine Oyelaran-Brandt")
    assert references_for(ana, "oyelaran") == [case.subject]
    assert references_for(ana, "zephirine") == [case.subject]
    page = markup.unescape(looked_for(ana, "oyelaran").content.decode())
    assert "Read from its documents:" in page
    assert "<mark>oyelaran</mark>" in page
    text = marked(ana, case, "oyelaran").content.decode()
    assert "<mark>Oyelaran</mark>" in text


@pytest.fixture
def reading(desk):
    """A case whose checks have ended; they read this name from a scan."""

    def make(name):
        from reviews.jobs import completion

        case = factories.make_case(desk, subject="Quarry Lane", self_attested_data={})
        document = case.documents.create(
            kind="incorporation_documents", file_name="a.pdf", status="drawn"
        )
        job = factories.make_job(case, status="running")
        body = {
            "passed": True,
            "payload": {
                "document": {"id": str(document.pk), "file_name": "a.pdf"},
                "extraction_data": {
                    "type": "x",
                    "business_name": name,
                    "evidence": {"business_name": {"source": "OCR", "confidence": 0.9}},
                },
            },
        }
        row = CheckResult(
            job=job,
            source=CheckResult.Source.TOOL,
            check_id="kyb.incorporation_document_extraction_tool",
            body=body,
            passed=True,
        )
        completion.apply_results(job, [row])
        completion.complete(job, recommendation="Approve", has_results=True)
        return case

    return make


def test_a_later_run_replaces_what_was_read(ana, desk, reading):
    case = reading("Zephyrine")
    text = SearchText.objects.get(case=case, is_reading=True)
    assert text.text == "zephyrine"
    assert list(text.words.values_list("word", flat=True)) == ["zephyrine"]


def test_an_erased_case_leaves_nothing_in_the_search(desk, reading):
    case = reading("Zephyrine Иванов")
    document = case.documents.create(kind="ein_documents", file_name="a.pdf")
    page = Page.objects.create(document=document, number=1, width=1, height=1)
    case.search_texts.create(page=page, text="registered in bergen")
    case.refresh_from_db()
    erasing.erase(case, at=now())
    rows = SearchText.objects.filter(case=case)
    assert [row.text.split("\n")[0] for row in rows] == [case.reference.lower()]
    words = SearchWord.objects.values_list("word", flat=True)
    assert set(words) <= {ERASED.strip("[]").lower()}
    for word in ("zephyrine", "ivanov", "bergen", "quarry"):
        assert not rows.filter(text__contains=word).exists()


def test_whoever_sees_no_names_learns_none(desk, settings):
    settings.MASKED_ROLES = frozenset({"integrator"})
    case = waiting(desk, "Halden Maritime")
    masked = Client()
    masked.force_login(factories.make_user("bot", role="integrator"))
    for wanted in ("halden", "haldne", '"halden"', "Хальден"):
        answers = (
            masked.post("/queue/find/", {"q": wanted}),
            suggested(masked, wanted),
            looked_for(masked, wanted),
        )
        for answer in answers:
            page = answer.content.decode()
            assert f"/cases/{case.pk}/" not in page
            assert "differ by one letter" not in page
    page = looked_for(masked, case.reference).content.decode()
    assert f"/cases/{case.pk}/" in page
    with masks.hidden():
        assert search.terms("halden") == []
        assert not Highlighter.of("haldne")


def test_the_interface_finds_as_the_page_does(desk):
    waiting(desk, "Сергей Иванов")
    api = Caller(factories.make_user("ana", role="analyst"))
    for wanted in ("ivanov", "ivanof", "Иванов"):
        items = api.post("/cases/search", {"q": wanted}).json()["items"]
        assert [item["subject"] for item in items] == ["Сергей Иванов"]
    assert api.post("/cases/search", {"q": '"ivanof"'}).json()["items"] == []


def test_suggestions_are_options_and_what_was_typed_comes_first(ana, desk):
    waiting(desk, "Marina Foods")
    for number in range(9):
        waiting(desk, f"Marine Foods {number}")
    page = suggested(ana, "marina").content.decode()
    assert page.count('role="option"') == 8
    assert page.index("<mark>Marina</mark> Foods") < page.index("Foods 8")
    assert "<mark>Marine</mark> Foods 8" in page
    assert suggested(ana, "").content.decode().strip() == ""


def test_marks_escape_what_stands_around_them(ana, desk):
    waiting(desk, "<i>Blue</i> Heron & Co")
    page = looked_for(ana, "heron").content.decode()
    assert "&lt;i&gt;Blue&lt;/i&gt; <mark>Heron</mark> &amp; Co" in page
    page = looked_for(ana, "<i>blue").content.decode()
    assert "<mark>&lt;i&gt;Blue</mark>" in page


def test_words_are_marked_on_the_page_of_the_case(ana, desk):
    case = waiting(
        desk, "Quarry Lane", self_attested_data={"business_name": "Bergen Lines"}
    )
    document = case.documents.create(
        kind="ein_documents", file_name="a.pdf", status="drawn"
    )
    words = [["Registered", 0.1, 0.1, 0.2, 0.12], ["Bergen", 0.3, 0.1, 0.4, 0.12]]
    for number in (1, 2):
        page = Page.objects.create(
            document=document, number=number, width=100, height=140,
            words=words if number == 2 else [],
        )  # fmt: skip
    case.search_texts.create(page=page, text="registered bergen")
    line = looked_for(ana, "registered").context["page"]["lines"][0]
    assert line.hit.place == "Page 2"
    assert line.hit.href.endswith(f"&doc={document.pk.hex}#page-2")
    assert "registered" not in line.hit.href
    text = marked(ana, case, "bergen").content.decode()
    assert text.count('<svg class="hits"') == 1
    assert '<a\n          href="#page-2">2</a>' in text
    assert (
        "<mark>Bergen</mark> Lines"
        in marked(ana, waiting(desk, "Bergen Lines"), "bergen").content.decode()
    )
    assert "<mark>" not in ana.get(f"/cases/{case.pk}/").content.decode()
    assert 'class="hits"' not in ana.get(f"/cases/{case.pk}/").content.decode()


@pytest.mark.parametrize(
    ("text", "wanted", "marks"),
    [
        ("Halden Maritime AS", "mari", ["Mari"]),
        ("Сергей Иванов", "ivanov", ["Иванов"]),
        ("محمد علي", "mohammed", ["محمد"]),
        ("İstanbul Gıda", "istanbul", ["İstanbul"]),
        ("Blue Heron", "quarry", []),
    ],
)
def test_marks_of_a_text(desk, text, wanted, marks):
    runs = Highlighter.of(wanted).runs(text)
    assert "".join(run.text for run in runs) == text
    assert [run.text for run in runs if run.is_hit] == marks


def test_neighbours_are_all_words_one_letter_away():
    near = forms.neighbours("halden")
    for word in ("alden", "halde", "haldeen", "xhalden", "hxlden", "hladen", "haldne"):
        assert word in near
    for word in ("halden", "haldxxn", "hal den", ""):
        assert word not in near
    assert forms.neighbours("osla") == set()
    assert forms.neighbours("12345") == set()
