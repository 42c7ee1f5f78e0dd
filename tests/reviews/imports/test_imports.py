"""A file of cases through its pages: mapped, checked as a whole, opened in the background, told line by line."""

from __future__ import annotations

import csv
import io
import re
import uuid
from html import unescape
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.timezone import now

from compliance.models import LocalePreference
from compliance.work.rows import LeaseLostError
from reviews.access import roles
from reviews.imports import imports
from reviews.imports.tables import MOST_ROWS
from reviews.intake import cases
from reviews.models import Agent, Case, CaseEvent, CaseImport, CaseParty, Job
from reviews.tasks import IMPORTS
from tests import factories
from tests.compliance.storage.files import REFUSED
from tests.reviews.rows import someone

pytestmark = pytest.mark.django_db
GOOD = (
    b"id,Company name,Incorporation country,Proof of address,Colour\n"
    b"a-1,Northwind,us,https://files.example/bill.pdf,red\n"
    b"a-2,Contoso,Germany,,blue\n"
)


@pytest.fixture
def agent(db):
    return factories.make_agent(factories.make_connection())


@pytest.fixture
def ana(client):
    client.force_login(someone("analyst", "ana"))
    return client


def upload(ana, agent, content: bytes, name: str = "march.csv"):
    data = {"agent": agent.pk, "file": SimpleUploadedFile(name, content)}
    return ana.post("/batches/", data)


def keep(ana, agent, content: bytes) -> CaseImport:
    answer = upload(ana, agent, content)
    assert answer.status_code == 303, unescape(answer.content.decode())
    pk = urlsplit(answer["Location"]).path.strip("/").rpartition("/")[2]
    return CaseImport.objects.get(pk=pk)


def address(row: CaseImport) -> str:
    return f"/batches/files/{row.pk}/"


def import_page(ana, row: CaseImport) -> str:
    return " ".join(unescape(ana.get(address(row)).content.decode()).split())


def act(ana, row: CaseImport, name: str, **changes: str):
    """Press a button of the page as it stands, with some fields changed."""
    row.refresh_from_db()
    fields = {f"column-{place}": member for place, member in enumerate(row.mapping)}
    if row.joins_rows:
        fields["joins_rows"] = "on"
    return ana.post(address(row), {**fields, "act": name, **changes})


def result(ana, row: CaseImport) -> list[dict[str, str]]:
    text = ana.get(f"{address(row)}result.csv").content.decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text)))


def test_nothing_is_opened_before_it_is_confirmed(ana, agent):
    row = keep(ana, agent, GOOD)
    IMPORTS.drain()
    assert row.mapping == [
        "id",
        "business_name",
        "address_of_incorporation.country_code",
        "proof_of_address_documents",
        "+",
    ]
    page = import_page(ana, row)
    assert "2 will be opened" in page
    assert "The column Colour" in page
    assert "Northwind" in page
    assert not Case.objects.exists()
    assert "march.csv" in ana.get("/batches/").content.decode()


@pytest.mark.parametrize(
    ("header", "members"),
    [
        (
            "Reference,Company,Reg. no.,EIN,Founded,Web,Street,City,State,ZIP,Country,Colour",
            [
                "id",
                "business_name",
                "business_registration_number",
                "tin_number",
                "incorporation_date",
                "website",
                "address_of_incorporation.street_1",
                "address_of_incorporation.city",
                "address_of_incorporation.state",
                "address_of_incorporation.postal_code",
                "address_of_incorporation.country_code",
                "+",
            ],
        ),
        # "City" alone may be either address, beside one that has a name.
        (
            "Registered city,City,Company No",
            ["address_of_incorporation.city", "+", "business_registration_number"],
        ),
        (
            "Firma,Handelsregisternummer,Gründungsdatum,Land",
            [
                "business_name",
                "business_registration_number",
                "incorporation_date",
                "address_of_incorporation.country_code",
            ],
        ),
    ],
)
def test_columns_of_other_systems_are_proposed(ana, agent, header, members):
    cells = ",".join(str(number) for number in range(len(members)))
    row = keep(ana, agent, f"{header}\n{cells}\n".encode())
    assert row.mapping == members


