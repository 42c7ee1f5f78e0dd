from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.utils.timezone import now

from compliance.db.states import stored_values
from compliance.models import LocalePreference
from reviews.models import Case, CheckReview, Decision, DecisionPolicy, Team
from reviews.queue import dashboard as figures
from tests import factories

# Of this moment on an earlier day, half an hour before is the same day.
NOON = now().replace(hour=12)


@pytest.fixture
def ana(db):
    return factories.make_user("ana")


@pytest.fixture
def visitor(client, ana):
    client.force_login(ana)
    return client


def decided(desk, by, outcome="approve", *, took=30, **values) -> Case:
    status = values.pop("status", Decision.Status.STANDING)
    case = factories.make_case(
        desk, status=Case.Status.DECIDED, recommendation=values.pop("said", "Approve"),
        summary={"checks": [["Seal", "fail"], ["Name", "pass"]]},
    )  # fmt: skip
    Case.objects.filter(pk=case.pk).update(
        created_at=now() - timedelta(minutes=took), **values
    )
    Decision.objects.create(
        case=case, outcome=outcome, status=status, rationale="r", made_by=by,
        recommendation=case.recommendation, needs_second=status == Decision.Status.RETURNED,
    )  # fmt: skip
    return case


def test_figures_of_what_was_decided(visitor, ana):
    desk = factories.make_connection()
    decided(desk, ana, took=10)
    decided(desk, ana, "reject", took=20, due_at=now() - timedelta(minutes=5))
    decided(desk, ana, took=90, said="Review")
    sent_back = decided(desk, ana, status=Decision.Status.RETURNED)
    job = factories.make_job(sent_back)
    for check_id, kind in (("kyb.seal_check", "reviewed"), ("kyb.seal", "overridden")):
        CheckReview.objects.create(
            job=job, check_id=check_id, kind=kind, reason="r", by=ana
        )
    response = visitor.get("/dashboard/")
    value = response.context["dashboard"]
    assert re.search(r"50\.0 %\s+<span[^>]*>of 2</span>", response.content.decode())
    assert (value.all.decided, value.all.median) == (3, "20 m")
    assert (value.all.on_time, value.all.agreement) == ("66.7 %", "50.0 %")
    assert value.all.overturned == "100.0 %"
    assert value.buckets == [1, 1, 0, 1, 0, 0, 0, 0]
    seal = next(check for check in value.checks if check.name == "Seal")
    assert (seal.failed, seal.agreement) == (3, "50.0 %")
    assert value.people["ana"].overrides == 1


@pytest.mark.parametrize(
    ("minutes", "words"),
    [(59.4, "59 m"), (59.6, "1 h 00 m"), (119.7, "2 h 00 m"), (61, "1 h 01 m")],
)
def test_a_duration_has_at_most_59_minutes(minutes, words):
    assert figures.minutes_in_words(minutes) == words


def test_each_mark_leads_to_the_cases_behind_it(visitor, ana):
    desk = factories.make_connection()
    decided(desk, ana, took=10)
    decided(desk, ana, "reject", took=600)
    decided(desk, ana, status=Decision.Status.RETURNED)
    response = visitor.get("/dashboard/")
    marks = re.findall(
        r'<a href="([^"]+)" aria-label="([^"]+)"><rect', response.content.decode()
    )
    # Two bars of today, two of the histogram, one of each of two checks.
    assert len(marks) == 6
    for href, words in marks:
        count = re.search(r"(?:: |^)(\d+) ", words)
        rows = visitor.get(href.replace("&amp;", "&")).context["page"]["lines"]
        assert count, words
        assert len(rows) == int(count[1]), (href, words)
    sent_back = response.context["tiles"][-1].href
    assert len(visitor.get(sent_back).context["page"]["lines"]) == 1


