from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import Permission
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation
from django.utils.timezone import now

from compliance.db.states import stored_values
from compliance.models import LocalePreference
from reviews.models import Case, Document, QueueLayout, SavedView, Team
from reviews.pages.queue.queue_rows import Clock, checks_of, in_words
from reviews.queue import filters
from tests import factories


def make_cases(desk, count: int, **values) -> list[Case]:
    values.setdefault("status", Case.Status.TO_REVIEW)
    return [
        factories.make_case(desk, **{"subject": f"Company {number}", **values})
        for number in range(count)
    ]


def html(response) -> str:
    assert response.status_code == 200
    return response.content.decode()


def search(client, params):
    """As the form does: the words come in a body."""
    return client.post("/queue/search/", params, follow=True)


def test_only_people_who_logged_in_see_it(client, db):
    for address in ("/", "/queue/rows/"):
        response = client.get(address)
        assert response.status_code == 302
        assert response["Location"].startswith("/login/")


def test_a_row_says_what_matters(ana, desk, analyst):
    case = factories.make_case(
        desk,
        reference="C-10427",
        subject="Halden Maritime AS",
        country="NO",
        status=Case.Status.TO_REVIEW,
        recommendation="Review",
        analyst=analyst,
        summary={
            "checks": [["a", "fail"], ["b", "pass"], ["c", "pass"]],
            "finding": "Seal not found",
        },
    )
    Document.objects.create(case=case, kind=Document.Kind.EIN, file_name="ein.pdf")
    text = html(ana.get("/"))
    for message in (
        "C-10427",
        "Halden Maritime AS",
        'KYB <span class="code" title="Norway">',
        "Review",
        "Seal not found",
        "Ana Silva",
    ):
        assert message in text
    assert f'href="/cases/{case.pk}/"' in text
    assert "1 failed, 2 passed" in text


@pytest.mark.parametrize(
    ("recommendation", "is_shown"),
    [("Review", True), ("Deny", True), ("Approve", False)],
)
def test_without_a_finding_a_row_says_why_the_agent_does_not_approve(
    ana, desk, recommendation, is_shown
):
    reason = "No document of incorporation was submitted."
    factories.make_case(
        desk,
        status=Case.Status.TO_REVIEW,
        recommendation=recommendation,
        recommendation_reasons=[reason, "Another reason"],
        summary={"checks": [["a", "pass"]]},
    )
    text = html(ana.get("/"))
    assert (reason in text) is is_shown
    assert "Another reason" not in text


def test_what_came_over_the_wire_adds_no_markup(ana, desk):
    bad = '"><script>alert(1)</script>'
    factories.make_case(
        desk,
        reference=bad,
        subject=bad,
        status=Case.Status.TO_REVIEW,
        recommendation=bad[:60],
        summary={"checks": [[bad, bad]], "finding": bad},
    )
    text = html(search(ana, {"q": bad}))
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert" in text


@pytest.mark.parametrize(
    "summary",
    [
        {},
        [],
        "text",
        {"checks": None},
        {"checks": [1, "x", ["only id"], ["id", {}], ["id", None]]},
        {"finding": 7},
    ],
)
def test_a_summary_of_any_shape_is_shown(ana, desk, summary):
    case = factories.make_case(desk, status=Case.Status.TO_REVIEW)
    changes = stored_values(case, {"summary": summary})
    Case.objects.filter(pk=case.pk).update(**changes)
    assert case.reference in html(ana.get("/"))


def test_a_row_leads_to_its_case(ana, desk):
    [case] = make_cases(desk, 1)
    assert f'href="{case.get_absolute_url()}"' in html(ana.get("/"))


def test_views_hold_their_status(ana, desk):
    by_name = {
        status: factories.make_case(desk, status=status, subject=f"In {status}")
        for status in Case.Status
    }
    for view, (_, status) in filters.VIEWS.items():
        if view in {"mine", "snoozed"}:
            continue
        text = html(ana.get("/", {"view": view}))
        for other, case in by_name.items():
            assert (case.subject in text) == (status in ("", other)), (view, other)


