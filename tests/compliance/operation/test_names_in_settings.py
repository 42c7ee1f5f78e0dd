"""A setting that names nothing known would protect nothing: it is refused, or the doctor warns."""

from __future__ import annotations

import pytest
from django.core import checks

from compliance.operation.doctor import database
from compliance.startup import INSTALLATION
from reviews.models import Outcome


def faults() -> dict[str, str]:
    """The errors at the start: their words by their ids."""
    messages = checks.run_checks(tags=[INSTALLATION])
    return {str(each.id): each.msg for each in messages if each.is_serious()}


def test_a_decision_that_does_not_exist_is_refused(settings):
    settings.STEP_UP_DECISIONS = frozenset({"approved", "second"})
    assert faults() == {"reviews.E001": "STEP_UP_DECISIONS names approved."}


@pytest.mark.parametrize("name", ["second", "all", "none", *Outcome.values])
def test_each_word_of_the_page_of_settings_is_known(settings, name):
    settings.STEP_UP_DECISIONS = frozenset({name})
    assert faults() == {}


def test_a_kind_of_settings_that_does_not_exist_is_refused(settings):
    settings.SETTINGS_FOUR_EYES = frozenset({"rule", "hub"})
    assert faults() == {"compliance.E012": "SETTINGS_FOUR_EYES names rule."}


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["SECOND_FACTOR_ROLES", "MASKED_ROLES", "DUE_ROLES"])
def test_the_doctor_warns_of_a_role_that_nobody_can_have(settings, name):
    setattr(settings, name, frozenset({"seniors", "analyst"}))
    (finding,) = database.roles()
    assert finding.state == "warning"
    assert finding.text == f"{name} names seniors, and no role has this name"


@pytest.mark.django_db
def test_the_doctor_knows_the_roles_of_both_sides(settings):
    settings.SECOND_FACTOR_ROLES = frozenset({"all"})
    settings.SINGLE_SIGN_ON_ROLES = frozenset({("kyc-team", "hub administrator")})
    (finding,) = database.roles()
    assert finding.state == "ok"
