# ruff: noqa: RUF001 - letters of other scripts that look like Latin ones are its subject
from __future__ import annotations

import pytest

from checks.attested.letters import look_like_others


@pytest.mark.parametrize(
    "host",
    [
        "example.com", "münchen.de", "xn--mnchen-3ya.de", "пример.рф", "сахар.рф", "кремль.com", "例え.jp",
        "サーバー2.jp", "tokyo東京さくら.jp", "한국.kr", "ελλάδα.gr", "مثال.com", "भारत.in", "yapıkredi.com.tr",
        "łódź.pl", "a-1.example", "shop.žluťoučký.cz", "佐々木.jp",
    ],
)  # fmt: skip
def test_letters_of_one_language_are_no_disguise(host):
    assert not look_like_others(host)


@pytest.mark.parametrize(
    "host",
    [
        "аcorn.com", "xn--corn-53d.com", "раура.com", "сахар.com", "shop.раураӏ.com", "gıthub.com", "ɡoogle.com",
        "αpple.com", "www.аррӏе.com", "xn--80ak6aa92e.com", "bаnk.рф", "ρορα.com",
    ],
)  # fmt: skip
def test_letters_of_two_scripts_or_only_look_alikes_are_one(host):
    assert look_like_others(host)
