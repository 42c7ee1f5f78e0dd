"""Whoever can write to the database and the store, but has no key, is found by audit_verify.

Each bound field of each bound model of desk and hub is changed, each row removed, put in, swapped with
another and set back to what it was earlier, and each stored file changed, removed and swapped. The
models come from the declared table, so that none is forgotten: a new one without rows here fails.
"""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.apps import apps
from django.contrib.auth.models import Permission
from django.core.files.base import ContentFile
from django.db import DatabaseError, models, transaction
from django.test import override_settings
from django.utils.timezone import now

from agenthub.models import Account, AddressList, QuarantinedFile
from agenthub.models.companies import RegistryLoad
from agenthub.models.lists import HeldVersion, ListSource, ListVersion
from compliance.approvals.models import Proposal
from compliance.identity.scim import tokens as scim_tokens
from compliance.models import DirectoryGroup, DirectoryUser
from compliance.security.personal_fields import is_personal, sealed
from reviews.access import api_tokens
from reviews.audit import trail, verification
from reviews.audit.bound_rows import BOUND, EXEMPT
from reviews.jobs import reopening
from reviews.models import (
    ApprovalSwitch,
    Attachment,
    BulkAct,
    BulkApproval,
    BulkApprovalCase,
    Case,
    CaseParty,
    CaseRating,
    ChecklistMark,
    CheckResult,
    CheckReview,
    Clock,
    Connection,
    Contradiction,
    Decision,
    DecisionPolicy,
    DecisionTrial,
    Dismissal,
    Document,
    Erasure,
    FileScan,
    FourEyesRule,
    HitLabel,
    InformationRequest,
    Invitation,
    Job,
    LegalHold,
    LookUp,
    LostHit,
    Note,
    Page,
    Party,
    PartyMerge,
    PartyRelation,
    PartyStatement,
    PeriodicReview,
    Procedure,
    RatingOverride,
    RatingState,
    RefusedDocument,
    ReportingInstitution,
    RetentionRule,
    RiskBand,
    RiskPolicy,
    ScreeningPolicy,
    SecondLook,
    SuspicionReport,
    Team,
    ValueChoice,
)
from reviews.models.people import Scope
from reviews.subscriptions import subscriptions
from tests.factories import (
    make_agent,
    make_case,
    make_connection,
    make_hub,
    make_job,
    make_user,
)
from tests.reviews.filings.fincen_rows import FILER

pytestmark = [pytest.mark.django_db, pytest.mark.sweep(whole=True)]
FIELDS = [(model, name) for model in BOUND for name in BOUND[model].names]
FILES = [(model, bound.file) for model, bound in BOUND.items() if bound.file]
RELATIONS = [(model, name) for model in BOUND for name in BOUND[model].many.split()]


def name_of(value: Any) -> str:
    return value.__name__ if isinstance(value, type) else str(value)


@pytest.fixture(autouse=True)
def _django_db_marker() -> None:
    """In place of that of pytest-django, which would end the connection of `stored` with each test."""


@pytest.fixture(scope="module")
def stored(django_db_setup, django_db_blocker, tmp_path_factory) -> Iterator[Path]:
    """The folder with the files of an installation whose rows are in the database until the end.

    Made once, as hundreds of tests look at it: each of them takes back what it changes.
    """
    folder = tmp_path_factory.mktemp("stored")
    places = {
        "MEDIA_ROOT": folder / "documents",
        "AUDIT_KEYS_DIR": folder / "audit-keys",
        "AUDIT_ANCHORS": folder / "audit-anchors.jsonl",
    }
    with django_db_blocker.unblock(), transaction.atomic():
        with override_settings(**places):
            _fill_installation()
        yield folder
        transaction.set_rollback(True)


