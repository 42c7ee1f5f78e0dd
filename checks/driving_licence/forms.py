"""The forms of days, names and numbers on the front of a driving licence."""

from __future__ import annotations

import re

DAY = re.compile(
    r"(?<!\d)(?P<a>\d{1,4})\s?[-./ ]\s?(?P<b>\d{1,2}|[^\W\d_]{3})\s?[-./ ]\s?(?P<c>\d{2,4})(?!\d)",
    re.IGNORECASE,
)
# A line of names: capitals without digits.
MORE_NAMES = re.compile(r"^[A-ZÀ-ÞŁŚŻŐŰĐ'\u2019. -]{2,40}$")
LICENCE_NUMBER = re.compile(r"[A-Z0-9][A-Z0-9 /.-]{3,24}", re.IGNORECASE)