def test_kind_narrows_the_view(ana, desk):
    factories.make_case(
        desk, kind="kyb", subject="Some Ltd", status=Case.Status.TO_REVIEW
    )
    factories.make_case(
        desk, kind="kyc", subject="Ann Other", status=Case.Status.TO_REVIEW
    )
    text = html(ana.get("/", {"kind": "kyc"}))
    assert "Ann Other" in text
    assert "Some Ltd" not in text


def unmarked(response):
    """The page without the marks of the words that were searched for."""
    return html(response).replace("<mark>", "").replace("</mark>", "")


def test_search_finds_parts_of_subject_and_reference(ana, desk):
    factories.make_case(desk, reference="C-77123", subject="Blue Heron GmbH")
    factories.make_case(desk, reference="C-88", subject="Quarry Lane")
    for wanted in ("heron", "C-77123", "7712", "  blue   heron "):
        text = unmarked(search(ana, {"q": wanted, "view": "all"}))
        assert "Blue Heron GmbH" in text
        assert "Quarry Lane" not in text
    assert "No case matches" in html(search(ana, {"q": "nobody", "view": "all"}))


def test_what_no_index_holds_is_what_a_name_begins_with(ana, desk):
    factories.make_case(desk, reference="X-9/7", subject="Q & A Ltd")
    factories.make_case(desk, reference="C-88", subject="The X-9 Company")
    for wanted in ("x", "x-", "x-9", "X-9/", "q & a"):
        text = unmarked(search(ana, {"q": wanted, "view": "all"}))
        assert "Q &amp; A Ltd" in text, wanted
        assert "C-88" not in text, wanted
    assert "No case matches" in html(search(ana, {"q": "---", "view": "all"}))


def test_short_words_narrow_what_long_ones_find(ana, desk):
    factories.make_case(desk, reference="A-1", subject="Blue Heron 77 AS")
    factories.make_case(desk, reference="A-2", subject="Blue Heron 78 AS")
    text = unmarked(search(ana, {"q": "heron 77 as", "view": "all"}))
    assert "Blue Heron 77 AS" in text
    assert "Blue Heron 78 AS" not in text


@pytest.mark.parametrize("sort", filters.SORTS)
def test_pages_follow_each_other_without_gap_or_repetition(ana, desk, sort):
    cases = make_cases(desk, 2 * filters.PAGE + 3)
    moment = now()
    for number, case in enumerate(cases):  # many share a place: the id decides
        Case.objects.filter(pk=case.pk).update(
            due_at=moment + timedelta(hours=number % 3), severity=1 + number % 4
        )
    address, visits, pages = f"?sort={sort}", [], 0
    while address:
        response = ana.get("/" + address)
        visits += [line.pk for line in response.context["page"]["lines"]]
        address, pages = response.context["page"]["older"], pages + 1
    wanted = Case.objects.order_by(*filters.SORTS[sort][1]).values_list("pk", flat=True)
    assert (visits, pages) == (list(wanted), 3)
    assert response.context["page"]["newest"]


@pytest.mark.parametrize(
    "query",
    [
        "view=nonsense",
        "kind=zzz",
        "after=abc",
        "after=-1",
        "after=99999999999999999999999",
        "after=²",
        "after=999999999999999999~999999999999999999",
        "sort=risk",
        "sort=worst&after=999999999999999999~1",
        "sort=worst&after=999999999999999999~999999999999999999~1",
        "sort=worst&after=1~-1~1",
        "sort=due&after=1~2~3",
        "sort=new&after=1~2~3",
        "sort=zzz",
        "agent=x",
        "agent=999999999",
        "risk=-1",
        "decided=2026-13-01",
        "decided=9999-12-31..9999-12-31",
        "due=soon",
        "analyst=%00",
        "check=a&verdict=fail",
        "q=%00",
        "sealed=%00",
        "sealed=" + "x" * 500,
        "seen=no",
        "seen=²",
    ],
)
def test_nonsense_in_the_address_means_the_default(ana, desk, query):
    make_cases(desk, 1)
    for address in ("/", "/queue/rows/"):
        assert ana.get(f"{address}?{query}").status_code == 200


