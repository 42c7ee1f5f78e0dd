from __future__ import annotations

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.timezone import now

from agenthub.models import ApiKey, CheckRun, Delivery, SigningSecret, ToolRun
from compliance.pages.admin import SHOWN_BYTES, ReadOnlyAdmin
from reviews.audit import trail
from reviews.models import (
    Agent,
    Announcement,
    AnnouncementAttempt,
    ApiToken,
    Attachment,
    BulkAct,
    Case,
    CaseEvent,
    CaseRating,
    ChecklistMark,
    CheckResult,
    CheckReview,
    Connection,
    Decision,
    Dismissal,
    Document,
    DraftFile,
    Erasure,
    InformationRequest,
    Job,
    LegalHold,
    Note,
    Page,
    Pause,
    PeriodicReview,
    Procedure,
    RatingOverride,
    Read,
    RetentionRule,
    RiskPolicy,
    SavedView,
    Subscription,
    Tag,
    Team,
    ValueChoice,
    WebhookSecret,
)
from tests import factories
from webhooks.models import Event

pytestmark = pytest.mark.sweep

# Indexes, made anew from what they are of, who looks at a case this minute, how somebody has the
# queue, drafts, which are their authors' alone, how far anchors were sent, which /health/ready says,
# and scans, which the page of the file shows: nothing for an administrator to read.
INDEX = {
    # Of parties, ratings and applicants: on pages of the desk.
    "reviews.Invitation",
    "reviews.RequestMail",
    "reviews.RefusedDocument",
    "reviews.Organisation",
    "reviews.Party",
    "reviews.CaseParty",
    "reviews.PartyStatement",
    "reviews.PartyRelation",
    "reviews.PartyMerge",
    "reviews.LookUp",
    "reviews.Notification",
    # A page of their own.
    "reviews.ReportingInstitution",
    "reviews.SuspicionReport",
    "reviews.BulkApproval",
    "reviews.BulkApprovalCase",
    "reviews.CaseImport",
    "reviews.NoticeMail",
    "reviews.InboxPreference",
    "reviews.DueWatch",
    "reviews.ImportedRow",
    "reviews.DecisionPolicy", "reviews.DecisionTrial", "reviews.Contradiction",
    "reviews.FieldReading", "reviews.SecondLook", "reviews.ScreeningPolicy", "reviews.HitLabel", "reviews.LostHit",
    "reviews.ApprovalSwitch", "reviews.AutomaticReview",
    "reviews.RatingBatch",
    "reviews.RatingState",
    "reviews.PolicyTrial",
    "reviews.TrialChange",
    "reviews.SearchText", "reviews.SearchWord", "reviews.Identifier", "reviews.Presence", "reviews.QueueLayout",
    "reviews.Draft", "reviews.TreeNode", "reviews.AnchorCopy",
    "agenthub.ListName", "agenthub.ListIdentifier", "agenthub.ListPosting",
    "agenthub.RegistryPosting", "reviews.FileScan",
}  # fmt: skip
OURS = [
    model
    for app in ("reviews", "webhooks", "agenthub")
    for model in apps.get_app_config(app).get_models()
    if model._meta.label not in INDEX
]
KERNEL = list(apps.get_app_config("compliance").get_models())
READ_ONLY = [
    model
    for model in OURS
    if isinstance(admin.site._registry.get(model), ReadOnlyAdmin)
]
BAD = "<script>alert(1)</script>"


@pytest.fixture
def boss(client, db):
    user = factories.make_user(
        "boss", role="administrator", is_staff=True, is_superuser=True
    )
    client.force_login(user)
    return client


