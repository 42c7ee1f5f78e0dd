from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError

from agenthub.agents import configuration
from agenthub.models import Agent
from checks import registry


def test_checks_run_in_the_order_of_the_agent_and_those_it_does_not_name_last():
    checks = list(registry.all_checks().values())
    assert len(checks) > 1
    last, *others = reversed(checks)
    entries = [{"check_id": last.id}]
    assert configuration.in_order(checks, Agent(checks=entries)) == [
        last,
        *reversed(others),
    ]
    assert configuration.in_order(checks, Agent(checks=[])) == checks


@pytest.mark.parametrize(
    "value",
    [
        {},
        ["date_of_birth_check"],
        [{"check_id": "no_such_check"}],
        [{"check_id": "kyc.date_of_birth_check", "arguments": []}],
        [{"check_id": "kyb.incorporation_document_verification"}],
        [{"check_id": "kyc.date_of_birth_check", "threshold": 3}],
    ],
)
def test_what_cannot_be_run_is_refused(value):
    with pytest.raises(ValidationError):
        configuration.clean_checks(value, kind="kyc")


def test_a_check_is_named_once():
    [check, *_] = configuration.catalogue("kyc")
    entry = {"check_id": check.id, "arguments": {"minimum_age": 21}}
    assert configuration.clean_checks([entry], kind="kyc") == [entry]
    with pytest.raises(ValidationError, match="twice"):
        configuration.clean_checks([entry, entry], kind="kyc")