def test_the_cases_are_opened_in_the_background(ana, agent, settings):
    row = keep(ana, agent, GOOD)
    assert act(ana, row, "open").status_code == 303
    assert not Case.objects.exists()
    assert "0 of 2" in import_page(ana, row)
    IMPORTS.drain()
    first, second = Case.objects.order_by("reference")
    assert (first.subject, first.country) == ("Northwind", "US")
    assert (second.subject, second.country) == ("Contoso", "DE")
    assert first.self_attested_data["address_of_incorporation"]["country_code"] == "US"
    assert first.submitted_by is not None
    assert first.submitted_by.username == "ana"
    document = first.documents.get()
    assert document.source_url == "https://files.example/bill.pdf"
    assert document.kind == "proof_of_address_documents"
    assert Job.objects.count() == 2
    assert {item["outcome"] for item in result(ana, row)} == {"Opened"}
    assert result(ana, row)[0]["case"] == "a-1"
    assert (
        result(ana, row)[0]["address"] == settings.DESK_URL + first.get_absolute_url()
    )
    live = ana.get(f"{address(row)}live/")
    assert first.get_absolute_url() in live.content.decode()
    row.refresh_from_db()
    assert (row.status, row.file.name, row.sha256) == ("done", "", "")
    assert (
        CaseEvent.objects.filter(what="submitted", user=first.submitted_by).count() == 2
    )
    [line] = CaseEvent.objects.filter(what="import_started")
    assert line.data["rows"] == 2


MISTAKES = (
    b"id,business_name,website,incorporation_date,mcc_code,address_of_operation.country_code,ein_documents\n"
    b"a,One,,03/28/2023,,,\n"
    b",,,2023-03-28,5411,US,\n"
    b"b,Two,ht tp:/,,,Atlantis,not-a-url\n"
    b'"c","Three\nlines",,2999-01-01,,,\n'
    b"d,Four,,,,,,,more\n"
    b"e\x7f,Five,,,,,\n"
    b"f,Six,,,,US,\n"
    b"g,Seven,,,\n"
)
WORDS = {
    2: [("incorporation_date", "03/28/2023", "must be a day such as 2023-03-28")],
    3: [("business_name", "", "Enter a business name, a registered name or a website")],
    4: [
        ("website", "ht tp:/", "must be an address such as https://example.com"),
        ("address_of_operation.country_code", "Atlantis", "two-letter code such as US"),
        ("ein_documents", "not-a-url", "Documents are addresses such as"),
    ],
    5: [("incorporation_date", "2999-01-01", "must not be after today")],
    7: [("", "", "The row has 9 cells, the header 7.")],
    8: [("id", "e\ufffd", "")],
    10: [("", "", "The row has 5 cells, the header 7. Missing: address_of_operation.country_code, ein_documents.")],
}  # fmt: skip


def test_every_mistake_is_said_beside_its_line_column_and_cell(ana, agent):
    row = keep(ana, agent, MISTAKES)
    page = import_page(ana, row)
    rows = page.partition('id="mistakes"')[2].partition("</table>")[0].split("<tr>")[2:]
    items = []
    for item in rows:
        cells = [cell.partition(">")[2] for cell in item.split("<td")[1:]]
        items.append([cell.partition("<")[0].strip() for cell in cells])
    for line, faults in WORDS.items():
        of_line = [item for item in items if item[0] == str(line)]
        assert len(of_line) == len(faults), (line, of_line)
        for column, cell, words in faults:
            assert any(
                item[1:3] == [column, cell] and words in item[3] for item in of_line
            ), (line, column, of_line)
    assert len(items) == sum(len(faults) for faults in WORDS.values())
    assert "1 will be opened" in page
    assert "7, with a mistake" in page