def make_rows(number: int) -> None:
    """A row of every model."""
    desk = factories.make_connection(f"desk-{number}", api_key="desk-api-key")
    hub = factories.make_hub(desk)
    case = factories.make_case(desk, subject=BAD)
    document = Document.objects.create(case=case, kind=Document.Kind.EIN, file_name=BAD)
    Page.objects.create(document=document, number=1, width=1, height=1)
    job = factories.make_job(case)
    Pause.objects.create(connection=desk, status="paused", reason=BAD)
    CheckResult.objects.create(job=job, source="tool", check_id="c", body={"said": BAD})
    CaseEvent.objects.create(case=case, actor="system", what="submitted")
    make_decision(case, job, number)
    trail.seal()
    trail.record(case, BAD)
    body = BAD.encode() + b"x" * (2 * SHOWN_BYTES) + b"\xff"
    digest = number.to_bytes(32, "big")
    Event.objects.create(
        connection=desk, digest=digest, body=body, job=job, received_at=now()
    )
    from agenthub.models import (
        AddressEntry,
        AddressList,
        AgentJob,
        Attempt,
        DocumentPrint,
        Feedback,
        JobBatch,
        QuarantinedFile,
        RejectedRow,
        SubjectMark,
        Upload,
    )  # fmt: skip
    from agenthub.models.companies import RegistryCompany, RegistryLoad
    from agenthub.models.lists import (
        HeldVersion,
        ListEntity,
        ListRefresh,
        ListReindex,
        ListSource,
        ListVersion,
        Rescreening,
    )

    run = AgentJob.objects.create(
        account=hub["account"],
        agent=hub["kyb"],
        case_id="c",
        input_payload={"said": BAD},
    )
    check = CheckRun.objects.create(job=run, check_id="c", result={"said": BAD})
    ToolRun.objects.create(
        check_run=check, tool_id="t", document=0, results={"said": BAD}
    )
    delivery = Delivery.objects.create(
        job=run, kind="job", url="https://x.example/", body=body
    )
    Attempt.objects.create(delivery=delivery, http_status=500, response=BAD, took_ms=1)
    batch = JobBatch.objects.create(agent=hub["kyb"], name=BAD)
    RejectedRow.objects.create(batch=batch, line=1, reason=BAD, detail=[{"said": BAD}])
    Upload.objects.create(
        account=hub["account"], file_name=BAD, content_type="x", size=1
    )
    QuarantinedFile.objects.create(
        account=hub["account"], job=run, size=1, signature=BAD, scanner=BAD, reason=BAD,
    )  # fmt: skip
    Feedback.objects.create(job=run, text=BAD, body={"said": BAD})
    DocumentPrint.objects.create(
        account=hub["account"], job=run, case_id=BAD, kind="k", value="v"
    )
    SubjectMark.objects.create(account=hub["account"], job=run, case_id=BAD, value="v")
    places = AddressList.objects.create(slug=f"a-{number}", title=BAD, file_name=BAD)
    AddressEntry.objects.create(
        list=places, place="x", kind=BAD[:60], name=BAD, address={"s": BAD}
    )
    source = ListSource.objects.create(slug=f"list-{number}", title=BAD, format="csv")
    dated = ListVersion.objects.create(
        source=source, status="active", published_at="2026-10-30"
    )
    version = ListVersion.objects.create(source=source, file_name=BAD, note=BAD)
    ListRefresh.objects.create(source=source, error=BAD)
    ListReindex.objects.create(source=source, version=dated, error=BAD)
    load = RegistryLoad.objects.create(
        slug=f"r-{number}", title=BAD, file_name=BAD, note=BAD
    )
    RegistryCompany.objects.create(load=load, name=BAD, key="x", facts={"city": BAD})
    ListEntity.objects.create(
        source=source, external_id=BAD, content={"said": BAD}, first_version=version
    )
    for each in (version, dated):
        Rescreening.objects.create(version=each, error=BAD)
    HeldVersion.objects.create(version=version, file_name=BAD, reason=BAD, error=BAD)


def make_decision(case: Case, job: Job, number: int) -> None:
    user = factories.make_user(f"user-{number}")
    row = Decision.objects.create(
        case=case, outcome="approve", status="standing", rationale=BAD, made_by=user
    )
    Read.objects.create(case=case, user=user, by=BAD, kind="case", item=BAD)
    CheckReview.objects.create(job=job, check_id=BAD, kind="reviewed", by=user)
    Procedure.objects.create(
        kind="kyb", number=number, note=BAD, content={"said": BAD}, made_by=user
    )
    ChecklistMark.objects.create(case=case, item=BAD, kind="ticked", by=user)
    RetentionRule.objects.create(name=f"{BAD}-{number}", months=12)
    LegalHold.objects.create(case=case, reason=BAD, by=user)
    Erasure.objects.create(case=case, by=user, reason=BAD)
    Dismissal.objects.create(key="k", title=BAD, case=case, reason=BAD, by=user)
    ValueChoice.objects.create(
        case=case, job=job, by=user, key="k", field=BAD, kind="corrected",
        candidates=0, offered=[BAD], value=BAD,
    )  # fmt: skip
    make_rating(row, user)
    note = Note.objects.create(case=case, text=BAD, by=user)
    Attachment.objects.create(note=note, file_name=BAD, size=1, sha256="")
    InformationRequest.objects.create(
        case=case, message=BAD, made_by=user, expires_at=now()
    )
    ApiToken.objects.create(
        user=user, name=BAD, prefix="x", digest=f"{number}", made_by=user
    )
    BulkAct.objects.create(by=user, act="assign", cases=[case.pk])
    SavedView.objects.create(owner=user, name=BAD, query="view=all")
    Tag.objects.create(name=f"tag-{number}")
    DraftFile.objects.create(
        user=user, kind=Document.Kind.EIN, file_name=BAD, size=1, sha256=""
    )
    Team.objects.create(name=f"team-{number}")
    to = Subscription.objects.create(
        name=f"s-{number}", url="https://x.example/", secret="s"
    )
    record = Announcement.objects.create(
        subscription=to, case=case, decision=row, url=to.url, body=BAD.encode()
    )
    AnnouncementAttempt.objects.create(
        delivery=record, http_status=500, response=BAD, took_ms=1
    )


