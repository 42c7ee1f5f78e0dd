"""Why a job waits or failed is in the language of the reader; words of the service stay as they are."""

from __future__ import annotations

import pytest
from django.utils import translation

from compliance.models import LocalePreference
from reviews.models import Job
from reviews.results.sentences import in_words
from tests.factories import make_user
from tests.reviews.pages.case.rows import reviewed_case, words

WAITS = "The service takes no more at the moment. submit_job: 429 busy"
SHOWN = "Der Dienst nimmt im Moment nichts mehr an."


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (WAITS, f"{SHOWN} submit_job: 429 busy"),
        (
            "The results could not be collected: get_job: 500 no reason given",
            "Die Ergebnisse konnten nicht abgeholt werden: get_job: 500 no reason given",
        ),
        (
            "A webhook said: the job is complete. No answer confirms it: get_job: 404 gone",
            "Ein Webhook meldete: the job is complete. Keine Antwort bestätigt es: get_job: 404 gone",
        ),
        (
            "The service says of this job: “odd”. Whether it has ended cannot be told from that.",
            "Der Dienst meldet zu diesem Auftrag: „odd“. Ob er beendet ist, lässt sich daraus nicht erkennen.",
        ),
        (
            "The service says of this job: no status. Whether it has ended cannot be told from that.",
            "Der Dienst meldet zu diesem Auftrag keinen Status. Ob er beendet ist, lässt sich daraus nicht erkennen.",
        ),
        (
            "Waits for the malware scanner: certificate.pdf, id.png",
            "Wartet auf den Malware-Scanner: certificate.pdf, id.png",
        ),
        (
            f"Ana Lee stopped waiting for this job. It was under way since 2026-03-01 10:20 UTC. {WAITS}",
            f"Ana Lee wartet nicht mehr auf diesen Auftrag. Er lief seit 2026-03-01 10:20 UTC. {SHOWN} submit_job: 429 busy",
        ),
        (
            "The service reported that the job failed.",
            "Der Dienst meldete, dass der Auftrag fehlgeschlagen ist.",
        ),
    ],
)
def test_the_error_of_a_job_is_translated(error, expected):
    with translation.override("de"):
        assert in_words(error) == expected


@pytest.mark.django_db
@pytest.mark.parametrize(
    "status", [Job.Status.RUNNING, Job.Status.FAILED, Job.Status.COMPLETE]
)
def test_the_page_of_a_case_translates_the_error_of_its_job(client, status):
    case, job = reviewed_case(status=status)
    job.error = WAITS
    job.save()
    person = make_user()
    LocalePreference.objects.create(user=person, language="de")
    client.force_login(person)
    shown = words(client, f"/cases/{case.pk}/")
    assert SHOWN in shown
    assert "submit_job: 429 busy" in shown
