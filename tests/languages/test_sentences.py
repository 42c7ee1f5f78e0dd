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

from checks import registry
from checks.document_fraud_check.catalogue import EVERY
from reviews.results import READERS
from reviews.results.kinds import Fraud
from reviews.results.sentences import pieces
from reviews.results.sentences.display import CATALOGUE
from reviews.results.words import LABELS

ROOT = Path(settings.BASE_DIR)
# Where sentences are written: a module that is added here is read by this test on its own.
WRITERS = ("agenthub/agents", "checks")
# Folders and modules of those that write nothing for a reader of the desk.
SILENT = (
    "agenthub/agents/configuration.py",  # what is wrong with the configuration of an agent
    "checks/arguments.py",  # what is wrong with the arguments of a request
    "checks/commands",  # the command line
    "checks/evaluation",  # figures of how well documents are read
    "checks/fields/dates.py",  # the names of months
    "checks/provenance/evidence.py",  # the wire's list of what a result rests on
    "checks/registry.py",  # errors of programmers
    "checks/samples",
    "checks/warm_up",  # documents that are made for tests
    "checks/screening/identifiers/wallets.py",  # the names of currencies
    "checks/screening/look_up.py",  # how a name of a list fits what was looked up
    "checks/list_screening/parties/schema.py",  # the words of forms
    "checks/screening/policy.py",  # what is wrong with a policy
    "checks/screening/matching/readings.py",  # syllables
    "checks/screening/romanisation",  # syllables
    "checks/vision/signatures.py",  # reasons for programmers
)
# Words that no page shows as a sentence, or that are data there.
NOT_SHOWN = frozenset(
    {
        "Corporate Identity Number",  # names of numbers, codes and programs
        "CIPC number",
        "CVR number",
        "Delaware file number",
        "Firmenbuch number",
        "KRS number",
        "Kenyan company number",
        "KvK number",
        "LLP Identification Number",
        "RC number",
        "RCCM number",
        "RNA number",
        "UBI number",
        "Unified Social Credit Code",
        "codice fiscale",
        "number in the Registrul Comerțului",
        "Micro QR Code",
        "Microsoft Office",
        "QR Code",
        "rMQR Code",
        "adobe pdf library",
        "apache fop",
        "form value",  # words of the code, which are compared
        "form values",
        "business name",
        "certificate of registration",
        "commercial name",
        "dear applicant",
        "employer identification number",
        "face model",
        "free host",
        "given names",
        "onder de naam",
        "operating agreement",
        "the better of two readings",
        "trade name",
        "we assigned you",
        "zone reader",
        "Airlines, by company",  # titles of codes, which are data
        "Car rental agencies, by company",
        "Hotels, by company",
        "AAMVA version",  # what a barcode says of itself
        "driver's licence",
        "Internal Revenue Service",  # what a letter is read to say
        "United States",
        "Asking other sources",  # what a job does at the moment
        "Looking at the website",
        "Reading the data",
        "Reading the documents",
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
    {"compile", "Phrase", "match", "search", "error", "warning", "info", "debug"}
)
VALUE = "\0"
FIXED = re.compile(r"\0|\d+ %|(?<=[.!?])\s+")  # between the words that are fixed
TWO_WORDS = re.compile(r"[A-Za-z]{2,}'?[a-z]* [A-Za-z]{2,}")


def sources() -> Iterator[Path]:
    for name in WRITERS:
        for path in sorted((ROOT / name).rglob("*.py")):
            # Tables of numbers have reasons for programmers.
            if path.name != "tunables.py" and not is_silent(path):
                yield path


def is_silent(path: Path) -> bool:
    names = {str(path.relative_to(ROOT))}
    for folder in path.parents:
        if folder.is_relative_to(ROOT):
            names.add(str(folder.relative_to(ROOT)))
    return not names.isdisjoint(SILENT)


def written_in(source: str) -> Iterator[str]:
    """The fixed words of all texts of a module that may be shown: of "page {n}: {a} is hidden" both parts."""
    tree = ast.parse(source)
    unread = {id(part) for node in ast.walk(tree) for part in parts_unread(node)}
    for node in ast.walk(tree):
        if id(node) in unread:
            continue
        text = text_of(node)
        if not is_shown(text):
            continue
        for words in FIXED.split(text):
            plain = words.strip(" .,:;!?()“”%")
            if TWO_WORDS.search(plain):
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


def is_shown(text: str) -> bool:
    is_list = "\n" in text  # a documentation, or a list of words
    is_quote = text.startswith("“") and text.endswith(
        "”"
    )  # of a document, in its language
    return not is_list and not is_quote and not is_expression(text)


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


def labels_in(source: str) -> Iterator[str]:
    """The labels of the rows of a table of findings, where they are fixed."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        label = node.args[0]
        is_row = getattr(node.func, "id", "") in {"row", "difference"}
        if is_row and isinstance(label, ast.Constant):
            yield str(label.value)


def test_each_label_of_a_row_is_translated():
    missing = []
    for path in sources():
        for label in labels_in(path.read_text(encoding="utf-8")):
            if label not in CATALOGUE.constants.texts and label not in LABELS:
                missing.append(f"{path.relative_to(ROOT)}: {label}")
    assert missing == []


def test_a_new_sentence_of_a_check_would_be_seen():
    source = 'def look(value):\n    """Not this."""\n    return f"{value} was seen in a dream, and {value} too."\n'
    assert list(written_in(source)) == ["was seen in a dream, and"]


def test_a_module_of_the_checks_is_read_unless_it_is_silent():
    read = {str(path.relative_to(ROOT)) for path in sources()}
    assert "checks/website_presence/check.py" in read
    assert "checks/samples/letters.py" not in read


@pytest.mark.parametrize("name", SILENT)
def test_what_is_silent_is_there_and_would_be_seen(name):
    path = ROOT / name
    files = path.rglob("*.py") if path.is_dir() else [path]
    assert any(list(written_in(file.read_text(encoding="utf-8"))) for file in files)


def test_words_that_are_not_shown_are_still_written():
    names: set[str] = set()
    for path in sources():
        names.update(written_in(path.read_text(encoding="utf-8")))
    assert NOT_SHOWN - names == set()


@pytest.mark.parametrize("check_id", registry.all_checks())
def test_every_title_of_a_check_is_translated(check_id):
    """The page for a new case lists what an agent runs."""
    title = registry.get(check_id).title
    with translation.override("ar"):
        assert [piece.is_foreign for piece in pieces(title)] == [False]


@pytest.mark.parametrize("rule", EVERY, ids=lambda rule: rule.indicator_id)
def test_every_title_of_an_indicator_is_translated(rule):
    with translation.override("ar"):
        title, *others = pieces(rule.title)
        assert not title.is_foreign
        assert others == []
        assert not pieces(rule.category)[0].is_foreign


@pytest.mark.parametrize("rule", EVERY, ids=lambda rule: rule.indicator_id)
def test_the_documentation_of_every_indicator_is_translated(rule):
    data = {
        "verification_data": [
            {"title": rule.title, "documentation": rule.documentation}
        ]
    }
    view = READERS["fraud_verification_data"](data, {})
    assert isinstance(view, Fraud)
    [indicator] = view.rows
    assert indicator.documentation
    with translation.override("ar"):
        for paragraph in indicator.documentation:
            assert [piece.is_foreign for piece in pieces(paragraph)] == [False]
