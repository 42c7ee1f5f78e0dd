"""No folder of a package holds more modules than a reader can take in."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = (
    "agenthub",
    "checks",
    "compliance",
    "ownership",
    "papers",
    "reviews",
    "webhooks",
)
MOST = 12
NOT_COUNTED = {"__init__.py", "__main__.py"}


@pytest.mark.parametrize("package", PACKAGES)
def test_a_folder_holds_few_modules(package):
    too_many = {
        folder: count for folder, count in modules_of(package).items() if count > MOST
    }

    assert too_many == {}, f"Make rooms: a folder holds at most {MOST} modules."


def modules_of(package: str) -> Counter[str]:
    """The number of modules of each folder of a package, without its migrations."""
    folders: Counter[str] = Counter()
    for path in (ROOT / package).rglob("*.py"):
        folder = path.parent.relative_to(ROOT)
        if "migrations" not in folder.parts and path.name not in NOT_COUNTED:
            folders[folder.as_posix()] += 1
    return folders