def test_rows_with_mistakes_are_left_out_on_purpose_and_told(ana, agent):
    row = keep(ana, agent, MISTAKES)
    act(ana, row, "open")
    IMPORTS.drain()
    assert [case.reference for case in Case.objects.all()] == ["f"]
    lines = result(ana, row)
    assert len(lines) == 8
    assert [item["outcome"] for item in lines].count("Refused") == 7
    assert lines[0]["error"].startswith("Incorporation date must be a day")
    kept_words = " ".join(item["error"] for item in lines)
    for cell in ("03/28/2023", "Atlantis", "not-a-url", "ht tp:/"):
        assert cell not in kept_words, "cells are not kept longer than the file"


def test_an_id_that_comes_twice_is_refused(ana, agent):
    row = keep(ana, agent, b"id,business_name\na,One\nb,Two\na,Three\n")
    page = import_page(ana, row)
    assert "The same id is on line 4, too." in page
    assert "The same id is on line 2, too." in page
    act(ana, row, "open")
    IMPORTS.drain()
    assert [case.reference for case in Case.objects.all()] == ["b"]


def test_why_a_row_was_left_out_is_in_the_language_of_the_reader(ana, agent):
    """It is kept in English, and the preview of the same file was in German."""
    content = (
        b"id,business_name,incorporation_date,address_of_incorporation.country_code\n"
        b"a,One,03/02/2001,US\n"
        b"b,Two,,Atlantis\n"
        b"c,Three,,US\n"
        b"c,Four,,US\n"
        b"d,Five,,US\n"
    )
    row = keep(ana, agent, content)
    act(ana, row, "open")
    IMPORTS.drain()
    ana.cookies["django_language"] = "de"
    page = import_page(ana, row)
    assert "Gr\u00fcndungsdatum muss ein Tag wie 2023-03-28 sein." in page
    assert "Ein Land ist ein Code aus zwei Buchstaben" in page
    assert "Dieselbe ID steht auch in Zeile 5." in page
    assert "must be a day" not in page
    # Scripts read the file, so it stays in English.
    assert "must be a day" in result(ana, row)[0]["error"]


def test_a_row_with_a_repeated_id_shows_its_other_mistakes_too(ana, agent):
    content = (
        b"id,business_name,incorporation_date\n"
        b"a,One,03/02/2001\n"
        b"a,Two,2001-02-03\n"
        b"b,Three,2001-13-03\n"
    )
    page = import_page(ana, keep(ana, agent, content))
    assert page.count("The same id is on line") == 2
    for cell in ("03/02/2001", "2001-13-03"):
        _, _, rest = page.partition(f">{cell}<")
        assert "Incorporation date must be a day such as 2023-03-28." in rest[:200]
    assert page.count("must be a day such as") == 2


def test_the_page_follows_the_cases_until_their_checks_have_ended(ana, agent):
    row = keep(ana, agent, b"id,business_name\na,One\n")
    act(ana, row, "open")
    IMPORTS.drain()
    live = f"{address(row)}live/"
    running = ana.get(live)
    assert running.status_code == 200
    assert "Checks running" in running.content.decode()
    assert live in import_page(ana, row)
    Case.objects.get().move(Case.Status.TO_REVIEW)
    ended = ana.get(live)
    # The status by which a page stops asking.
    assert ended.status_code == 286
    assert "To review" in ended.content.decode()
    assert live not in import_page(ana, row)


def test_rows_of_one_id_are_joined_on_purpose(ana, agent):
    content = (
        b"id,business_name,website,ein_documents\n"
        b"a,One,,https://files.example/1.pdf\n"
        b"b,Two,,\n"
        b"a,,https://one.example,https://files.example/2.pdf\n"
    )
    row = keep(ana, agent, content)
    act(ana, row, "check", joins_rows="on")
    assert "2 will be opened" in import_page(ana, row)
    act(ana, row, "open")
    IMPORTS.drain()
    case = Case.objects.get(reference="a")
    assert case.self_attested_data["website"] == "https://one.example"
    assert case.documents.count() == 2
    rows = [(item["line"], item["outcome"], item["case"]) for item in result(ana, row)]
    assert rows == [("2", "Opened", "a"), ("3", "Opened", "b"), ("4", "Joined", "a")]


