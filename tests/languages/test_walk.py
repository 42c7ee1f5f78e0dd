"""What a walk through the demonstration in other languages met in English."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.utils import translation
from django.utils.timezone import now

from compliance.models import LocalePreference
from reviews.access import roles
from reviews.decisions import rationale_draft
from reviews.decisions.policies.error_rates import Interval
from reviews.findings.review_state import ReviewState
from reviews.models import Case, CheckReview, Outcome, SecondLook
from reviews.results import kinds, words
from reviews.results.checklist import check_label
from reviews.results.sentences import in_words
from tests.factories import make_connection, make_event, make_user
from tests.languages.test_labels import german_page
from tests.reviews.decisions.test_decision_policy import put_live
from tests.reviews.pages.case.rows import add_check_result, reviewed_case
from tests.reviews.queue.test_bulk_approvals import clean
from tests.reviews.rows import CHECK, decide, one_person, open_case, someone

ALL = {"sample": 100}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "2 parties screened. Ann Lee: No match on Demo (13 entries, 2026-05-12)."
            " Bo Katz: No match on Demo (13 entries, 2026-05-12).",
            "2 Beteiligte abgeglichen. Ann Lee: Kein Treffer auf Demo (13 Einträge,"
            " 12.05.2026). Bo Katz: Kein Treffer auf Demo (13 Einträge, 12.05.2026).",
        ),
        (
            "in the head of the page, repeated in the text",
            "im Kopf der Seite, im Text wiederholt",
        ),
        # Of a label behind another sentence, which also fits "not checked: {reason}".
        (
            "No seal; none is expected on a utility bill. Authenticity verification: not"
            " checked: no mark of a register was found.",
            "Kein Siegel; bei dieser Dokumentart wird keines erwartet: Versorgerrechnung."
            " Prüfung der Echtheit: nicht geprüft: Es wurde kein Merkmal eines Registers"
            " gefunden.",
        ),
        # The name of an issuer has no English article.
        (
            "Documents of the Division of Corporations of Delaware are usually written"
            " otherwise.",
            "Dokumente dieser Stelle werden gewöhnlich anders geschrieben: Division of"
            " Corporations of Delaware.",
        ),
        (
            "The Internal Revenue Service gives a file with text.",
            "Internal Revenue Service gibt eine Datei mit Text aus.",
        ),
        # Data stay as they are.
        ("Ann Lee, repeated in the text", "Ann Lee, repeated in the text"),
        ("Motto: No match found", "Motto: No match found"),
    ],
)
def test_names_before_a_sentence_and_lists_of_words(text, expected):
    with translation.override("de"):
        assert in_words(text) == expected


@pytest.mark.parametrize(
    "check_id",
    [
        "kyb.business_ownership_extraction_tool",
        "kyb.ein_document_extraction_tool",
        "kyc.proof_of_address_extraction_tool",
    ],
)
def test_the_label_of_each_tool_that_reads_a_document_is_translated(check_id):
    assert check_label(check_id) in words.CHECKS


def test_a_hit_is_described_in_the_language_of_the_reader():
    identity = ("demo", "1")
    details: kinds.HitDetails = {
        "list": {},
        "kind": "",
        "query": "",
        "schema": "",
        "entry": {},
        "alignment": [],
        "facts": [],
    }
    hit = kinds.Hit(
        ref="h1",
        boxes=(),
        entry_name="Ann",
        band="strong",
        score=0.906,
        list_title="Demo",
        identity=identity,
        has_more_than_name=False,
        details=details,
    )
    assert hit.description == "Strong match, score 0.91, on Demo."
    with translation.override("de"):
        assert hit.description == "Starker Treffer, Wert 0,91, auf Demo."


@pytest.mark.django_db
def test_a_rationale_is_drafted_in_the_language_of_who_signs_it(client):
    case = open_case(failing=True)
    ana = someone(roles.ANALYST, "ana")
    CheckReview.objects.create(
        job=case.jobs.get(), check_id=CHECK, kind="overridden", by=ana, reason="Known."
    )
    with translation.override("de"):
        text = rationale_draft.draft(ReviewState.of(case), Outcome.REJECT)
    assert text.startswith("Sanktionsabgleich: ")
    assert text.endswith("(übersteuert: Known.)")


@pytest.mark.django_db
def test_a_drafted_rationale_keeps_the_capitals_of_its_nouns(client):
    case = open_case()
    with translation.override("de"):
        text = rationale_draft.draft(ReviewState.of(case), Outcome.APPROVE)
    assert text.endswith("1 Prüfung bestanden.")


@pytest.mark.django_db
def test_what_documents_prove_is_shown_as_facts(client):
    owner = {
        "name": "Ann Lee",
        "percentage": 52.0,
        "how": "a line with a name and a percentage",
        "confidence": 0.85,
        "boxes": [{"page": 1, "x0": 0.1, "y0": 0.2, "x1": 0.3, "y1": 0.4}],
    }
    case, job = reviewed_case()
    result = {"passed": True, "verified_owners": [owner]}
    add_check_result(job, result, check_id="kyb.business_ownership_check")
    page = german_page(client, case, "?check=kyb.business_ownership_check")
    assert "<dt>Eigentümer</dt><dd>Ann Lee, 52 %</dd>" in page


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "A result came after the decision: Sanctions screening failed.",
            "Nach der Entscheidung kam ein Ergebnis: Sanktionsabgleich nicht bestanden.",
        ),
        (
            "Run again, and nothing is said of this check any more: Email."
            " Before, it is inconclusive.",
            "Erneut ausgeführt, und zu dieser Prüfung gibt es kein Ergebnis mehr: E-Mail."
            " Vorher war ihr Ergebnis nicht klar.",
        ),
        (
            "Screened again, with a new hit. Ann Lee: Strong match, score 0.91, on Demo."
            " Bo Katz: Possible match, score 0.80, on Demo. And 2 more.",
            "Erneut abgeglichen, mit einem neuen Treffer. Ann Lee: Starker Treffer, Wert"
            " 0,91, auf Demo. Bo Katz: Möglicher Treffer, Wert 0,80, auf Demo. Und 2"
            " weitere.",
        ),
        (
            "The service recommends “Reject”. It was decided on “Approve”.",
            "Der Dienst empfiehlt „Ablehnen“. Entschieden wurde auf „Genehmigen“ hin.",
        ),
        (
            "The service recommends “Approve” now. “Reject” stands until a person decides.",
            "Der Dienst empfiehlt jetzt „Genehmigen“. „Ablehnen“ gilt, bis eine Person"
            " entscheidet.",
        ),
        (
            "A webhook of this case could not be read: number 1234. It was kept.",
            "Ein Webhook dieses Falls konnte nicht gelesen werden: Nummer 1234. Er wurde"
            " aufbewahrt.",
        ),
    ],
)
def test_why_a_case_needs_a_person_again_is_translated(text, expected):
    with translation.override("de"):
        assert in_words(text) == expected


@pytest.mark.django_db
def test_an_alarm_and_a_webhook_say_why_in_the_language_of_the_reader(client):
    reason = "A result came after the decision: Sanctions screening failed."
    case, job = reviewed_case(alarm=reason, alarm_at=now())
    page = german_page(client, case)
    assert "Nach der Entscheidung kam ein Ergebnis" in page
    assert reason not in page
    event = make_event(case)
    event.job = job
    event.status = "ignored"
    event.reason = "It is neither a job event nor a tool event."
    event.save()
    page = client.get(f"/webhooks/received/{event.pk}/").content.decode()
    assert "Es ist weder ein Ereignis eines Auftrags noch eines Werkzeugs." in page


@pytest.mark.django_db
def test_a_second_look_is_in_the_language_of_the_reader(client):
    one_person()
    put_live(someone(roles.RULE_OWNER, "olga"), someone(roles.RULE_OWNER, "otto"), ALL)
    case = clean(make_connection(), "one")
    case.self_attested_data = {"owners": [{"first_name": "Ada"}]}
    case.save()
    decide(case, someone(roles.ANALYST, "ana"))
    look = SecondLook.objects.get()
    bea = make_user("bea")
    LocalePreference.objects.create(user=bea, language="de")
    client.force_login(bea)
    client.post(f"/second-looks/{look.pk}/take/")
    page = client.get(f"/second-looks/{look.pk}/").content.decode()
    assert "Sanktionsabgleich" in page
    assert "Sanctions screening" not in page
    assert "<td>Vorname: Ada</td>" in page


@pytest.mark.django_db
def test_the_period_report_names_checks_in_the_language_of_the_reader(client):
    case = open_case(failing=True)
    CheckReview.objects.create(
        job=case.jobs.get(), check_id=CHECK, kind="overridden", reason="x",
        by=someone(roles.ANALYST, "ana"),
    )  # fmt: skip
    auditor = someone(roles.AUDITOR)
    LocalePreference.objects.create(user=auditor, language="de")
    client.force_login(auditor)
    today = now().date()
    page = client.get(f"/period-report/?first={today}&last={today}").content.decode()
    assert "Übersteuert: Sanktionsabgleich" in page


@pytest.mark.django_db
def test_exact_times_of_the_queue_are_in_the_language_and_zone_of_the_reader(client):
    moment = datetime(2026, 7, 1, 9, 30, tzinfo=UTC)
    case = open_case(due_at=moment)
    Case.objects.update(created_at=moment)
    ana = someone(roles.ANALYST, "ana")
    LocalePreference.objects.create(user=ana, language="de", time_zone="Europe/Berlin")
    client.force_login(ana)
    for address in ("/", f"/cases/{case.pk}/"):
        page = client.get(address).content.decode()
        assert 'title="01.07.2026 11:30 CEST"' in page
        assert "09:30 UTC" not in page


def test_a_code_of_a_proof_of_address_is_in_words():
    assert (
        words.value_in_words("Proof of address type", "UTILITY_BILL") == "Utility bill"
    )
    with translation.override("de"):
        assert (
            words.value_in_words("Proof of address type", "VAT_INVOICE")
            == "Rechnung mit Umsatzsteuer"
        )


def test_a_rate_and_its_interval_are_written_as_the_reader_writes_them():
    assert Interval(1, 3).words == "33.3 % (6.1 to 79.2 %)"
    with translation.override("de"):
        assert Interval(1, 3).words == "33,3 % (6,1 bis 79,2 %)"
