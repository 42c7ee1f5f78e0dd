"""The numbers of the comparison of names: each has a reason, and a change is a new engine."""

from __future__ import annotations

import hashlib
import json

from checks.screening import tunables
from checks.screening.policy import ENGINE_VERSION

# By engine version. Whoever changes a number raises ENGINE_VERSION, and adds a line here.
DIGESTS = {"6": "6dde37d19cef3620"}


def test_each_number_stands_under_its_name_with_a_reason() -> None:
    for name, tunable in tunables.TABLE.items():
        assert getattr(tunables, name.upper()) == tunable.default
        assert len(tunable.reason.split()) > 4, f"no reason for {name}"


def test_a_change_of_a_number_is_a_new_version_of_the_engine() -> None:
    numbers = {name: tunable.default for name, tunable in tunables.TABLE.items()}
    text = json.dumps(numbers, sort_keys=True)
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == DIGESTS[ENGINE_VERSION]
