"""An old backup brings back a case that was erased, with real processes: after `erase_again` nobody finds
the name, at the desk or at the hub."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
import requests

from checks import samples
from tests.loop.installations import (
    ROOT,
    Distributed,
    Installation,
    signed,
    until,
)

pytestmark = [pytest.mark.processes, pytest.mark.slow]

NAME = "Zquorvax Ydrillbeam"
PERSON = "Vexilmarrow"
NOTE = "Quibblethorne"
RATIONALE = "Wombatsnuffle"
FILE = "Brackelsnoot"
WORDS = tuple(word.lower() for word in (*NAME.split(), PERSON, NOTE, RATIONALE, FILE))
REFERENCES = ("erase-kyb", "erase-kyc")
KEY = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')

# What people do with a case beside the pages that submit it, in the environment of the installation.
DECIDE = f"""
from django.contrib.auth.models import User
from django.core.files.base import ContentFile
from reviews.decisions import decisions
from reviews.decisions.decisions import DecisionRequest
from reviews.models import Case, Decision, ReasonCode, SavedView
from reviews.people import notes
from reviews.procedures import checklists, versions

analyst, senior = User.objects.get(username="ana"), User.objects.get(username="sven")
for case in Case.objects.filter(reference__startswith="erase-"):
    file = ContentFile(b"%PDF-1.4 {FILE}", name="{FILE}.pdf")
    notes.add(case, actor=analyst, text="{NOTE} knows of {NAME}.", files=[file])
    notes.tag(case, "{PERSON}", actor=analyst)
    for item in versions.content_of(case.procedure).items:
        checklists.mark(case, item.key, actor=analyst, kind="explained", note="{NOTE} again.")
    code = ReasonCode.objects.filter(outcome="reject", claim="")[0]
    request = DecisionRequest(outcome="reject", reasons=[code.code], rationale="{RATIONALE} of {NAME}.")
    case.refresh_from_db()
    decisions.decide(case, actor=analyst, request=request, revision=case.revision)
    for decision in Decision.objects.filter(case=case, status=Decision.Status.PROPOSED):
        case.refresh_from_db()
        decisions.second(decision, actor=senior, agrees=True, note="", revision=case.revision)
SavedView.objects.create(owner=analyst, name="{NAME}", query="q={NAME}")
"""

ERASE = """
from django.contrib.auth.models import User
from reviews.models import Case
from reviews.privacy import erasures

administrator = User.objects.get(username="ada")
for case in Case.objects.filter(reference__startswith="erase-"):
    erasures.plan(case, actor=administrator, reason="Request 12")
"""

# Columns whose values, decrypted, still show a word.
SEARCH = f"""
import json
from django.apps import apps
from compliance.security.personal_fields import Sealed

def text_of(value):
    if isinstance(value, Sealed):
        value = value.open()
    if isinstance(value, (bytes, memoryview)):
        value = bytes(value).decode("utf-8", "replace")
    return json.dumps(value, default=str, ensure_ascii=False).casefold()

names = set()
for model in apps.get_models(include_auto_created=True):
    for row in model._default_manager.values():
        for name, value in row.items():
            if any(word in text_of(value) for word in {WORDS!r}):
                names.add(f"{{model._meta.label}}.{{name}}")