@pytest.fixture(autouse=True)
def installation(clean, stored, tmp_path) -> Iterator[None]:
    shutil.copytree(stored, tmp_path, dirs_exist_ok=True)
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def _fill_installation() -> None:
    """At least two rows of each bound model, each with a line, and all lines sealed."""
    boss = make_user("boss", role="administrator")
    for number in (1, 2):
        user = make_user(f"user-{number}", role="senior")
        connection = make_connection(f"service-{number}", api_key=f"key-{number}")
        agent = make_agent(connection, key=f"agent-{number}")
        case = make_case(connection, agent=agent, submitted_by=user)
        job = make_job(case, status="complete")
        # As the decision below leaves it.
        case.status = Case.Status.DECIDED
        _fill(case, job, user, number)
        api_tokens.create(actor=user, user=user, name=f"t{number}", scopes=[Scope.READ])
        url = f"https://example.com/{number}"
        subscriptions.create(actor=boss, name=f"S{number}", url=url)
        team = Team.objects.create(name=f"Team {number}")
        team.members.add(user)
        team.connections.add(connection)
        for person in (boss, user):
            person.user_permissions.add(Permission.objects.earliest("pk"))
        _fill_settings(case, agent, user, number)
        _fill_sign_ins(user, number)
        make_hub()
        source = ListSource.objects.create(slug=f"l{number}", title="L", format="csv")
        version = ListVersion.objects.create(
            source=source, file_name="l.csv", sha256="0" * 64
        )
        _fill_registers(number)
        _fill_work(user, case, version, number)
        account = Account.objects.earliest("pk")
        QuarantinedFile.objects.create(
            account=account, sha256=str(number) * 64, size=1, signature="Eicar", scanner="ClamAV",
        )  # fmt: skip
    rows = [row for model in BOUND for row in model._default_manager.all()]
    trail.record(None, "rows_bound", {}, about=rows)
    trail.seal_all()


def _fill_registers(number: int) -> None:
    """Those with rows of their own are in test_registers.py."""
    row = {"slug": f"r{number}", "title": "R", "file_name": "r.csv", "sha256": "0" * 64}
    AddressList.objects.create(**row)
    RegistryLoad.objects.create(status=RegistryLoad.Status.RETIRED, **row)


def _fill(case: Any, job: Any, user: Any, number: int) -> None:
    content = f"content {number}".encode()
    stored: dict[str, Any] = {"size": len(content), "sha256": _sha256(content)}
    document = Document(
        case=case, kind="other", file_name="deed.pdf", status="drawn", **stored
    )
    document.file.save("deed.bin", ContentFile(content), save=False)
    document.save()
    FileScan.objects.create(document=document, status="clean", by=user, because="ok")
    page = Page(document=document, number=1, width=1, height=1)
    page.sha256 = stored["sha256"]
    page.image.save("page.bin", ContentFile(content), save=False)
    page.save()
    note = Note.objects.create(case=case, text=f"Seen {number}.", by=user)
    attachment = Attachment(note=note, file_name="mail.pdf", **stored)
    attachment.file.save("mail.bin", ContentFile(content), save=False)
    attachment.save()
    check = {"job": job, "check_id": "kyb.sanctions_screening_check_v2"}
    CheckResult.objects.create(source="check", passed=False, body={"a": 1}, **check)
    CheckReview.objects.create(kind="reviewed", reason="r", by=user, **check)
    LookUp.objects.create(
        connection=case.connection, case=case, by=user, query={"name": f"N {number}"}
    )
    ValueChoice.objects.create(
        key="k", case=case, job=job, tool_id="t", field="f", kind="first", candidates=2,
        offered=["a", "b"], value="a", by=user,
    )  # fmt: skip
    Dismissal.objects.create(key="k", case=case, title="t", reason="r", by=user)
    decision = Decision.objects.create(
        case=case, outcome="approve", status="standing", rationale="So.", made_by=user
    )
    SuspicionReport.objects.create(
        case=case, status="filed", noticed_on=now(), due_on=now(), made_by=user,
        sentences=[{"text": "t", "evidence": "data"}], proposed_by=user,
        proposed_at=now(), second_by=_second(user), second_at=now(), second_note="n",
        filed_by=user, filed_at=now(), receipt=f"r{number}", fincen={"kind": "initial"},
        files={"goAML": f"<report>{number}</report>"},
    )  # fmt: skip
    approval = BulkApproval.objects.create(by=user, share=number, reasons=["A01"])
    BulkApprovalCase.objects.create(
        approval=approval, case=case, revision="1", is_sample=True
    )
    PeriodicReview.objects.create(
        case=case, decision=decision, status="opened", on=now(), reason="band",
        opened_case=case, opened_at=now(), changes=[number],
    )  # fmt: skip
    policy = RiskPolicy.objects.get_or_create(
        number=number, defaults={"note": "n", "content": {}}
    )
    deciding = DecisionPolicy.objects.create(
        number=number, note="n", content={"a": number}, made_by=user
    )
    ReportingInstitution.objects.get_or_create(
        pk=number, defaults={**FILER, "name": f"Bank {number}"}
    )
    state = "on" if number == 2 else "off"
    ApprovalSwitch.objects.get_or_create(pk=number, defaults={"status": state})
    Contradiction.objects.create(
        trial=DecisionTrial.objects.create(policy=deciding, by=user, status="done"),
        case=case, decision=decision, outcome="reject", reason="r",
        acknowledged_by=user, acknowledged_at=now(),
    )  # fmt: skip
    label = HitLabel.objects.create(
        case=case, kind="confirmed", source="screening", key=f"{number}" * 64, asked="a",
        title="t", entry_id="un-1", list_slug="un", list_title="UN", script="latin",
        schema="Person", band="possible", score=number / 4, is_certain=number == 2, by=user,
        at=now(),
    )  # fmt: skip
    thresholds = ScreeningPolicy.objects.create(
        number=number, note="n", content={"a": number}, made_by=user
    )
    LostHit.objects.create(
        policy=thresholds, label=label, reason="r", acknowledged_by=user
    )
    SecondLook.objects.create(
        case=case, decision=decision, share=number, status="given", by=user,
        taken_at=now(), outcome="approve", rationale="r", given_at=now(),
    )  # fmt: skip
    rating = {"score": 10 * number, "band": "low", "inputs": {"a": number}}
    rated = CaseRating.objects.create(
        case=case, policy=policy[0], result={"b": 1}, **rating
    )
    RatingOverride.objects.create(
        case=case, was="low", band="high", reason="r", status="standing", made_by=user
    )
    RatingState.objects.create(
        case=case, rating=rated, policy=policy[0], score=rated.score, band="high"
    )
    case.risk_band = RiskBand.HIGH
    request = InformationRequest.objects.create(
        case=case, message="m", kinds=["other"], made_by=user, expires_at=now()
    )
    RefusedDocument.objects.create(request=request, document=document, reason="Old.")
    Invitation.objects.create(
        agent=case.agent,
        case=case,
        message="m",
        made_by=user,
        expires_at=now(),
    )
    _fill_parties(case, user)
    procedure = Procedure.objects.create(
        kind="kyb", number=number, note="n", content={"a": number}, made_by=user
    )
    case.procedure, case.custom_fields = procedure, {"a": number}
    case.extra_columns = {"b": str(number)}
    case.save()
    ChecklistMark.objects.create(case=case, item="i", kind="ticked", note="n", by=user)