def test_errors_unclear_checks_and_automatic_approvals_lead_to_their_cases(
    visitor, ana
):
    desk = factories.make_connection()
    for number, verdict in enumerate(["fail", "error", "inconclusive", "unknown"]):
        case = decided(desk, ana)
        if not number:
            by_policy = DecisionPolicy.objects.create(
                number=1, status="live", content={}, made_by=ana
            )
            case.decisions.update(made_by=None, policy=by_policy)
        summary = {"checks": [["Seal", verdict]]}
        Case.objects.filter(pk=case.pk).update(
            **stored_values(case, {"summary": summary})
        )
    response = visitor.get("/dashboard/")
    [seal] = response.context["checks"]
    assert (seal.check.failed, seal.check.doubtful, seal.share) == (2, 2, "100.0 %")
    for bar in seal.bars:
        assert len(visitor.get(bar.href).context["page"]["lines"]) == 2, bar.words
    assert len(visitor.get(seal.href).context["page"]["lines"]) == 4
    for name, group, href in response.context["people"]:
        lines = visitor.get(href).context["page"]["lines"]
        assert len(lines) == group.decided, name


def test_figures_of_other_teams_are_not_shown(visitor, ana):
    theirs = factories.make_connection("theirs")
    Team.objects.create(name="Other").connections.add(theirs)
    decided(theirs, ana)
    assert visitor.get("/dashboard/?days=7").context["dashboard"].all.decided == 0


@pytest.mark.parametrize("days", ["", "7", "28", "90", "x", "100000000"])
def test_an_empty_dashboard_says_so(visitor, days):
    assert (
        "No case was decided"
        in visitor.get(f"/dashboard/?days={days}").content.decode()
    )


def test_a_summary_of_any_shape_is_survived(visitor, ana):
    desk = factories.make_connection()
    odd: list[object] = [[], "x", {"checks": 1}, {"checks": [1, [1, 2], ["a", {}]]}]
    for summary in odd:
        case = decided(desk, ana)
        changes = stored_values(case, {"summary": summary})
        Case.objects.filter(pk=case.pk).update(**changes)
    assert visitor.get("/dashboard/").context["dashboard"].all.decided == 4


@pytest.mark.parametrize("language", ["de", "fr", "es"])
def test_a_chart_has_no_decimal_comma(visitor, ana, language):
    """The number 32.2 of a picture is 32.2 in each language: a browser takes no other."""
    desk = factories.make_connection()
    for took in (5, 50, 500):
        decided(desk, ana, took=took)
    LocalePreference.objects.create(user=ana, language=language)
    page = visitor.get("/dashboard/").content.decode()
    numbers = re.findall(r'\b(?:x|y|width|height)="([^"]*)"', page)
    assert any("." in number for number in numbers)
    assert [number for number in numbers if "," in number] == []


def test_a_tile_shows_the_change_since_the_period_before_and_its_trend(visitor, ana):
    desk = factories.make_connection()
    for took, days in ((30, 1), (30, 2), (90, 9), (90, 10)):
        case = decided(desk, ana, took=took)
        at = NOON - timedelta(days=days)
        Decision.objects.filter(case=case).update(made_at=at)
        created_at = at - timedelta(minutes=took)
        Case.objects.filter(pk=case.pk).update(created_at=created_at)

    page = visitor.get("/dashboard/?days=7").content.decode()

    # Faster than before: that is better.
    assert re.search(
        r'class="change pass"\s+title="Before: 1 h 30 m">\N{MINUS SIGN}1 h 00 m<', page
    )
    # All was decided as the agents recommend, in both periods.
    assert re.search(r'class="change "\s+title="Before: 100.0 %">±0<', page)
    assert page.count('class="trend"') == 3
    # Nothing is known of the time before: there is no change, and the trend remains.
    page = visitor.get("/dashboard/?days=28").content.decode()
    assert 'class="change' not in page
    assert page.count('class="trend"') == 3


def test_a_change_of_shares_is_the_difference_of_the_figures_shown(visitor, ana):
    """As numbers of a computer, 75 less 66.7 is a little less than 8.3."""
    desk = factories.make_connection()
    agreement = {1: (True, True, True, False), 9: (True, True, False)}
    for days, cases in agreement.items():
        for agrees in cases:
            case = decided(desk, ana, "approve" if agrees else "reject")
            at = NOON - timedelta(days=days)
            Decision.objects.filter(case=case).update(made_at=at)
            created_at = at - timedelta(minutes=30)
            Case.objects.filter(pk=case.pk).update(created_at=created_at)

    page = visitor.get("/dashboard/?days=7").content.decode()

    assert re.search(r'class="change pass"\s+title="Before: 66.7 %">\+8.3<', page)


def test_a_dashboard_without_decisions_has_neither_change_nor_trend(visitor):
    page = visitor.get("/dashboard/").content.decode()
    assert 'class="change' not in page
    assert 'class="trend"' not in page


