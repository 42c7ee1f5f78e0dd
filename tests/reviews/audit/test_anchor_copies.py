"""Anchors are sent elsewhere, over real sockets; a channel that fails stops nothing."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import random
import threading
import warnings
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import StringIO
from typing import Any

import pytest
import time_machine
from asn1crypto import keys, tsp
from asn1crypto.x509 import Certificate as AsnCertificate
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from cryptography.x509 import load_pem_x509_certificates
from cryptography.x509.oid import ExtendedKeyUsageOID
from django.core import mail
from django.core.management import CommandError, call_command
from django.utils.timezone import now
from pyhanko.sign.timestamps import DummyTimeStamper
from rfc3161_client import HashAlgorithm, TimestampRequestBuilder

from compliance.http import standard_webhooks
from compliance.security.proofs import time_stamps
from compliance.security.proofs.time_stamps import StampError
from reviews.audit import anchor_copies, anchors, signing, trail
from reviews.models import AnchorCopy, Chain, Seal, Unsealed
from reviews.tasks import ANCHORS
from tests.reviews.audit.test_tree import is_consistent, root_by_definition

pytestmark = pytest.mark.django_db
SECRET = standard_webhooks.new_secret()


class Elsewhere(ThreadingHTTPServer):
    """A receiver of webhooks and an authority for time stamps."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.status = 200
        self.requests: list[tuple[str, dict[str, str], bytes]] = []
        self.authority = make_authority("The authority")

    @property
    def origin(self) -> tuple[str, int]:
        return "127.0.0.1", self.server_port


class _Handler(BaseHTTPRequestHandler):
    server: Elsewhere

    def log_message(self, *_: object) -> None:
        pass

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.requests.append((self.path, dict(self.headers), body))
        answer = b"{}"
        if self.path == "/stamp":
            request = tsp.TimeStampReq.load(body)
            stamper = self.server.authority[0]
            answer = stamper.request_tsa_response(request).dump()
        self.send_response(self.server.status)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)