def _fill_work(user: Any, case: Any, version: ListVersion, number: int) -> None:
    BulkAct.objects.create(
        by=user, act="assign", to={"analyst": number}, cases=[case.pk]
    )
    Proposal.objects.create(title=f"T{number}", content=f"c{number}", made_by=user)
    HeldVersion.objects.create(
        version=version, file_name=f"l{number}.csv", sha256=str(number) * 64
    )


def _fill_sign_ins(user: Any, number: int) -> None:
    factor = {"secret": f"encrypted {number}"}
    Authenticator.objects.create(user=user, type="totp", data=factor)
    SocialAccount.objects.create(user=user, provider="company", uid=f"uid {number}")
    EmailAddress.objects.create(user=user, email=f"u{number}@b.example")
    scim_tokens.create(f"Directory {number}", days=number)
    DirectoryUser.objects.create(user=user, external_id=f"external {number}")
    group = DirectoryGroup.objects.create(name=f"Group {number}")
    group.members.add(user)


def _second(user: Any) -> Any:
    return type(user).objects.exclude(pk=user.pk).first()


def _fill_parties(case: Any, user: Any) -> None:
    head, other, third = (Party.objects.create(kind="company") for _ in range(3))
    Party.objects.filter(pk=other.pk).update(head=head)
    links = [
        CaseParty.objects.create(case=case, party=party, role="owner", place=place)
        for party, place in ((head, "subject"), (third, "owners/0"))
    ]
    PartyStatement.objects.create(
        case_party=links[0], kind="identifier", label="lei", value="5299", issuer="DE",
        digest="0" * 64, source="analyst", by=user, since=now(), until=now(),
        replaced_at=now(),
    )  # fmt: skip
    PartyRelation.objects.create(
        holder=links[1], held=links[0], kind="owner", share_min=10, share_max=20,
        votes_min=10, votes_max=20, detail="d", since=now(), until=now(),
        source="analyst", by=user, replaced_at=now(), placed_at=now(),
    )  # fmt: skip
    PartyMerge.objects.create(first=head, second=other, reason="r", by=user)


