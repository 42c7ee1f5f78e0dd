"""What the demonstration says of hits is said by the verbs that people use."""

from __future__ import annotations

import pytest
from django.utils.timezone import now

from reviews.access import roles
from reviews.models import HitLabel
from reviews.screening import sample_hits
from tests.factories import make_case
from tests.reviews.risk.rows import KNOWN, hit
from tests.reviews.rows import one_person, someone

pytestmark = pytest.mark.django_db
CHECK = "kyb.sanctions_screening_check_v2"


@pytest.mark.parametrize(
    ("reason", "kind", "line"),
    [
        ("Another birth date.", "dismissed", "dismissed"),
        ("", "confirmed", "hit_confirmed"),
    ],
)
def test_a_hit_of_a_sample_case_is_labelled(reason, kind, line):
    one_person()
    ana = someone(roles.ANALYST, "ana")
    case = make_case(status="decided", self_attested_data=KNOWN)
    data = {**hit(), "name": {"query": "Northwind Ltd", "listed": "Northwind Limited"}}
    data["entry"] = {"id": "un-1", "schema": "Organization"}
    screening = {
        "what": "sanctions",
        "subject": {"names": ["Northwind Ltd"], "schema": "Organization"},
        "matches": [data],
        "lists": [data["list"]],
    }
    result = {"verdict": "review", "passed": False, "payload": {"screening": screening}}
    sample_hits.add_result(case, CHECK, result, at=now())
    assert sample_hits.judge(case, actor=ana, reason=reason) == 1
    [label] = HitLabel.objects.all()
    assert (label.case, label.kind, label.by) == (case, kind, ana)
    assert case.events.filter(what=line, user=ana).exists()
