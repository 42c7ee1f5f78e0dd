"""What Prometheus reads, parsed by its own parser."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.test import Client, override_settings
from django.utils.timezone import now
from prometheus_client.parser import text_string_to_metric_families

from agenthub.models.lists import ListSource, ListVersion
from compliance.operation import heartbeats
from compliance.operation.metrics import requests
from compliance.work import tallies
from reviews.models import Document, Job
from tests import factories
from tests.factories import make_user

pytestmark = pytest.mark.django_db
TOKEN = "a token of tests"
BEARER = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def scrape(settings):
    """Metrics as they are served, with the middleware that counts requests."""
    settings.METRICS_TOKEN = TOKEN
    settings.MIDDLEWARE = [
        "compliance.operation.metrics.requests.count_requests",
        *settings.MIDDLEWARE,
    ]
    client = Client(raise_request_exception=False)

    def get() -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
        answer = client.get("/metrics", headers=BEARER)
        assert answer.status_code == 200
        assert answer["Content-Type"].startswith("text/plain; version=0.0.4")
        return dict(samples(answer.content.decode()))

    return get


def samples(
    text: str,
) -> Iterator[tuple[tuple[str, frozenset[tuple[str, str]]], float]]:
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            yield (sample.name, frozenset(sample.labels.items())), sample.value


def key(name: str, **labels: str) -> tuple[str, frozenset[tuple[str, str]]]:
    return f"compliance_{name}", frozenset(labels.items())


def test_off_until_it_is_set_up(client):
    assert client.get("/metrics").status_code == 404


@override_settings(METRICS_TOKEN=TOKEN)
def test_only_with_the_token(client):
    assert client.get("/metrics").status_code == 401
    wrong = client.get("/metrics", headers={"Authorization": "Bearer wröng"})
    assert wrong.status_code == 401
    assert wrong["WWW-Authenticate"] == "Bearer"
    client.force_login(make_user("root", role="administrator"))
    assert client.get("/metrics").status_code == 401
    right = client.get("/metrics", headers=BEARER)
    assert right.status_code == 200
    assert "no-store" in right["Cache-Control"]


@override_settings(METRICS_NETWORKS=["10.1.0.0/16", "fd00::/8"])
def test_only_from_the_networks(client):
    for address, status in (
        ("127.0.0.1", 403),
        ("10.1.2.3", 200),
        ("10.2.2.3", 403),
        ("fd00::7", 200),
        # As a socket for both kinds of addresses sees IPv4 callers.
        ("::ffff:10.1.2.3", 200),
        ("::ffff:10.2.2.3", 403),
        ("", 403),
    ):
        assert client.get("/metrics", REMOTE_ADDR=address).status_code == status
    # What a caller says of itself counts for nothing.
    answer = client.get("/metrics", headers={"X-Forwarded-For": "10.1.2.3"})
    assert answer.status_code == 403


@override_settings(METRICS_NETWORKS=["10.1.0.0/16"], METRICS_TOKEN=TOKEN)
def test_with_both_both_are_needed(client):
    assert client.get("/metrics", REMOTE_ADDR="10.1.2.3").status_code == 401
    assert client.get("/metrics", headers=BEARER).status_code == 403
    answer = client.get("/metrics", headers=BEARER, REMOTE_ADDR="10.1.2.3")
    assert answer.status_code == 200


def test_requests_are_counted_by_the_name_of_the_page(scrape):
    client = Client(raise_request_exception=False)
    for _ in range(3):
        client.get("/health/live")
    client.get("/cases/17/")
    client.get("/no/such/page/of/Jane/Doe/")
    client.generic("BREW", "/health/live")
    client.post("/webhooks/hub/", b"{}", content_type="application/json")
    figures = scrape()
    live = {"method": "GET", "route": "health-live", "status": "200"}
    assert figures[key("http_requests_total", **live)] == 3
    assert key("http_request_seconds_count", route="health-live") in figures
    total = figures[key("http_request_seconds_count", route="health-live")]
    assert total == figures[key("http_request_seconds_bucket", route="health-live", le="+Inf")] == 4  # fmt: skip
    brewed = {"method": "OTHER", "route": "health-live", "status": "405"}
    assert figures[key("http_requests_total", **brewed)] == 1
    unmatched = {"method": "GET", "route": "unmatched", "status": "404"}
    assert figures[key("http_requests_total", **unmatched)] == 1
    routes = {dict(labels)["route"] for name, labels in figures if name.endswith("requests_total")}  # fmt: skip
    assert routes == {"health-live", "case-detail", "unmatched", "webhook"}
    # The request before is in it.
    data = {"method": "GET", "route": "metrics", "status": "200"}
    assert scrape()[key("http_requests_total", **data)] == 1


def test_buckets_hold_each_time_once():
    assert requests.bucket_of(0.005) == "0.005"
    assert requests.bucket_of(0.0051) == "0.01"
    assert requests.bucket_of(99) == "+Inf"


def test_what_waits_and_since_when(scrape):
    case = factories.make_case()
    since = now() - timedelta(minutes=10)
    for changes in (
        {},
        {"leased_until": now() + timedelta(minutes=1), "failures": 2},
        {"leased_until": now() + timedelta(minutes=1)},
    ):
        Document.objects.create(
            case=case, kind=Document.Kind.EIN, file_name="a", due_at=since, **changes
        )
    figures = scrape()
    labels = {"queue": "reviews.tasks.draw_documents", "cost_class": "documents"}
    assert figures[key("queue_waiting", **labels)] == 1
    assert figures[key("queue_leased", **labels)] == 2
    assert figures[key("queue_failing", **labels)] == 1
    assert 599 < figures[key("queue_oldest_seconds", **labels)] < 700


def test_each_class_of_cost_is_there_before_there_is_work(scrape):
    classes = {
        dict(labels)["cost_class"]
        for name, labels in scrape()
        if name == "compliance_queue_waiting"
    }
    assert classes == {"data", "documents", "deliveries", "bulk"}


def test_work_is_counted_by_what_came_of_it(scrape, work_off):
    hub = factories.make_hub(connection := factories.make_connection())
    case = factories.make_case(connection, agent=hub["desk_kyb"])
    factories.make_job(case, status=Job.Status.QUEUED)
    Job.objects.update(due_at=now())
    work_off()
    figures = scrape()
    # Nobody listens at the address of the connection: it is tried again.
    labels = {"queue": "reviews.tasks.advance_jobs", "outcome": "handled"}
    assert figures[key("queue_rows_total", **labels)] == 1
    assert figures[key("queue_work_seconds_total", **labels)] >= 0


def test_counts_of_two_processes_add_up():
    for _ in range(2):
        tallies.add(tallies.Kind.CHECK, "kyb.some_check", "pass", seconds=1.5)
        tallies.flush()
    tallies.flush()
    row = tallies.Tally.objects.get(kind=tallies.Kind.CHECK)
    assert (row.count, row.seconds) == (2, 3.0)


def test_sign_ins_without_a_name(scrape):
    make_user("jane.doe")
    client = Client()
    page = {"login": "jane.doe", "password": "correct horse"}
    client.post("/login/", {**page, "password": "wrong"})
    assert client.post("/login/", page).status_code == 302
    figures = scrape()
    assert figures[key("sign_ins_total", outcome="accepted")] == 1
    assert figures[key("sign_ins_total", outcome="refused")] == 1
    assert "jane" not in str(figures)


def test_age_of_lists(scrape):
    source = ListSource.objects.create(slug="ofac", title="OFAC", format="ofac")
    version = ListVersion.objects.create(
        source=source, status="active", file_name="a", sha256="0" * 64, entity_count=7
    )
    old = now() - timedelta(days=9)
    ListVersion.objects.filter(pk=version.pk).update(loaded_at=old)
    figures = scrape()
    age = figures[key("list_age_seconds", list="ofac")]
    assert age > figures[key("list_longest_age_seconds", list="ofac")] == 8 * 86_400
    assert figures[key("list_entries", list="ofac")] == 7
    assert figures[key("list_held", list="ofac")] == 0


def test_workers_by_heartbeat(scrape):
    heartbeats.Worker("one", {"default"}).beat()
    heartbeats.Worker("two", {"default", "documents"}).beat()
    heartbeats.note_sweep()
    figures = scrape()
    assert figures[key("workers", broker_queue="default")] == 2
    assert figures[key("workers", broker_queue="documents")] == 1
    assert figures[key("workers", broker_queue="deliveries")] == 0
    assert figures[key("heartbeat_age_seconds", broker_queue="documents")] < 30
    assert figures[key("sweep_age_seconds")] < 30
    assert figures[key("clock_skew_seconds", process="worker")] < 30
