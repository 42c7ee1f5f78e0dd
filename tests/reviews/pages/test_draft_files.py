"""One wrong field loses no chosen file: at the form of a case, and at the link of an applicant."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta
from html import unescape
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.timezone import now

from reviews.intake import draft_files, drafts, information_requests
from reviews.models import Case, DraftFile
from tests import factories
from tests.compliance.storage.files import PDF, PNG
from tests.reviews.applicant_links import open_link
from tests.reviews.rows import decide, open_case, someone

pytestmark = pytest.mark.django_db
INCORPORATION, EIN = "incorporation_documents", "ein_documents"
WRONG = {"business_name": "Acorn", "website": "ht tp:/"}
RIGHT = {"business_name": "Acorn", "website": "acorn.example"}


def paper(name: str = "deed.pdf", content: bytes = PDF) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content)


def hidden(answer) -> dict[str, list[str] | str]:
    """What the form that came back would send of its kept files."""
    html = answer.content.decode()
    ids = re.findall(r'name="kept" value="([^"]+)"', html)
    result = re.findall(
        r'<select name="(kept_kind\.[^"]+)".*?<option value="(\w+)" selected',
        html,
        re.DOTALL,
    )
    return {"kept": ids, **dict(result)}


def message_of(answer) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


class TestTheFormOfACase:
    @pytest.fixture
    def send(self, ana, db):
        agent = factories.make_agent(factories.make_connection())

        def send(**values):
            data = {"agent": agent.pk, "submission": str(uuid.uuid4()), **values}
            return ana.post("/cases/new/?kind=kyb", data)

        return send

    def test_chosen_files_and_their_kinds_are_there_after_a_wrong_field(
        self, send, settings
    ):
        answer = send(
            **WRONG, **{INCORPORATION: paper(), EIN: paper("letter.png", PNG)}
        )
        assert answer.status_code == 200
        words = message_of(answer)
        assert "Website must be an address" in words
        assert "deed.pdf" in words
        assert "letter.png" in words
        assert "The chosen files are kept" in words
        result = hidden(answer)
        assert sorted(result.values(), key=str)[1:] == [EIN, INCORPORATION]
        assert send(**RIGHT, **result).status_code == 303
        rows = [
            (row.file_name, row.kind, row.size)
            for row in Case.objects.get().documents.all()
        ]
        assert set(rows) == {
            ("deed.pdf", INCORPORATION, len(PDF)),
            ("letter.png", EIN, len(PNG)),
        }
        # They are deleted soon: see the next test.
        for row in DraftFile.objects.all():
            assert row.due_at is not None
            assert row.due_at < now() + timedelta(minutes=11)
            draft_files.expire(row)
        assert not list(Path(settings.MEDIA_ROOT).rglob("drafts/*/*/*"))

    def test_a_form_with_kept_files_that_is_sent_twice_opens_one_case(self, send):
        result = hidden(send(**WRONG, **{INCORPORATION: paper()}))
        form = {**RIGHT, **result, "submission": str(uuid.uuid4())}
        first, second = send(**form), send(**form)
        assert (first.status_code, second.status_code) == (303, 303)
        assert first["Location"] == second["Location"]
        assert Case.objects.get().documents.get().file_name == "deed.pdf"

    def test_it_may_be_wrong_twice_and_files_may_be_added_changed_and_removed(
        self, send
    ):
        result = hidden(
            send(**WRONG, **{INCORPORATION: [paper("a.pdf"), paper("b.pdf")]})
        )
        first, second = (str(row.pk) for row in DraftFile.objects.all())
        changes = {f"kept_kind.{first}": EIN, "drop_file": second}
        answer = send(
            **WRONG, **{**result, **changes}, **{INCORPORATION: paper("c.pdf")}
        )
        assert "b.pdf" not in message_of(answer)
        assert send(**RIGHT, **hidden(answer)).status_code == 303
        rows = [(row.file_name, row.kind) for row in Case.objects.get().documents.all()]
        assert set(rows) == {("a.pdf", EIN), ("c.pdf", INCORPORATION)}

    def test_of_files_of_which_one_is_refused_the_others_are_kept(self, send):
        answer = send(
            **RIGHT, **{INCORPORATION: [paper(), paper("virus.pdf", b"MZ\x90")]}
        )
        assert "“virus.pdf” is not a PDF" in message_of(answer)
        [row] = DraftFile.objects.all()
        assert row.file_name == "deed.pdf"
        assert send(**RIGHT, **hidden(answer)).status_code == 303
        assert Case.objects.get().documents.get().file_name == "deed.pdf"

    def test_nobody_takes_the_files_of_somebody_else(self, send, client):
        result = hidden(send(**WRONG, **{INCORPORATION: paper()}))
        client.force_login(someone("senior", "sven"))
        answer = send(**WRONG, **result)
        assert "deed.pdf" not in message_of(answer)
        assert send(**RIGHT, **result).status_code == 303
        assert not Case.objects.get().documents.exists()
        assert DraftFile.objects.count() == 1

    def test_ids_that_are_none_do_no_harm(self, send):
        data = {
            "kept": ["x", "", str(uuid.uuid4())],
            "drop_file": "\0",
            "kept_kind.x": "y",
        }
        assert send(**RIGHT, **data).status_code == 303

    def test_a_kind_that_is_none_changes_nothing(self, send):
        result = hidden(send(**WRONG, **{INCORPORATION: paper()}))
        [row] = DraftFile.objects.all()
        send(**WRONG, **{**result, f"kept_kind.{row.pk}": "front_image_url"})
        row.refresh_from_db()
        assert row.kind == INCORPORATION

    def test_a_file_that_changed_in_the_store_is_not_taken(self, send):
        result = hidden(send(**WRONG, **{INCORPORATION: paper()}))
        Path(DraftFile.objects.get().file.path).write_bytes(PDF.replace(b"1 0", b"2 0"))
        answer = send(**RIGHT, **result)
        assert "changed or was lost" in message_of(answer)
        assert not Case.objects.exists()

    def test_a_draft_keeps_the_files_too(self, send, ana):
        body = {"business_name": "Acorn", INCORPORATION: paper()}
        answer = ana.post("/cases/new/draft/?kind=kyb", body, follow=True)
        assert "deed.pdf" in message_of(answer)
        # Typing on, a script keeps the words, and names the files.
        script = {**hidden(answer), "business_name": "Acorn Ltd"}
        ana.post("/cases/new/draft/?kind=kyb", script, headers={"HX-Request": "true"})
        answer = ana.get("/cases/new/?kind=kyb")
        assert "deed.pdf" in message_of(answer)
        assert send(**RIGHT, **hidden(answer)).status_code == 303
        assert Case.objects.get().documents.get().file_name == "deed.pdf"
        assert "deed.pdf" not in message_of(ana.get("/cases/new/?kind=kyb"))

    def test_a_form_without_a_draft_shows_no_file_of_another_case(self, send, ana):
        send(**WRONG, **{INCORPORATION: paper()})
        assert "deed.pdf" not in message_of(ana.get("/cases/new/?kind=kyb"))

    def test_what_nobody_comes_back_for_goes(
        self, send, settings, work_off, time_machine
    ):
        send(**WRONG, **{INCORPORATION: paper()})
        path = Path(DraftFile.objects.get().file.path)
        work_off()
        assert path.exists()
        time_machine.move_to(now() + drafts.LIFETIME + timedelta(minutes=1), tick=False)
        draft_files.expire(DraftFile.objects.get())
        assert not path.exists()
        assert not DraftFile.objects.exists()

    def test_one_person_keeps_a_limited_number(self, send, monkeypatch):
        monkeypatch.setattr(draft_files, "MOST_FILES", 2)
        send(**WRONG, **{INCORPORATION: [paper(f"{n}.pdf") for n in range(4)]})
        assert {row.file_name for row in DraftFile.objects.all()} == {"2.pdf", "3.pdf"}


class TestTheLinkOfAnApplicant:
    @pytest.fixture
    def case(self):
        case = open_case()
        decide(case, someone("analyst"), "request", kinds=[INCORPORATION, EIN])
        return case

    @pytest.fixture
    def link(self, client, case) -> str:
        return open_link(client, information_requests.address(case.requests.get()))

    def test_a_refused_file_loses_no_other(self, client, link, case):
        data = {
            INCORPORATION: [paper(), paper("page.html", b"<html>")],
            EIN: paper("ein.pdf"),
        }
        answer = client.post(link, {**data, "text": "Here."})
        assert answer.status_code == 422
        words = message_of(answer)
        assert "“page.html” is not a PDF" in words
        assert "deed.pdf" in words
        assert "The chosen files are kept" in words
        assert client.post(link, {**hidden(answer), "text": "Here."}).status_code == 303
        rows = [(row.file_name, row.kind) for row in case.documents.all()]
        assert set(rows) == {("deed.pdf", INCORPORATION), ("ein.pdf", EIN)}
        assert not DraftFile.objects.exists()

    def test_files_of_another_link_do_not_count(self, client, link, case):
        result = hidden(
            client.post(link, {INCORPORATION: [paper(), paper("a.gif", b"GIF89a")]})
        )
        other = DraftFile.objects.get()
        other.user, other.request = someone("senior", "sven"), None
        other.save()
        assert client.post(link, {**result, "text": "Here."}).status_code == 303
        assert not case.documents.exists()

    def test_what_is_kept_for_a_link_goes_with_it(
        self, client, link, case, settings, work_off
    ):
        client.post(link, {INCORPORATION: [paper(), paper("a.gif", b"GIF89a")]})
        row = DraftFile.objects.get()
        assert row.due_at == case.requests.get().expires_at
        information_requests.withdraw(case, actor=someone("senior"))
        work_off()
        assert not DraftFile.objects.exists()
        assert not list(Path(settings.MEDIA_ROOT).rglob("drafts/*/*/*"))
