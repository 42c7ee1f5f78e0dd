"""The lists of docs/inventories.md are those of the code."""

from __future__ import annotations

import re

import pytest

from assurance import inventories
from tests.docs.pages import ROOT, read


def test_every_module_is_listed_and_no_other():
    is_current = inventories.page(ROOT) == read(inventories.PAGE)
    assert is_current, "Run: python -m assurance.inventories"


@pytest.mark.parametrize(
    ("mark", "source"),
    [
        ("modules of cryptography", "from cryptography.fernet import Fernet\n"),
        ("modules of the log", "log = logging.getLogger(__name__)\n"),
        ("modules of outgoing requests", "from compliance.http import outbound\n"),
    ],
)
def test_a_new_module_changes_the_page(tmp_path, mark, source):
    (tmp_path / "docs").mkdir()
    text = "".join(f"<!-- {name} -->\n\n" for name in inventories.LISTS)
    (tmp_path / inventories.PAGE).write_text(text)
    (tmp_path / "checks").mkdir()
    (tmp_path / "checks" / "new.py").write_text(source)
    lists = inventories.page(tmp_path).split("<!-- ")
    assert [mark in one for one in lists if "new.py" in one] == [True]


def test_every_setting_that_the_page_names_exists():
    names = read("docs/settings.md") + read("deploy/acme.yml")
    named = re.findall(r"`([A-Z][A-Z_]{3,})`", read(inventories.PAGE))
    assert {name for name in named if name not in names} == set()
