"""The doctor looks at what others give an installation: a list of passwords, a collector."""

from __future__ import annotations

import pytest

from compliance.operation.doctor import machine
from tests.collectors import collector
from tests.compliance.operation.test_doctor import states
from tests.loop.installations import free_port

HASHES = [f"{number:040X}" for number in range(3, 2**32, 2**22)]
LISTS = {
    "is not there": (None, "cannot be read"),
    "empty": ("", "is empty"),
    "of another hash": ("".join(f"{one[8:]}:3\n" for one in HASHES), "not SHA-1"),
    "by frequency": ("".join(f"{one}:3\n" for one in HASHES[::-1]), "not ordered"),
    "good": ("".join(f"{one}:3\r\n" for one in HASHES), "are looked up"),
    "good, of one": (HASHES[0], "are looked up"),
}


@pytest.mark.django_db
@pytest.mark.parametrize(("text", "words"), LISTS.values(), ids=LISTS)
def test_a_list_of_breached_passwords_that_does_not_work_is_told(
    settings, tmp_path, text, words
):
    path = tmp_path / "list.txt"
    if text is not None:
        path.write_text(text)
    settings.BREACHED_PASSWORDS = str(path)
    code, _, lines = states("passwords")
    assert words in lines
    assert ("are looked up" in lines) or code == 1


@pytest.mark.parametrize("answers", [True, False])
def test_a_collector_of_traces_that_is_away_is_told(settings, answers):
    pytest.importorskip("opentelemetry.exporter")
    settings.OTEL_EXPORTER_OTLP_HEADERS = "api-key=k"
    with collector() as server:
        settings.OTEL_EXPORTER_OTLP_ENDPOINT = (
            server.address if answers else f"http://127.0.0.1:{free_port()}"
        )
        [finding] = machine.traces()
    assert finding.state == ("ok" if answers else "warning")
    assert [one["api-key"] for one in server.headers] == ["k"] * answers