print("FOUND", json.dumps(sorted(names)))
"""


class Browser(requests.Session):
    def __init__(self, url: str) -> None:
        super().__init__()
        self.url = url

    def page(self, path: str) -> str:
        answer = self.get(self.url + path, timeout=60)
        assert answer.ok, (path, answer.status_code)
        return answer.text

    def submit(self, path: str, fields: dict[str, str], **files: object) -> str:
        # Signed in, any page has it.
        page = path if path.startswith(("/login/", "/cases/new/")) else "/"
        token = KEY.search(self.page(page))
        assert token
        form = {"csrfmiddlewaretoken": token[1], **fields}
        answer = self.post(self.url + path, form, files=files or None, timeout=60)  # type: ignore[arg-type]
        assert answer.ok, (path, answer.status_code, answer.text[:2000])
        return answer.text


def log_in(one: Installation, role: str) -> Browser:
    users = json.loads((one.folder / "demo.json").read_text())["users"]
    user = next(user for user in users if user["role"] == role)
    browser = Browser(one.url)
    form = {"login": user["username"], "password": user["password"]}
    browser.submit("/login/", form)
    return browser


def agent_of(page: str) -> str:
    field = page.partition('name="agent"')[2].partition('value="')[2]
    return field.partition('"')[0]


def submit_cases(one: Installation) -> None:
    """Two cases, and what people do on the way to them."""
    browser = log_in(one, "analyst")
    sample = samples.good_certificate()
    path = "/cases/new/?kind=kyb"
    company = {
        "agent": agent_of(browser.page(path)),
        "reference": REFERENCES[0],
        "business_name": NAME,
        "registered_business_name": f"{NAME} Ltd",
        "incorporation_date": str(sample.attested["incorporation_date"]),
    }
    document = (f"{FILE}.pdf", sample.content)
    browser.submit(path, company, incorporation_documents=document)
    path = "/cases/new/?kind=kyc"
    person = {
        "agent": agent_of(browser.page(path)),
        "reference": REFERENCES[1],
        "first_name": PERSON,
        "last_name": NAME.split()[1],
        "date_of_birth": "1971-03-09",
    }
    browser.submit(path, person)
    browser.submit("/queue/search/", {"view": "all", "q": NAME})
    browser.submit("/parties/search/", {"q": NAME})
    [(service,)] = one.rows("SELECT MIN(id) FROM reviews_connection")
    query = {"name": NAME, "connection": str(service)}
    browser.submit("/look-ups/", query)
    # Nobody knows its job: it is kept, and waits.
    body = json.dumps({"job_id": "unknown", "input_payload": {"name": NAME}}).encode()
    headers = {"Content-Type": "application/json", **signed(one, body)}
    requests.post(f"{one.url}/webhooks/hub/", body, headers=headers, timeout=30)


def columns_with_words(one: Installation) -> list[str]:
    found = one.manage("shell", "-c", SEARCH).partition("FOUND ")[2]
    return list(json.loads(found.splitlines()[0]))


def raw_places(one: Installation, log: Path) -> list[str]:
    """Files, logs, and dumps in which a word stands in plain text or as hexadecimal."""
    places = {"log": log.read_bytes()}
    for path in one.folder.rglob("*"):
        if path.is_file() and "audit-keys" not in path.parts:
            places[str(path.relative_to(one.folder))] = path.read_bytes()
    if isinstance(one, Distributed):
        program = shutil.which("pg_dump")
        assert program
        dump = subprocess.run([program, one.dsn], capture_output=True, check=True)
        places["pg_dump"] = dump.stdout
        places["redis"] = redis_content(one.env["CELERY_BROKER_URL"])
    result = []
    for name, content in places.items():
        plain = content.lower()
        for word in WORDS:
            if word.encode() in plain or word.encode().hex().encode() in plain:
                result.append(f"{name}: {word}")
    return sorted(result)


def redis_content(url: str) -> bytes:
    client = redis.Redis.from_url(url)
    parts = []
    for key in client.scan_iter("*"):
        parts.append(key + b" " + (client.dump(key) or b""))
    return b"\n".join(parts)


@pytest.fixture(params=["embedded", "distributed"])
def one(request, tmp_path, monkeypatch) -> Iterator[Installation]:
    result: Installation = request.getfixturevalue(
        "installation" if request.param == "embedded" else "distributed"
    )
    result.env["BACKUP_KEY"] = "k" * 40
    if isinstance(result, Distributed):
        result.env["REDIS_URL"] = result.env["CELERY_BROKER_URL"]
        result.env["PORT"] = str(result.port)
    begin = subprocess.Popen

    def run(*command: str) -> subprocess.Popen[bytes]:
        with (tmp_path / "log").open("ab") as log:
            process = begin(
                [sys.executable, *command],
                cwd=ROOT, env=result.env, stdout=log, stderr=log,
            )  # fmt: skip
        result.processes.append(process)
        return process

    monkeypatch.setattr(result, "run", run)
    yield result
    result.stop()
    until(lambda: not result.children("granian|manage|celery"), seconds=30)


def stop(one: Installation) -> None:
    one.stop()
    until(lambda: not one.children("granian|manage|celery"), seconds=30)


def trail_faults(one: Installation) -> list[str]:
    """What `audit_verify` finds, but for the agents, whose checks the tests have cut down in the database."""
    process = subprocess.run(
        [sys.executable, "manage.py", "audit_verify"],
        cwd=ROOT, env=one.env, check=False, capture_output=True, timeout=300,
    )  # fmt: skip
    lines = process.stderr.decode().splitlines()
    return [line for line in lines if "agenthub_agent " not in line and line]


def erased_everywhere(one: Installation) -> bool:
    rows = one.rows(
        "SELECT status, COUNT(*) FROM reviews_erasure GROUP BY status ORDER BY status"
    )
    return rows == [("done", len(REFERENCES))]


def test_what_an_old_backup_brings_back_is_erased_at_desk_and_hub(one, tmp_path):
    backup, log = tmp_path / "yesterday", tmp_path / "log"
    one.manage("collectstatic", "--noinput")
    one.start()
    submit_cases(one)
    until(one.all_cases_end, seconds=240)
    one.manage("shell", "-c", DECIDE)
    waiting = "SELECT 1 FROM agenthub_delivery WHERE status NOT IN ('done', 'dead')"
    until(lambda: not one.rows(waiting), seconds=120)
    places = columns_with_words(one)
    assert {"agenthub.AgentJob.input_payload", "reviews.Case.subject"} <= {*places}
    one.manage("backup", str(backup))

    one.manage("shell", "-c", ERASE)
    until(lambda: erased_everywhere(one), seconds=120)
    assert columns_with_words(one) == []
    stop(one)
    # The sweep of the search index comes with the erasure, and the last connection empties the log.
    assert raw_places(one, log) == []

    one.manage("restore", "--overwrite", str(backup))
    assert columns_with_words(one) == places
    one.manage("migrate", "--verbosity", "0")
    one.manage("erase_again")
    one.manage("audit_restored", "a drill")
    assert trail_faults(one) == []
    assert columns_with_words(one) == []

    # Work goes on: the service is asked again, and nothing comes back from it. With that the files of SQLite
    # are swept, too.
    one.start()
    until(lambda: erased_everywhere(one), seconds=120)
    services = one.rows("SELECT DISTINCT service FROM reviews_erasure")
    assert services == [("The service erased it: nothing was there.",)]
    stop(one)
    assert columns_with_words(one) == []
    assert raw_places(one, log) == []
    assert trail_faults(one) == []
