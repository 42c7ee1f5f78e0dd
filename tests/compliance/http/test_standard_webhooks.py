"""Standard Webhooks: what its libraries sign is verified, what is signed here they verify."""

from __future__ import annotations

import base64
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compliance.http import references, signatures, standard_webhooks
from compliance.http.standard_webhooks import InvalidError

# Made by the `standardwebhooks` package, version 1.1.0; the first is the project's own example.
MADE_BY_THE_LIBRARY = [
    (
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        b'{"test": 2432232314}',
        "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    ),
    (
        "whsec_Y29tcGxpYW5jZS1kZXNr",
        "6e3d7c0e-0a53-4a57-b0ef-3b1c1f0b6f2a",
        '{"name":"Zoë"}'.encode(),
        "v1,XvxZWojItt6N1IBlQXoYy6cjmRJC4sPofHNpTNoCAnw=",
    ),
    # Of a secret without the prefix the bytes are the key: the library takes them as bytes.
    (
        "a-secret-of-tests",
        "msg_1",
        b"{}",
        "v1,SMrFedr/YbaRGXj4WeF3/nyaAeW9Lk7csh4KqZZGH0A=",
    ),
]
TIME = "1614265330"


def verify(
    secret: str, *, moment: float = float(TIME), body: bytes = b"{}", **changed: str
) -> standard_webhooks.Verified:
    data = {
        "webhook-id": "msg_1",
        "webhook-timestamp": TIME,
        "webhook-signature": standard_webhooks.sign("msg_1", TIME, b"{}", secret),
    }
    data |= {f"webhook-{name}": value for name, value in changed.items()}
    return standard_webhooks.verify(
        data, body, [(7, secret)], moment=moment, tolerance=300
    )


@pytest.mark.parametrize(
    ("secret", "message_id", "body", "signature"), MADE_BY_THE_LIBRARY
)
def test_signatures_are_those_of_the_library(secret, message_id, body, signature):
    assert standard_webhooks.sign(message_id, TIME, body, secret) == signature


def test_a_new_secret_is_one_of_the_library():
    secret = standard_webhooks.new_secret()
    assert secret != standard_webhooks.new_secret()
    prefix, _, text = secret.partition("_")
    assert prefix == "whsec"
    assert len(base64.b64decode(text, validate=True)) == 32
    assert standard_webhooks.key(secret) == base64.b64decode(text)
    assert not standard_webhooks.is_malformed(secret)


@pytest.mark.parametrize(
    ("secret", "is_malformed"),
    [
        ("whsec_", True),
        ("whsec_é", True),
        ("whsec_a b", True),
        ("plain", False),
        ("", False),
    ],
)
def test_what_follows_the_prefix_must_be_a_key(secret, is_malformed):
    assert standard_webhooks.is_malformed(secret) is is_malformed
    assert standard_webhooks.key(secret) == secret.encode()


@pytest.mark.parametrize(("moment", "word"), [(301, "old"), (-301, "far ahead")])
def test_a_time_that_is_too_far_away_is_refused(moment, word):
    with pytest.raises(InvalidError, match=word):
        verify("s", moment=float(TIME) + moment)
    within = moment - 1 if moment > 0 else moment + 1
    assert verify("s", moment=float(TIME) + within).secret_id == 7


@pytest.mark.parametrize(
    "changed",
    [
        {"id": "msg_2"},
        {"id": ""},
        {"id": "{"},
        {"id": "a" * 256},
        {"timestamp": "1614265331"},
        {"timestamp": "1614265330.0"},
        {"timestamp": "１６１４２６５３３０"},  # noqa: RUF001 - digits, and not those of a time
        {"timestamp": "-1"},
        {"timestamp": "9" * 400},
        {"signature": "v1"},
        {"signature": "v1,"},
        {"signature": "v1,é"},
        {"signature": "v1,\udc80"},
        {"signature": "v2,SMrFedr/YbaRGXj4WeF3/nyaAeW9Lk7csh4KqZZGH0A="},
    ],
)
def test_everything_else_is_refused(changed):
    with pytest.raises(InvalidError):
        verify("a-secret-of-tests", **changed)


def test_another_body_and_another_secret_are_refused():
    for given_ in (
        {"body": b"{} "},
        {"signature": standard_webhooks.sign("msg_1", TIME, b"{}", "t")},
    ):
        with pytest.raises(InvalidError):
            verify("s", **given_)


def test_of_several_signatures_one_must_hold_and_there_may_be_only_a_few():
    good = standard_webhooks.sign("msg_1", TIME, b"{}", "s")
    result = verify("s", signature=f"v1,AAAA v1a,xyz {good}")
    assert result == (7, good)
    with pytest.raises(InvalidError, match="more than"):
        verify("s", signature=" ".join([good] * (standard_webhooks.MAX_SIGNATURES + 1)))


@given(
    reference=st.text(max_size=300),
    message_id=st.from_regex(r"\A[A-Za-z0-9_.:-]{1,255}\Z"),
)
def test_no_signature_can_stand_in_for_another(reference, message_id):
    """Even with one key: the three sign contents of which none is the content of another."""
    timed = standard_webhooks.content(message_id, TIME, b"{}")
    assert not timed.lstrip().startswith(b"{"), "a body, which the full signature signs"
    if references.fits(reference):
        assert b"{" not in reference.encode(), (
            "a case id, which the compact signature signs"
        )
    assert b"{" in timed


def test_a_secret_of_the_library_has_a_key_for_each_way():
    secret = standard_webhooks.new_secret()
    timed = standard_webhooks.content("msg_1", TIME, b"{}")
    signature = standard_webhooks.sign("msg_1", TIME, b"{}", secret)
    assert signature.removeprefix("v1,") != signatures.sign(timed, secret)
    digest = hmac.digest(standard_webhooks.key(secret), timed, "sha256")
    assert signature == f"v1,{base64.b64encode(digest).decode()}"