def make_rating(decision: Decision, user: User) -> None:
    case = decision.case
    policy = RiskPolicy.objects.get(status=RiskPolicy.Status.LIVE)
    CaseRating.objects.create(
        case=case, policy=policy, score=1, band="low",
        inputs={"said": BAD}, result={"said": BAD},
    )  # fmt: skip
    RatingOverride.objects.create(
        case=case, was="low", band="high", reason=BAD, status="standing", made_by=user
    )
    PeriodicReview.objects.create(
        case=case, decision=decision, on="2030-01-01", changes=[{"said": BAD}]
    )


def address(model, what: str, *args) -> str:
    return reverse(
        f"admin:{model._meta.app_label}_{model._meta.model_name}_{what}", args=args
    )


@pytest.mark.parametrize("model", OURS, ids=lambda model: model._meta.label)
def test_every_model_can_be_listed_and_opened(boss, model):
    make_rows(1)
    row = model._default_manager.first()
    for page in (address(model, "changelist"), address(model, "change", row.pk)):
        response = boss.get(page)
        assert response.status_code == 200
        text = response.content.decode()
        assert BAD not in text
        assert len(text) < 200_000
    assert boss.get(address(model, "changelist"), {"q": "text"}).status_code == 200


@pytest.mark.parametrize("model", OURS, ids=lambda model: model._meta.label)
def test_a_list_costs_the_same_with_more_rows(boss, model):
    def statements() -> int:
        with CaptureQueriesContext(connection) as result:
            boss.get(address(model, "changelist"))
        return len(result)

    make_rows(1)
    few = statements()
    for number in range(2, 6):
        make_rows(number)
    # A filter by connection or account lists its choices, in one statement.
    assert statements() <= few


@pytest.mark.parametrize("model", READ_ONLY, ids=lambda model: model._meta.label)
def test_records_cannot_be_made_changed_or_removed(boss, model):
    make_rows(1)
    row = model._default_manager.first()
    assert boss.get(address(model, "add")).status_code == 403
    assert boss.post(address(model, "change", row.pk), {}).status_code == 403
    assert (
        boss.post(address(model, "delete", row.pk), {"post": "yes"}).status_code == 403
    )
    assert model._default_manager.filter(pk=row.pk).exists()


def test_what_people_may_change_is_a_short_list():
    settable = {model._meta.label for model in OURS if model not in READ_ONLY}
    assert settable == {
        "reviews.Connection", "reviews.WebhookSecret", "reviews.Agent", "reviews.ReasonCode",
        "reviews.FourEyesRule", "reviews.Clock", "reviews.RetentionRule", "reviews.Team", "reviews.Tag", "reviews.Subscription",
        "agenthub.Account", "agenthub.SigningSecret", "agenthub.ApiKey", "agenthub.Agent",
    }  # fmt: skip


SECRETS = {
    Connection: "desk-api-key",
    WebhookSecret: factories.SECRET,
    Agent: "desk-agent-key",
    SigningSecret: factories.SECRET,
}


@pytest.fixture
def with_secrets(db):
    make_rows(1)
    Connection.objects.update(api_key="desk-api-key")
    Agent.objects.update(agent_key="desk-agent-key")


@pytest.mark.parametrize("model", SECRETS, ids=lambda model: model._meta.label)
def test_secrets_are_never_shown_not_even_to_who_may_only_look(
    client, with_secrets, model
):
    looker = factories.make_user("looker", is_staff=True)
    looker.groups.clear()
    looker.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    boss = factories.make_user("boss", is_staff=True, is_superuser=True)
    for user in (looker, boss):
        client.force_login(user)
        response = client.get(address(model, "change", model.objects.first().pk))
        assert response.status_code == 200
        for secret in SECRETS.values():
            assert secret not in response.content.decode()


def test_an_empty_secret_keeps_the_stored_one_and_another_replaces_it(
    boss, with_secrets
):
    secret = SigningSecret.objects.get()
    data = {
        "account": secret.account_id, "signs_from": "2020-01-01T00:00", "expires_at": "2030-01-01T00:00",
    }  # fmt: skip
    page = address(SigningSecret, "change", secret.pk)
    assert boss.post(page, {**data, "secret": ""}).status_code == 302
    secret.refresh_from_db()
    assert secret.secret == factories.SECRET
    assert secret.expires_at is not None
    assert boss.post(page, {**data, "secret": "another"}).status_code == 302
    secret.refresh_from_db()
    assert secret.secret == "another"


