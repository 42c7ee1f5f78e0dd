"""Words that are not to come back, each with the word that the field uses instead.

The list is checked in what people read: the documentation, the text of templates, and the sentences
in the code (statuses, messages, help texts, log lines, summaries of endpoints). The names in the code
are checked, too: of modules, classes, functions and variables, in templates and in scripts.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.pages import IDS, PAGES, ROOT, without_code

# What is not to be written (as a regular expression), and what to write instead.
WORDS = {
    r"(?:door)?bells?": "notification, wake-up message",
    r"rang|rung|rings? for": "notifies",
    r"(?-i:lanes?)": "queue",  # not of an address
    r"crews?": "worker pool",
    r"doors?|door out": "the module for outgoing requests",
    r"anew": "again",
    r"gives? up|gave up|given up|giving up": "failed after the last attempt",
    r"(?:puts?|putting) (?:\w+ ){0,2}aside": "snooze",
    r"breaks? off|broken? off": "stopped, interrupted, incomplete",
    r"(?:taken?|takes?) up(?! to)": "processed, resumed",
    r"left to take": "no unassigned case",
    r"lent|lends?|lending": "shared by a signed link",
    r"adopt(?:s|ed)?": "import",
    r"(?:told|tells?) of": "reported, described",
    r"decision sheet|the sheet|sheet of (?:a|the) case": "decision form",
    r"its clock|clocks by": "SLA",
    r"vouched": "allowed",
    r"approv\w+ (?:\w+ ){0,2}by (?:itself|themselves)": "automatic approval",
}
# Words that no name is to have. Names are split at underscores and capitals.
NAMES = {
    "bell": "notifier",
    "crew": "worker pool",
    "doorbell": "wake-up pipe",
    "lane": "queue",
    "lanes": "queues",
    "patience": "batch timeout",
    "rang": "notified",
    "rush": "coalesce window",
    "said": "response, payload",
    "settle": "complete",
    "told": "reported",
    "vouched": "allow_private",
}

PACKAGES = (
    "agenthub",
    "checks",
    "compliance",
    "ownership",
    "papers",
    "reviews",
    "webhooks",
)
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
MODULES = sorted(
    path
    for package in PACKAGES
    for path in (ROOT / package).rglob("*.py")
    if "migrations" not in path.parts
)
# Attributes that are shown or read aloud.
SHOWN = re.compile(r'(?:aria-label|title|placeholder|alt)="([^"]*)"')
MARKUP = re.compile(r"\{%.*?%\}|\{#.*?#\}|\{\{.*?\}\}|<[^>]*>", re.DOTALL)


def faults(text: str) -> list[str]:
    """The words in a text that are not to be written, each with the better one."""
    return [
        f"{match[0]!r} in {_around(text, match)!r}: write {better}"
        for pattern, better in WORDS.items()
        for match in re.finditer(
            rf"(?<![\w.`/-])(?:{pattern})(?![\w`/-])", text, re.IGNORECASE
        )
    ]


def _around(text: str, match: re.Match[str]) -> str:
    part = text[max(match.start() - 30, 0) : match.end() + 30]
    return " ".join(part.split())


@pytest.mark.parametrize("file", PAGES, ids=IDS)
def test_pages_of_the_documentation(file):
    prose = re.sub(r"`[^`\n]+`", "", without_code(file.read_text(encoding="utf-8")))
    assert faults(prose) == []


@pytest.mark.parametrize("file", TEMPLATES, ids=[path.name for path in TEMPLATES])
def test_words_on_pages(file):
    markup = file.read_text(encoding="utf-8")
    rows = [*SHOWN.findall(markup), MARKUP.sub(" ", markup)]
    assert faults("\n".join(rows)) == []


@pytest.mark.parametrize("package", PACKAGES)
def test_sentences_in_the_code(package):
    rows = []
    for path in MODULES:
        if path.is_relative_to(ROOT / package):
            for line, sentence in sentences(path):
                rows += [
                    f"{path.relative_to(ROOT)}:{line}: {fault}"
                    for fault in faults(sentence)
                ]
    assert rows == []


def sentences(path: Path) -> Iterator[tuple[int, str]]:
    """Texts of several words in a module, without docstrings and regular expressions."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {id(node) for node in _docstrings(tree)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or id(node) in docstrings:
            continue
        if isinstance(node.value, str) and " " in node.value and "\\" not in node.value:
            yield node.lineno, node.value


def _docstrings(tree: ast.Module) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr):
                yield first.value


@pytest.mark.parametrize("package", PACKAGES)
def test_names_in_the_code(package):
    folder = ROOT / package
    paths = [folder] if folder.suffix == ".py" else sorted(folder.rglob("*.py"))
    faulty = [
        f"{path.relative_to(ROOT)}: {name}: write {NAMES[word]}"
        for path in paths
        for name in names(path)
        for word in words_of(name)
        if word in NAMES
    ]
    assert faulty == []


TEMPLATE_NAMES = re.compile(
    r"\{% (?:for ([\w, ]+) in |with (\w+)=|[^%]* as (\w+) %)", re.DOTALL
)
SCRIPT_NAMES = re.compile(r"\b(?:const|let|function) (?:[\[{] ?)?(\w+)")
SCRIPTS = sorted((ROOT / "static" / "js").rglob("*.js"))


@pytest.mark.parametrize(
    ("files", "pattern"),
    [(TEMPLATES, TEMPLATE_NAMES), (SCRIPTS, SCRIPT_NAMES)],
    ids=["templates", "scripts"],
)
def test_names_outside_the_code(files, pattern):
    assert files
    faulty = []
    for path in files:
        text = path.read_text(encoding="utf-8")
        for groups in pattern.finditer(text):
            for name in re.findall(r"\w+", " ".join(filter(None, groups.groups()))):
                faulty += [
                    f"{path.relative_to(ROOT)}: {name}: write {NAMES[word]}"
                    for word in words_of(name)
                    if word in NAMES
                ]
    assert faulty == []


def words_of(name: str) -> list[str]:
    """The words of `snake_case` and `CamelCase`."""
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name)]


def names(path: Path) -> set[str]:
    """What a module defines, and its own name."""
    ids = {path.stem}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            ids.add(node.name)
        elif isinstance(node, ast.arg):
            ids.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            ids.add(node.id)
    return ids
