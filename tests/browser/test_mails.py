"""The HTML of e-mails fits the screen that it is read on."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.timezone import now

pytestmark = pytest.mark.browser
LINK = f"https://desk.example.com/requests/open/#{'x' * 120}"


@pytest.mark.parametrize("width", [320, 390, 800])
@pytest.mark.parametrize("language", ["en", "de", "ar"])
def test_a_mail_fits_a_narrow_screen(page, width, language):
    page.set_viewport_size({"width": width, "height": 700})
    request: dict[str, object] = {
        "sender": "Northwind Bank",
        "link": LINK,
        "colour": "#3b3fc4",
    }
    request |= {"until": now() + timedelta(days=14), "contact": "kyc@northwind.example"}
    lines = [("Your report was approved and is to be filed", "C-10428", LINK)]
    inbox = {"lines": lines, "more": 3, "inbox": "https://desk.example.com/inbox/"}
    for template, context in (("request", request), ("inbox", inbox)):
        with translation.override(language):
            page.set_content(render_to_string(f"mail/{template}.html", context))
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        card = page.locator("td[width='520']").bounding_box()
        assert card["width"] <= 521