def test_rows_of_one_id_that_contradict_each_other_are_not_joined(ana, agent):
    row = keep(ana, agent, b"id,business_name\na,One\na,Another\n")
    act(ana, row, "check", joins_rows="on")
    page = import_page(ana, row)
    assert "Line 2 of the same case has another value." in page
    assert "0 will be opened" in page
    act(ana, row, "open")
    IMPORTS.drain()
    assert not Case.objects.exists()


def test_an_id_of_an_earlier_case_is_refused(ana, agent):
    factories.make_case(agent.connection, reference="a-2")
    row = keep(ana, agent, GOOD)
    assert "There is a case of this id already." in import_page(ana, row)
    act(ana, row, "open")
    # One more, between the look and the work.
    factories.make_case(agent.connection, reference="a-1")
    IMPORTS.drain()
    assert Case.objects.count() == 2
    assert {item["error"] for item in result(ana, row)} == {
        "There is a case of this id already."
    }


def test_rows_without_an_id_are_opened_again_and_the_preview_says_so(ana, agent):
    content = b"id,business_name\na-1,Northwind\n,Contoso\n,Fabrikam\n"
    text = import_page(ana, keep(ana, agent, content))
    assert "2 cases: they are opened again if this file is imported twice" in text
    row = keep(ana, agent, b"business_name\nContoso\n")
    assert "1 case: it is opened again if this file is imported twice" in import_page(
        ana, row
    )
    with_ids = keep(ana, agent, b"id,business_name\na-1,Northwind\n")
    assert "imported twice" not in import_page(ana, with_ids)


def test_a_file_of_a_german_spreadsheet_is_read(ana, agent):
    lines = [
        "sep=;",
        "id;business_name;incorporation_date",
        "b-1;Acme, Inc.;28.3.2010",
        "b-2;Northwind;03/04/2010",
        "b-3;Fabrikam;31.02.2010",
    ]
    row = keep(ana, agent, "\r\n".join(lines).encode("utf-8-sig"))
    assert row.mapping == ["id", "business_name", "incorporation_date"]
    page = import_page(ana, row)
    assert "1 will be opened" in page
    # 03/04 is March in one country and April in another: it is refused, with its line.
    for line in ("4", "5"):
        assert re.search(rf"<td[^>]*>{line}</td>", page)
    assert page.count("must be a day such as 2023-03-28.") == 2
    act(ana, row, "open")
    IMPORTS.drain()
    case = Case.objects.get()
    assert case.self_attested_data["incorporation_date"] == "2010-03-28"
    assert case.subject == "Acme, Inc."


def test_what_a_spreadsheet_has_replaced_is_refused(ana, agent):
    lines = [
        "id;business_name;tin_number;business_registration_number",
        "b-1;Acme;1,23457E+11;7423148",
        "b-2;#NAME?;12-3456789;4.5E+10",
        "b-3;E+10 Energy #1;12-3456789;7423148",
    ]
    row = keep(ana, agent, "\r\n".join(lines).encode())
    page = import_page(ana, row)
    assert "1 will be opened" in page
    assert page.count("The spreadsheet has replaced this value.") == 3
    act(ana, row, "open")
    IMPORTS.drain()
    assert Case.objects.get().subject == "E+10 Energy #1"


def test_a_person_says_what_the_columns_mean(ana, agent):
    row = keep(ana, agent, b"nr;what;where\nx;Northwind;United States\n")
    assert row.mapping == ["+", "+", "+"]
    assert "No column is taken." in import_page(ana, row)
    place = "address_of_operation.country_code"
    changes = {"column-0": "id", "column-1": "business_name", "column-2": place}
    act(ana, row, "check", **changes)
    assert "1 will be opened" in import_page(ana, row)
    act(ana, row, "check", **{"column-2": "business_name"})
    assert "Two columns mean “Business name”." in import_page(ana, row)
    act(ana, row, "check", **{"column-2": "made_up"})
    row.refresh_from_db()
    assert row.mapping == ["id", "business_name", ""]


