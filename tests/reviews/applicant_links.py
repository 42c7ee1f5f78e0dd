"""Opens a link of an applicant as the script of its page does: the key goes in a body."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.test import Client


def key_of(address: str) -> str:
    return urlsplit(address).fragment


def path_and_key(address: str) -> str:
    """For a browser at another port than that of the installation."""
    parts = urlsplit(address)
    return f"{parts.path}#{parts.fragment}"


def open_link(client: Client, address: str) -> str:
    """The path of the page, without a key; the client has the cookie that opens it."""
    parts = urlsplit(address)
    answer = client.post(parts.path, {"link": parts.fragment})
    assert answer.status_code == 303, answer.status_code
    return answer["Location"]
