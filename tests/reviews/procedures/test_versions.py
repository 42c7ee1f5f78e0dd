"""Versions of procedures: made, compared and put in force by their pages, with a second person."""

from __future__ import annotations

from typing import Any

import pytest

from compliance.approvals import proposals
from compliance.approvals.models import Proposal
from reviews.audit import trail, verification
from reviews.models import CaseEvent, Procedure
from reviews.procedures import editing, versions
from reviews.procedures.content import Content, ContentError, FieldSpec, Item, key_of
from tests.factories import make_user
from tests.reviews.procedures.rows import CONTENT, procedure_in_force

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner(client):
    client.force_login(make_user("olga", role="rule owner"))
    return client


def words(client, address: str) -> str:
    return " ".join(client.get(address).content.decode().split())


def typed(content: Content = CONTENT, /, **changes: Any) -> dict[str, str]:
    """The form as a browser sends it unchanged, but for `changes` (`__` is a dot, `_` of a row a hyphen)."""
    form = editing.form_of(content)
    values = {"note": "Stricter."}
    for row in (*form.fields, *form.items):
        values[f"{row.name}.key"] = row.key
        values[f"{row.name}.place"] = row.place
        values[f"{row.name}.label"] = row.label
        values[f"{row.name}.help"] = row.help
        if row.name.startswith("field"):
            values[f"{row.name}.type"] = row.type
            values[f"{row.name}.choices"] = row.choices
        if row.is_required:
            values[f"{row.name}.required"] = "on"
    for name, value in changes.items():
        values[name.replace("__", ".").replace("_", "-", 1)] = value
    return values


def test_the_form_as_it_is_gives_the_same_content(owner):
    procedure_in_force()
    answer = owner.post("/procedures/kyb/new/", typed())
    assert answer.status_code == 303, answer.content.decode()[:2000]
    draft = Procedure.objects.get(number=2)
    assert versions.content_of(draft) == CONTENT
    assert "Nothing." in words(owner, "/procedures/kyb/2/")


def test_a_first_version_is_made_and_put_in_force(owner):
    assert "No version yet" in words(owner, "/procedures/")
    rows = {
        "item_1__label": "  Register was   read ",
        "item_1__required": "on",
        "field_1__label": "Sector",
        "field_1__type": "choice",
        "field_1__choices": "Trade\n\nFarming ",
        "field_2__label": "Öffnungstag",
        "field_2__type": "date",
        "field_2__place": "0",
    }
    owner.post("/procedures/kyc/new/", typed(Content(), **rows))
    draft = Procedure.objects.get()
    assert (draft.kind, draft.number, draft.status) == ("kyc", 1, "draft")
    content = versions.content_of(draft)
    assert content.items == (
        Item("register_was_read", "Register was read", required=True),
    )
    assert [field.label for field in content.fields] == ["Öffnungstag", "Sector"]
    assert content.fields[1].choices == ("Trade", "Farming")
    answer = owner.post("/procedures/kyc/1/live/")
    assert answer.status_code == 303
    assert versions.live("kyc") == draft
    assert "In force" in words(owner, "/procedures/kyc/")
    assert versions.live("kyb") is None
    lines = CaseEvent.objects.filter(what="setting_changed")
    assert lines.filter(user__username="olga").exists()
    trail.seal_all()
    assert list(verification.faults()) == []


def test_what_differs_is_said_before_it_is_in_force(owner):
    procedure_in_force()
    changes = {
        "item_1__label": "Customer was called twice",
        "item_3__label": "",
        "item_3__help": "",
        "field_2__required": "on",
        "field_6__label": "Branch",
    }
    owner.post("/procedures/kyb/new/", typed(**changes))
    text = words(owner, "/procedures/kyb/2/")
    assert "Customer was called twice, required, By phone" in text
    assert "Turnover, number, required, A year, in thousands" in text
    assert "Field branch" in text
    # The key of an item stays, whatever it is called.
    assert versions.content_of(Procedure.objects.get(number=2)).item("called")


def test_mistakes_come_back_with_what_was_typed(owner):
    changes = {
        "field_1__choices": "Branch",
        "item_4__label": "file is complete",
        "note": "Kept words",
    }
    answer = owner.post("/procedures/kyb/new/", typed(**changes))
    text = " ".join(answer.content.decode().split())
    assert answer.status_code == 422
    assert "Channel: a choice needs two values" in text
    assert "another item has this name" in text
    assert "Kept words" in text
    assert not Procedure.objects.exists()


def test_readers_read_it_and_only_rule_owners_change_it(client):
    procedure_in_force()
    client.force_login(make_user("ana"))
    text = words(client, "/procedures/")
    assert "Customer was called" in text
    assert "New version from this" not in text
    assert client.get("/procedures/kyb/new/").status_code == 403
    assert client.post("/procedures/kyb/new/", typed()).status_code == 403
    assert client.post("/procedures/kyb/1/live/").status_code == 403
    assert client.get("/procedures/kyb/9/").status_code == 404
    assert client.get("/procedures/other/").status_code == 404


def test_a_second_person_puts_it_in_force_where_rules_need_one(owner, settings):
    old = procedure_in_force()
    owner.post("/procedures/kyb/new/", typed(field_6__label="Branch"))
    settings.SETTINGS_FOUR_EYES = {"rules"}
    answer = owner.post("/procedures/kyb/2/live/")
    assert answer["Location"] == "/approvals/"
    assert versions.live("kyb") == old
    proposal = Proposal.objects.get()
    proposals.approve(proposal, actor=make_user("otto", role="rule owner"))
    live = versions.live("kyb")
    assert live is not None
    assert live.number == 2
    old.refresh_from_db()
    assert old.status == "retired"


def test_an_older_draft_is_not_put_in_force(owner):
    procedure_in_force()
    owner.post("/procedures/kyb/new/", typed(field_6__label="Branch"))
    owner.post("/procedures/kyb/new/", typed(field_6__label="City"))
    assert owner.post("/procedures/kyb/3/live/").status_code == 303
    answer = owner.post("/procedures/kyb/2/live/")
    assert answer.status_code == 422
    assert "A newer version is live" in answer.content.decode()
    assert owner.post("/procedures/kyb/3/live/").status_code == 422


def test_keys_are_made_of_labels():
    assert key_of("Ist gelistet?", []) == "ist_gelistet"
    assert key_of("Ist gelistet!", ["ist_gelistet"]) == "ist_gelistet_2"
    assert key_of("日本", []) == "field"


@pytest.mark.parametrize(
    "fields",
    [
        (FieldSpec("a", "A", "colour"),),
        (FieldSpec("a", "A"), FieldSpec("a", "B")),
        (FieldSpec("a", "A", choices=("x", "y")),),
        (FieldSpec("a", "A", "choice", choices=("x", "x")),),
        (FieldSpec("A b", "A"),),
        (FieldSpec("a", "x" * 121),),
    ],
)
def test_what_is_no_field_is_refused(fields):
    with pytest.raises(ContentError):
        Content(fields=fields).check()