def test_a_change_is_shown_before_the_cases_are_opened(ana, agent):
    row = keep(ana, agent, GOOD)
    act(ana, row, "open", **{"column-4": "business_purpose"})
    row.refresh_from_db()
    assert row.status == CaseImport.Status.CHECKED
    assert "You changed what the columns mean." in import_page(ana, row)
    act(ana, row, "open")
    row.refresh_from_db()
    assert row.status == CaseImport.Status.RUNNING


def test_confirmed_twice_it_opens_its_cases_once(ana, agent):
    row = keep(ana, agent, GOOD)
    act(ana, row, "open")
    act(ana, row, "open")
    IMPORTS.drain()
    act(ana, row, "open")
    CaseImport.objects.update(due_at=now())
    IMPORTS.drain()
    assert Case.objects.count() == 2
    assert CaseEvent.objects.filter(what="import_started").count() == 1


class _KilledError(BaseException):
    pass


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_worker_that_dies_loses_and_doubles_nothing(ana, agent, monkeypatch, place):
    content = b"business_name\nOne\nTwo\nThree\n"
    row = keep(ana, agent, content)
    act(ana, row, "open")
    submit, opened = cases.submit, []

    def dying(**values):
        case = submit(**values)
        opened.append(case)
        if len(opened) == place + 1:
            raise _KilledError
        return case

    monkeypatch.setattr(cases, "submit", dying)
    row.refresh_from_db()
    with pytest.raises(_KilledError):
        imports.perform(row)
    assert Case.objects.count() == place
    monkeypatch.undo()
    IMPORTS.drain()
    subjects = sorted(case.subject for case in Case.objects.all())
    assert subjects == ["One", "Three", "Two"]
    assert [item["line"] for item in result(ana, row)] == ["2", "3", "4"]


def test_a_record_that_cannot_be_opened_is_left_out_and_the_others_are_opened(
    ana, agent, monkeypatch
):
    row = keep(ana, agent, b"id,business_name\nc-1,One\nc-2,Two\nc-3,Three\n")
    act(ana, row, "open")
    submit = cases.submit

    def failing(**values):
        if values["reference"] == "c-2":
            raise ValueError("Nobody has foreseen this.")
        return submit(**values)

    monkeypatch.setattr(cases, "submit", failing)
    for _ in range(IMPORTS.max_failures):
        CaseImport.objects.filter(due_at__isnull=False).update(due_at=now())
        IMPORTS.drain()
    outcomes = [(item["id"], item["outcome"]) for item in result(ana, row)]
    assert [name for name, _ in outcomes] == ["c-1", "c-2", "c-3"]
    row.refresh_from_db()
    assert row.status == "done"
    assert [case.reference for case in Case.objects.order_by("pk")] == ["c-1", "c-3"]
    assert "An error prevented it" in result(ana, row)[1]["error"]


def test_a_second_worker_with_an_old_lease_opens_nothing(ana, agent):
    row = keep(ana, agent, GOOD)
    act(ana, row, "open")
    row.refresh_from_db()
    CaseImport.objects.update(claim_count=row.claim_count + 1)
    with pytest.raises(LeaseLostError):
        imports.perform(row)
    assert not Case.objects.exists()


def test_a_row_that_was_left_out_says_each_mistake_once(ana, agent):
    """The words of a mistake often name the column already."""
    content = b"id,business_name,incorporation_date\nc-1,,not a day\nc-2,Acorn,\n"
    row = keep(ana, agent, content)
    act(ana, row, "open")
    IMPORTS.drain()
    words = import_page(ana, row)
    assert "Incorporation date must be a day" in words
    assert "Incorporation date: Incorporation date" not in words
    assert ".;" not in words


