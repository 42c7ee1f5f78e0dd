"""Each sentence that a check can write has a pattern in the catalogue of the desk, so that it is translated.

The source of the checks is read, and not the desk's: it may not import them. Where a sentence of a check is new or
changes, its pattern belongs into `reviews/results/sentences/`, then `make messages`, then the translations.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import translation

from checks.document_fraud_check.catalogue import EVERY
from reviews.results.sentences import pieces
from reviews.results.sentences.display import CATALOGUE
from reviews.results.words import LABELS

ROOT = Path(settings.BASE_DIR)
# The folders and modules whose words a person reads at the desk.
WRITERS = (
    "agenthub/agents/requirements.py",
    "checks/comparisons.py",
    "checks/data_check.py",
    "checks/date_of_birth",
    "checks/document_check.py",
    "checks/document_fraud_check",
    "checks/duplicates/check.py",
    "checks/engine.py",
    "checks/evidence.py",
    "checks/extraction",
    "checks/incorporation_document/comparisons.py",
    "checks/incorporation_document/consistency.py",
    "checks/incorporation_document/extraction.py",
    "checks/screening/checks.py",
    "checks/screening/corroboration.py",
    "checks/screening/engine.py",
    "checks/screening/identifiers/normal_forms.py",
    "checks/screening/matching",
    "checks/screening/readable.py",
    "checks/subject_data/addresses.py",
    "checks/subject_data/business.py",
    "checks/subject_data/contact.py",
    "checks/subject_data/enrichment.py",
    "checks/subject_data/government_id.py",
    "checks/subject_data/identity.py",
    "checks/subject_data/numbers.py",
    "checks/subject_data/risk.py",
)
# Modules of those that write nothing for a person.
SILENT = frozenset(
    {
        "checks/document_fraud_check/alterations.py",  # the words of labels of forms
        "checks/document_fraud_check/documentation.py",  # the pages of the documentation
    }
)
# Words that no page shows as a sentence, or that are data there.
NOT_SHOWN = frozenset(
    {
        "Corporate Identity Number",  # names of numbers, codes and programs
        "CIPC number",
        "Micro QR Code",
        "Addresses compared",  # titles of checks, which labels stand for
        "Against other sources",
        "High-risk countries",
        "Microsoft Office",
        "Names compared",
        "Other cases of this business",
        "Other cases of this person",
        "Parties of the business",
        "Parties of the person",
        "QR Code",
        "rMQR Code",
        "adobe pdf library",
        "apache fop",
        "form value",  # words of the code, which are compared
        "form values",
        "Validity of the ID",
        "Asking other sources",  # what a job does at the moment
        "Comparing the addresses",
        "Comparing the names",
        "Comparing with other cases",
        "Screening against the lists",
        "Screening the parties against the lists",
        "validation data",
    }
)
# Calls whose texts nobody reads at the desk: of regular expressions, of the log, and names of columns.
NO_SENTENCES = frozenset(
    {"compile", "phrase", "match", "search", "error", "warning", "info", "debug"}
)
VALUE = "\0"
FIXED = re.compile(r"\0|\d+ %")  # between the words that are fixed
TWO_WORDS = re.compile(r"[A-Za-z]{2,}'?[a-z]* [A-Za-z]{2,}")


def sources() -> Iterator[Path]:
    for name in WRITERS:
        path = ROOT / name
        files = sorted(path.rglob("*.py")) if path.is_dir() else [path]
        for file in files:
            # Tables of numbers have reasons for programmers.
            is_table = file.name == "tunables.py"
            if not is_table and str(file.relative_to(ROOT)) not in SILENT:
                yield file


def written_in(source: str) -> Iterator[str]:
    """The fixed words of all texts of a module that may be shown: of "page {n}: {a} is hidden" both parts."""
    tree = ast.parse(source)
    unread = {id(part) for node in ast.walk(tree) for part in parts_unread(node)}
    for node in ast.walk(tree):
        if id(node) in unread:
            continue
        text = text_of(node)
        for words in FIXED.split(text):
            plain = words.strip(" .,:;!?()“”%\n")
            if TWO_WORDS.search(plain) and not is_expression(plain):
                yield plain


def parts_unread(node: ast.AST) -> Iterator[ast.AST]:
    """What stands below this node and is no text of its own, or none that a page shows."""
    if isinstance(node, ast.Expr):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield from node.values
    elif isinstance(node, ast.Raise):
        yield from ast.walk(node)
    elif isinstance(node, ast.Call):
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        if name in NO_SENTENCES:
            yield from ast.walk(node)


def text_of(node: ast.AST) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if not isinstance(node, ast.JoinedStr):
        return ""
    text = ""
    for part in node.values:
        text += part.value if isinstance(part, ast.Constant) else VALUE  # type: ignore[operator]
    return text


def is_expression(text: str) -> bool:
    """Whether it is a regular expression."""
    return any(sign in text for sign in ("\\", "(?", "[", "|", "^"))


def test_all_words_that_a_check_writes_stand_in_the_catalogue():
    text = "\n".join((*CATALOGUE.texts, *LABELS))
    missing = []
    for path in sources():
        for words in written_in(path.read_text(encoding="utf-8")):
            if words not in text and words not in NOT_SHOWN:
                missing.append(f"{path.relative_to(ROOT)}: {words}")
    assert missing == []


def test_a_new_sentence_of_a_check_would_be_seen():
    source = 'def look(value):\n    """Not this."""\n    return f"{value} was seen in a dream, and {value} too."\n'
    assert list(written_in(source)) == ["was seen in a dream, and"]


def test_words_that_are_not_shown_are_still_written():
    names: set[str] = set()
    for path in sources():
        names.update(written_in(path.read_text(encoding="utf-8")))
    assert NOT_SHOWN - names == set()


@pytest.mark.parametrize("rule", EVERY, ids=lambda rule: rule.indicator_id)
def test_every_title_of_an_indicator_is_translated(rule):
    with translation.override("ar"):
        title, *others = pieces(rule.title)
        assert not title.is_foreign
        assert others == []
        assert not pieces(rule.category)[0].is_foreign