def test_the_first_tile_shows_how_many_cases_had_no_decision_day_by_day(visitor, ana):
    desk = factories.make_connection()
    # Submitted before the period: one is still open, one was decided three days ago.
    early = NOON - timedelta(days=9)
    still_open = factories.make_case(desk, status=Case.Status.TO_REVIEW)
    Case.objects.filter(pk=still_open.pk).update(created_at=early)
    case = decided(desk, ana)
    Case.objects.filter(pk=case.pk).update(created_at=early)
    Decision.objects.update(made_at=NOON - timedelta(days=3))
    # Submitted yesterday: none of the two is decided.
    for _ in range(2):
        case = factories.make_case(desk, status=Case.Status.TO_REVIEW)
        at = NOON - timedelta(days=1)
        Case.objects.filter(pk=case.pk).update(created_at=at)

    dashboard = figures.of(ana, 7)
    counts = figures.undecided(ana, dashboard)

    assert [counts[day] for day in sorted(counts)] == [2, 2, 2, 2, 1, 1, 3, 3]
    page = visitor.get("/dashboard/?days=7").content.decode()
    words = "Cases without a decision: 2 before the period, 3 now"
    assert re.search(rf'class="change fail"\s+title="{words}">\+1 undecided<', page)


def test_the_backlog_knows_of_reopened_cases_and_of_second_people(ana):
    desk = factories.make_connection()
    early = NOON - timedelta(days=9)
    # Decided five days ago, and reopened two days ago.
    reopened = decided(desk, ana)
    row = reopened.decisions.get()
    row.move("reopened")
    Decision.objects.filter(pk=row.pk).update(
        made_at=NOON - timedelta(days=5), updated_at=NOON - timedelta(days=2)
    )
    Case.objects.filter(pk=reopened.pk).update(status=Case.Status.TO_REVIEW)
    # Proposed five days ago, final since yesterday.
    by_two = decided(desk, ana)
    by_two.decisions.update(
        made_at=NOON - timedelta(days=5),
        second_at=NOON - timedelta(days=1),
        second_by=factories.make_user("sven"),
    )
    # Erased three days ago, and never decided.
    erased = factories.make_case(desk, status=Case.Status.DECIDED)
    Case.objects.filter(pk=erased.pk).update(erased_at=NOON - timedelta(days=3))
    Case.objects.update(created_at=early)

    counts = figures.undecided(ana, figures.of(ana, 7))

    # Of the evening of each day, from seven days ago to today.
    assert [counts[day] for day in sorted(counts)] == [3, 3, 2, 2, 1, 2, 1, 1]


def test_the_backlog_of_a_full_desk_is_left_out(visitor, ana, monkeypatch):
    monkeypatch.setattr(figures, "MAX_DECISIONS", 1)
    desk = factories.make_connection()
    for _ in range(2):
        factories.make_case(desk, status=Case.Status.TO_REVIEW)
    assert figures.undecided(ana, figures.of(ana, 7)) == {}


@pytest.mark.parametrize(
    ("minutes", "words"),
    [
        (59.4, "59 m"),
        (59.6, "1 h 00 m"),
        (119.6, "2 h 00 m"),
        (2879.6, "2 d"),
    ],
)
def test_a_duration_has_no_sixty_minutes(minutes, words):
    assert figures.minutes_in_words(minutes) == words


def test_a_decision_by_two_people_counts_when_the_second_has_agreed(visitor, ana):
    case = decided(factories.make_connection(), ana, took=30)
    final_at = NOON - timedelta(days=1)
    case.decisions.update(
        made_at=final_at - timedelta(days=9),
        second_at=final_at,
        second_by=factories.make_user("sven"),
        needs_second=True,
    )
    Case.objects.update(
        created_at=final_at - timedelta(days=10), due_at=final_at - timedelta(days=8)
    )
    dashboard = figures.of(ana, 7)
    assert dashboard.days[final_at.date()].decided == 1
    # As in the report of a period: ten days, and not in time.
    assert (dashboard.all.median, dashboard.all.on_time) == ("10 d", "0.0 %")
    for narrowing in (f"decided={final_at.date()}", "took=14400-14401"):
        page = visitor.get(f"/?view=decided&{narrowing}").context["page"]
        assert len(page["lines"]) == 1, narrowing