def test_mistakes_are_kept_in_the_language_of_the_person(ana, agent):
    person = User.objects.get(username="ana")
    LocalePreference.objects.create(user=person, language="de")
    row = keep(ana, agent, MISTAKES)
    preview = import_page(ana, row)
    act(ana, row, "open")
    IMPORTS.drain()
    sentence = (
        "Ein Land ist ein Code aus zwei Buchstaben wie US, oder sein englischer Name."
    )
    assert sentence in preview
    page = import_page(ana, row)
    assert sentence in page
    errors = " ".join(item["error"] for item in result(ana, row))
    assert sentence in errors
    assert "must be" not in errors + page


def test_a_file_that_is_lost_stops_the_import_with_words(ana, agent):
    row = keep(ana, agent, GOOD)
    act(ana, row, "open")
    row.refresh_from_db()
    row.file.storage.delete(str(row.file.name))
    IMPORTS.drain()
    row.refresh_from_db()
    assert row.status == CaseImport.Status.FAILED
    assert "The file is not in the store any more." in import_page(ana, row)


def test_files_that_nobody_confirms_are_removed(ana, agent):
    row = keep(ana, agent, GOOD)
    name, storage = str(row.file.name), row.file.storage
    assert storage.exists(name)
    CaseImport.objects.update(due_at=now())
    IMPORTS.drain()
    assert not CaseImport.objects.exists()
    assert not storage.exists(name)


def test_a_person_removes_a_file(ana, agent):
    row = keep(ana, agent, GOOD)
    name, storage = str(row.file.name), row.file.storage
    answer = ana.post(address(row), {"act": "remove"}, follow=True)
    assert "No case was opened." in answer.content.decode()
    assert not storage.exists(name)
    assert ana.get(address(row)).status_code == 404


def test_only_the_newest_files_of_a_person_wait(ana, agent):
    first = keep(ana, agent, GOOD)
    for _ in range(imports.MOST_WAITING):
        keep(ana, agent, GOOD)
    assert CaseImport.objects.count() == imports.MOST_WAITING
    assert ana.get(address(first)).status_code == 404


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_unicode_text_of_a_spreadsheet_is_read(ana, agent, encoding):
    text = "\ufeffid\tbusiness_name\nu-1\t株式会社青空\nu-2\tМост\n"  # noqa: RUF001
    row = keep(ana, agent, text.encode(encoding))
    page = ana.get(address(row)).content.decode()
    assert "株式会社青空" in page
    assert "2 will be opened" in page


UNREADABLE = {
    b"": "is empty",
    b"id,business_name\n": "The file has no rows.",
    b"\n\n": "The file has no header.",
    b"PK\x03\x04workbook": "Save it as CSV UTF-8.",
    "id,näme\na,b\n".encode("latin-1"): "not text in UTF-8",
    b"\xff\xfeodd": "not text in UTF-8",
    b"id\0,b\n1,2\n": "U+0000",
    b"a" + b",a" * 100 + b"\n1\n": "more than 100 columns",
    b"a\n" + b"1\n" * (MOST_ROWS + 1): "more than 2,000 rows. Split it.",
}  # fmt: skip


@pytest.mark.parametrize(("content", "words"), UNREADABLE.items(), ids=range(9))
def test_a_file_that_cannot_be_read_is_refused_in_words(ana, agent, content, words):
    answer = upload(ana, agent, content)
    assert answer.status_code == 200
    assert words in unescape(answer.content.decode())
    assert not CaseImport.objects.exists()


@pytest.mark.parametrize("refused", [name for name in REFUSED if name != "empty"])
def test_hostile_files_open_nothing(ana, agent, refused):
    answer = upload(ana, agent, REFUSED[refused])
    if answer.status_code == 303:
        page = ana.get(answer["Location"]).content.decode()
        assert "0 will be opened" in page
    else:
        assert 'aria-invalid="true"' in answer.content.decode()


