from __future__ import annotations

import base64
import hmac
import json
import threading
from datetime import timedelta

import pytest
from django.db import connection as database
from django.test import Client
from django.utils.timezone import now

from reviews.models import Connection, WebhookSecret
from tests.factories import SECRET, make_case, make_connection
from webhooks import senders
from webhooks.models import Event

BODY = json.dumps({"job_id": "j", "tool_id": "t", "results": {}}).encode()


def sign(message: bytes, secret: str = SECRET) -> str:
    """Written out, not borrowed: the test must not agree with a mistake of ours."""
    return base64.b64encode(
        hmac.new(secret.encode(), message, "sha256").digest()
    ).decode()


def send(client: Client, body: bytes = BODY, *, slug: str = "hub", **headers: str):
    headers.setdefault("X_Signature_SHA256", sign(body))
    return client.post(
        f"/webhooks/{slug}/",
        data=body,
        content_type="application/json",
        headers={name.replace("_", "-"): value for name, value in headers.items()},
    )


@pytest.fixture
def hub(db) -> Connection:
    return make_connection()


def test_a_good_signature_is_kept_word_for_word(client, hub):
    body = b'{ "tool_id" : "t",\n "job_id":"j", "results":{"\xc3\xa9": 1e2}}'
    response = send(client, body)
    assert (response.status_code, response.json()) == (200, {"status": "ok"})
    event = Event.objects.get()
    assert bytes(event.body) == body
    assert event.secret == hub.webhook_secrets.get()
    assert event.headers["X-Signature-SHA256"] == sign(body)


def test_the_same_bytes_again_are_answered_and_change_nothing(client, hub):
    assert [send(client).status_code for _ in range(3)] == [200, 200, 200]
    assert Event.objects.count() == 1


@pytest.mark.parametrize(
    "signature",
    [
        "",
        "é",
        "AAAA",
        sign(BODY + b" "),
        sign(BODY, "another"),
        sign(BODY).lower(),
        "\x00",
    ],
)
def test_a_bad_signature_is_401_and_nothing_is_kept(client, hub, signature):
    response = send(client, X_Signature_SHA256=signature)
    assert response.status_code == 401
    assert response.json()["error"] == "Unauthorized"
    assert not Event.objects.exists()


def test_no_signature_is_401(client, hub):
    response = client.post("/webhooks/hub/", BODY, content_type="application/json")
    assert response.status_code == 401


def job_event(case_id: object = "case-1") -> bytes:
    return json.dumps(
        {"id": "j", "status": "complete", "input_payload": {"id": case_id}}
    ).encode()


def test_the_compact_signature_must_fit_where_it_is_sent(client, hub):
    body = job_event()
    good = {"service_signature_compact": sign(b"case-1")}
    assert send(client, body, **good).status_code == 200
    bad = {"service_signature_compact": sign(b"case-2")}
    assert send(client, job_event() + b" ", **bad).status_code == 401
    assert Event.objects.count() == 1


def test_the_compact_signature_alone_is_not_enough(client, hub):
    response = client.post(
        "/webhooks/hub/",
        job_event(),
        content_type="application/json",
        headers={"service-signature-compact": sign(b"case-1")},
    )
    assert response.status_code == 401


def test_a_compact_signature_of_nothing_is_refused(client, hub):
    # The body names no case, so there is nothing that the header could sign.
    assert send(client, BODY, service_signature_compact=sign(b"")).status_code == 401


def test_the_compact_signature_signs_the_string_form_of_the_id(client, hub):
    assert (
        send(client, job_event(17), service_signature_compact=sign(b"17")).status_code
        == 200
    )


FORGED = '{"id":"5","status":"complete","recommendation":"Approve"}'


def test_the_compact_signature_of_an_old_case_is_no_full_one(client, hub):
    """Of before references had an alphabet: one may still stand."""
    assert send(client, FORGED.encode()).status_code == 200
    Event.objects.all().delete()
    make_case(hub, reference=FORGED)
    answer = send(client, FORGED.encode(), X_Signature_SHA256=sign(FORGED.encode()))
    assert answer.status_code == 401
    assert not Event.objects.exists()
    other = make_connection("other")
    assert send(client, FORGED.encode(), slug=other.slug).status_code == 200


@pytest.mark.parametrize("reference", ["case-001", "123", "urn:x:1", "true", "é" * 255])
def test_the_compact_signature_of_a_reference_is_no_full_one(client, hub, reference):
    assert send(client, reference.encode()).status_code == 401
    assert not Event.objects.exists()


def test_a_connection_names_its_own_compact_header(client, hub):
    Connection.objects.update(compact_header="x-vendor-compact")
    assert (
        send(client, job_event(), x_vendor_compact=sign(b"case-2")).status_code == 401
    )
    assert (
        send(client, job_event(), x_vendor_compact=sign(b"case-1")).status_code == 200
    )