def test_the_number_of_statements_does_not_depend_on_the_rows(
    ana, analyst, desk, monkeypatch
):
    monkeypatch.setattr(filters, "CACHE_SECONDS", 3600)

    def statements(address: str) -> int:
        with CaptureQueriesContext(connection) as row:
            assert ana.get(address).status_code == 200
        return len(row)

    SavedView.objects.create(owner=analyst, name="Due", query="?view=all")
    make_cases(desk, 1)
    result = search(ana, {"view": "all", "q": "company"}).request
    searched = f"/?{result['QUERY_STRING']}"
    for address in ("/", "/queue/rows/", searched, "/?view=mine"):
        statements(address)  # counters are remembered from here on
        few = statements(address)
        for case in make_cases(desk, 30):
            Document.objects.create(
                case=case, kind=Document.Kind.EIN, file_name="ein.pdf"
            )
        # A search looks for other spellings of its words, and for the pages that have them.
        assert statements(address) == few <= (13 if address == searched else 9)


def test_counters_stop_at_a_cap(ana, analyst, desk, monkeypatch):
    monkeypatch.setattr(filters, "COUNT_CAP", 3)
    make_cases(desk, 5)
    assert filters.by_view(analyst)["review"] == 4
    assert "3+" in html(ana.get("/"))


