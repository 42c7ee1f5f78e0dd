"""What somebody finds who has the database and the disk, and not the key: no name, no file, no word."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import connection

from checks import samples
from compliance.security import data_keys
from reviews.audit import trail, verification
from reviews.models import Case, CaseEvent, Decision, Document, Job, Note, Subscription
from tests.factories import make_connection, make_hub, make_user
from tests.reviews.rows import decide, one_person, someone
from webhooks.models import Event

pytestmark = pytest.mark.django_db(transaction=True)

NAME = "Quirnheim Oberszalánky"
FILE = "oberszalanky-deed.pdf"
NOTE = "Zwirnmeister called her sister."
RATIONALE = "Vexelthorpe is known to us."
ANSWER = "The Brackelsnoot papers."
# Lower case as a search needs it. The search text is in the clear, which docs/privacy.md declares.
SEARCHED = "reviews_search"


@pytest.fixture
def case(client, served, work_off, settings) -> Case:
    """A case that went the whole way through the pages."""
    hub = make_hub(make_connection(base_url=f"{served}/api/v1"))
    one_person()
    Subscription.objects.create(name="core", url=f"{served}/nowhere/", secret="s")
    client.force_login(make_user())
    sample = samples.good_certificate()
    fields: dict[str, Any] = {
        "agent": hub["desk_kyb"].pk,
        "reference": "case-1",
        "business_name": NAME,
        "registered_business_name": NAME,
        "incorporation_date": sample.attested["incorporation_date"],
        "incorporation_documents": SimpleUploadedFile(FILE, sample.content),
    }
    response = client.post("/cases/new/?kind=kyb", fields)
    assert response.status_code in {302, 303}, response.content.decode()
    work_off()
    case = Case.objects.get()
    file = SimpleUploadedFile("Grumbelsack.pdf", sample.content)
    client.post(f"/cases/{case.pk}/notes/", {"text": NOTE, "files": file})
    decide(case, someone("senior"), "reject", rationale=RATIONALE)
    work_off()
    case.refresh_from_db()
    return case


def words_of(case: Case) -> list[str]:
    """What the tables and files must not show."""
    company = samples.good_certificate().attested["registered_business_name"]
    words = [NAME, "Oberszal", "oberszalanky", company, company.partition(" ")[0]]
    return [*words, "Zwirnmeister", "Vexelthorpe", "Grumbelsack"]


def forms(word: str) -> list[bytes]:
    """The word as a database or JSON may have it."""
    escaped = word.encode("ascii", "backslashreplace")
    plain = [word.encode(), word.lower().encode(), word.encode("utf-16-le"), escaped]
    return [*plain, word.encode().hex().encode()]


def tables_with(words: list[str]) -> dict[str, set[str]]:
    """The tables that show a word."""
    result: dict[str, set[str]] = {}
    for table in connection.introspection.table_names():
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")  # noqa: S608
            content = b"\n".join(_bytes(value) for row in cursor for value in row)
        for word in words:
            if any(form in content for form in forms(word)):
                result.setdefault(table, set()).add(word)
    return result


def _bytes(value: object) -> bytes:
    if isinstance(value, bytes | memoryview):
        return bytes(value)
    return str(value).encode(errors="replace")


def test_no_table_and_no_file_shows_a_name(case, settings):
    assert case.status == Case.Status.DECIDED
    assert Event.objects.filter(status="applied").exists()
    result = tables_with(words_of(case))
    # The tables of SQLite's search are those of the search text.
    clear = {table for table in result if not table.startswith(SEARCHED)}
    assert {table: result[table] for table in clear} == {}
    assert "reviews_searchtext" in result

    files = [path for path in Path(settings.MEDIA_ROOT).rglob("*") if path.is_file()]
    assert len(files) >= 3
    for path in files:
        content = path.read_bytes()
        assert content.startswith(b"\xf9sealed\x01")
        assert not any(f in content for word in words_of(case) for f in forms(word))


def test_the_pages_still_show_it(client, case):
    page = client.get(case.get_absolute_url()).content.decode()
    assert NAME in page
    assert FILE in page
    assert (
        NOTE in client.get(f"{case.get_absolute_url()}?tab=activity").content.decode()
    )
    assert NAME in client.get("/", {"view": "all"}).content.decode()
    wanted = {"view": "all", "q": "quirnheim"}
    answer = client.post("/queue/search/", wanted, follow=True)
    text = answer.content.decode()
    assert NAME in text.replace("<mark>", "").replace("</mark>", "")
    trail.seal_all()
    assert faults() == []


def faults() -> list[str]:
    """Without those of the rules that the test has switched off behind the desk."""
    return [one for one in verification.faults() if "foureyesrule" not in one]


def test_without_its_key_nothing_of_the_case_is_read_and_the_trail_holds(client, case):
    # As the act writes it: a key that is erased without a line is a fault.
    trail.record(case, "case_erased", {})
    trail.seal_all()
    data_keys.erase(case.data_key_id)
    case = Case.objects.get()
    assert case.subject == "[erased]"
    assert case.self_attested_data == {}
    assert Note.objects.get().text == "[erased]"
    assert Decision.objects.get().rationale == "[erased]"
    assert Document.objects.get().file_name == "[erased]"
    assert Job.objects.all()[0].sent == {}
    assert bytes(Event.objects.filter(status="applied")[0].body) == b""
    line = CaseEvent.objects.get(what="note_added")
    assert line.personal == {}
    assert line.details["words"] == "[erased]"
    # The files are there, and nobody can read them.
    assert [one for one in faults() if "The file was erased" not in one] == []
    # Of this case only these two acts have words.
    erased = [line.what for line in CaseEvent.objects.all() if line.is_erased()]
    assert sorted(erased) == ["decided", "note_added"]
    assert trail.count_erased() == 2
    page = client.get(case.get_absolute_url())
    assert page.status_code == 200
    assert NAME not in page.content.decode()


def test_after_the_key_of_the_installation_turned_everything_is_read(case, settings):
    settings.ENCRYPTION_KEY = f"new,{settings.ENCRYPTION_KEY}"
    call_command("reencrypt", verbosity=0)
    settings.ENCRYPTION_KEY = "new"
    data_keys.forget()
    assert Case.objects.get().subject == NAME
    with Document.objects.get().file.open() as file:
        assert file.read().startswith(b"%PDF")
