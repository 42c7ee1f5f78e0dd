"""Texts that people read are marked for translation; those that systems read are not.

The source is read, not run: a new form, message or choice without a mark fails here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
APPS = ("agenthub", "compliance", "reviews", "webhooks")
# What is English in every language, by the beginning of its path: the reason.
ENGLISH = {
    "agenthub/api/": "answers of the REST interface",
    "agenthub/documents/": "answers of the REST interface",
    "agenthub/schemas/": "the description of the REST interface",
    "compliance/backup/": "output of commands",
    "compliance/http/api/": "answers of the REST interfaces",
    "compliance/identity/scim/": "answers to directories",
    "compliance/operation/metrics/": "for Prometheus",
    "reviews/api/": "answers of the REST interface",
    "reviews/risk/engine/": "plain Python, stored: reviews.risk.words translates it",
}
COMMANDS = "/management/"
# The administration names the columns of tables as the code does, and explains them in its language.
MODELS = ("models.py", "/models/", "compliance/http/outbox.py", "compliance/scanning/rows.py",
          "compliance/security/", "compliance/work/")  # fmt: skip
LAZY = {"gettext_lazy", "ngettext_lazy", "pgettext_lazy"}
AT_ONCE = {"gettext", "ngettext", "pgettext"}
KEYWORDS = {"label", "help_text", "description"}
# Calls whose argument at this place is a text for a person.
TEXTS = {
    "ValidationError": 0,
    "RefusedError": 0,
    "StaleError": 0,
    "NotPossibleError": 0,
    "MergeError": 0,
    "RelationError": 0,
    "LookUpError": 0,
    "PermissionDenied": 0,
    "add_error": 1,
    "message_user": 1,
    "debug": 1,
    "info": 1,
    "success": 1,
    "warning": 1,
    "error": 1,
}
OF_MESSAGES = {"debug", "info", "success", "warning", "error"}


def sources() -> list[str]:
    paths = []
    for app in APPS:
        for path in sorted((ROOT / app).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            is_english = name.startswith(tuple(ENGLISH)) or COMMANDS in name
            if not is_english and "/migrations/" not in name:
                paths.append(name)
    return paths


def read(name: str) -> ast.Module:
    return ast.parse((ROOT / name).read_text())


def is_text(node: ast.AST | None) -> bool:
    """Whether it is a text with a word in it that nothing marks."""
    if isinstance(node, ast.JoinedStr):
        return any(is_text(part) for part in node.values)
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
        return False
    return any(char.isalpha() for char in node.value)


def unmarked(name: str, tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield from unmarked_in_call(name, node)
        if isinstance(node, ast.ClassDef):
            yield from unmarked_choices(name, node)


def unmarked_in_call(name: str, call: ast.Call) -> Iterator[str]:
    function = ast.unparse(call.func)
    last = function.rpartition(".")[2]
    place = TEXTS.get(last)
    is_message = function.startswith("messages.")
    if place is None or is_message != (last in OF_MESSAGES):
        place = len(call.args)
    if place < len(call.args) and is_text(call.args[place]):
        yield f"{name}:{call.lineno}: {function}"
    is_column = any(part in name for part in MODELS)
    if function.endswith(".objects.create"):
        return
    for keyword in call.keywords:
        if keyword.arg == "help_text" and is_column:
            continue
        if keyword.arg in KEYWORDS and is_text(keyword.value):
            yield f"{name}:{call.lineno}: {keyword.arg}"


def unmarked_choices(name: str, node: ast.ClassDef) -> Iterator[str]:
    if not any(ast.unparse(base).endswith("Choices") for base in node.bases):
        return
    for line in node.body:
        value = line.value if isinstance(line, ast.Assign) else None
        if isinstance(value, ast.Tuple) and is_text(value.elts[-1]):
            yield f"{name}:{line.lineno}: {node.name}"


def marks(tree: ast.Module) -> dict[str, str]:
    """The functions that mark texts, by the names that the module gives them."""
    names = {}
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.ImportFrom)
            and node.module == "django.utils.translation"
        ):
            for alias in node.names:
                names[alias.asname or alias.name] = alias.name
    return names


def calls(
    node: ast.AST, *, runs_later: bool = False
) -> Iterator[tuple[ast.Call, bool]]:
    """The calls, and whether each is made after the import."""
    for child in ast.iter_child_nodes(node):
        later = runs_later
        if isinstance(node, ast.FunctionDef) and child in node.body:
            later = True
        if isinstance(node, ast.Lambda):
            later = True
        if isinstance(child, ast.Call):
            yield child, later
        yield from calls(child, runs_later=later)


def wrongly_marked(name: str, tree: ast.Module) -> Iterator[str]:
    functions = marks(tree)
    for call, runs_later in calls(tree):
        function = functions.get(ast.unparse(call.func), "")
        if function not in LAZY | AT_ONCE:
            continue
        if function in AT_ONCE and not runs_later:
            yield f"{name}:{call.lineno}: the language is not known at import"
        # A module with a table of texts marks them there.
        is_of_table = "gettext_noop" in functions.values()
        # Titles of checks are marked where the desk shows them (tests/languages/test_labels.py).
        is_title = ast.unparse(call.args[0]) == "check.title"
        is_whole = isinstance(call.args[0], ast.Constant) or is_title
        if not is_whole and not is_of_table:
            yield f"{name}:{call.lineno}: no catalogue can have this text"


def test_what_people_read_is_marked():
    faults: list[str] = []
    for name in sources():
        faults += unmarked(name, read(name))
    assert not faults


def test_marked_texts_are_whole_and_wait_for_the_language():
    faults: list[str] = []
    for name in sources():
        faults += wrongly_marked(name, read(name))
    assert not faults


@pytest.mark.parametrize("beginning", ENGLISH)
def test_what_stays_english_marks_nothing(beginning):
    for path in (ROOT / beginning).rglob("*.py"):
        assert not marks(ast.parse(path.read_text())).keys() & (LAZY | AT_ONCE | {"_"})


def test_the_words_of_ratings_are_those_of_the_engine():
    from reviews.risk import words
    from reviews.risk.engine.factors import FACTORS, GROUPS

    assert {key: str(text) for key, text in words.GROUPS.items()} == GROUPS
    titles = {factor.name: factor.title for factor in FACTORS.values()}
    assert {key: str(text) for key, text in words.TITLES.items()} == titles
    labels = {"unknown"}
    for factor in FACTORS.values():
        labels.update(factor.labels.values())
    assert {key: str(text) for key, text in words.LABELS.items()} == {
        label: label for label in labels
    }