def _fill_settings(case: Any, agent: Any, user: Any, number: int) -> None:
    FourEyesRule.objects.create(name=f"R{number}", condition="always", agent=agent)
    Clock.objects.create(name=f"C{number}", minutes=number, agent=agent)
    RetentionRule.objects.create(name=f"K{number}", months=number)
    LegalHold.objects.create(case=case, reason=f"Court {number}.", by=user)
    Erasure.objects.create(case=case, reason=f"Asked {number}.", by=user)


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def faults_after(tamper: Callable[[], object], *rows: models.Model) -> list[str]:
    """What audit_verify says after it. What the database itself refuses is a fault, too.

    With `rows` it ends where each of them is named: to compare all tables takes half a second.
    """
    faults = []
    try:
        with transaction.atomic():
            tamper()
            for fault in verification.faults():
                faults.append(fault)
                if rows and is_named(faults, *rows):
                    break
            transaction.set_rollback(True)
    except DatabaseError as exc:
        return [str(exc)]
    return faults


def name(row: models.Model) -> str:
    return f"{row._meta.db_table} {row.pk}"


def is_named(faults: list[str], *rows: models.Model) -> bool:
    """Whether each row is named by table and key, or the database itself refused the change."""
    text = "\n".join(faults)
    if "constraint" in text.lower():
        return True
    return all(re.search(rf"\b{re.escape(name(row))}\b", text) for row in rows)


def other(row: models.Model, name: str) -> Any:
    """Another value for a field of the row."""
    column: Any = row._meta.get_field(name)
    value = getattr(row, column.attname)
    if isinstance(column, models.ForeignKey):
        keys = column.related_model._default_manager.exclude(pk=value)
        return keys.values_list("pk", flat=True).first()
    if isinstance(column, models.BooleanField):
        return not value
    if isinstance(column, models.JSONField):
        return {"tampered": 1}
    if isinstance(column, models.DateTimeField):
        moment: datetime = value or now()
        return moment + timedelta(seconds=1)
    if isinstance(column, models.DateField):
        return (value or now().date()) + timedelta(days=1)
    numbers = (models.IntegerField, models.FloatField, models.DecimalField)
    if isinstance(column, numbers):
        return (value or 0) + 1
    if isinstance(column, models.UUIDField):
        return "6f1c1c3e-0000-4000-8000-000000000000"
    return with_end(str(value or ""), "y" if str(value).endswith("x") else "x")


def with_end(text: str, end: str) -> str:
    """Another text of the same length: a column of PostgreSQL takes no longer one."""
    return f"{text[:-1]}{end}"


def another(value: Any) -> Any:
    """A value that no other row has."""
    return value + 1000 if isinstance(value, int) else with_end(str(value), "~")


def first_of(model: type[models.Model]) -> models.Model:
    """A row to change. Fails for a model that has none here: add some to `installation`."""
    row = model._default_manager.order_by("-pk").first()
    assert row is not None, f"{model.__name__} has no rows in these tests"
    return row


def test_nothing_is_wrong_before():
    assert list(verification.faults()) == []


def test_every_model_is_bound_or_exempt_with_a_reason():
    declared = set(BOUND) | set(EXEMPT)
    ours = set(apps.get_app_config("reviews").get_models())
    assert ours - declared == set()
    assert set(BOUND) & set(EXEMPT) == set()
    assert all(reason.strip() for reason in EXEMPT.values())


@pytest.mark.parametrize(("model", "name"), FIELDS, ids=name_of)
def test_a_changed_field_is_found(model, name):
    row = first_of(model)
    value = other(row, name)
    rows = model._default_manager.filter(pk=row.pk)
    # Also who has the key of the case leaves a trace.
    if is_personal(model._meta.get_field(name)):
        value = sealed(row, name, value)
    faults = faults_after(lambda: rows.update(**{name: value}), row)
    assert is_named(faults, row), f"{model.__name__}.{name} was changed: {faults}"