def follow_once(boss, made):
    """The page that the form leads to; a reload of it neither shows it again nor makes another."""
    assert made.status_code == 303
    response = boss.get(made["Location"])
    assert boss.get(made["Location"]).status_code == 302
    return response


def test_a_signing_secret_that_is_made_here_is_shown_once(boss, with_secrets):
    old = SigningSecret.objects.get()
    data = {"account": old.account_id, "secret": "", "signs_from": "2020-01-01T00:00"}
    response = follow_once(boss, boss.post(address(SigningSecret, "add"), data))
    assert "no-store" in response["Cache-Control"]
    raw = response.content.decode().split('wire">')[1].split("<")[0]
    value = SigningSecret.objects.order_by("-pk")[0]
    assert value.secret == raw
    old.refresh_from_db()
    assert old.expires_at == value.signs_from
    assert value.signs_from > now()
    for page in (
        address(SigningSecret, "changelist"),
        address(SigningSecret, "change", value.pk),
    ):
        assert raw not in boss.get(page).content.decode()


def test_a_new_api_key_is_shown_once_and_can_be_revoked(boss, with_secrets):
    account = ApiKey.objects.get().account
    data = {"account": account.pk, "name": "client"}
    response = follow_once(boss, boss.post(address(ApiKey, "add"), data))
    assert response.status_code == 200
    assert "no-store" in response["Cache-Control"]
    raw = response.content.decode().split('wire">')[1].split("<")[0]
    row = ApiKey.objects.get(name="client")
    assert raw.startswith(row.prefix)
    for page in (address(ApiKey, "changelist"), address(ApiKey, "change", row.pk)):
        text = boss.get(page).content.decode()
        assert raw not in text
        assert row.digest not in text
    boss.post(
        address(ApiKey, "changelist"),
        {"action": "revoke", "_selected_action": [row.pk]},
    )
    row.refresh_from_db()
    assert row.revoked_at is not None


def test_a_dead_delivery_can_be_sent_again(boss, with_secrets):
    delivery = Delivery.objects.get()
    Delivery.objects.update(status=Delivery.Status.DEAD, due_at=None)
    data = {"action": "send_again", "_selected_action": [str(delivery.pk)]}
    boss.post(address(Delivery, "changelist"), data)
    delivery.refresh_from_db()
    assert delivery.status == Delivery.Status.DUE
    assert delivery.due_at is not None


def removed(boss, model) -> list[str]:
    """Remove all rows at once, as the list of the admin does; what the trail says of it."""
    data = {
        "action": "delete_selected",
        "_selected_action": [row.pk for row in model.objects.all()],
    }
    boss.post(address(model, "changelist"), {**data, "post": "yes"})
    rows = CaseEvent.objects.filter(what="settings_changed", data__act="Deletion")
    return sorted(event.data["which"] for event in rows)


def test_what_is_removed_together_is_in_the_trail_one_by_one(boss):
    for name in ("north", "south"):
        Team.objects.create(name=name)
    assert removed(boss, Team) == ["north", "south"]
    assert not Team.objects.exists()


def test_people_who_are_removed_together_are_in_the_trail(boss):
    for name in ("una", "una2"):
        factories.make_user(name)
    leaving = User.objects.filter(username__startswith="una")
    data = {
        "action": "delete_selected",
        "_selected_action": [user.pk for user in leaving],
    }
    boss.post(address(User, "changelist"), {**data, "post": "yes"})
    rows = CaseEvent.objects.filter(what="settings_changed", data__act="Deletion")
    assert sorted(event.data["which"] for event in rows) == ["una", "una2"]
    assert not leaving.all().exists()


def test_a_tag_that_cases_carry_is_kept(boss):
    free, carried = Tag.objects.create(name="free"), Tag.objects.create(name="carried")
    factories.make_case().tags.add(carried)
    assert removed(boss, Tag) == []
    boss.post(address(Tag, "delete", carried.pk), {"post": "yes"})
    assert Tag.objects.count() == 2
    boss.post(address(Tag, "delete", free.pk), {"post": "yes"})
    assert Tag.objects.get() == carried


@pytest.mark.parametrize(
    "model",
    [m for m in (*OURS, *KERNEL) if m in admin.site._registry],
    ids=str,
)
@pytest.mark.parametrize("query", ["no such thing", "7", BAD])
def test_every_list_is_searched_and_never_by_a_secret(admin_client, model, query):
    fields = admin.site._registry[model].search_fields
    assert fields, model
    assert not any(
        "secret" in name or "token" in name or "mac" in name for name in fields
    )
    url = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    assert admin_client.get(url, {"q": query}).status_code == 200
