"""Confirmed and dismissed hits as a labelled set, and thresholds that are tried on it."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pypdfium2
import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils.timezone import now

from compliance.approvals.models import Proposal
from reviews import results
from reviews.access import roles
from reviews.audit import trail
from reviews.findings import dismissals, hit_labels, matches, thresholds
from reviews.findings.review_state import ReviewState
from reviews.findings.thresholds import Rule, ThresholdError, Thresholds
from reviews.models import (
    Connection,
    Dismissal,
    HitLabel,
    LostHit,
    Scope,
    ScreeningPolicy,
    Team,
)
from reviews.screening import quality, versions
from reviews.versions.errors import RefusedError
from tests.factories import (
    make_agent,
    make_case,
    make_connection,
    make_job,
    make_user,
)
from tests.reviews.api.calling import Caller
from tests.reviews.pages.case.rows import words
from tests.reviews.risk.rows import KNOWN, add_screening, hit, rated
from tests.reviews.rows import decide, one_person, someone

pytestmark = pytest.mark.django_db
PAGE = "/screening-quality/"


@pytest.fixture(autouse=True)
def desk():
    one_person()


@pytest.fixture
def ana():
    return someone(roles.ANALYST, "ana")


@pytest.fixture
def olga(client):
    client.force_login(make_user("olga", role=roles.RULE_OWNER))
    return client


def listed(
    score: float, *, slug: str = "un", query: str = "Northwind Ltd", **values: Any
) -> dict[str, Any]:
    """A hit with its own content, so that each is another finding."""
    one = hit(values.pop("band", "possible"), values.pop("name", "Northwind Limited"))
    one["list"] = {"slug": slug, "title": f"{slug.upper()} list", "version": "1"}
    one["entry"] = {"id": f"{slug}-{score}-{query}", "schema": "Organization"}
    one["content_hash"] = f"{slug}{score}{query}"
    one["name"]["query"] = query
    one["facts"] = values.pop("facts", [])
    return {**one, "score": score, **values}


def a_case(one: dict[str, Any]):
    """A case of the one service with this hit."""
    connection = Connection.objects.first() or make_connection()
    agent = connection.agents.first() or make_agent(connection)
    case = make_case(
        connection, agent=agent, status="to_review", self_attested_data=KNOWN
    )
    add_screening(make_job(case, status="complete"), one)
    return case


def the_hit(case) -> results.Hit:
    [result] = [
        row
        for part in ReviewState.of(case).parts
        for row in part.findings
        if isinstance(row, results.Hit)
    ]
    return result


def labelled(actor, kind: str, score: float, **values: Any):
    case = a_case(listed(score, **values))
    result = the_hit(case)
    if kind == "confirmed":
        matches.confirm(case, result, actor=actor)
    else:
        key = dismissals.key_of(case, "", result)
        dismissals.dismiss(case, result, key=key, actor=actor, reason="Another one.")
    return case


def live(*rules: Rule) -> ScreeningPolicy:
    return ScreeningPolicy.objects.create(
        number=ScreeningPolicy.objects.count() + 1,
        note="n",
        content=Thresholds(rules).to_json(),
        status="live",
        live_at=now(),
        made_by=make_user(f"maker{ScreeningPolicy.objects.count()}"),
    )


def saved(client, threshold: str, **values: str):
    data = {"note": "Fewer.", "rule-1.threshold": threshold, "rule-1.list": "",
            "rule-1.script": "", **values}  # fmt: skip
    return client.post(f"{PAGE}new/", data)


# What people say of hits


def test_earlier_dismissals_are_added_to_the_labelled_set_once(ana, capsys):
    case = labelled(ana, "dismissed", 0.91)
    # As a version before had it: the dismissal alone.
    case.hit_labels.all().delete()
    dismissal = Dismissal.objects.get(case=case)
    result = a_case(listed(0.85))
    Dismissal.objects.create(
        key="of a hit that is not shown", case=result, title="It", reason="So.", by=ana
    )
    taken_back = labelled(ana, "dismissed", 0.82)
    dismissals.take_back(Dismissal.objects.get(case=taken_back), actor=ana)
    taken_back.hit_labels.all().delete()

    call_command("label_dismissals")
    assert "1 labels were made for 1 cases" in capsys.readouterr().out
    [label] = HitLabel.objects.all()
    assert (label.case, label.kind, label.score) == (case, "dismissed", 0.91)
    assert (label.key, label.by, label.at) == (dismissal.key, ana, dismissal.at)
    assert case.events.get(what="dismissed_hits_labelled").data == {"count": 1}

    call_command("label_dismissals")
    assert "0 labels" in capsys.readouterr().out
    # It is taken back with its dismissal.
    dismissals.take_back(dismissal, actor=ana)
    assert not hit_labels.standing(case, [label.key])


def test_without_hits_no_threshold_is_shown(client):
    client.force_login(make_user("olga", role=roles.RULE_OWNER))
    page = client.get(PAGE).content.decode()
    assert "there is nothing to try a threshold on" in page
    assert "Table of thresholds" not in page
    labelled(someone(roles.ANALYST, "ana"), "dismissed", 0.91)
    page = client.get(PAGE).content.decode()
    assert "Table of thresholds" in page


def test_a_hit_is_confirmed_over_the_interface_and_taken_back(ana):
    case, caller = a_case(listed(0.91)), Caller(ana, Scope.READ, Scope.DECIDE)
    state = f"/cases/{case.pk}/review-state"
    [finding] = [one for one in caller.get(state).json()["findings"] if one["hit_key"]]
    assert (finding["is_confirmed"], finding["confirmation"]) == (False, None)
    url, key = f"/cases/{case.pk}/hit-confirmations", finding["hit_key"]

    assert caller.post(url, {"key": "no such"}).status_code == 409
    answer = caller.post(url, {"key": key})
    assert answer.status_code == 201
    [label] = case.hit_labels.all()
    assert (label.kind, label.by, label.score) == ("confirmed", ana, 0.91)
    assert answer.json()["id"] == label.pk
    [finding] = [one for one in caller.get(state).json()["findings"] if one["hit_key"]]
    assert finding["is_confirmed"]
    assert finding["confirmation"] == answer.json()
    # Not twice, and not dismissed while it stands.
    for path, body in (
        (url, {"key": key}),
        (f"/cases/{case.pk}/dismissals", {"key": key, "reason": "No."}),
    ):
        assert caller.post(path, body).status_code in {409, 422}
    assert case.events.filter(what="hit_confirmed").exists()

    taken_back = caller.call("delete", f"/hit-confirmations/{label.pk}")
    assert taken_back.json()["taken_back_at"]
    again = caller.call("delete", f"/hit-confirmations/{label.pk}")
    assert again.status_code == 404
    assert not hit_labels.standing(case, [key])


def test_a_hit_is_confirmed_on_the_page_of_the_case_and_taken_back(client, ana):
    case = a_case(listed(0.84))
    client.force_login(ana)
    assert "Confirm as a match" in words(client, f"/cases/{case.pk}/")
    key = dismissals.key_of(case, "", the_hit(case))
    answer = client.post(f"/cases/{case.pk}/confirm-hit/", {"key": key})
    assert answer.status_code == 303
    label = HitLabel.objects.get()
    assert (label.kind, label.source, label.list_slug, label.script) == (
        "confirmed", "screening", "un", "latin",
    )  # fmt: skip
    assert (label.band, label.score, label.is_certain) == ("possible", 0.84, False)
    assert (label.asked, label.title) == ("Northwind Ltd", "Northwind Limited")
    assert "Confirmed as a match by ana" in words(client, f"/cases/{case.pk}/")
    again = client.post(f"/cases/{case.pk}/confirm-hit/", {"key": key})
    assert again.status_code == 422
    # What is confirmed is not dismissed beside.
    refused = client.post(
        f"/cases/{case.pk}/dismiss/", {"key": key, "reason": "x", "days": ""}
    )
    assert refused.status_code == 422
    assert "take that back first" in refused.content.decode()
    client.post(f"/cases/{case.pk}/confirm-hit/", {"undo": label.pk})
    label.refresh_from_db()
    assert label.taken_back_at is not None
    assert "Confirm as a match" in words(client, f"/cases/{case.pk}/")
    assert list(case.events.values_list("what", flat=True)) == [
        "hit_confirmed",
        "hit_confirmation_taken_back",
    ]
    assert (
        client.post(f"/cases/{case.pk}/confirm-hit/", {"key": "-"}).status_code == 409
    )


def test_a_dismissal_is_a_label_until_it_is_taken_back(ana):
    case = labelled(ana, "dismissed", 0.81)
    assert HitLabel.objects.get().kind == "dismissed"
    with pytest.raises(ValueError, match="dismissed here"):
        matches.confirm(case, the_hit(case), actor=ana)
    dismissals.take_back(case.dismissals.get(), actor=ana)
    assert not hit_labels.all_standing().exists()
    matches.confirm(case, the_hit(case), actor=ana)
    assert hit_labels.all_standing().get().kind == "confirmed"


def test_a_confirmed_hit_rates_the_case_as_confirmed(ana):
    case = labelled(ana, "confirmed", 0.84)
    assert rated(case).band == "prohibited"
    case = a_case(listed(0.85))
    assert rated(case).band != "prohibited"


# The figures


@dataclass(frozen=True)
class QualityData:
    """A labelled hit as the test made it, and whether it asks by RULES: without the code under test."""

    kind: str
    band: str
    score: float
    slug: str
    is_cyrillic: bool
    has_birth_date: bool

    def asks(self, least: float = 0.85, special: float = 0.9) -> bool:
        if self.band == "weak":
            return False
        if self.band == "identifier_match" or self.has_birth_date:
            return True
        is_special = self.slug == "eu" and self.is_cyrillic
        return self.score >= (special if is_special else least)


RULES = Thresholds((Rule("", "", 0.85), Rule("eu", "cyrillic", 0.9)))


def expected(rows: Sequence[QualityData]) -> tuple[int, int, int, int]:
    asking = [row for row in rows if row.asks()]
    right = [row for row in asking if row.kind == "confirmed"]
    confirmed = [row for row in rows if row.kind == "confirmed"]
    return len(right), len(asking), len(right), len(confirmed)


def counted(group: quality.Group) -> tuple[int, int, int, int]:
    precision, recall = group.precision, group.recall
    return precision.count, precision.of, recall.count, recall.of


@pytest.fixture
def quality_data(ana):
    bands = ("possible", "strong", "weak", "identifier_match")
    rows = []
    for number in range(24):
        kind = "confirmed" if number % 3 == 0 else "dismissed"
        row = QualityData(
            kind=kind,
            band=bands[number % 2] if kind == "dismissed" else bands[number % 4],
            score=round(0.80 + number / 200, 3),
            slug=("un", "eu")[number % 2],
            is_cyrillic=number % 5 == 0,
            has_birth_date=number % 7 == 0,
        )
        query = "Нортвинд" if row.is_cyrillic else "Northwind Ltd"
        facts = [{"field": "birth_date", "stand": "corroborates"}] * row.has_birth_date
        labelled(
            ana, kind, row.score, slug=row.slug, query=query, band=row.band, facts=facts
        )
        rows.append(row)
    return rows


def test_the_figures_equal_a_count_one_by_one(quality_data):
    tallies = quality.tallies(hit_labels.all_standing())
    figures = quality.quality(tallies, RULES)
    assert counted(figures.all) == expected(quality_data)
    for group in figures.lists:
        slug = group.name.partition(" ")[0].lower()
        assert counted(group) == expected(
            [row for row in quality_data if row.slug == slug]
        )
    assert {group.name for group in figures.scripts} == {"latin", "cyrillic"}
    for group in figures.scripts:
        is_cyrillic = group.name == "cyrillic"
        own = [row for row in quality_data if row.is_cyrillic == is_cyrillic]
        assert counted(group) == expected(own)
    assert len(figures.lists_and_scripts) == 4
    assert sum(group.count for group in figures.bands) == figures.all.count


def test_what_is_lost_and_gone_equals_a_count_one_by_one(quality_data):
    tallies = quality.tallies(hit_labels.all_standing())
    change = quality.change(tallies, Thresholds(()), RULES)
    folded = [row.kind for row in quality_data if row.band != "weak" and not row.asks()]
    assert change.lost == folded.count("confirmed") > 0
    assert change.gone == folded.count("dismissed") > 0
    assert len(quality.lost(hit_labels.all_standing(), RULES)) == change.lost
    for step in quality.steps(tallies, Thresholds(())):
        least = float(step.name)
        kinds = [
            row.kind
            for row in quality_data
            if row.band != "weak" and not row.asks(least, least)
        ]
        assert (step.lost, step.gone) == (
            kinds.count("confirmed"), kinds.count("dismissed"),
        )  # fmt: skip


def test_the_page_says_what_recall_is_and_counts_a_look_up_as_missed(olga, ana):
    labelled(ana, "confirmed", 0.9)
    case = labelled(ana, "dismissed", 0.81)
    HitLabel.objects.create(
        case=case, kind="confirmed", source="look_up", key="k" * 64, list_slug="un",
        list_title="UN list", script="latin", band="strong", score=1.0, is_certain=False,
        by=ana, at=now(),
    )  # fmt: skip
    text = words(olga, PAGE)
    assert "who was never found is in no figure" in text
    assert "50.0 %" in text
    assert "only by a look-up" in text
    answer = Caller(someone(roles.AUDITOR)).get("/screening-quality").json()
    assert answer["all"]["recall"]["rate"] == 0.5
    assert answer["all"]["precision"]["rate"] == 0.5
    assert (answer["version"], answer["rules"]) == (None, [])
    # No threshold loses what the screening never showed.
    tallies = quality.tallies(hit_labels.all_standing())
    assert quality.steps(tallies, Thresholds(()))[-1].lost == 1


def test_people_see_the_figures_of_their_teams(olga, ana):
    labelled(ana, "confirmed", 0.84)
    team = Team.objects.create(name="Others")
    team.connections.add(Connection.objects.get())
    saved(olga, "0.9")
    text = words(olga, f"{PAGE}1/")
    assert "Northwind Limited" not in text
    assert "1 more is of another team" in text
    label = HitLabel.objects.get()
    address = f"{PAGE}1/lost/{label.pk}/"
    assert olga.post(address, {"reason": "x"}).status_code == 404
    assert olga.post(f"{PAGE}1/live/").status_code == 422


# Thresholds


def test_a_version_that_loses_a_match_waits_for_an_acknowledgement_and_a_second_person(
    olga, ana
):
    labelled(ana, "confirmed", 0.84)
    labelled(ana, "confirmed", 0.95)
    labelled(ana, "dismissed", 0.82)
    assert saved(olga, "0.9").status_code == 303
    text = words(olga, f"{PAGE}1/")
    assert "it would ask nobody about 1 confirmed ones, and 1 dismissed ones" in text
    assert "Northwind Limited" in text
    assert "nobody has acknowledged that yet" in text
    assert olga.post(f"{PAGE}1/live/").status_code == 422
    lost = HitLabel.objects.get(score=0.84)
    row = HitLabel.objects.get(score=0.95)
    assert olga.post(f"{PAGE}1/lost/{lost.pk}/", {"reason": " "}).status_code == 422
    assert olga.post(f"{PAGE}1/lost/{row.pk}/", {"reason": "x"}).status_code == 422
    olga.post(f"{PAGE}1/lost/{lost.pk}/", {"reason": "The entry is delisted."})
    assert "The entry is delisted." in words(olga, f"{PAGE}1/")
    assert lost.case.events.filter(what="lost_hit_acknowledged").exists()
    assert olga.post(f"{PAGE}1/live/")["Location"] == "/approvals/"
    proposal = Proposal.objects.latest("pk")
    # The author cannot release it.
    olga.post(f"/approvals/{proposal.pk}/approve/")
    assert versions.live() is None
    # A match that is confirmed meanwhile must be acknowledged, too.
    case = labelled(ana, "confirmed", 0.85)
    otto = make_user("otto", role=roles.RULE_OWNER)
    olga.force_login(otto)
    olga.post(f"/approvals/{proposal.pk}/approve/")
    assert versions.live() is None
    label = HitLabel.objects.get(case=case)
    versions.acknowledge(
        ScreeningPolicy.objects.get(), label, actor=otto, reason="The same."
    )
    olga.post(f"/approvals/{proposal.pk}/approve/")
    live_now = versions.live()
    assert live_now is not None
    assert live_now.number == 1
    assert LostHit.objects.count() == 2
    trail.seal()
    assert list(trail.verify()) == []


def test_the_second_person_rejects_a_version_that_may_not_be_released(ana):
    """A proposal with something in its way would else wait for ever."""
    olga, otto = Client(), Client()
    olga.force_login(make_user("olga", role=roles.RULE_OWNER))
    otto.force_login(make_user("otto", role=roles.RULE_OWNER))
    saved(olga, "0.9")
    olga.post(f"{PAGE}1/live/")
    labelled(ana, "confirmed", 0.85)
    text = words(otto, "/approvals/")
    assert "nobody has acknowledged that yet" in text
    assert "Why you reject it" in text
    proposal = Proposal.objects.latest("pk")
    approval = otto.post(f"/approvals/{proposal.pk}/approve/", follow=True)
    assert "nobody has acknowledged that yet" in approval.content.decode()
    assert versions.live() is None
    # Not by who proposed it: only withdrawing is theirs.
    olga.post(f"/approvals/{proposal.pk}/reject/", {"reason": "No."})
    proposal.refresh_from_db()
    assert proposal.status == Proposal.Status.WAITING
    otto.post(f"/approvals/{proposal.pk}/reject/", {"reason": "It loses a match."})
    proposal.refresh_from_db()
    assert proposal.status == Proposal.Status.REJECTED


def test_the_verb_refuses_what_the_page_does(ana):
    owner = make_user("olga", role=roles.RULE_OWNER)
    labelled(ana, "confirmed", 0.84)
    content = Thresholds((Rule("", "", 0.9),)).to_json()
    version = versions.draft(actor=owner, content=content, note="n")
    with pytest.raises(RefusedError, match="acknowledged"):
        versions.make_live(version, actor=owner)
    assert "You wrote this version" in versions.objection(owner, version)
    assert "acknowledged" in versions.obstacle(version)


def report_text(client, case) -> str:
    content = client.get(f"/cases/{case.pk}/report/pdf/").content
    with pypdfium2.PdfDocument(content) as document:
        return " ".join(page.get_textpage().get_text_bounded() for page in document)


def test_a_new_result_below_the_threshold_asks_nobody_and_an_old_one_does(client, ana):
    old = a_case(listed(0.82))
    live(Rule("", "", 0.85))
    new = a_case(listed(0.82))
    assert ReviewState.of(old).open
    assert not ReviewState.of(new).open
    client.force_login(ana)
    text = words(client, f"/cases/{new.pk}/")
    assert "below the threshold of version 1" in text
    assert "Northwind Limited" in text
    assert "nobody was asked" in report_text(client, new)
    state = Caller(ana).get(f"/cases/{new.pk}/review-state").json()
    [finding] = state["findings"]
    assert (finding["folded_by"], finding["is_confirmed"]) == (1, False)
    # Nobody cleared it: the rating is that of an open hit.
    assert rated(new).score == rated(old).score
    assert decide(new, ana).status == "standing"
    # Once it is confirmed it asks, whatever its score.
    another = a_case(listed(0.83))
    matches.confirm(another, the_hit(another), actor=ana)
    assert ReviewState.of(another).open


@pytest.mark.parametrize(
    ("values", "asks"),
    [
        ({"score": 0.849}, False),
        ({"score": 0.85}, True),
        ({"score": 0.849, "slug": "eu"}, False),
        ({"score": 0.75, "query": "Нортвинд"}, True),
        ({"score": 0.75, "slug": "eu", "query": "Нортвинд"}, False),
        ({"score": 0.7, "band": "identifier_match"}, True),
        (
            {"score": 0.7, "facts": [{"field": "birth_date", "stand": "corroborates"}]},
            True,
        ),
        (
            {
                "score": 0.7,
                "facts": [{"field": "nationality", "stand": "corroborates"}],
            },
            False,
        ),
    ],
)
def test_the_rule_about_the_least_holds_and_certain_hits_always_ask(values, asks):
    live(Rule("", "", 0.85), Rule("", "cyrillic", 0.7), Rule("eu", "", 0.9))
    case = a_case(listed(**values))
    assert bool(ReviewState.of(case).open) == asks


def test_a_hit_without_a_score_asks():
    live(Rule("", "", 1.0))
    case = a_case({**listed(0.8), "score": None})
    assert ReviewState.of(case).open


@pytest.mark.parametrize(
    "rules",
    [
        [{"list": "", "script": "", "threshold": 0}],
        [{"list": "", "script": "", "threshold": 1.01}],
        [{"list": "", "script": "", "threshold": float("nan")}],
        [{"list": "", "script": "", "threshold": "high"}],
        [{"list": "", "script": "", "threshold": True}],
        [{"list": "", "script": "runes", "threshold": 0.9}],
        [{"list": "x" * 201, "script": "", "threshold": 0.9}],
        [{"list": "", "script": "", "threshold": 0.9}] * 2,
        "none",
    ],
)
def test_what_is_no_policy_is_refused(rules):
    with pytest.raises(ThresholdError):
        Thresholds.from_json({"rules": rules})


def test_the_form_shows_what_was_saved_and_says_what_is_wrong(olga):
    answer = saved(olga, "1,5")
    assert answer.status_code == 422
    assert "a threshold is over 0 and at most 1" in answer.content.decode()
    assert saved(olga, "high", note="Kept.").status_code == 422
    assert saved(olga, "0.9", note=" ").status_code == 422
    saved(olga, "0,875", **{"rule-1.script": "arabic"})
    version = ScreeningPolicy.objects.get()
    assert thresholds.content_of(version).rules == (Rule("", "arabic", 0.875),)
    page = olga.get(f"{PAGE}new/?from=1").content.decode()
    assert 'value="0.875"' in page
    assert re.search(r'value="arabic"\s+selected', page)
    german = {"headers": {"accept-language": "de"}}
    assert 'value="0,875"' in olga.get(f"{PAGE}new/?from=1", **german).content.decode()
    assert "ab 0,875" in olga.get(f"{PAGE}1/", **german).content.decode()


# The file


def taken(client) -> list[dict[str, str]]:
    answer = client.get(f"{PAGE}labels.csv")
    text = b"".join(answer.streaming_content).decode()
    return list(csv.DictReader(io.StringIO(text)))


def test_the_file_has_names_only_for_who_may_have_them(client, ana, settings):
    labelled(ana, "confirmed", 0.84)
    client.force_login(someone(roles.RULE_OWNER))
    [row] = taken(client)
    assert (row["kind"], row["list"], row["score"]) == ("confirmed", "un", "0.84")
    assert "name" not in row
    client.force_login(someone(roles.SENIOR))
    [row] = taken(client)
    assert (row["name"], row["listed_name"]) == ("Northwind Ltd", "Northwind Limited")
    settings.MASKED_ROLES = frozenset({roles.AUDITOR})
    client.force_login(someone(roles.AUDITOR))
    [row] = taken(client)
    assert "name" not in row
    page = client.get(PAGE).content.decode()
    assert "Northwind" not in page
    client.force_login(ana)
    assert client.get(f"{PAGE}labels.csv").status_code == 403
    assert client.get(PAGE).status_code == 403


def test_the_command_scores_the_file_again(client, ana, tmp_path, capsys):
    labelled(
        ana, "confirmed", 0.84, query="Korbutsky Marine Ltd", name="Korbutski Marine"
    )
    labelled(ana, "dismissed", 0.81, query="Blue Harbour Ltd", name="Zephyr Quarry")
    client.force_login(someone(roles.SENIOR))
    answer = client.get(f"{PAGE}labels.csv")
    path = tmp_path / "labels.csv"
    path.write_bytes(b"".join(answer.streaming_content))
    call_command("evaluate_hits", str(path))
    printed = capsys.readouterr().out
    assert "all: all: 2 hits, 1 ask, precision 100.0 %" in printed
    assert "lost" not in printed
    call_command("evaluate_hits", str(path), "--possible-company", "1.0")
    printed = capsys.readouterr().out
    assert "lost: line 2 “Korbutsky Marine Ltd” and “Korbutski Marine” on un" in printed
    with pytest.raises(CommandError, match="out of range"):
        call_command("evaluate_hits", str(path), "--possible-company", "2")
    client.force_login(someone(roles.RULE_OWNER))
    answer = client.get(f"{PAGE}labels.csv")
    path.write_bytes(b"".join(answer.streaming_content))
    with pytest.raises(CommandError, match="without names"):
        call_command("evaluate_hits", str(path))