def test_hostile_cells_are_shown_as_text_and_run_in_no_spreadsheet(ana, agent):
    cells = b'id,business_name,website\n"=HYPERLINK(1)",<script>alert(1)</script>,x y\n'
    row = keep(ana, agent, cells)
    page = ana.get(address(row)).content.decode()
    assert "<script>alert(1)" not in page
    act(ana, row, "check", **{"column-2": ""})
    act(ana, row, "open")
    IMPORTS.drain()
    for item in result(ana, row):
        assert not item["id"].startswith("=")


def test_a_file_is_that_of_its_person_alone(ana, client, agent):
    row = keep(ana, agent, GOOD)
    client.force_login(someone("senior", "sven"))
    assert client.get(address(row)).status_code == 404
    assert client.post(address(row), {"act": "open"}).status_code == 404
    assert client.get(f"{address(row)}live/").status_code == 404
    assert client.get(f"{address(row)}result.csv").status_code == 404


def test_who_may_not_submit_any_more_opens_nothing(ana, agent):
    row = keep(ana, agent, GOOD)
    act(ana, row, "open")
    row.by.groups.clear()
    IMPORTS.drain()
    assert not Case.objects.exists()
    assert set(row.rows.values_list("outcome", flat=True)) == {"refused"}


def test_a_limit_of_the_day_is_said_for_each_row_that_it_left_out(ana, agent, settings):
    settings.QUOTAS = {**settings.QUOTAS, ("user", "jobs"): 1}
    row = keep(ana, agent, GOOD)
    act(ana, row, "open")
    IMPORTS.drain()
    assert Case.objects.count() == 1
    assert "limit" in result(ana, row)[1]["error"]


def test_people_are_imported_with_the_form_of_people(ana):
    agent = factories.make_agent(factories.make_connection("kyc"), kind="kyc")
    content = (
        b"Given name,Surname,DOB,Nationality,Gender,City\n"
        b"Ana,Silva,1990-02-03,Portugal,Female,Porto\n"
        b"Bo,,1990-02-03,XX,unknown,Oslo\n"
    )
    row = keep(ana, agent, content)
    assert "1 will be opened" in import_page(ana, row)
    assert "It is one of: Female, Male, Other." in import_page(ana, row)
    act(ana, row, "open")
    IMPORTS.drain()
    case = Case.objects.get()
    assert case.subject == "Ana Silva"
    assert case.self_attested_data["country_of_nationality"] == "PT"
    assert case.self_attested_data["sex"] == "female"
    assert case.self_attested_data["address"]["city"] == "Porto"


def test_it_stands_in_the_menu_of_those_who_may(ana, client, agent):
    assert 'href="/batches/"' in ana.get("/").content.decode()
    client.force_login(someone(roles.AUDITOR, "otto"))
    assert 'aria-label="Batches"' not in client.get("/").content.decode()


def test_an_import_of_nobody_is_not_there(ana):
    assert ana.get(f"/batches/files/{uuid.uuid4()}/").status_code == 404


def test_a_row_names_owners_and_directors(ana, agent):
    content = (
        b"id,business_name,Owner 1,Owner 1 share,Owner 1 type,Owner 1 country,Shareholder 2,Director 3,Director 3 dob\n"
        b"a,One,Mid GmbH,60,Company,Germany,Ann Lee,Bob Stone,1970-02-03\n"
        b"b,Two,,,,,,,\n"
        b"c,Three,,70,,,,,\n"
        b"d,Four,Ann,lots,,,,,\n"
    )
    row = keep(ana, agent, content)
    assert row.mapping[2:] == [
        "parties.0.name", "parties.0.share", "parties.0.kind", "parties.0.country_code",
        "parties.1.name", "parties.2.name", "parties.2.date_of_birth",
    ]  # fmt: skip
    page = import_page(ana, row)
    assert "Enter the name." in page
    assert "Enter a share in percent" in page
    act(ana, row, "open")
    IMPORTS.drain()
    one, two = Case.objects.order_by("reference")
    assert one.self_attested_data["owners"] == [
        {"type": "company", "business_name": "Mid GmbH", "percentage": "60 %", "country_of_incorporation": "DE"},
        {"name": "Ann Lee"},
    ]  # fmt: skip
    assert one.self_attested_data["directors"] == [
        {"type": "person", "name": "Bob Stone", "date_of_birth": "1970-02-03"}
    ]
    assert set(CaseParty.objects.filter(case=one).values_list("role", flat=True)) == {
        "subject", "owner", "director"
    }  # fmt: skip
    assert "owners" not in two.self_attested_data