def make_authority(name: str) -> tuple[Any, bytes]:
    """An authority that signs with a certificate of its own. The second value is that, as PEM."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    begin = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
    usage = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.TIME_STAMPING])
    certificate = (
        x509.CertificateBuilder(subject, subject, key.public_key(), 7)
        .not_valid_before(begin)
        .not_valid_after(begin + dt.timedelta(days=36500))
        .add_extension(usage, critical=True)
        .sign(key, hashes.SHA256())
    )
    der = key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    stamper = DummyTimeStamper(
        AsnCertificate.load(certificate.public_bytes(Encoding.DER)),
        keys.PrivateKeyInfo.load(der),
    )
    return stamper, certificate.public_bytes(Encoding.PEM)


@pytest.fixture
def elsewhere(settings) -> Iterator[Elsewhere]:
    server = Elsewhere()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    settings.OUTBOUND_ALLOW = settings.OUTBOUND_ALLOW | {server.origin}
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def webhook(settings, elsewhere) -> Elsewhere:
    settings.ANCHOR_WEBHOOK_URL = f"http://127.0.0.1:{elsewhere.server_port}/hook"
    settings.ANCHOR_WEBHOOK_SECRET = SECRET
    return elsewhere


@pytest.fixture
def authority(settings, elsewhere, tmp_path) -> Elsewhere:
    settings.TIME_STAMP_URL = f"http://127.0.0.1:{elsewhere.server_port}/stamp"
    settings.TIME_STAMP_ROOTS = str(tmp_path / "roots.pem")
    (tmp_path / "roots.pem").write_bytes(elsewhere.authority[1])
    return elsewhere


def next_day() -> Any:
    """Later than every pause: each anchor and each channel is due."""
    return time_machine.travel(now() + dt.timedelta(days=1), tick=False)


def act() -> None:
    """Three lines, sealed, and their head anchored."""
    for _ in range(3):
        trail.record(None, "act")
    Chain.objects.update(anchored_at=None)
    trail.seal_due(Chain.objects.get())


def send(*, again: bool = False) -> int:
    """As the worker does. `again`: the pause is over."""
    if again:
        AnchorCopy.objects.update(due_at=now() - dt.timedelta(minutes=1))
    return ANCHORS.drain()


def output() -> str:
    out = StringIO()
    call_command("audit_verify", stdout=out)
    return out.getvalue()


def test_without_settings_nothing_is_sent():
    act()
    assert (send(), AnchorCopy.objects.count(), anchor_copies.state()) == (0, 0, "ok")


def test_the_newest_anchor_is_sent_by_a_signed_webhook(webhook):
    act()
    assert send() == 1
    [(path, headers, body)] = webhook.requests
    lower = {name.lower(): value for name, value in headers.items()}
    verified = standard_webhooks.verify(
        lower, body, [(1, SECRET)], moment=now().timestamp(), tolerance=60
    )
    message = json.loads(body)
    chain = Chain.objects.get()
    assert (path, verified.secret_id, message["type"]) == ("/hook", 1, "audit.anchored")
    assert message["data"] == anchors.newest()[1]
    assert (message["data"]["seq"], message["data"]["hash"]) == (chain.seq, chain.hash)
    row = AnchorCopy.objects.get()
    assert (row.sent_seq, row.error) == (chain.seq, "")
    assert f"webhook has line {chain.seq}" in output()
    # Nothing new: nothing is sent.
    assert send(again=True) == 0


def test_each_webhook_proves_that_the_trail_was_only_added_to(webhook):
    """The receiver needs the two anchors and the proof, and nothing of the desk."""
    act()
    send()
    act()
    assert send() == 0  # an hour has not passed
    assert send(again=True) == 1
    first, second = [json.loads(body) for _, _, body in webhook.requests]
    assert first["consistency"] is None
    proof = second["consistency"]
    assert proof["from"] == first["data"]["seq"]
    old, new = first["data"]["seq"], second["data"]["seq"]
    old_root = bytes.fromhex(first["data"]["root"])
    new_root = bytes.fromhex(second["data"]["root"])
    path = [bytes.fromhex(digest) for digest in proof["path"]]
    assert old < new
    assert is_consistent(old, new, old_root, new_root, path)
    assert not is_consistent(old, new, new_root, old_root, path)
    hashes_ = Seal.objects.order_by("seq").values_list("hash", flat=True)
    leaves = [bytes.fromhex(digest) for digest in hashes_]
    assert root_by_definition(leaves) == new_root


@pytest.mark.parametrize("status", [500, 404, 301])
def test_a_receiver_that_fails_stops_no_sealing_and_is_tried_again(
    webhook, client, status
):
    webhook.status = status
    act()
    assert send() == 1
    assert not Unsealed.objects.exists()
    row = AnchorCopy.objects.get()
    assert (row.sent_seq, row.failures) == (0, 1)
    assert row.due_at
    assert row.due_at > now()
    words = f"webhook never sent: the receiver answered with {status}"
    answer = client.get("/health/ready")
    assert words in answer.json()["anchor_copies"]
    assert words in output()
    webhook.status = 200
    assert send(again=True) == 1
    assert (anchor_copies.state(), AnchorCopy.objects.get().failures) == ("ok", 0)


def test_a_receiver_that_is_away_is_named(settings):
    settings.ANCHOR_WEBHOOK_URL = "http://127.0.0.1:9/hook"
    act()
    assert send() == 1
    assert "webhook never sent" in anchor_copies.state()


def test_a_channel_that_nobody_serves_is_named(webhook, client):
    """As where each worker dies in the middle of it: no try ends, so none has left an error."""
    act()
    assert anchor_copies.state() == "ok"
    AnchorCopy.objects.update(due_at=now() - dt.timedelta(minutes=11))
    words = "webhook never sent: it was due at "
    assert words in anchor_copies.state()
    assert words in client.get("/health/ready").json()["anchor_copies"]
    assert words in output()
    assert (send(), anchor_copies.state()) == (1, "ok")
    # It waits for the next anchor, however long that takes.
    AnchorCopy.objects.update(due_at=now() - dt.timedelta(days=1))
    assert anchor_copies.state() == "ok"


def test_a_channel_that_is_switched_off_and_on(webhook, settings):
    url = settings.ANCHOR_WEBHOOK_URL
    act()
    settings.ANCHOR_WEBHOOK_URL = ""
    assert send() == 1
    assert (webhook.requests, AnchorCopy.objects.get().due_at) == ([], None)
    settings.ANCHOR_WEBHOOK_URL = url
    act()
    assert (send(), len(webhook.requests)) == (1, 1)


def test_the_newest_anchor_is_sent_by_mail(settings):
    settings.ANCHOR_MAIL = ["auditor@example.com"]
    act()
    assert send() == 1
    [message] = mail.outbox
    [(name, content, _)] = message.attachments
    text, entry = anchors.newest()
    assert (message.to, str(content)) == (["auditor@example.com"], text + "\n")
    assert str(entry["seq"]) in str(name)
    assert signing.current().id in message.body


def test_without_a_mail_server_the_channel_says_so(settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
    settings.ANCHOR_MAIL = ["auditor@example.com"]
    act()
    send()
    assert "EMAIL_HOST is not set" in anchor_copies.state()


def test_an_authority_stamps_the_time_of_an_anchor(authority):
    act()
    assert send() == 1
    seq = AnchorCopy.objects.get().sent_seq
    assert f"Line {seq} was stamped at 20" in output()
    assert "not verified" not in output()
    act()
    assert send(again=True) == 1
    assert "Line 3 " not in output().partition("was stamped")[0].splitlines()[-1]
    assert list(anchors.faults()) == []


def test_without_roots_the_output_says_that_nobody_was_verified(authority, settings):
    settings.TIME_STAMP_ROOTS = ""
    act()
    send()
    assert "by an authority that was not verified" in output()


def test_a_stamp_of_a_foreign_authority_is_not_kept(authority, settings):
    authority.authority = make_authority("Another")
    act()
    send()
    assert "the time stamp is not valid" in anchor_copies.state()
    assert [entry["kind"] for _, entry in anchors._entries()] == ["head"]


def test_a_stamp_that_was_broken_on_the_way_is_refused_with_a_reason(elsewhere):
    """Whatever the libraries raise: the channel must say why, and `audit_verify` must not break."""
    text, places = b"a head", random.Random(20261128)  # noqa: S311 - the same places at each run
    builder = TimestampRequestBuilder().data(text)
    query = builder.hash_algorithm(HashAlgorithm.SHA256).nonce(nonce=True)
    request = tsp.TimeStampReq.load(
        query.cert_request(cert_request=True).build().as_bytes()
    )
    answer = elsewhere.authority[0].request_tsa_response(request).dump()
    roots = load_pem_x509_certificates(elsewhere.authority[1])
    digest = hashlib.sha256(text).digest()
    moment = time_stamps.verify(answer, digest, roots)
    refused = 0
    # The version of its certificate is a number that none has.
    version = answer.index(bytes.fromhex("a003020102")) + 4
    changes = [(version, 6)]
    for _ in range(400):
        changes.append((places.randrange(len(answer)), places.randrange(256)))
    for place, value in changes:
        changed = bytearray(answer)
        changed[place] = value
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                assert time_stamps.verify(bytes(changed), digest, roots) == moment
            except StampError:
                refused += 1
    assert refused > 200


@pytest.mark.parametrize("status", [200, 500])
def test_an_authority_that_gives_no_stamp(authority, settings, status):
    authority.status = status
    settings.TIME_STAMP_URL = settings.TIME_STAMP_URL.replace("stamp", "other")
    act()
    send()
    assert "time stamp never sent" in anchor_copies.state()


def stamp_entry() -> dict[str, Any]:
    return next(entry for _, entry in anchors._entries() if entry["kind"] == "stamp")


def add_stamp(**changes: object) -> str:
    """An anchor signed by the desk, with another stamp. Returns what audit_verify says."""
    entry = stamp_entry()
    content = {"of": entry["of"], "stamp": entry["stamp"], **changes}
    anchors.add("stamp", Chain.objects.get(), **content)
    with pytest.raises(CommandError) as caught:
        call_command("audit_verify", stdout=StringIO())
    return str(caught.value)


def test_a_stamp_of_another_anchor_is_found(authority):
    """Also where whoever did it has the key of the desk."""
    act()
    send()
    act()
    digest = anchors.digest(anchors.newest()[0])
    assert "the time stamp is of something else" in add_stamp(of=digest)


def test_a_stamp_of_an_anchor_that_is_not_there_is_found(authority):
    act()
    send()
    assert "an anchor that is not there" in add_stamp(of="0" * 64)


@pytest.mark.parametrize("stamp", ["", "AAAA", "no base64!", None])
def test_a_stamp_that_is_none_is_found(authority, stamp):
    act()
    send()
    assert "Anchor 3" in add_stamp(stamp=stamp)


def test_a_stamp_of_an_authority_that_is_not_trusted_is_found(authority, tmp_path):
    act()
    send()
    (tmp_path / "roots.pem").write_bytes(make_authority("Another")[1])
    with pytest.raises(CommandError, match="the time stamp is not valid"):
        call_command("audit_verify", stdout=StringIO())


def test_every_changed_byte_of_a_stamp_is_found(authority, settings, tmp_path):
    """Every hundredth byte, whatever it means."""
    text = b"what is stamped"
    content = time_stamps.fetch(settings.TIME_STAMP_URL, text)
    roots = time_stamps.roots_in(str(tmp_path / "roots.pem"))
    digest = hashlib.sha256(text).digest()
    assert time_stamps.verify(content, digest, roots).year >= 2025
    missed = []
    for place in range(0, len(content), 100):
        changed = bytearray(content)
        changed[place] ^= 1
        try:
            moment = time_stamps.verify(bytes(changed), digest, roots)
        except time_stamps.StampError:
            continue
        missed.append((place, moment))
    # Bytes of the embedded certificate are not signed by the stamp; its time is.
    moments = {moment for _, moment in missed}
    assert moments <= {time_stamps.moment_of(content, digest)}