@pytest.mark.parametrize(
    "changes",
    [
        {"recommendation": "Approve"},
        {"status": Case.Status.SECOND},
        {"status": Case.Status.TO_REVIEW},
    ],
    ids=str,
)
def test_a_case_that_does_not_follow_from_its_rows_is_found(changes):
    case: Any = first_of(Case)
    rows = Case.objects.filter(pk=case.pk)
    faults = faults_after(lambda: rows.update(**changes), case)
    assert is_named(faults, case)


def test_a_case_that_nobody_decided_is_found():
    case = make_case(Connection.objects.earliest("pk"), reference="undecided")
    faults = faults_after(
        lambda: Case.objects.filter(pk=case.pk).update(status=Case.Status.DECIDED)
    )
    text = "\n".join(faults)
    assert f"reviews_case {case.pk}: it is “decided” without a decision." in text


def _set(case: Any, **changes: object) -> Callable[[], object]:
    return lambda: Case.objects.filter(pk=case.pk).update(**changes)


def test_a_band_that_does_not_follow_from_its_rating_is_found():
    """A low band lets a case be approved without a person."""
    case: Any = first_of(Case)
    assert is_named(faults_after(_set(case, risk_band=RiskBand.LOW), case), case)


@pytest.mark.parametrize("name", ["rating", "band", "score"])
def test_a_state_that_does_not_follow_from_its_rating_is_found(name):
    state: Any = first_of(RatingState)
    value = other(state, name)
    rows = RatingState.objects.filter(pk=state.pk)
    faults = faults_after(lambda: rows.update(**{name: value}), state.case)
    assert is_named(faults, state.case)


def test_a_removed_state_of_a_rating_is_found():
    state: Any = first_of(RatingState)
    rows = RatingState.objects.filter(pk=state.pk)
    faults = faults_after(lambda: rows._raw_delete(using="default"), state.case)
    assert is_named(faults, state.case)


def test_a_case_that_nobody_erased_is_found():
    """Erased cases are left out of lists and comparisons."""
    case: Any = first_of(Case)
    assert is_named(faults_after(_set(case, erased_at=now()), case), case)


def test_an_alarm_that_was_taken_away_is_found():
    connection = Connection.objects.earliest("pk")
    case = make_case(connection, reference="alarmed")
    trail.record(case, "submitted", about=[case])
    job = make_job(case, status="complete")
    trail.record(case, "job_complete", about=[job])
    reopening.raise_alarm(case, job, ["A result came late."])
    assert list(verification.faults()) == []
    without = {"alarm": b"", "alarm_at": None}
    assert is_named(faults_after(_set(case, **without), case), case)


@pytest.mark.parametrize(("model", "name"), RELATIONS, ids=name_of)
def test_a_changed_relation_is_found(model, name):
    through = model._meta.get_field(name).remote_field.through
    owners = list(model._default_manager.all())
    faults = faults_after(lambda: through.objects.all().delete(), *owners)
    assert is_named(faults, *owners)


@pytest.mark.parametrize("model", BOUND, ids=name_of)
def test_a_removed_row_is_found(model):
    row = first_of(model)
    # Past the signals, which would write a line.
    rows = model._default_manager.filter(pk=row.pk)
    faults = faults_after(lambda: rows._raw_delete(using="default"), row)
    assert is_named(faults, row)


@pytest.mark.parametrize("model", BOUND, ids=name_of)
def test_a_row_that_was_put_in_is_found(model):
    row: Any = first_of(model)
    keys = model._default_manager.count()

    def copy() -> None:
        row.pk = (
            None if isinstance(row._meta.pk, models.AutoField) else other(row, "id")
        )
        for column in row._meta.fields:
            if column.unique and not column.primary_key:
                setattr(row, column.attname, other(row, column.name))
        model._default_manager.bulk_create([row])
        assert model._default_manager.count() == keys + 1

    faults = faults_after(copy)
    needs_line = model._default_manager.filter(BOUND[model].needs_line).exists()
    assert is_named(faults, row) or not needs_line


def columns_of(row: Any) -> dict[str, Any]:
    """The bound values of a row, by their columns."""
    names = BOUND[type(row)].names
    columns = [row._meta.get_field(name) for name in names]
    return {column.name: getattr(row, column.attname) for column in columns}


