"""Types by the first byte, and names that are safe to offer and to show."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compliance.storage import file_types
from tests.compliance.storage.files import NAMES, PDF, REFUSED, TAKEN


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_accepted_type_from_its_first_byte_is_refused_in_words(name):
    content = REFUSED[name]
    assert file_types.type_of(content) is None
    assert file_types.content_type_of(content) == "application/octet-stream"
    words = file_types.fault("a.pdf", start=content, size=len(content), most=1 << 20)
    assert ("is empty" in words) if not content else (str(file_types.ACCEPTED) in words)


@pytest.mark.parametrize("name", TAKEN)
def test_the_first_bytes_say_what_a_file_is_offered_as(name):
    content, extension = TAKEN[name]
    assert not file_types.fault("a.exe", start=content, size=len(content), most=1 << 20)
    assert file_types.offered_name("a.b.exe", content) == f"a.b.exe.{extension}"


def test_a_file_that_is_too_large_is_refused():
    assert "larger than 1 MB" in file_types.fault(
        "a.pdf", start=PDF, size=2 << 20, most=1 << 20
    )


@pytest.mark.parametrize(("name", "offered"), NAMES.items())
def test_a_name_is_offered_with_one_extension_that_of_its_content(name, offered):
    assert file_types.offered_name(name, PDF) == offered


def test_folders_of_a_name_lead_nowhere():
    for name in (
        "../../etc/passwd",
        "C:\\Windows\\passwd",
        "/etc/passwd",
        "..\\passwd",
    ):
        assert file_types.offered_name(name, PDF) == "passwd.pdf"


def test_what_is_of_no_accepted_type_is_offered_as_data():
    assert file_types.offered_name("setup.exe", b"MZ") == "setup.exe.bin"


@given(st.text(max_size=400))
def test_any_name_becomes_one_that_every_system_takes(name):
    for offered in (
        file_types.offered_name(name, PDF),
        file_types.ascii_name(name, PDF),
    ):
        stem = offered.removesuffix(".pdf")
        assert stem != offered
        assert stem.strip(" .") == stem != ""
        assert len(offered.encode()) <= 255
        assert not set(offered) & set('<>:"/\\|?*\u202e\0')
        assert all(unicodedata.category(char) != "Cc" for char in offered)
    assert file_types.ascii_name(name, PDF).isascii()


@given(st.text(max_size=600))
def test_a_name_is_kept_without_characters_that_turn_others(name):
    result = file_types.shown_name(name)
    assert len(result) <= 255
    assert not set(result) & set(
        "\0\n\r\x1b\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u2069\u200f"
    )


def test_of_a_long_name_the_beginning_and_the_end_are_kept():
    result = file_types.shown_name("a" * 300 + ".pdf.exe")
    assert result.endswith("a.pdf.exe")
    assert "…" in result
    assert file_types.shown_name("gn\u202efdp.exe") == "gn\ufffdfdp.exe"
