"""Every reader comes to the same results in the sandbox and out of it: none needs what is refused."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgpack
import numpy as np
import pytest
import zxingcpp
from PIL import Image

from checks import engine, registry, samples
from compliance.work import isolation, sandbox
from papers import pages
from tests.checks.documents import make_pdf

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or bool(sandbox.missing()),
    reason="This kernel has no sandbox",
)
HEIC = Path(__file__).parents[2] / "checks" / "readers" / "note.heic"
# The time limit is no part of the test: machines that test are slow.
SECONDS = 600


def picture(form: str) -> bytes:
    """A scan as a picture of its own: with words to be read, and a code beside them."""
    [page] = pages.draw(samples.scanned_certificate().content)
    form_of_code = zxingcpp.barcode_format_from_str("QRCode")
    barcode = zxingcpp.create_barcode("Northwind Ltd 4711", form_of_code)
    code = np.array(zxingcpp.write_barcode_to_image(barcode, scale=3))
    with Image.open(io.BytesIO(page["image"])) as image:
        sheet = image.convert("RGB")
    square = Image.fromarray(code).convert("RGB").resize((160, 160), 0)
    sheet.paste(square, (40, 40))
    buffer = io.BytesIO()
    sheet.save(buffer, form)
    return buffer.getvalue()


def fax() -> bytes:
    """A page in black and white, packed as fax machines do it."""
    [page] = pages.draw(samples.good_certificate().content)
    buffer = io.BytesIO()
    with Image.open(io.BytesIO(page["image"])) as image:
        image.convert("1").save(buffer, "TIFF", compression="group4")
    return buffer.getvalue()


SAMPLES: dict[str, Callable[[], bytes]] = {
    "text": lambda: samples.good_certificate().content,
    "scan": lambda: samples.scanned_certificate().content,
    "signed": lambda: samples.signed_certificate().content,
    "photo": lambda: picture("JPEG"),
    "fax": fax,
    "heic": HEIC.read_bytes,
    "no document": lambda: b"PK\x03\x04 an office file",
    "empty page": lambda: make_pdf(""),
}
# Each is read twice by all checks, with OCR. One of them runs with each change, the others at night.
SLOW = {"photo", "fax"}


def plain(value: Any) -> Any:
    """As it comes out of the child."""
    packed = msgpack.packb(value, unicode_errors="surrogatepass")
    return msgpack.unpackb(packed, unicode_errors="surrogatepass")


def everything(content: bytes) -> dict[str, Any]:
    """What all checks that read documents are given."""
    parts = []
    for check in registry.all_checks().values():
        if check.documents:
            parts.append(
                {
                    "check_id": check.id,
                    "file_name": "sample.pdf",
                    "document": {"type": "Document", "file_name": "sample.pdf"},
                    "arguments": {},
                    "skip": [],
                    "beside": content,
                }
            )
    attested = samples.good_certificate().attested
    return {"file": content, "attested": attested, "parts": parts}


@pytest.mark.sweep
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] if name in SLOW else [])
        for name in SAMPLES
    ],
)
def test_checks_find_the_same_in_the_sandbox(name):
    result = everything(SAMPLES[name]())
    outside = [plain(answer) for answer in engine.examine_for_checks(**result)]
    inside = isolation.stream(
        "checks.engine:examine_for_checks", result, seconds=SECONDS
    )
    for there, here in zip(inside, outside, strict=True):
        assert there == here
    assert not any("The examination stopped" in str(answer) for answer in outside)


@pytest.mark.parametrize("name", [name for name in SAMPLES if name != "no document"])
def test_pages_are_drawn_alike_in_the_sandbox(name):
    content = SAMPLES[name]()
    outside = [plain(page) for page in pages.draw(content)]
    data = {"content": content}
    inside = list(isolation.stream("papers.pages:draw", data, seconds=SECONDS))
    assert inside == outside
    assert inside
