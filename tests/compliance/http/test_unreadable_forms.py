"""A form that cannot be read is 400 or 404, with or without a page at its address, and never 500."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.factories import make_user

pytestmark = pytest.mark.django_db

FORM = "application/x-www-form-urlencoded"
PARTS = "multipart/form-data; boundary=limit"


def parts(count: int, file_name: str = "") -> bytes:
    file = f'; filename="{file_name}"' if file_name else ""
    lines = [
        f'--limit\r\nContent-Disposition: form-data; name="a{number}"{file}\r\n\r\nv\r\n'
        for number in range(count)
    ]
    return "".join([*lines, "--limit--\r\n"]).encode()


BODIES = {
    "another character set": (b"a=+ADw-", f"{FORM}; charset=utf-7"),
    "no boundary": (b"a", "multipart/form-data"),
    "too many parts": (parts(5000), PARTS),
    "too many files": (parts(500, "a.pdf"), PARTS),
    "too many fields": (b"&".join([b"a=1"] * 20_000), FORM),
    "a long header": (
        b'--limit\r\nContent-Disposition: form-data; name="a"\r\n' + b"X: y\r\n" * 5000 + b"\r\nv",
        PARTS,
    ),
}  # fmt: skip


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize(
    ("path", "statuses"),
    # Without a login a large form is refused by its size.
    [("/cases/new/", {400}), ("/login/", {400, 413}), ("/nothing/", {404})],
)
def test_an_unreadable_form_is_refused(path, statuses, body):
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    if path != "/login/":
        client.force_login(make_user())
    # Without the cookie, the form is refused unread.
    client.cookies["csrftoken"] = "a" * 32
    content, content_type = BODIES[body]
    response = client.post(path, content, content_type=content_type)
    assert response.status_code in statuses
