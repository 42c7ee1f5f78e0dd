"""What a page keeps of the values that it shows: `compliance.pages.form_state`."""

from __future__ import annotations

import re

from django.http import HttpResponse

from compliance.pages import form_state


def opened_state(answer: HttpResponse) -> str:
    """The token of the first form of the page that has one."""
    page = answer.content.decode()
    match = re.search(rf'name="{form_state.NAME}" value="([0-9a-f]{{16}})"', page)
    assert match
    return match[1]
