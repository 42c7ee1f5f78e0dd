"""What the documentation names must exist."""

from __future__ import annotations

import re
from functools import cache

import pytest
from django.core.management import get_commands
from django.urls import Resolver404, resolve

from compliance.work import queues
from tests.docs.pages import IDS, PAGES, ROOT, anchors, code, read, without_code

pytestmark = pytest.mark.parametrize("file", PAGES, ids=IDS)

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
# Names of tests, and paths below one of our folders.
TEST = re.compile(r"`(test_\w+)`")
DEFINITION = re.compile(r"\bdef (test_\w+)\(")
FOLDERS = "agenthub|assurance|bench|checks|compliance|deploy|docs|ownership|papers|requirements|reviews|static|templates|tests|webhooks"
PATH = re.compile(rf"`((?:{FOLDERS})/[\w./-]*)`")
# What an installation, or the reader of a guide, makes.
MADE_LATER = re.compile(
    r"deploy/secrets/\w+|templates/results/lease_pages.html|checks/lease/|tests/checks/test_lease.py"
    r"|tests/reviews/pages/case/test_days_open.py|tests/reviews/api/test_note_count.py"
)
MODULE = re.compile(
    r"`((?:agenthub|checks|compliance|ownership|papers|reviews|webhooks)(?:\.\w+)+)`"
)


def test_links_lead_somewhere(file):
    broken = []
    for target in LINK.findall(without_code(file.read_text())):
        if re.match(r"https?:|mailto:", target):
            continue
        path, _, anchor = target.partition("#")
        there = (file.parent / path).resolve() if path else file
        if not there.exists() or (anchor and anchor not in anchors(there.read_text())):
            broken.append(target)
    assert broken == []


def test_paths_are_there(file):
    named = [
        path
        for path in PATH.findall(file.read_text())
        if not MADE_LATER.fullmatch(path)
    ]
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_modules_are_there(file):
    """`package.module`, `package.module.name` or the name of a queue."""
    missing = []
    for name in set(MODULE.findall(file.read_text())) - set(queues.registered()):
        parts = name.split(".")
        result = any(
            _is_module(parts[:cut])
            and all(
                re.search(rf"\b{re.escape(p)}\b", _source(parts[:cut]))
                for p in parts[cut:]
            )
            for cut in range(len(parts), 0, -1)
        )
        if not result:
            missing.append(name)
    assert missing == []


def test_the_tests_that_are_named_exist(file):
    named = set(TEST.findall(file.read_text()))
    assert named - _names_of_tests() == set()


@cache
def _names_of_tests() -> set[str]:
    files = (ROOT / "tests").rglob("test_*.py")
    return {name for file in files for name in DEFINITION.findall(file.read_text())}


def test_make_knows_the_targets(file):
    names = set(re.findall(r"^([a-z-]+):", read("Makefile"), re.MULTILINE))
    named = re.findall(
        r"(?:`|^|\w )(?:\w+=\S+ )*make ([a-z]+(?:-[a-z]+)?)",
        _commands(file.read_text()),
        re.MULTILINE,
    )
    assert set(named) - names == set()


def test_manage_knows_the_commands(file):
    named = re.findall(r"manage\.py ([a-z_]+)", file.read_text())
    assert set(named) - set(get_commands()) == set()


def test_the_addresses_of_curl_are_served(file):
    for block in code(file.read_text(), "sh"):
        for path in re.findall(r'"\$HUB(/\w+)"', block):
            match = resolve(f"/api/v1{path}")
            assert match.func.__name__ != "NoEndpoint", path
        for path in re.findall(
            r"https?://127\.0\.0\.1:\d+(/[\w/-]*/)\"?(?:\s|$)", block
        ):
            try:
                resolve(path)
            except Resolver404:
                pytest.fail(f"{path} is not served")


def test_no_page_names_a_place_on_some_machine(file):
    """The folder that the units of systemd name is no place of somebody's."""
    assert (
        re.findall(
            r"(?<![\w.:>/-])/(?:home|root|work|Users|tmp|mnt|opt(?!/compliance-desk))/\S*",
            file.read_text(),
        )
        == []
    )


def _commands(text: str) -> str:
    """The code of a page, in blocks and in lines."""
    return "\n".join([*code(text, "sh"), *re.findall(r"`[^`\n]+`", without_code(text))])


def _is_module(parts: list[str]) -> bool:
    path = ROOT.joinpath(*parts)
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()


def _source(parts: list[str]) -> str:
    path = ROOT.joinpath(*parts)
    if path.is_dir():
        return "\n".join(file.read_text() for file in path.glob("*.py"))
    return path.with_suffix(".py").read_text()
