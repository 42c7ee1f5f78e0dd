from __future__ import annotations

import pytest

from papers.formats import format_of


@pytest.mark.parametrize(
    ("start", "name"),
    [
        (b"%PDF-1.7", "pdf"),
        (b"\xff\xd8\xff\xe0", "jpeg"),
        (b"\x89PNG\r\n\x1a\n", "png"),
        (b"II*\x00", "tiff"),
        (b"MM\x00*", "tiff"),
        (b"\x00\x00\x00\x18ftypheic", "heic"),
        (b"\x00\x00\x00\x18ftypisom", "other"),
        (b" \r\n%PDF-1.7", "pdf"),
        (b"\xef\xbb\xbf%PDF-1.7", "pdf"),
        (b"MZ%PDF-1.7", "other"),
        (b" " * 17 + b"%PDF-1.7", "other"),
        (b"GIF89a", "other"),
        (b"", "other"),
    ],
)
def test_the_format_is_told_by_the_first_bytes(start, name):
    assert format_of(start) == name
