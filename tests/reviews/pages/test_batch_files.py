"""A file of cases that would mix cases, or holds none, is refused with its lines before a service has it: REST."""

from __future__ import annotations

import json

import pytest

from reviews.intake import batch_files
from tests import factories, fakeservice
from tests.fakeservice import Step
from tests.reviews.api.calling import Caller
from tests.reviews.rows import someone

pytestmark = pytest.mark.django_db
BATCH = "5f0c2b0e-93a1-4d0c-8e37-0c1a6b2d9f11"
HEAD = "id,business_name,address_of_incorporation.country_code\n"


@pytest.fixture
def fake():
    with fakeservice.running() as service:
        yield service


@pytest.fixture
def agent(fake, settings):
    host, _, port = fake.url.removeprefix("http://").partition("/")[0].partition(":")
    settings.OUTBOUND_ALLOW = frozenset({(host, int(port))})
    return factories.make_agent(factories.make_connection(base_url=fake.url))


def send(agent, content: str):
    body = {"file_name": "a.csv", "csv": content, "batch_id": BATCH}
    return Caller(someone("analyst", "rest")).post(f"/agents/{agent.pk}/batches", body)


BAD = {
    f"{HEAD}a,One,US\nb,Two,US\na,Three,US\n": "The id a stands on the lines 2, 4",
    f'{HEAD}a,"Two\nlines",US\n\na,Three,US\n': "The id a stands on the lines 2, 5",
    f"{HEAD}a,One,ZZ\nb,Two,us\n": "Line 2: address_of_incorporation.country_code is 'ZZ'",
    f"{HEAD}a,One,US\n\nb,Two\n": "Line 4: The row has 2 cells, the header 3. Missing: address",
    f"{HEAD}a,One,US,more\n": "Line 2: The row has 4 cells, the header 3.",
    "foo,bar\n1,2\n": "No column is one of a case. The file has: foo, bar.",
    "<html><script>alert(1)</script>\n": "No column is one of a case",
    HEAD: "The file has no rows.",
    "\n": "The file has no header.",
}


@pytest.mark.parametrize(("content", "words"), BAD.items())
def test_a_file_that_would_go_wrong_is_not_given_to_the_service(
    agent, fake, content, words
):
    answer = send(agent, content)
    assert answer.status_code == 422
    assert words in json.dumps(answer.json(), ensure_ascii=False)
    assert "POST enqueueFromCSV" not in fake.paths()


def test_columns_that_no_check_reads_are_kept(agent, fake):
    fake.plan = [Step(status=200, body=json.dumps({"batch_id": BATCH}).encode())]
    assert (
        send(agent, "id,business_name,favourite_colour\na,One,red\n").status_code < 300
    )
    [payload] = [body for method, path, body in fake.asked if path == "enqueueFromCSV"]
    assert b"favourite_colour" in payload


def test_every_member_of_the_form_is_a_known_column():
    row = "id,self_attested_data.business_name,address_of_operation.type,ein_documents\na,b,,\n"
    assert batch_files.check(row.encode(), kind="kyb") == []


def test_of_very_many_faults_some_are_told():
    rows = "".join(f"{n},x,ZZ\n" for n in range(500))
    with pytest.raises(batch_files.RefusedFileError, match="And 480 more"):
        batch_files.check((HEAD + rows).encode(), kind="kyb")


@pytest.mark.parametrize("kind", ["kyb", "kyc"])
def test_the_template_has_columns_that_the_desk_knows(client, kind):
    client.force_login(someone("analyst"))
    answer = client.get(f"/batches/template/{kind}.csv")
    assert answer["Content-Type"].startswith("text/csv")
    header = answer.content.decode("utf-8-sig").strip()
    assert header.startswith("id,")
    row = "a" + "," * header.count(",")
    assert batch_files.check(f"{header}\n{row}\n".encode(), kind=kind) == []
    assert client.get("/batches/template/xyz.csv").status_code == 404