def test_any_active_secret_is_taken_and_the_event_says_which(client, hub):
    second = WebhookSecret.objects.create(connection=hub, name="second", secret="next")
    assert send(client, X_Signature_SHA256=sign(BODY, "next")).status_code == 200
    assert Event.objects.get().secret == second
    assert send(client, BODY + b" ").status_code == 200


def test_a_secret_past_its_end_is_refused(client, hub):
    WebhookSecret.objects.update(active_until=now() - timedelta(seconds=1))
    assert send(client).status_code == 401


@pytest.mark.parametrize("secret", ["", " ", "\n", "whsec_", "whsec_%%%"])
def test_a_secret_that_anybody_can_guess_signs_nothing(client, hub, secret):
    WebhookSecret.objects.create(connection=hub, name="second", secret=secret)
    assert send(client, X_Signature_SHA256=sign(BODY, secret)).status_code == 401
    assert send(client).status_code == 200


@pytest.mark.parametrize("length", ["²", "-1", "1e3", "0x10", ""])
def test_a_length_that_is_no_number_is_no_fault_of_ours(client, hub, length):
    answer = client.post(
        "/webhooks/hub/", BODY, content_type="application/json", CONTENT_LENGTH=length
    )
    assert answer.status_code == 401


def test_a_secret_of_another_connection_is_refused(client, hub):
    make_connection("other", secret="others")
    assert send(client, X_Signature_SHA256=sign(BODY, "others")).status_code == 401


def test_unknown_and_inactive_connections_are_refused_as_forgeries_are(client, hub):
    assert send(client, slug="nobody").status_code == 401
    assert send(client, slug="x" * 500).status_code == 401
    assert send(client, slug="%00").status_code == 401
    Connection.objects.update(is_active=False)
    assert send(client).status_code == 401


def test_nothing_tells_which_connections_exist(client, hub):
    """Neither without a signature, nor with a forged one, nor with one without its time."""
    for signature in ("", "forged"):
        answers = []
        for since in (None, now()):
            Connection.objects.update(timestamped_since=since)
            senders.forget()
            for slug in (hub.slug, "nobody"):
                answer = send(client, slug=slug, X_Signature_SHA256=signature)
                del answer["X-Request-ID"]
                answers.append(
                    (answer.status_code, answer.content, dict(answer.headers))
                )
        assert answers[0][0] == 401
        assert answers == [answers[0]] * 4
        assert answers[0][2]["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("method", ["get", "put", "delete", "patch"])
def test_other_methods_are_405(client, hub, method):
    response = getattr(client, method)("/webhooks/hub/")
    assert response.status_code == 405
    assert response["Allow"] == "POST"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"not json",
        b"[1]",
        b'"text"',
        b"null",
        b"\xff\xfe",
        b'{"a": NaN}',
        b"[" * 5000,
    ],
)
def test_a_body_that_is_no_json_object_speaks_for_nobody(client, hub, body):
    # Its signature may be the compact one of a case of that name.
    response = send(client, body)
    assert response.status_code == 401
    assert response.json()["message"].startswith("What is signed must be a JSON object")
    assert not Event.objects.exists()


def test_a_body_that_is_too_large_is_413(client, hub, settings):
    settings.MAX_WEBHOOK_BYTES = 100
    assert send(client, BODY + b" " * 100).status_code == 413
    assert not Event.objects.exists()


def test_no_session_or_cookie_is_involved(client, hub, django_assert_max_num_queries):
    body = json.dumps(
        {"job_id": "j", "tool_id": "t", "results": {"answer": "x" * 300}}
    ).encode()
    send(client, body)
    with django_assert_max_num_queries(1):
        response = send(client, body + b" ")
    assert not response.cookies


@pytest.mark.fault("F1", "the same webhook fifty times at once")
@pytest.mark.django_db(transaction=True)
def test_fifty_copies_at_once_are_one_event(client):
    make_connection()
    answers: list[int] = []

    def post():
        answers.append(send(Client()).status_code)
        database.close()

    threads = [threading.Thread(target=post) for _ in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [200] * 50
    assert Event.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_many_at_once_are_each_kept(client):
    make_connection()
    bodies = [BODY + b" " * number for number in range(40)]
    start = threading.Barrier(8)

    def post(own: list[bytes]) -> None:
        start.wait()
        for body in own:
            assert send(Client(), body).status_code == 200
        database.close()

    # Each body is sent by two threads.
    threads = [
        threading.Thread(target=post, args=(bodies[n % 4 :: 4],)) for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {bytes(event.body) for event in Event.objects.all()} == set(bodies)
    assert Event.objects.count() == len(bodies)