def write(row: models.Model, values: dict[str, Any]) -> None:
    """Straight to the table: no signal and no line. Of what is encrypted with the key of the case."""
    stored = {}
    for name, value in values.items():
        personal = is_personal(row._meta.get_field(name))
        stored[name] = sealed(row, name, value) if personal else value
    type(row)._default_manager.filter(pk=row.pk).update(**stored)


@pytest.mark.parametrize("model", BOUND, ids=name_of)
def test_two_rows_that_were_swapped_are_found(model):
    """Each has the other's content under its own key."""
    first, second = model._default_manager.order_by("pk")[:2]
    contents = columns_of(first), columns_of(second)
    # Two rows cannot have each other's one row for a moment. All else is swapped.
    for column in model._meta.fields:
        if column.unique and column.is_relation:
            for content in contents:
                content.pop(column.name, None)
    # Unique values make way first.
    free = {
        column.name: another(getattr(first, column.attname))
        for column in model._meta.fields
        if column.unique and column.name in contents[0]
    }

    def swap() -> None:
        write(first, free)
        write(second, contents[0])
        write(first, contents[1])

    assert contents[0] != contents[1], f"{model.__name__}: two equal rows prove nothing"
    assert is_named(faults_after(swap, first, second), first, second)


@pytest.mark.parametrize("model", BOUND, ids=name_of)
def test_a_row_that_was_set_back_is_found(model):
    """It was changed with a line, and is now as it was before: that had a line, too."""
    row = first_of(model)
    before = columns_of(row)
    name = next(iter(before))
    for name in before:
        column = model._meta.get_field(name)
        is_file = isinstance(column, models.FileField)
        if not column.is_relation and not column.choices and not is_file:
            break
    write(row, {name: other(row, name)})
    row.refresh_from_db()
    trail.record(None, "changed", about=[row])
    trail.seal_all()
    assert list(verification.faults()) == []
    faults = faults_after(lambda: write(row, {name: before[name]}), row)
    assert is_named(faults, row)
    assert faults


def test_an_earlier_job_that_was_made_the_newest_is_found():
    """The newest job of a case counts: its results would be those of the case."""
    job: Any = Job.objects.earliest("created_at")
    rows = Job.objects.filter(pk=job.pk)
    later = now() + timedelta(days=1)
    assert is_named(faults_after(lambda: rows.update(created_at=later), job), job)


def test_pages_that_show_each_other_are_found():
    """Each with the image and the hash of the other: the files are as their rows say."""
    first, second = Page.objects.order_by("pk")[:2]
    shown = [
        {"image": page.image.name, "sha256": page.sha256} for page in (first, second)
    ]

    def swap() -> None:
        Page.objects.filter(pk=first.pk).update(**shown[1])
        Page.objects.filter(pk=second.pk).update(**shown[0])

    assert is_named(faults_after(swap, first, second), first, second)


@pytest.mark.parametrize(("model", "field"), FILES, ids=name_of)
@pytest.mark.parametrize("act", ["changed", "removed", "swapped"])
def test_a_stored_file_is_compared(model, field, act):
    first, second = model._default_manager.order_by("pk")[:2]
    file, another = getattr(first, field), getattr(second, field)
    store = file.storage
    with store.open(file.name) as opened:
        content = opened.read()
    with store.open(another.name) as opened:
        others = opened.read()
    store.delete(file.name)
    if act == "changed":
        store.save(file.name, ContentFile(content + b" "))
    elif act == "swapped":
        store.save(file.name, ContentFile(others))
    assert is_named(list(verification.faults()), first)


def test_a_file_and_its_hash_changed_together_are_found():
    document = Document.objects.order_by("pk")[0]
    content = b"another deed"
    name = str(document.file.name)
    document.file.storage.delete(name)
    document.file.storage.save(name, ContentFile(content))
    rows = Document.objects.filter(pk=document.pk)
    changes = {"sha256": _sha256(content), "size": len(content)}
    assert faults_after(lambda: rows.update(**changes))


def test_the_token_of_a_person_who_is_removed_has_a_line():
    """No false alarm: the row ends with its person."""
    person = make_user("gone", role="senior")
    boss = make_user("boss-2", role="administrator")
    api_tokens.create(actor=boss, user=person, name="t", scopes=[Scope.READ])
    person.delete()
    assert list(verification.faults()) == []
