"""The picture of the README shows what the README says of it.

UPDATE_SCREENSHOTS=1 draws it anew: python -m pytest tests/browser/test_screenshot.py
"""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from checks import samples
from reviews.models import Case
from tests.factories import make_connection, make_hub, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "docs" / "img" / "case.png"
# What the words under the picture point at.
CAPTION = (
    "Reject",
    "Text differs from an earlier saved version",
    "Attested against document",
)
MOST_BYTES = 300 << 10


@pytest.fixture
def analyst(page: Page, client, served) -> Page:
    make_hub(make_connection(base_url=f"{served}/api/v1"))
    client.force_login(make_user(first_name="Ana", last_name="Reyes"))
    session = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": served}])
    page.emulate_media(color_scheme="light")
    return page


def test_an_edited_certificate_on_the_page_of_its_case(analyst, work_off):
    sample = samples.edited_certificate()
    analyst.goto("/cases/new/?kind=kyb")
    for name in (
        "business_name",
        "registered_business_name",
        "incorporation_date",
        "business_registration_number",
    ):
        analyst.locator(f"[name={name}]").fill(sample.attested[name])
    analyst.locator("#choose-files").set_input_files(
        {
            "name": sample.file_name,
            "mimeType": "application/pdf",
            "buffer": sample.content,
        }
    )
    analyst.get_by_role("button", name="Start review").click()
    analyst.wait_for_url("**/cases/*/")
    work_off()
    case = Case.objects.get()
    assert case.status == Case.Status.TO_REVIEW
    analyst.reload()
    analyst.wait_for_load_state("networkidle")

    main = analyst.locator("main")
    expect(main).to_contain_text(sample.attested["business_name"])
    expect(main).to_contain_text("Agent recommends")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for words in CAPTION:
        assert words in readme
        expect(main).to_contain_text(words, ignore_case=True)
    expect(analyst.locator("main img").first).to_be_visible()
    if os.environ.get("UPDATE_SCREENSHOTS") == "1":
        PICTURE.parent.mkdir(parents=True, exist_ok=True)
        PICTURE.write_bytes(_small(analyst.screenshot()))
    with Image.open(PICTURE) as picture:
        assert picture.size == (1440, 900)
    assert PICTURE.stat().st_size <= MOST_BYTES


def _small(png: bytes) -> bytes:
    with Image.open(io.BytesIO(png)) as picture:
        reduced = picture.convert("RGB").quantize(256, dither=Image.Dither.NONE)
    out = io.BytesIO()
    reduced.save(out, "PNG", optimize=True)
    return out.getvalue()
