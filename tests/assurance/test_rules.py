"""Each rule of security finds what breaks it, and the code of the project breaks none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from assurance import rules
from tests.docs.pages import ROOT, read

# The rule, code that breaks it, and code beside it that does not.
PLANTED = [
    ("escaping", "mark_safe(request.GET['q'])", "mark_safe('<br>')"),
    ("escaping", "SafeString(name)", "SafeString('')"),
    ("format_html", "format_html(f'<b>{name}</b>')", "format_html('<b>{}</b>', name)"),
    ("loading", "import pickle", "import json"),
    ("loading", "from marshal import loads", "from json import loads"),
    ("shell", "subprocess.run(line, shell=True)", "subprocess.run(line, shell=False)"),
    ("shell", "os.system(line)", "os.stat(line)"),
    ("shell", "eval(text)", "literal_eval(text)"),
    ("programs", "subprocess.run(['ls'])", "worker.run(['ls'])"),
    ("programs", "os.execv(path, words)", "os.path.join(path, words)"),
    ("SQL", "connection.cursor()", "page.cursor(row)"),
    ("SQL", "Case.objects.raw(sql)", "Case.objects.filter(pk=1)"),
    ("SQL", "RawSQL(sql, [])", "Value(sql)"),
    ("logs", "log.info('%s', case.subject)", "log.info('%s', case.pk)"),
    ("logs", "log.info('%s', data['email'])", "log.info('%s', data['count'])"),
    ("logs", "logger.error('%s', exc)", "logger.error('%s', type(exc).__name__)"),
    ("logs", "log.info(f'{case}')", "log.info('started')"),
    ("redirects", "redirect(request.GET['next'])", "redirect('queue')"),
    ("forgery", "view = csrf_exempt(view)", "view = csrf_protect(view)"),
    (
        "open interfaces",
        "authentication_classes = ()",
        "authentication_classes = (BearerToken,)",
    ),
    ("TLS", "session.get(url, verify=False)", "session.get(url, verify=True)"),
    ("TLS", "context.verify_mode = ssl.CERT_NONE", "mode = ssl.CERT_REQUIRED"),
    ("hashes", "hashlib.md5(data)", "hashlib.sha256(data)"),
]


def broken(source: str) -> set[str]:
    return {breach.rule for breach in rules.breaches_of("planted.py", source)}


@pytest.mark.parametrize(("rule", "bad", "good"), PLANTED)
def test_a_rule_finds_what_breaks_it(rule, bad, good):
    assert rule in broken(bad)
    assert rule not in broken(good)


def test_every_rule_has_a_violation_here():
    assert {rule.name for rule in rules.RULES} == {rule for rule, _, _ in PLANTED}


@pytest.mark.parametrize("text", ["{{ name|safe }}", "{% autoescape off %}"])
def test_a_template_does_not_switch_escaping_off(text):
    [breach] = rules.breaches_of_template("templates/case.html", text)
    assert breach.rule == "escaping"
    assert list(rules.breaches_of_template("templates/mail.txt", text)) == []


def copy_of_one_package(folder: Path, source: str) -> None:
    (folder / "checks").mkdir()
    (folder / "checks" / "planted.py").write_text(source)


def test_a_comment_does_not_switch_a_rule_off(tmp_path):
    copy_of_one_package(tmp_path, "import pickle  # noqa\n")
    lines = [line for line in rules.faults(tmp_path) if "planted" in line]
    assert lines == ["checks/planted.py:1: loading: pickle runs code of what it reads"]


def test_an_entry_that_is_not_needed_is_an_error(tmp_path):
    copy_of_one_package(tmp_path, "")
    entries = sum(len(rule.allowed) for rule in rules.RULES)
    lines = rules.faults(tmp_path)
    assert len(lines) == entries
    assert all(line.endswith("remove the entry") for line in lines)


def test_the_code_of_the_project_keeps_the_rules():
    process = subprocess.run(
        [sys.executable, "-m", "assurance.rules"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (process.returncode, process.stderr) == (0, ""), process.stdout


def test_make_check_runs_them():
    recipe = read("Makefile").partition("\ncheck:")[2].partition("\n\n")[0]
    assert "$(BIN)/python -m assurance.rules" in recipe
