"""Webhooks that are signed with their time: forged, old, ahead, and robbed of their signature."""

from __future__ import annotations

import base64
import hmac
import json
import logging
from datetime import datetime, timedelta

import pytest
from django.utils.timezone import now

from reviews.models import CaseEvent, Connection, WebhookSecret
from tests.clocks import travel
from tests.factories import SECRET, make_case, make_connection, make_user
from webhooks.models import Event

pytestmark = pytest.mark.django_db
BODY = json.dumps({"job_id": "j", "tool_id": "t", "results": {}}).encode()
TIMED = ("webhook-id", "webhook-timestamp", "webhook-signature")


def digest(content: bytes, secret: str = SECRET) -> str:
    """Written out, not borrowed: the test must not agree with a mistake of ours."""
    return base64.b64encode(
        hmac.new(secret.encode(), content, "sha256").digest()
    ).decode()


def timed(
    body: bytes = BODY,
    *,
    ago: float = 0,
    secret: str = SECRET,
    message: str = "msg_1",
    at: datetime | None = None,
) -> dict[str, str]:
    """The three headers of a webhook that was signed at that time, or so many seconds ago."""
    stamp = str(int((at or now()).timestamp() - ago))
    signed = f"{message}.{stamp}.".encode() + body
    return dict(
        zip(TIMED, (message, stamp, f"v1,{digest(signed, secret)}"), strict=True)
    )


def plain(body: bytes = BODY, secret: str = SECRET) -> dict[str, str]:
    return {"X-Signature-SHA256": digest(body, secret)}


def post(client, headers: dict[str, str], body: bytes = BODY, slug: str = "hub"):
    return client.post(
        f"/webhooks/{slug}/",
        data=body,
        content_type="application/json",
        headers=headers,
    )


@pytest.fixture
def hub() -> Connection:
    return make_connection()


@pytest.mark.parametrize("with_full", [True, False])
def test_a_webhook_with_its_time_is_kept_and_from_then_on_demanded(
    client, hub, with_full
):
    headers = timed() | (plain() if with_full else {})
    assert post(client, headers).status_code == 200
    event = Event.objects.get()
    assert event.secret == hub.webhook_secrets.get()
    assert {*TIMED} <= set(event.headers)
    hub.refresh_from_db()
    assert hub.timestamped_since is not None
    line = CaseEvent.objects.get(what="timestamps_demanded")
    assert line.data == {"connection": "hub"}
    assert post(client, timed(BODY + b" "), BODY + b" ").status_code == 200
    assert CaseEvent.objects.filter(what="timestamps_demanded").count() == 1


def test_one_robbed_of_its_time_is_refused_and_page_and_log_say_so(client, hub, caplog):
    assert post(client, plain()).status_code == 200, "before it has used the other way"
    assert post(client, timed(b'{"n": 1}'), b'{"n": 1}').status_code == 200
    with caplog.at_level(logging.WARNING):
        answer = post(client, plain(b'{"n": 2}'), b'{"n": 2}')
    assert answer.status_code == 401
    assert "webhook-signature" in answer.json()["message"]
    assert "webhook-signature" in caplog.text
    assert Event.objects.count() == 2
    client.force_login(make_user("adam", role="administrator"))
    page = client.get("/connections/").content.decode()
    assert "With a time since" in page
    assert "One without them is refused." in page


def test_an_administrator_lets_a_connection_go_without_the_time_again(client, hub):
    post(client, timed())
    assert post(client, plain(b'{"n": 2}'), b'{"n": 2}').status_code == 401
    client.force_login(make_user("sue", role="senior"))
    assert client.post(f"/connections/{hub.pk}/untimed/").status_code == 403
    client.force_login(make_user("adam", role="administrator"))
    assert client.post(f"/connections/{hub.pk}/untimed/").status_code == 302
    line = CaseEvent.objects.get(what="timestamps_not_demanded")
    assert line.data == {"connection": "hub"}
    assert str(line.user) == "adam"
    assert post(client, plain(b'{"n": 2}'), b'{"n": 2}').status_code == 200
    assert client.post(f"/connections/{hub.pk}/untimed/").status_code == 302
    assert CaseEvent.objects.filter(what="timestamps_not_demanded").count() == 1


@pytest.mark.parametrize("ago", [301, 86_400, -302])
def test_a_time_more_than_five_minutes_away_is_refused(client, hub, ago):
    answer = post(client, timed(ago=ago) | plain())
    assert answer.status_code == 401
    assert "webhook-timestamp is too" in answer.json()["message"]
    assert not Event.objects.exists()
    hub.refresh_from_db()
    assert hub.timestamped_since is None


