"""A file of cases, while its worker is killed without warning: each row becomes one case."""

from __future__ import annotations

import json
import re
from functools import partial

import pytest
import requests

from tests.loop.installations import Installation, until

pytestmark = pytest.mark.processes
ROWS = 120


def _form(page: str) -> dict[str, str]:
    """The token and the chosen columns of a page."""
    fields = {}
    for name, options in re.findall(r'<select[^>]* name="([^"]+)">(.*?)</select>', page, re.DOTALL):  # fmt: skip
        result = re.search(r'value="([^"]*)" selected', options)
        fields[name] = result[1] if result else ""
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
    assert token
    return {**fields, "csrfmiddlewaretoken": token[1]}


def has_done(installation: Installation, rows: int) -> bool:
    [(count,)] = installation.rows("SELECT done FROM reviews_caseimport")
    return int(count) >= rows


@pytest.mark.slow
def test_each_row_becomes_one_case_although_the_worker_is_killed(installation):
    installation.start()
    result = json.loads((installation.folder / "demo.json").read_text())
    ana = next(user for user in result["users"] if user["role"] == "analyst")
    browser = requests.Session()

    def post(path: str, fields: dict[str, str], **files: object) -> requests.Response:
        address = f"{installation.url}{path}"
        form = {**_form(browser.get(address, timeout=30).text), **fields}
        return browser.post(address, form, files=files or None, timeout=30)  # type: ignore[arg-type]

    post("/login/", {"login": ana["username"], "password": ana["password"]})
    content = "id,business_name\n" + "".join(f"row-{n},Firm {n}\n" for n in range(ROWS))
    [(agent,)] = installation.rows("SELECT id FROM reviews_agent WHERE kind = 'kyb'")
    page = post("/batches/", {"agent": str(agent)}, file=("a.csv", content))
    assert "/batches/files/" in page.url, page.text
    post(page.url.removeprefix(installation.url), {"act": "open"})
    for share in (10, 60):
        until(partial(has_done, installation, share))
        installation.kill(r"manage\.py work")
    until(
        lambda: installation.rows(
            "SELECT 1 FROM reviews_caseimport WHERE status = 'done'"
        ),
        seconds=120,
    )
    cases = installation.rows(
        "SELECT reference FROM reviews_case WHERE reference LIKE 'row-%'"
    )
    assert sorted(cases) == sorted((f"row-{n}",) for n in range(ROWS))
    rows = installation.rows("SELECT outcome, COUNT(*) FROM reviews_importedrow")
    assert rows == [("opened", ROWS)]
