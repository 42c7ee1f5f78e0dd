"""A hit that somebody dismissed: shown as dismissed, asked about again when the entry changes."""

from __future__ import annotations

import html
import re

import pytest
from django.utils.timezone import now

from agenthub.screening import catalogue, loading, sample_lists
from reviews.decisions.decisions import RefusedError
from reviews.findings import dismissals
from reviews.findings.review_state import ReviewState
from reviews.models import Dismissal
from tests.agenthub.screening.test_checks import LISTED, SANCTIONS, run
from tests.factories import make_agent, make_case, make_connection, make_job
from tests.reviews.pages.case.rows import add_check_result, words
from tests.reviews.rows import decide, one_person, someone

pytestmark = pytest.mark.django_db

PEOPLE = "kyb.associated_individuals_screening"
ALIKE = {"first_name": "Marisol", "last_name": "Quintero"}
BORN = {**ALIKE, "date_of_birth": "1979"}


@pytest.fixture
def load(tmp_path):
    one_person()

    def load(whole=sample_lists.ofac_sdn_xml()):  # noqa: B008 - made once
        (tmp_path / "sdn").write_bytes(whole)
        loading.load(catalogue.source("ofac_sdn"), tmp_path / "sdn")

    load()
    return load


@pytest.fixture
def connection():
    return make_connection()


def hits_of(
    connection, attested, *, subject="Marisol Quintero", check=SANCTIONS, **more
):
    """A case with what the hub's check says of this person, as the desk keeps it."""
    agent = connection.agents.first() or make_agent(connection)
    kind = check[:3]
    case = make_case(
        connection, agent=agent, kind=kind, subject=subject, status="to_review"
    )
    say(case, attested, check, **more)
    return case


def say(case, attested, check=SANCTIONS, **more):
    add_check_result(make_job(case, status="complete"), run(check[:3], check, attested, **more),
               check_id=check)  # fmt: skip


def hits(case):
    situation = ReviewState.of(case)
    return [
        (row, situation.dismissed) for part in situation.parts for row in part.findings
    ]


def is_open(case) -> bool:
    return bool(ReviewState.of(case).open)


def dismiss(case, actor, reason="Another year of birth: seen the passport.", **values):
    [(hit, result)] = [(row, result) for row, result in hits(case) if row.is_against]
    return dismissals.dismiss(
        case, hit, key=result.key(hit), actor=actor, reason=reason, **values
    )  # fmt: skip


def test_two_analysts_and_one_hit(load, connection, client):
    """The first says why; the second sees who, why and until when, and is not asked."""
    first = hits_of(connection, BORN)
    ana, ben = someone("analyst", "ana"), someone("analyst", "ben")
    with pytest.raises(RefusedError):
        decide(first, ana)
    client.force_login(ana)
    page = client.get(f"/cases/{first.pk}/").content.decode()
    [link] = re.findall(r'<a class="small" href="([^"#]+)#dismiss-', page)
    form = client.get(html.unescape(link)).content.decode()
    forms = re.findall(r'<form[^>]*/dismiss/".*?</form>', form, re.DOTALL)
    [key] = re.findall(r'name="key" value="([^"]+)"', "".join(forms))
    data = {"key": key, "reason": "Seen the passport: another person.", "days": "365"}
    assert client.post(f"/cases/{first.pk}/dismiss/", data).status_code == 303
    assert decide(first, ana).status == "standing"

    again = hits_of(connection, BORN)
    client.force_login(ben)
    text = words(client, f"/cases/{again.pk}/")
    assert f"Dismissed by ana {now():%Y-%m-%d} in {first.reference}, until" in text
    assert "Seen the passport: another person." in text
    assert "QUINTERO" in text.upper()
    assert decide(again, ben).status == "standing"
    row = Dismissal.objects.get()
    client.post(f"/cases/{again.pk}/dismiss/", {"undo": row.pk})
    assert is_open(again)


def test_the_second_to_dismiss_finds_the_first_one_standing(load, connection):
    case = hits_of(connection, BORN)
    first = dismiss(case, someone("analyst", "ana"))
    assert dismiss(case, someone("analyst", "ben"), reason="Mine.") == first
    assert Dismissal.objects.get().reason == first.reason


def test_it_is_asked_again_when_the_entry_changes(load, connection):
    dismiss(hits_of(connection, BORN), someone("analyst"))
    whole = sample_lists.ofac_sdn_xml()
    load(whole.replace(b"KORBUTSKY", b"KORBUTSKAY"))  # another entry of the same list
    assert not is_open(hits_of(connection, BORN))
    load(whole.replace(b"118840231", b"118840239"))  # the number of her passport
    assert is_open(hits_of(connection, BORN))


@pytest.mark.parametrize(
    "attested",
    [{**BORN, "date_of_birth": "1979-11"}, {**BORN, "country_of_nationality": "VE"}],
)
def test_it_is_asked_again_of_another_subject_of_that_name(load, connection, attested):
    dismiss(hits_of(connection, BORN), someone("analyst"))
    assert is_open(hits_of(connection, attested))


def test_where_only_a_name_is_attested_it_is_known_in_that_case_alone(load, connection):
    case = hits_of(connection, ALIKE)
    dismiss(case, someone("analyst"))
    say(case, ALIKE)
    assert not is_open(case)
    assert is_open(hits_of(connection, ALIKE))


def test_a_hit_of_somebody_of_a_business(load, connection):
    people = {"associated_individuals": [{"self_attested_data": LISTED}]}
    data = {"subject": "Acme", "check": PEOPLE, **people}
    case = hits_of(connection, {"business_name": "Acme"}, **data)
    assert is_open(case)
    dismiss(case, someone("analyst"))
    assert not is_open(case)
    assert not is_open(hits_of(connection, {"business_name": "Acme"}, **data))


def test_hits_that_were_not_sent_are_not_settled_by_those_that_were(load, connection):
    case = hits_of(connection, BORN)
    dismiss(case, someone("analyst"))
    assert not is_open(case)
    result = case.jobs.first().check_results.get()
    result.body["result"]["payload"]["screening"]["not_shown"] = 3
    result.save()
    assert is_open(case)


@pytest.mark.parametrize(
    "matches",
    [
        None, "none", 5, [None, 7, "x"], [{}], [{"score": "high", "band": 3, "entry": [], "list": 1}],
        [{"alignment": "x", "facts": 4, "name": [], "entry": {"programs": {"a": 1}}}],
    ],
)  # fmt: skip
@pytest.mark.parametrize("key", ["screening", "people_screening"])
def test_whatever_is_sent_the_page_stands(connection, client, key, matches):
    case = make_case(connection, agent=make_agent(connection), status="to_review")
    data = {
        "what": "sanctions",
        "matches": matches,
        "subject": [],
        "not_shown": "many",
        "lists": 3,
    }
    payload = (
        data if key == "screening" else {"people": [data, {"screening": data}, 4, None]}
    )
    result = {"verdict": "review", "payload": {key: payload}}
    add_check_result(make_job(case, status="complete"), result, check_id=SANCTIONS)
    client.force_login(someone("analyst"))
    assert "creening" in words(client, f"/cases/{case.pk}/")


def test_the_trail_names_the_hit(load, connection):
    case = hits_of(connection, BORN)
    result = dismiss(case, someone("analyst"))
    assert case.events.get(what="dismissed").details["finding"] == result.title
    assert "quintero" in result.title.casefold()