def test_one_that_was_heard_cannot_be_sent_again_later(client, hub):
    body = b'{"n": 1}'
    headers = timed(body) | plain(body)
    later = make_connection("later")  # where it was not kept before
    with travel(now() + timedelta(minutes=6)):
        assert post(client, headers, body, slug=later.slug).status_code == 401
    assert post(client, headers, body, slug=later.slug).status_code == 200


def test_how_far_the_time_may_be_away_is_a_setting(client, hub, settings):
    settings.WEBHOOK_TOLERANCE_SECONDS = 30
    assert post(client, timed(ago=40)).status_code == 401
    settings.WEBHOOK_TOLERANCE_SECONDS = 60
    assert post(client, timed(ago=40)).status_code == 200


@pytest.mark.parametrize("name", TIMED)
@pytest.mark.parametrize("value", [None, "", "x", "v1,AAAA", "é", "\x00", "9" * 600])
def test_one_bad_header_of_the_three_is_refused_though_the_full_signature_fits(
    client, hub, name, value
):
    headers = timed() | plain()
    del headers[name]
    if value is not None:
        headers[name] = value
    assert post(client, headers).status_code == 401
    assert not Event.objects.exists()


def test_a_bad_full_signature_is_refused_though_the_timed_one_fits(client, hub):
    for bad in (plain(b"{}"), {"X-Signature-SHA256": ""}, plain(secret="another")):
        assert post(client, timed() | bad).status_code == 401
    wrong = {"service-signature-compact": digest(b"another")}
    assert post(client, timed() | wrong).status_code == 401


def test_a_full_signature_is_no_timed_one_and_the_other_way_round(client, hub):
    stamp = str(int(now().timestamp()))
    # What the full signature signs, split at a dot that a hostile sender has put there.
    whole = f'{{"a":"b.{stamp}.{{}}"}}'.encode()
    message, _, rest = whole.partition(f".{stamp}.".encode())
    stolen = dict(
        zip(TIMED, (message.decode(), stamp, f"v1,{digest(whole)}"), strict=True)
    )
    assert post(client, stolen, rest).status_code == 401
    content = f"msg_1.{stamp}.".encode() + BODY
    assert post(client, plain(content), content).status_code == 401
    assert not Event.objects.exists()


def test_the_compact_signature_of_an_old_case_is_no_timed_one(client, hub):
    """Of before references had an alphabet: one may still stand."""
    body = b'{"id":"5","status":"complete"}'
    headers = timed(body)
    reference = (
        f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    )
    make_case(hub, reference=reference.decode())
    assert headers["webhook-signature"] == f"v1,{digest(reference)}"
    assert post(client, headers, body).status_code == 401
    other = make_connection("other")
    assert post(client, headers, body, slug=other.slug).status_code == 200


def test_secrets_turn_as_with_the_other_signatures(client, hub):
    post(client, timed())
    fresh = WebhookSecret.objects.create(connection=hub, name="second", secret="next")
    body = b'{"n": 2}'
    at = now()
    first, second = timed(body, at=at), timed(body, secret="next", at=at)
    both = first["webhook-signature"] + " " + second["webhook-signature"]
    hub.webhook_secrets.filter(name="first").update(active_until=now())
    headers = second | {"webhook-signature": both}
    fresh.save()  # what this process keeps of the secrets is forgotten
    assert post(client, timed(b'{"n": 4}'), b'{"n": 4}').status_code == 401
    assert post(client, headers, body).status_code == 200
    event = Event.objects.get(secret=fresh)
    assert event.headers["webhook-signature"] == second["webhook-signature"]


def test_a_secret_of_standard_webhooks_is_read_as_its_libraries_read_it(client, hub):
    key = b"0123456789abcdef0123456789abcdef"
    secret = "whsec_" + base64.b64encode(key).decode()
    WebhookSecret.objects.create(connection=hub, name="second", secret=secret)
    stamp = str(int(now().timestamp()))
    mac = hmac.new(key, f"msg_1.{stamp}.".encode() + BODY, "sha256").digest()
    signature = f"v1,{base64.b64encode(mac).decode()}"
    headers = dict(zip(TIMED, ("msg_1", stamp, signature), strict=True))
    # The interface's own signatures know nothing of a prefix: all of the text is their key.
    assert post(client, headers | plain(secret=secret)).status_code == 200
    assert Event.objects.get().secret == hub.webhook_secrets.get(name="second")


def test_readers_are_told_which_way_and_by_which_secret_and_no_signature(client, hub):
    headers = timed() | plain()
    post(client, headers)
    client.force_login(make_user("adam", role="administrator"))
    page = client.get(f"/webhooks/received/{Event.objects.get().pk}/").content.decode()
    assert "verified, by the secret first" in page
    assert "webhook-signature and X-Signature-SHA256" in page
    assert headers["webhook-id"] in page
    assert headers["webhook-signature"].removeprefix("v1,") not in page
    assert headers["X-Signature-SHA256"] not in page
