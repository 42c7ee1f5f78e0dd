"""A finding that was dismissed once is shown as dismissed next time, and not asked again."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils.timezone import now

from reviews import results
from reviews.decisions import marks
from reviews.decisions.decisions import RefusedError
from reviews.findings import dismissals
from reviews.findings.review_state import ReviewState
from reviews.models import CheckResult, Dismissal, FourEyesRule
from tests.factories import make_agent, make_case, make_connection, make_job
from tests.reviews.api.calling import Caller
from tests.reviews.pages.case.rows import words
from tests.reviews.risk.rows import add_screening, screened_case
from tests.reviews.rows import add_risky_document, decide, one_person, someone

pytestmark = pytest.mark.django_db


@pytest.fixture
def connection():
    one_person()
    return make_connection()


def risky_case(connection, subject="Northwind Ltd", **values):
    agent = connection.agents.first() or make_agent(connection)
    case = make_case(connection, agent=agent, subject=subject, status="to_review")
    make_job(case, status="complete")
    add_risky_document(case, **values)
    return case


def dismiss(case, actor, **values):
    review_state = ReviewState.of(case)
    [risk] = [row for part in review_state.parts for row in part.findings]
    values.setdefault("reason", "The bank whites out account numbers.")
    return dismissals.dismiss(
        case, risk, key=review_state.dismissed.key(risk), actor=actor, **values
    )


def is_open(case) -> bool:
    return bool(ReviewState.of(case).open)


def test_a_dismissed_finding_is_not_asked_again_in_this_case(connection):
    case, ana = risky_case(connection), someone("analyst")
    with pytest.raises(RefusedError):
        decide(case, ana)
    dismiss(case, ana)
    assert ReviewState.of(case).risks == 0
    assert decide(case, ana).status == "standing"
    line = case.events.get(what="dismissed")
    assert line.details == {
        "finding": "Text was covered", "reason": "The bank whites out account numbers.",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("values", "names"),
    [
        ({}, True),
        ({"subject": "Another Ltd"}, True),  # the very same file
        ({"sha256": "cd" * 32}, False),
        ({"title": "Fonts change"}, False),
        ({"raw": "another place"}, False),
    ],
)
def test_it_is_the_same_finding_about_the_same_file(connection, values, names):
    dismiss(risky_case(connection), someone("analyst"))
    assert is_open(risky_case(connection, **values)) == (not names)


def test_another_service_asks_for_itself(connection):
    dismiss(risky_case(connection), someone("analyst"))
    assert is_open(risky_case(make_connection("other")))


def test_a_dismissal_ends(connection, time_machine):
    case = risky_case(connection)
    dismiss(case, someone("analyst"), until=now() + timedelta(days=90))
    assert not is_open(case)
    time_machine.move_to(now() + timedelta(days=91))
    assert is_open(case)


def test_a_finding_is_dismissed_again_after_its_dismissal_ended(
    connection, client, time_machine
):
    case = risky_case(connection)
    client.force_login(someone("analyst"))
    address = f"/cases/{case.pk}/"
    page = client.get(address).content.decode()
    [key] = set(re.findall(r"[?&;]dismiss=(\w+)", page))
    data = {"key": key, "reason": "A known template.", "days": "90"}
    assert client.post(f"{address}dismiss/", data).status_code == 303
    time_machine.move_to(now() + timedelta(days=91))
    client.force_login(User.objects.get(username="analyst"))
    assert is_open(case)
    again = {"key": key, "reason": "Still the template.", "days": "90"}
    assert client.post(f"{address}dismiss/", again).status_code == 303
    assert not is_open(case)
    assert "Still the template." in words(client, address)
    assert case.events.filter(what="dismissed").count() == 2
    earlier = Dismissal.objects.earliest("pk")
    assert earlier.taken_back_at is not None


def test_a_dismissal_is_taken_back(connection):
    case, ana = risky_case(connection), someone("analyst")
    result = dismiss(case, ana)
    assert dismissals.take_back(result, actor=ana)
    assert not dismissals.take_back(result, actor=ana)
    assert is_open(case)
    assert list(case.events.values_list("what", flat=True)) == [
        "dismissed",
        "dismissal_taken_back",
    ]
    dismiss(case, ana)
    assert Dismissal.objects.count() == 2


def test_nobody_agrees_to_an_approval_whose_dismissal_was_taken_back(connection):
    case, ana = risky_case(connection), someone("analyst")
    dismissal = dismiss(case, ana)
    FourEyesRule.objects.update(is_active=True)
    assert decide(case, ana, reasons=["A03"]).status == "proposed"
    dismissals.take_back(dismissal, actor=ana)
    senior = Caller(someone("senior"))
    case.refresh_from_db()
    sent = {"agrees": True, "revision": case.revision}
    answer = senior.post(f"/cases/{case.pk}/second", sent)
    assert answer.status_code == 422
    assert "Neither reviewed nor overridden" in answer.json()["detail"]
    case.refresh_from_db()
    assert case.status == "second"


def test_a_dismissal_takes_a_reason(connection):
    with pytest.raises(ValueError, match="why"):
        dismiss(risky_case(connection), someone("analyst"), reason="  ")


def test_the_page_shows_it_as_dismissed_and_does_not_hide_it(connection, client):
    case = risky_case(connection)
    ana = someone("analyst")
    client.force_login(ana)
    page = client.get(f"/cases/{case.pk}/")
    [key] = set(re.findall(r"[?&;]dismiss=(\w+)", page.content.decode()))
    form = client.get(f"/cases/{case.pk}/?dismiss={key}").content.decode()
    assert f'name="key" value="{key}"' in form
    data = {"key": key, "reason": "A known template.", "days": "365"}
    answer = client.post(f"/cases/{case.pk}/dismiss/", data)
    assert (answer.status_code, answer["Location"]) == (303, f"/cases/{case.pk}/")
    later = risky_case(connection)
    text = words(client, f"/cases/{later.pk}/")
    assert "Text was covered" in text
    assert f"Dismissed by analyst {now():%Y-%m-%d} in {case.reference}, until" in text
    assert "A known template." in text
    row = Dismissal.objects.get()
    client.post(f"/cases/{later.pk}/dismiss/", {"undo": row.pk})
    assert "A known template." not in words(client, f"/cases/{later.pk}/")


def test_a_mark_of_the_whole_check_still_settles_it(connection):
    case, ana = risky_case(connection), someone("analyst")
    check = ReviewState.of(case).open[0]
    marks.mark(
        case, check.id, actor=ana, kind="overridden", reason="Seen the original."
    )
    assert not is_open(case)


@pytest.mark.parametrize("undo", ["²", "x", "0", "9" * 30])
def test_what_is_no_number_of_a_dismissal_is_not_found(connection, client, undo):
    case = risky_case(connection)
    client.force_login(someone("analyst"))
    answer = client.post(f"/cases/{case.pk}/dismiss/", {"undo": undo})
    assert answer.status_code == 404


def listed(
    slug: str, entry_id: str, name: str = "Ivan Petrov", **entry: Any
) -> dict[str, Any]:
    """A hit on the entry of a list."""
    return {
        "entry": {
            "id": entry_id,
            "schema": "Person",
            "names": [{"text": name, "kind": "primary"}],
            **entry,
        },
        "name": {"listed": name, "kind": "primary"},
        "band": "possible",
        "score": 0.9,
        "list": {"slug": slug, "title": f"List {slug}", "version": "1"},
        "content_hash": f"{slug}-{entry_id}",
    }


PASSPORT: dict[str, Any] = {
    "identifiers": [{"type": "passport", "value": "AB 123-456", "country": "RU"}]
}
BORN: dict[str, Any] = {"birth_dates": [{"date": "1970-02-03"}]}
SAME = (
    listed("un", "un-1", **PASSPORT),
    listed(
        "eu",
        "eu-9",
        "PETROV Iván",
        identifiers=[{"type": "passport", "value": "AB123456", "country": "ru"}],
        **BORN,
    ),
    listed("uk", "uk-4", "Petrov, Ivan", **BORN),
)


def hits_of(case):
    parts = ReviewState.of(case).parts
    return [
        row for part in parts for row in part.findings if isinstance(row, results.Hit)
    ]


def test_one_entity_on_three_lists_is_one_hit_dismissed_once(client):
    case, _ = screened_case(*SAME)
    [hit] = hits_of(case)
    assert [other.same_by for other in hit.others] == [
        "passport number",
        "name and date of birth",
    ]
    ana = someone("analyst")
    client.force_login(ana)
    page = words(client, f"/cases/{case.pk}/")
    assert "3 sources" in page
    assert "Also on List uk : the same name and date of birth" in page
    [key] = set(
        re.findall(r"[?&;]dismiss=(\w+)", client.get(f"/cases/{case.pk}/").text)
    )
    client.post(f"/cases/{case.pk}/dismiss/", {"key": key, "reason": "Another Petrov."})
    assert not is_open(case)
    assert case.events.filter(what="dismissed").count() == 1
    assert Dismissal.objects.count() == 3
    # The same entity on a list that nobody has seen yet: asked again, with what was dismissed.
    add_screening(case.jobs.get(), *SAME, listed("ofac", "ofac-3", **BORN))
    [hit] = [hit for hit in hits_of(case) if len(hit.members) == 4]
    assert is_open(case)
    assert "dismissed by analyst" in words(client, f"/cases/{case.pk}/")
    CheckResult.objects.order_by("-pk")[0].delete()
    row = Dismissal.objects.earliest("pk")
    client.post(f"/cases/{case.pk}/dismiss/", {"undo": row.pk})
    assert is_open(case)
    assert not Dismissal.objects.filter(taken_back_at=None).exists()


def test_publishers_say_themselves_that_it_is_the_same_entity():
    case, _ = screened_case(
        listed("un", "un-77", references=["QDi.043"]),
        listed("eu", "eu-9", "P. Ivanov", references=["QDi.043"]),
        listed("open", "NK-abc", "Piotr", references=["unsc-77"]),
    )
    [hit] = hits_of(case)
    assert [other.same_by for other in hit.others] == ["publisher's reference"] * 2


@pytest.mark.parametrize(
    "other",
    [
        listed("un", "un-2", **PASSPORT),  # two entries of one list
        listed("eu", "eu-1", "Ivan Petrov"),  # the name alone
        listed("eu", "eu-1", birth_dates=[{"date": "1970"}]),
        listed("eu", "eu-1", schema="Organization", **PASSPORT),
        listed(
            "eu",
            "eu-1",
            identifiers=[{"type": "passport", "value": "AB123456", "country": "by"}],
        ),
        listed(
            "eu",
            "eu-1",
            identifiers=[{"type": "swift", "value": "AB123456", "country": "RU"}],
        ),
    ],
)
def test_what_may_be_two_stays_two(other):
    case, _ = screened_case(
        listed("un", "un-1", **PASSPORT, birth_dates=[{"date": "1970"}]), other
    )
    assert len(hits_of(case)) == 2