def test_an_import_ends_with_the_right_of_who_confirmed_it(ana, agent, monkeypatch):
    """A file of thousands takes minutes: who is deactivated meanwhile opens no further case."""
    row = keep(ana, agent, GOOD)
    assert act(ana, row, "open").status_code == 303
    write = CaseImport.write

    def write_and_deactivate(import_row, changes):
        result = write(import_row, changes)
        person = User.objects.get(username="ana")
        person.is_active = False
        person.save()
        return result

    monkeypatch.setattr(CaseImport, "write", write_and_deactivate)
    IMPORTS.drain()
    row.refresh_from_db()
    assert row.status == CaseImport.Status.DONE
    assert Case.objects.count() == 1
    assert imports.counts(row)["refused"] == 1


@pytest.mark.parametrize("switched_off", ["agent", "connection"])
def test_what_was_opened_is_told_after_the_agent_is_switched_off(
    ana, agent, switched_off
):
    row = keep(ana, agent, GOOD)
    act(ana, row, "open")
    IMPORTS.drain()
    off = {"agent": agent, "connection": agent.connection}[switched_off]
    off.is_active = False
    off.save()
    assert "march.csv" in ana.get("/batches/").content.decode()
    assert "Northwind" in import_page(ana, row)
    assert [line["outcome"] for line in result(ana, row)] == ["Opened", "Opened"]


def test_an_import_ends_with_the_agent_of_its_cases(ana, agent, monkeypatch):
    row = keep(ana, agent, GOOD)
    act(ana, row, "open")
    write = CaseImport.write

    def write_and_switch_off(import_row, changes):
        result = write(import_row, changes)
        Agent.objects.update(is_active=False)
        return result

    monkeypatch.setattr(CaseImport, "write", write_and_switch_off)
    IMPORTS.drain()
    first, second = result(ana, row)
    assert (first["outcome"], second["outcome"]) == ("Opened", "Refused")
    assert second["error"] == "This agent can no longer be chosen."
    assert Case.objects.count() == 1


@pytest.mark.parametrize("is_confirmed", [True, False])
def test_nothing_is_opened_for_an_agent_that_is_switched_off(ana, agent, is_confirmed):
    row = keep(ana, agent, GOOD)
    if is_confirmed:
        act(ana, row, "open")
    agent.is_active = False
    agent.save()
    if not is_confirmed:
        act(ana, row, "open")
        assert "This agent can no longer be chosen." in import_page(ana, row)
    IMPORTS.drain()
    assert not Case.objects.exists()


def test_what_was_confirmed_meanwhile_is_not_removed(ana, agent):
    """The worker, or another tab, read the row before it was confirmed."""
    row = keep(ana, agent, GOOD)
    earlier = CaseImport.objects.get(pk=row.pk)
    act(ana, row, "open")
    assert imports.remove(earlier) is False
    IMPORTS.drain()
    assert Case.objects.count() == 2


def test_what_was_removed_meanwhile_is_not_opened(ana, agent):
    row = keep(ana, agent, GOOD)
    earlier = CaseImport.objects.get(pk=row.pk)
    assert imports.remove(row) is True
    user = User.objects.get(username="ana")
    is_confirmed = imports.confirm(
        earlier, mapping=earlier.mapping, joins_rows=False, total=2, actor=user
    )
    assert is_confirmed is False
    assert not Case.objects.exists()
