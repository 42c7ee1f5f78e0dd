"""Notes, their files, mentions and tags."""

from __future__ import annotations

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from reviews.models import Note, Tag, Team
from reviews.people import notes
from tests.reviews.pages.case.rows import words
from tests.reviews.rows import open_case, someone

pytestmark = pytest.mark.django_db
PDF = b"%PDF-1.7\n%%EOF\n"


@pytest.fixture
def case():
    return open_case()


@pytest.fixture
def ana(client):
    user = someone("analyst", "ana")
    client.force_login(user)
    return user


def test_a_note_is_kept_with_its_file_and_shown(client, case, ana):
    file = SimpleUploadedFile("call.pdf", PDF)
    answer = client.post(
        f"/cases/{case.pk}/notes/", {"text": "They <b>called</b>.", "files": file}
    )
    assert answer.status_code == 303
    text = words(client, answer["Location"])
    assert "They <b>called</b>." in text
    assert "call.pdf" in text
    row = Note.objects.get().attachments.get()
    got = client.post(f"/attachments/{row.pk}/")
    assert b"".join(got.streaming_content) == PDF
    assert got["Content-Disposition"].startswith("attachment")
    assert "sandbox" in got["Content-Security-Policy"]
    [line] = case.events.filter(what="note_added")
    assert line.details["text"] == "They <b>called</b>."
    assert row.sha256 in line.details["files"][0]


def test_a_note_names_those_who_can_read_it(case, ana):
    bob, _ = someone("analyst", "bob"), someone("auditor", "eve.l")
    team = Team.objects.create(name="Nordics")
    team.connections.add(case.connection)
    team.members.add(bob)
    team.members.add(ana)
    someone("analyst", "outsider")
    note = notes.add(
        case, actor=ana, text="@bob, ask @eve.l. Not mail@outsider, nor @outsider."
    )
    assert {user.username for user in note.mentions.all()} == {"bob", "eve.l"}


def test_a_name_that_is_an_address_can_be_mentioned(client, case, ana):
    someone("analyst", "bo.li@firm.example")
    sent = {"text": "@Bo.Li@firm.example, please. Not @cy@firm.example, nor b@firm."}
    page = client.post(f"/cases/{case.pk}/notes/", sent, follow=True)
    [note] = Note.objects.all()
    assert [user.username for user in note.mentions.all()] == ["bo.li@firm.example"]
    assert "cy@firm.example" in str(next(iter(page.context["messages"])))
    assert notes.unknown_mentions(note) == ["cy@firm.example"]


def test_an_edit_keeps_the_earlier_wording_in_the_trail(client, case, ana):
    note = notes.add(case, actor=ana, text="First.")
    client.post(f"/notes/{note.pk}/", {"text": "Second."})
    note.refresh_from_db()
    assert (note.text, note.edited_at is None) == ("Second.", False)
    details = case.events.get(what="note_edited").details
    assert details == {"note": note.pk, "before": "First.", "after": "Second."}
    notes.edit(note, actor=ana, text=" Second. ")
    line = case.events.get(what="note_edited")
    # Words of people stand encrypted beside the line: they end with the case.
    assert line.data == {"note": note.pk}


def test_a_refused_edit_keeps_what_was_typed(client, case, ana):
    """A page with the form is sent again, open and with the new text."""
    note = notes.add(case, actor=ana, text="first")
    typed = "second " * 2000
    answer = client.post(f"/notes/{note.pk}/", {"text": typed})
    assert answer.status_code == 422
    page = answer.content.decode()
    field = page.split(f'id="edit-{note.pk}"')[1].split("</textarea>")[0]
    assert typed.strip() in field
    assert "<details open>" in page
    note.refresh_from_db()
    assert note.text == "first"


def test_a_refused_tag_stays_in_its_field(client, case, ana):
    typed = "a tag of more than forty characters, which is refused"
    answer = client.post(f"/cases/{case.pk}/tags/", {"name": typed})
    assert answer.status_code == 422
    assert f'value="{typed}"' in answer.content.decode()


def test_nobody_edits_the_note_of_another(client, case, ana):
    note = notes.add(case, actor=someone("senior"), text="Mine.")
    answer = client.post(f"/notes/{note.pk}/", {"text": "Yours."}, follow=True)
    assert "Only who wrote a note" in answer.content.decode()
    note.refresh_from_db()
    assert note.text == "Mine."


@pytest.mark.parametrize(
    ("payload", "fault"),
    [
        ({"text": " "}, "Write something"),
        ({"text": "x" * 10_001}, "10,000"),
        ({"text": "x", "files": SimpleUploadedFile("a.exe", b"MZ")}, "is not a PDF"),
    ],
)
def test_what_cannot_be_kept_is_said(client, case, ana, payload, fault):
    answer = client.post(f"/cases/{case.pk}/notes/", payload, follow=True)
    assert fault in answer.content.decode()
    assert not Note.objects.exists()
    assert not case.events.exists()


def test_tags_are_words_that_cases_share(client, case, ana):
    for name in ("  Urgent  case ", "urgent case", "x" * 41, " "):
        client.post(f"/cases/{case.pk}/tags/", {"name": name})
    assert [tag.name for tag in Tag.objects.all()] == ["Urgent case"]
    client.post(f"/cases/{case.pk}/tags/", {"remove": "Urgent case"})
    assert not case.tags.exists()
    assert list(case.events.values_list("what", flat=True)) == ["tagged", "untagged"]


@pytest.mark.parametrize(
    ("content", "fault"), [(b"<html>", "is not a PDF"), (b"", "is empty")]
)
def test_one_wrong_file_loses_no_word_of_the_note(client, case, ana, content, fault):
    file = SimpleUploadedFile("page.pdf", content)
    data = {"text": "They <b>called</b> at nine.", "files": file}
    answer = client.post(f"/cases/{case.pk}/notes/", data)
    assert answer.status_code == 422
    text = answer.content.decode()
    assert fault in text
    assert "They &lt;b&gt;called&lt;/b&gt; at nine.</textarea>" in text
    assert not Note.objects.exists()


def test_a_note_changed_in_another_tab_is_not_replaced_unseen(client, case, ana):
    note = notes.add(case, actor=ana, text="They called.")
    opened = _version_on(client, case)
    mine = {"text": "They called twice.", "read": opened}
    assert client.post(f"/notes/{note.pk}/", mine).status_code == 303
    other = {"text": "They called, and sent a letter.", "read": opened}
    answer = client.post(f"/notes/{note.pk}/", other)
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "It was changed since you opened the page." in page
    # What is stored, and what was typed.
    assert "They called twice." in page
    assert "They called, and sent a letter.</textarea>" in page
    note.refresh_from_db()
    assert note.text == "They called twice."
    # Now it was read.
    read = _version_in(page)
    assert read != opened
    answer = client.post(f"/notes/{note.pk}/", {**other, "read": read})
    assert answer.status_code == 303
    note.refresh_from_db()
    assert note.text == "They called, and sent a letter."


def _version_on(client, case) -> str:
    page = client.get(f"/cases/{case.pk}/?tab=activity").content.decode()
    return _version_in(page)


def _version_in(page: str) -> str:
    match = re.search(r'name="read" value="([^"]*)"', page)
    assert match
    return match[1]
