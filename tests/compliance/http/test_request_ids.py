"""Each request has an id, and the log says who, where and when."""

from __future__ import annotations

import json
import logging
import re
import subprocess
import sys

import pytest

from compliance.http import outbound
from compliance.security import bearer_keys
from compliance.security.logs import Formatter, JsonFormatter
from reviews.access import api_tokens
from tests.factories import make_user

pytestmark = pytest.mark.django_db
FORMAT = "%(asctime)s %(levelname)s %(name)s %(message)s%(context)s"


@pytest.fixture
def written():
    """The lines as the log has them, in both forms."""
    lines: list[tuple[str, dict[str, object]]] = []
    line, row = Formatter(FORMAT), JsonFormatter()

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append((line.format(record), json.loads(row.format(record))))

    handler = Keep()
    root = logging.getLogger()
    root.addHandler(handler)
    yield lines
    root.removeHandler(handler)


def answered(client, name: str) -> str:
    page = client.get("/health/live", headers={"X-Request-ID": name})
    return page["X-Request-ID"]


@pytest.mark.parametrize(
    "name",
    [
        "0af7651916cd43dd8448eb211c80319c",
        "0AF76519-16cd-43dd-8448-eb211c80319c",
        "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    ],
)
def test_an_id_of_the_caller_is_answered(client, name):
    assert answered(client, name) == name
    page = client.post("/webhooks/none/", headers={"X-Request-ID": name})
    assert page["X-Request-ID"] == name


def test_our_own_ids_have_a_form_that_another_desk_or_hub_takes(client):
    value = client.get("/health/live")["X-Request-ID"]
    assert re.fullmatch(r"[0-9a-f]{32}", value)
    assert answered(client, value) == value


@pytest.mark.parametrize(
    "name",
    [
        "a b",
        "x" * 65,
        "<script>",
        "a\u00e9",
        "",
        # What says who somebody is, or what they have.
        "Jane.Doe-1980-01-01",
        "jane.doe_example.com",
        "4111111111111111",
        "DE89370400440532013000",
        "078-05-1120",
        # Digits of other scripts, a letter that is lower case of K, a line behind it.
        "\u0660" * 32,
        "\u212a" + "0" * 25,
        "0af7651916cd43dd8448eb211c80319c\n",
    ],
)
def test_an_id_of_another_shape_is_replaced(client, written, name):
    value = answered(client, name)
    assert value != name
    assert re.fullmatch(r"[0-9a-f]{32}", value)
    client.get("/cases/new/?q=1", headers={"X-Request-ID": name})
    assert not name or not any(name in line for line, _ in written)


def test_a_denied_act_says_who_and_what_without_what_is_personal(client, written):
    user = make_user("olaf", role="auditor")
    client.force_login(user)
    headers = {"X-Request-ID": "0af7651916cd43dd8448eb211c80319c"}
    assert client.get("/cases/new/?q=Jane+Doe", headers=headers).status_code == 403
    [(line, row)] = [pair for pair in written if "Denied:" in pair[0]]
    assert "Denied: GET cases/new/." in line
    assert re.match(
        r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d WARNING ", line
    )
    assert (row["request"], row["user"]) == (
        headers["X-Request-ID"],
        str(user.pk),
    )
    assert row["from"] and "127.0.0.1" not in line  # noqa: PT018
    assert not any(word in line for word in ("olaf", "Jane"))


def test_a_missing_scope_is_written(client, written):
    user = make_user()
    _, raw = api_tokens.create(actor=user, user=user, name="x", scopes=["cases:read"])
    answer = client.get("/api/desk/v1/documents/00000000-0000-0000-0000-000000000000/content", headers={"Authorization": f"Bearer {raw}"})  # fmt: skip
    assert answer.status_code == 403
    [(_, row)] = [pair for pair in written if "Denied:" in pair[0]]
    assert row["user"] == str(user.pk)


def test_addresses_are_written_where_that_is_chosen(client, written, settings):
    settings.LOG_ADDRESSES = True
    client.force_login(make_user("olaf", role="auditor"))
    client.get("/cases/new/", REMOTE_ADDR="203.0.113.9")
    assert any(row.get("from") == "203.0.113.9" for _, row in written)


def test_a_target_that_is_blocked_is_written(written):
    for url in ("http://127.0.0.1:1/secret?token=abc", "ftp://x/"):
        with pytest.raises(outbound.BlockedError):
            outbound.request("GET", url)
    lines = [line for line, _ in written if "blocked" in line]
    assert len(lines) == 2
    assert "127.0.0.1" in lines[0]
    assert not any("secret" in line or "abc" in line for line in lines)


def test_a_token_ends_by_itself_and_says_so_before(client, settings, written):
    settings.TOKEN_DAYS = 10
    user = make_user()
    token, raw = api_tokens.create(
        actor=user, user=user, name="x", scopes=["cases:read"]
    )
    assert token.ends_soon
    for _ in range(3):
        client.get("/api/desk/v1/me", headers={"Authorization": f"Bearer {raw}"})
    assert sum("ends on" in line for line, _ in written) == 1
    client.force_login(user)
    assert "ends soon" in client.get("/tokens/").content.decode()
    settings.TOKEN_DAYS = 0
    assert bearer_keys.default_end() is None


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        (
            {"DEBUG": "1", "DATABASE_URL": "postgres://x@127.0.0.1/x"},
            "DEBUG must be off",
        ),
        ({"TRUSTED_PROXIES": "10.0.0.0/99"}, "10.0.0.0/99"),
        ({"LOG_FORMAT": "xml"}, "LOG_FORMAT"),
    ],
)
def test_settings_that_contradict_are_refused_at_the_start(
    tmp_path, environment, words
):
    process = subprocess.run(
        [sys.executable, "-c", "import compliance.settings"],
        env={"PATH": "/usr/bin", "VAR": str(tmp_path), "SECRET_KEY": "x", "ENCRYPTION_KEY": "x", **environment},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert process.returncode != 0
    assert words in process.stderr


def test_hsts_of_all_hosts_below_is_a_setting(tmp_path):
    code = "import compliance.settings as s; print(s.SECURE_HSTS_INCLUDE_SUBDOMAINS)"
    values = []
    for value in ("0", "1"):
        process = subprocess.run(
            [sys.executable, "-c", code],
            env={"PATH": "/usr/bin", "VAR": str(tmp_path), "DESK_URL": "https://x", "HSTS_SUBDOMAINS": value},
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        values.append(process.stdout.strip())
    assert values == ["False", "True"]
