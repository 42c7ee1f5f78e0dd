"""Settings and dependencies: the tables and the code say the same."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import metadata
from pathlib import Path

import pytest
from django.core.management import load_command_class

from compliance.environment import SECRET_FOLDERS
from compliance.work import queues
from reviews.models import FourEyesRule
from tests.docs.pages import ROOT, first_cells, read

READS = re.compile(
    r"""(?:env_(?:bool|int|list|secret)|environ(?:\.get)?[(\[]|getenv)\(?\s*["'](\w+)["']"""
)
SECRET = re.compile(r"""env_secret\(\s*["'](\w+)["']""")


def variables() -> set[str]:
    source = read("compliance/settings.py")
    return {
        *READS.findall(source),
        *SECRET_FOLDERS,
        *(f"{name}_FILE" for name in SECRET.findall(source)),
    }


def test_every_setting_is_documented_and_no_other():
    page = read("docs/settings.md").partition("\n## make\n")[0]
    documented = {
        name for cell in first_cells(page) for name in re.findall(r"`(\w+)`", cell)
    }
    assert len(documented) > 25
    assert documented == variables()


# Tesseract's own variable, which its programs read, too.
READS_TESSERACT = {"checks/readers/ocr/recognition.py"}


def test_the_environment_is_read_in_one_place():
    folders = ("agenthub", "checks", "ownership", "papers", "reviews", "webhooks")
    readers = [
        str(path.relative_to(ROOT))
        for folder in folders
        for path in (ROOT / folder).rglob("*.py")
        if re.search(r"os\.environ|getenv\(", path.read_text())
    ]
    assert set(readers) == READS_TESSERACT


def test_every_condition_for_a_second_person_is_told_of():
    section = read("docs/desk-api.md").partition("\n## When two people decide\n")[2]
    table = section.partition("\n## ")[0]
    documented = {
        name for cell in first_cells(table) for name in re.findall(r"`(\w+)`", cell)
    }
    assert documented == set(FourEyesRule.Condition.values)


def test_every_queue_is_listed_with_its_rows():
    section = read("docs/architecture.md").partition(
        "inherit from `compliance.work.rows.Work`"
    )[2]
    table = re.findall(
        r"^\| `(\w+\.\w+\.\w+)` \| (\w+) \|", section.partition("\n- ")[0], re.MULTILINE
    )
    declared = {
        name: queue.model.__name__ for name, queue in queues.registered().items()
    }
    assert dict(table) == declared


def test_every_queue_that_gives_up_is_listed_with_its_number():
    page = (
        read("docs/architecture.md")
        .partition("`on_exhausted` ends the row")[2]
        .partition(". Rows")[0]
    )
    named = {
        name: int(most)
        for name, most in re.findall(r"`(\w+\.\w+\.\w+)`\s+\((\d+)\)", page)
    }
    declared = {
        name: queue.max_failures
        for name, queue in queues.registered().items()
        if queue.on_exhausted
    }
    assert named == declared


def test_the_modules_of_the_kernel_are_those_of_the_contract():
    [row] = re.findall(
        r"^\| The kernel imports no app \|(.*)\|$",
        read("docs/architecture.md"),
        re.MULTILINE,
    )
    named = {f"compliance.{name}" for name in re.findall(r"`(\w+)`", row)} - {
        "compliance.compliance"
    }
    contracts = tomllib.loads(read("pyproject.toml"))["tool"]["importlinter"][
        "contracts"
    ]
    [kernel] = [one for one in contracts if one["name"] == "The kernel imports no app"]
    assert named == set(kernel["source_modules"])


PACKAGES = ("agenthub", "compliance", "reviews", "webhooks")


def commands() -> dict[str, set[str]]:
    """Our own commands of manage.py, each with its options."""
    data = {}
    paths = [
        path
        for package in PACKAGES
        for path in (ROOT / package).rglob("management/commands/*.py")
    ]
    for path in paths:
        if path.stem != "__init__":
            app = ".".join(path.relative_to(ROOT).parts[:-3])
            parser = load_command_class(app, path.stem).create_parser(
                "manage.py", path.stem
            )
            options = {
                name for action in parser._actions for name in action.option_strings
            }
            data[path.stem] = options - OF_DJANGO
    return data


OF_DJANGO = {
    "-h", "--help", "--version", "-v", "--verbosity", "--settings", "--pythonpath", "--traceback",
    "--no-color", "--force-color", "--skip-checks",
}  # fmt: skip


def test_every_command_is_documented_and_its_options_exist():
    page = read("docs/settings.md").partition("\n## manage.py\n")[2]
    rows = dict(re.findall(r"^\| `manage\.py (\w+)` \|(.*)\|$", page, re.MULTILINE))
    declared = commands()
    assert set(rows) == set(declared)
    for name, words in rows.items():
        assert set(re.findall(r"`(--[\w-]+)`", words)) <= declared[name], name


def texts(path: Path) -> Iterator[str]:
    """The strings of a module without its docstrings."""
    tree = ast.parse(path.read_text())
    docstrings: set[ast.expr] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):
            docstrings.add(node.value)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or node in docstrings:
            continue
        if isinstance(node.value, str):
            yield node.value


def test_no_message_names_manage_py_which_a_wheel_has_not():
    """They say settings.PROGRAM."""
    # The page of an evidence pack is for people elsewhere, and names the command as our pages do.
    elsewhere = {"evidence_verify.py"}
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            if path.name not in elsewhere and "manage.py" in path.read_text():
                assert not [text for text in texts(path) if "manage.py " in text], path
    for path in (ROOT / "templates").rglob("*.html"):
        assert "manage.py" not in path.read_text(), path


def test_what_the_tests_read_is_documented():
    paths = [
        path for path in (ROOT / "tests").rglob("*.py") if path.parent.name != "docs"
    ]
    named = {name for path in paths for name in READS.findall(path.read_text())}
    # The last one is between a test and the processes that it starts.
    named -= {"VAR", "PATH", "DJANGO_ALLOW_ASYNC_UNSAFE", "CLOCK_OFFSET"}
    assert {
        name for name in named if f"`{name}" not in read("CONTRIBUTING.md")
    } == set()


INSTALLED = ("base", "dev")
ADDED = ("provenance", "ocr-hq", "face", "s3", "sentry", "otel", "saml")


def direct(*sets: str) -> set[str]:
    lines = [
        line for name in sets for line in read(f"requirements/{name}.in").splitlines()
    ]
    return {
        re.split(r"[\[<>=!~; ]", line)[0]
        for line in lines
        if line.strip() and line[0] not in "#-"
    }


def licences() -> dict[str, str]:
    page = read("docs/decisions/0009-dependencies.md")
    rows = re.findall(r"^\| ([\w.-]+) \| ([^|]+) \|", page, re.MULTILINE)
    return {name: licence.strip() for name, licence in rows if name != "Package"}


def test_every_dependency_is_in_its_decision_and_no_other():
    assert set(licences()) == direct(*INSTALLED, *ADDED)


@pytest.mark.parametrize("package", sorted(direct(*INSTALLED)))
def test_the_licence_is_what_the_package_says(package):
    facts = metadata(package).json
    if expression := facts.get("license_expression"):
        assert licences()[package] == expression
        return
    words = f"{facts.get('license', '')} {facts.get('classifier', '')}".upper()
    families = [
        f for f in ("APACHE", "BSD", "ISC", "LGPL", "MIT", "MPL", "OFL") if f in words
    ]
    # Few say nothing at all in their metadata; those carry only the text.
    assert not families or any(f in licences()[package].upper() for f in families), (
        words[:200]
    )


DESK_ALONE = """
import django, sys
django.setup()
from django.urls import Resolver404, resolve
resolve("/"), resolve("/cases/new/"), resolve("/webhooks/hub/")
try:
    resolve("/api/v1/getJobById")
except Resolver404:
    assert not [name for name in sys.modules if name.partition(".")[0] in {"agenthub", "checks"}]
    print("without the hub")
"""


def test_the_desk_runs_without_the_hub(tmp_path):
    """As the README says: no code of the hub is loaded, and /api/v1 is not found."""
    foreign = ("DATABASE", "CELERY", "REDIS")
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(foreign)
    }
    env = clean | {"VAR": str(tmp_path), "HUB_ENABLED": "0"}
    env["DJANGO_SETTINGS_MODULE"] = "compliance.settings"
    process = subprocess.run(
        [sys.executable, "-c", DESK_ALONE],
        cwd=ROOT,
        env=env,
        capture_output=True,
        check=False,
    )
    assert process.stdout.decode().strip() == "without the hub", process.stderr.decode()