def test_unchanged_rows_are_not_sent_again(ana, desk):
    make_cases(desk, 2)
    first = ana.get("/queue/rows/")
    again = ana.get("/queue/rows/", headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304
    assert not again.content
    make_cases(desk, 1)
    assert (
        ana.get("/queue/rows/", headers={"If-None-Match": first["ETag"]}).status_code
        == 200
    )


def test_new_cases_are_told(ana, desk):
    [pages] = make_cases(desk, 1)
    make_cases(desk, 2)
    text = html(ana.get("/queue/rows/", {"seen": pages.pk}))
    assert "2 new cases" in text
    assert 'id="queue-news"' in text


def test_nothing_personal_stays_in_a_cache(ana, desk):
    for address in ("/", "/queue/rows/", "/cases/new/"):
        assert "no-store" in ana.get(address)["Cache-Control"]


@pytest.mark.parametrize("view", filters.VIEWS)
def test_an_empty_view_says_why(ana, view):
    assert 'class="empty"' in html(ana.get("/", {"view": view}))


def test_who_may_not_submit_is_not_offered_it(client, db):
    user = factories.make_user("eve")
    user.groups.clear()
    client.force_login(user)
    assert client.get("/").status_code == 403
    user.user_permissions.add(Permission.objects.get(codename="view_case"))
    assert "/cases/new/" not in html(client.get("/"))


def test_the_times_of_all_rows_change_together():
    noon = datetime(2026, 3, 2, 12, tzinfo=UTC)
    moments = [noon + timedelta(minutes=7, seconds=second) for second in (0, 31, 59)]
    clocks = [Clock(noon + timedelta(seconds=second), UTC, "en") for second in (0, 59)]
    assert {clock.due(moment)[0] for clock in clocks for moment in moments} == {"7 m"}
    assert {clock.age(noon - timedelta(seconds=1)) for clock in clocks} == {"1 m"}


def test_ages(ana, desk):
    for number, (passed, text) in enumerate(
        (
            (timedelta(seconds=-5), "0 m"),
            (timedelta(minutes=59), "59 m"),
            (timedelta(hours=5), "5 h"),
            (timedelta(days=3), "3 d"),
        )
    ):
        case = factories.make_case(
            desk, subject=f"Company {number}", status=Case.Status.TO_REVIEW
        )
        Case.objects.filter(pk=case.pk).update(created_at=now() - passed)
        [line] = [
            one for one in ana.get("/").context["page"]["lines"] if one.pk == case.pk
        ]
        assert line.age == text


def test_a_strip_in_words():
    summary = {
        "checks": [["a", "pass"], ["b", "fail"], ["c", "new verdict"], ["d", "pass"]]
    }
    assert in_words(checks_of(summary)) == "1 failed, 2 passed, 1 unknown"


def test_columns_and_density_are_kept_for_each_person(ana, desk):
    make_cases(desk, 1, due_at=now(), recommendation="Review")
    rows = [name for name in QueueLayout.COLUMNS if name not in {"due", "documents"}]
    data = {"column": [*rows, "nothing"], "density": "compact", "back": "?view=all"}
    assert ana.post("/queue/layout/", data)["Location"] == "/?view=all"
    for address in ("/", "/queue/rows/"):
        text = html(ana.get(address))
        assert ">Docs</th>" not in text
        assert ">Due</th>" not in text
        assert ">Agent</th>" in text
    heads = html(ana.get("/queue/rows/")).partition("</thead>")
    assert heads[0].count("<th ") == heads[2].count("<td ") + heads[2].count("<td>")
    assert 'class="queue compact"' in html(ana.get("/"))
    bea = Client()
    bea.force_login(factories.make_user("bea"))
    assert ">Docs</th>" in html(bea.get("/"))
    ana.post("/queue/layout/", {"density": "x"})
    assert 'class="queue comfortable"' in html(ana.get("/"))
    assert QueueLayout.objects.get().hidden == list(QueueLayout.COLUMNS)


def test_saved_views_say_how_many_they_hold(ana, desk, analyst):
    make_cases(desk, 3, country="NO")
    make_cases(desk, 1, country="SE")
    for name, query in (
        ("Nordics", "?country=NO"),
        ("Found", "?q=Company"),
        ("Odd", "?view=x&z=1"),
    ):
        SavedView.objects.create(owner=analyst, name=name, query=query)
    result = re.findall(
        r'class="name">(\w+)</span><span class="count">(\d*)<', html(ana.get("/"))
    )
    assert result == [("Found", ""), ("Nordics", "3"), ("Odd", "4")]


def test_a_view_of_a_name_that_is_taken_replaces_the_earlier_one(ana, desk, analyst):
    for query in ("?country=NO", "?country=SE"):
        ana.post("/queue/views/", {"name": "Nordics", "query": query})
    view = SavedView.objects.get()
    assert (view.name, view.query) == ("Nordics", "?view=review&country=SE")


def test_who_saved_a_view_for_the_team_removes_it(ana, desk, analyst):
    team = Team.objects.create(name="Norden")
    bea = factories.make_user("bea")
    bea.groups.set(analyst.groups.all())
    team.members.add(analyst, bea)
    team.connections.add(desk)
    ana.post("/queue/views/", {"name": "Norway", "query": "?country=NO", "team": "1"})
    view = SavedView.objects.get()
    button = f'action="/queue/views/{view.pk}/drop/"'
    colleague = Client()
    colleague.force_login(bea)
    text = html(colleague.get("/", {"country": "NO"}))
    assert "Norway" in text
    assert button not in text
    assert button in html(ana.get("/", {"country": "NO"}))
    ana.post(f"/queue/views/{view.pk}/drop/")
    assert not SavedView.objects.exists()


def test_a_few_letters_lead_to_a_case(ana, desk):
    result = make_cases(desk, 12)
    text = html(ana.post("/queue/find/", {"q": "company"}))
    assert text.count("<li>") == 8
    assert result[-1].get_absolute_url() in text
    assert "No case matches" in html(ana.post("/queue/find/", {"q": "<b>"}))
    assert "<b>”" not in html(ana.post("/queue/find/", {"q": "<b>"}))
    assert html(ana.post("/queue/find/")).strip() == ""
    Team.objects.create(name="Others").connections.add(desk)
    assert "<li>" not in html(ana.post("/queue/find/", {"q": "company"}))


def test_the_search_box_keeps_what_was_searched_for(ana, desk):
    assert 'name="q" value="Halden &amp; co"' in html(search(ana, {"q": "Halden & co"}))


def test_no_word_of_a_search_stands_in_an_address(ana, desk):
    """Logs of proxies and the history of browsers keep addresses."""
    [case, _] = make_cases(desk, 2)
    factories.make_case(desk, subject="Jane Quirnheim", status=Case.Status.TO_REVIEW)
    tag = case.tags.create(name="Oberszalanky family")
    wanted = {"view": "all", "q": "quirnheim", "kind": "kyb"}
    answer = ana.post("/queue/search/", wanted)
    assert answer.status_code == 303
    text = unmarked(ana.get(answer["Location"]))
    assert "Jane Quirnheim" in text
    assert case.subject not in text
    tagged = ana.post("/queue/search/", {"view": "all", "tag": tag.name})["Location"]
    tagged_text = html(ana.get(tagged))
    assert case.subject in tagged_text
    assert "Quirnheim" not in tagged_text
    addresses = [answer["Location"], tagged]
    for page in (text, tagged_text):
        addresses += re.findall(r'(?:href|action|hx-get|hx-post)="([^"]*)"', page)
    assert len(addresses) > 40
    for address in addresses:
        assert "quirnheim" not in address.lower()
        assert "oberszalanky" not in address.lower()


def test_what_is_typed_into_an_address_is_no_search(ana, desk):
    make_cases(desk, 1)
    factories.make_case(desk, subject="Jane Quirnheim", status=Case.Status.TO_REVIEW)
    assert "Company" in html(ana.get("/", {"view": "all", "q": "quirnheim"}))


def test_a_saved_view_with_a_search_has_no_word_in_its_link(ana, analyst, desk):
    make_cases(desk, 1)
    factories.make_case(desk, subject="Jane Quirnheim", status=Case.Status.TO_REVIEW)
    value = ana.post("/queue/search/", {"view": "all", "q": "quirnheim"})["Location"]
    answer = ana.post("/queue/views/", {"name": "Jane", "query": value.lstrip("/")})
    assert "quirnheim" not in answer["Location"]
    assert SavedView.objects.get().query == "?view=all&q=quirnheim"
    text = html(ana.get("/"))
    [link] = re.findall(r'href="(/\?view=all&amp;sealed=[^"]+)"', text)
    assert "Company" not in html(ana.get(link.replace("&amp;", "&")))


def test_a_country_has_its_name_beside_the_code(ana, desk, analyst):
    make_cases(desk, 1, country="NO")
    LocalePreference.objects.create(user=analyst, language="de")
    page = html(ana.get("/?view=review&country=norwegen"))
    assert '<span aria-hidden="true">NO</span>' in page
    assert '<span class="visually-hidden">Norwegen</span>' in page
    assert "Company 0" in page
    chip = re.search(r'class="chip".*?</span>.*?</a>', page, re.DOTALL)
    assert chip is not None
    assert "Norwegen" in chip[0]
    assert 'name="country" value="Norwegen"' in page


@pytest.mark.parametrize("typed", ["no", "NO", "norway", "Norwegen"])
def test_a_country_is_found_by_its_code_and_its_name(typed):
    with translation.override("de"):
        assert filters.Filter.of({"country": typed}).country == "NO"


def test_an_empty_desk_shows_the_first_steps(ana, desk, django_user_model):
    page = html(ana.get("/"))
    assert "This desk has no cases yet" in page
    assert "Import cases from a CSV file" in page
    # An analyst may not add people.
    assert "Invite a colleague" not in page
    administrator = django_user_model.objects.create_superuser("ada", password="x")
    client = Client()
    client.force_login(administrator)
    page = html(client.get("/"))
    assert "Invite a colleague" in page
    assert client.get("/people/").status_code == 200
    # The set-up makes one who submits no cases.
    client.force_login(factories.make_user("first", role="administrator"))
    page = html(client.get("/"))
    assert "This desk has no cases yet" in page
    assert "Invite a colleague" in page
    assert "Import cases from a CSV file" not in page
    factories.make_case(desk, status=Case.Status.DECIDED)
    caches["memory"].clear()  # the counts of views are kept for some seconds
    assert "Nothing waits for you" in html(ana.get("/"))
