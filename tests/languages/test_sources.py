"""Each text that is marked in the code or in a template stands in the catalogues.

Where a text is missing here, `make messages` adds it; then it wants its translations.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.utils.translation.template import templatize

from tests.languages.catalogues import messages

ROOT = Path(settings.BASE_DIR)
PACKAGES = (
    "agenthub",
    "checks",
    "compliance",
    "ownership",
    "papers",
    "reviews",
    "webhooks",
)
# The place of the text among the arguments.
TEXT = {
    "_": 0,
    "gettext": 0,
    "gettext_lazy": 0,
    "gettext_noop": 0,
    "ngettext": 0,
    "ngettext_lazy": 0,
    "npgettext": 1,
    "pgettext": 1,
    "pgettext_lazy": 1,
}
MARK = re.compile(r"\b(?:gettext|ngettext|npgettext|pgettext|_)\(")


def test_every_marked_text_is_in_the_catalogues():
    names = {message.id for message in messages("de")}
    marked = {*in_code(), *in_templates()}
    assert len(marked) > 2000
    assert sorted(marked - names) == []
    assert sorted(names - marked) == []


def in_code() -> Iterator[str]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            yield from texts(ast.parse(path.read_text(encoding="utf-8")))


def in_templates() -> Iterator[str]:
    for path in sorted((ROOT / "templates").rglob("*.*")):
        source = templatize(path.read_text(encoding="utf-8"))
        for match in MARK.finditer(source):
            yield from texts(call_at(source, match.start()))


def call_at(source: str, start: int) -> ast.AST:
    """The call that begins there: up to the first bracket with which it is one."""
    end = start
    while True:
        end = source.index(")", end) + 1
        try:
            return ast.parse(source[start:end])
        except SyntaxError:
            continue


def texts(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        place = TEXT.get(name)
        if place is None or len(node.args) <= place:
            continue
        text = node.args[place]
        if (
            isinstance(text, ast.Constant)
            and isinstance(text.value, str)
            and text.value
        ):
            yield text.value
