"""The clients of malware scanners, against sockets that speak as clamd and as an ICAP server do."""

from __future__ import annotations

import io
import os
import socket
from collections.abc import Iterator

import pytest

from compliance.scanning import scanner
from compliance.scanning.connection import ScannerError
from tests import scanners
from tests.scanners import EICAR, NAME, Scanner

KINDS = ("clamav", "clamav+unix", "icap")
# More than a socket takes at once.
LARGE = os.urandom(3 << 20)


@pytest.fixture(params=KINDS)
def there(request, settings, tmp_path_factory) -> Iterator[Scanner]:
    # The path of a socket has at most 107 characters.
    folder = tmp_path_factory.mktemp("s")
    with scanners.running(request.param, folder) as result:
        settings.FILE_SCANNER = result.url
        settings.FILE_SCANNER_SECONDS = 20
        yield result


def scan(content: bytes) -> str:
    return scanner.scan(io.BytesIO(content))


@pytest.mark.parametrize("content", [b"", b"%PDF-1.7 text", LARGE])
def test_a_file_without_malware_arrives_whole_and_is_clean(there, content):
    assert scan(content) == ""
    assert there.files == [content]


@pytest.mark.parametrize("content", [EICAR, LARGE + EICAR + LARGE])
def test_malware_is_named(there, content):
    assert scan(content) == NAME


@pytest.mark.parametrize("fault", scanners.FAULTS)
def test_whatever_else_it_does_is_no_answer(there, settings, fault):
    settings.FILE_SCANNER_SECONDS = 1
    there.fault = fault
    with pytest.raises(ScannerError) as caught:
        scan(LARGE)
    assert not caught.value.is_refusal
    # And it is asked again as if nothing had been.
    there.fault = ""
    settings.FILE_SCANNER_SECONDS = 20
    assert scan(LARGE) == ""


def test_clamd_says_that_a_file_is_too_large(settings):
    with scanners.running("clamav") as there:
        settings.FILE_SCANNER = there.url
        there.fault = "limit"
        with pytest.raises(ScannerError, match="larger than it takes") as caught:
            scan(LARGE)
    assert caught.value.is_refusal


def test_an_icap_server_may_send_the_file_back(settings):
    with scanners.running("icap") as there:
        settings.FILE_SCANNER = there.url
        there.fault = "echo"
        assert scan(LARGE) == ""
        there.fault = "replace"
        assert scan(LARGE) == "blocked by the scanner"
        there.fault = "limit"
        with pytest.raises(ScannerError, match="500"):
            scan(LARGE)


def test_health_says_whether_it_is_there(client, db, there, settings):
    assert client.get("/health/ready").json()["scanner"] == "ok"
    settings.FILE_SCANNER = ""
    assert client.get("/health/ready").json()["scanner"] == scanner.OFF
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        settings.FILE_SCANNER = f"clamav://127.0.0.1:{free.getsockname()[1]}"
        answer = client.get("/health/ready").json()["scanner"]
    assert "cannot be reached" in answer


@pytest.mark.parametrize(
    "url",
    [
        "clamav",
        "http://a:1/",
        "icap://a:1",
        "clamav://",
        "clamav+unix://a",
        "icap:///a",
    ],
)
def test_an_address_that_is_none_stops_the_start(settings, url):
    from compliance.operation.system_checks import scanner_is_readable

    settings.FILE_SCANNER = url
    [fault] = scanner_is_readable()
    assert fault.id == "compliance.E006"


def test_an_address_without_a_port_has_that_of_its_protocol():
    assert scanner.parse("clamav://scanner").port == 3310
    assert scanner.parse("icap://[::1]/avscan").port == 1344
    assert scanner.parse("clamav+unix:///run/clamav/clamd.ctl").path.endswith(
        "clamd.ctl"
    )
