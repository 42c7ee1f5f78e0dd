"""The page of screening quality: readable, narrow too, and a lost hit is acknowledged by keyboard."""

from __future__ import annotations

import pytest
from django.utils.timezone import now
from playwright.sync_api import expect

from reviews.findings.thresholds import Rule, Thresholds
from reviews.models import HitLabel, LostHit, ScreeningPolicy
from tests.browser.accessibility import violations
from tests.browser.test_approvals import OVERFLOWS
from tests.factories import make_case, make_connection, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def draft(live_server) -> ScreeningPolicy:
    case = make_case(make_connection())
    author = make_user("olga", role="rule owner")
    HitLabel.objects.create(
        case=case, kind="confirmed", source="screening", key="k" * 64, asked="Teo Korbut",
        title="Teodor Korbutsky " * 6, list_slug="un", list_title="UN list", script="latin",
        band="possible", score=0.84, is_certain=False, by=author, at=now(),
    )  # fmt: skip
    return ScreeningPolicy.objects.create(
        number=1,
        note="Fewer hits.",
        content=Thresholds((Rule("", "", 0.9),)).to_json(),
        made_by=author,
    )


@pytest.mark.parametrize("width", [390, 1920])
def test_a_lost_hit_is_acknowledged_by_keyboard(boss, page_events, draft, width):
    boss.set_viewport_size({"width": width, "height": 900})
    boss.goto("/screening-quality/1/")
    expect(boss.get_by_text("nobody has acknowledged that yet")).to_be_visible()
    assert not boss.evaluate(OVERFLOWS)
    assert violations(boss) == []
    boss.get_by_label("Why it may go live all the same").focus()
    boss.keyboard.type("It is delisted.")
    boss.keyboard.press("Enter")
    expect(boss.get_by_text("It is delisted.")).to_be_visible()
    expect(
        boss.get_by_role("button", name="Propose to put it in force")
    ).to_be_visible()
    assert LostHit.objects.get().label.title.startswith("Teodor")
    boss.goto("/screening-quality/new/?from=1")
    assert not boss.evaluate(OVERFLOWS)
    assert violations(boss) == []
    assert page_events.complaints == []
