"""One row of each kind, of the team that everybody here belongs to, and people of each role."""

from __future__ import annotations

import uuid
from datetime import timedelta
from http.cookies import SimpleCookie
from typing import Any

from django.apps import apps
from django.contrib.auth.models import User
from django.core.files.base import ContentFile
from django.db import models
from django.http import HttpResponse
from django.utils.timezone import now

from agenthub.accounts import api_keys, signing_secrets
from agenthub.accounts.permissions import HUB_ADMINISTRATOR
from agenthub.models import Account, AgentJob, Attempt, Delivery, QuarantinedFile
from agenthub.models import Agent as HubAgent
from agenthub.models.lists import HeldVersion, ListSource, ListVersion
from compliance.approvals.models import Proposal
from reviews.access import api_tokens, roles
from reviews.applicants import link_cookies
from reviews.audit import trail
from reviews.documents import store
from reviews.intake import links
from reviews.models import (
    Announcement,
    AnnouncementAttempt,
    ApiToken,
    Attachment,
    BulkAct,
    BulkApproval,
    BulkApprovalCase,
    CaseImport,
    CaseParty,
    CaseRating,
    Contradiction,
    Decision,
    DecisionPolicy,
    DecisionTrial,
    Dismissal,
    DraftFile,
    Erasure,
    FourEyesRule,
    HitLabel,
    ImportedRow,
    InformationRequest,
    Invitation,
    LegalHold,
    LookUp,
    Note,
    Notification,
    Organisation,
    Party,
    PartyMerge,
    PartyRelation,
    PolicyTrial,
    Procedure,
    RatingBatch,
    RatingState,
    RetentionRule,
    RiskPolicy,
    SavedView,
    Scope,
    ScreeningPolicy,
    SecondLook,
    Subscription,
    SuspicionReport,
    Tag,
    Team,
    ValueChoice,
)
from tests.factories import make_connection, make_event, make_user
from tests.permissions.routes import routes
from tests.reviews.rows import add_risky_document, open_case

ROLES = (*roles.ROLES, HUB_ADMINISTRATOR)
# Who is signed in as nobody, without a role, and as an analyst of another team.
ANONYMOUS, NO_ROLE, OTHER_TEAM = "anonymous", "no role", "other team"
VISITORS = (ANONYMOUS, NO_ROLE, OTHER_TEAM, *ROLES)


class World:
    """The rows, and what stands for the parameters of each route."""

    def __init__(self) -> None:
        self.case = open_case()
        self.connection = self.case.connection
        self.document = add_risky_document(self.case)
        self.document.file.save("a.pdf", ContentFile(b"%PDF-1.4"), save=True)
        self.job = self.case.jobs.get()
        self.people = self._people()
        self.person = make_user("somebody", role=roles.INTEGRATOR)
        self.author = make_user("author", role=roles.ANALYST)
        self._of_case()
        self._of_desk()
        self._of_hub()
        self._of_parties()
        self.hold = generic(LegalHold, case=self.case, by=self.author)
        self.erasure = generic(Erasure, case=self.case)
        self.rule = generic(RetentionRule, months=1)
        self.four_eyes_rule = FourEyesRule.objects.create(
            name="Rule", condition="always", is_active=False
        )
        for route in routes():
            if route.table:
                self.row_of(route.table)

    def _people(self) -> dict[str, User]:
        team = Team.objects.create(name="Team")
        team.connections.add(self.connection)
        # The only team of a service cannot be removed.
        Team.objects.create(name="Second").connections.add(self.connection)
        people = {NO_ROLE: User.objects.create_user("none", password="correct horse")}
        for role in ROLES:
            people[role] = make_user(role, role=role, is_staff=True)
            team.members.add(people[role])
        stranger = make_user("stranger", role=roles.ANALYST, is_staff=True)
        people[OTHER_TEAM] = stranger
        other = Team.objects.create(name="Other")
        other.members.add(stranger)
        other.connections.add(make_connection("other"))
        return people

    def _of_case(self) -> None:
        self.note = Note.objects.create(case=self.case, by=self.author, text="Seen.")
        self.attachment = Attachment(note=self.note, file_name="a.txt", size=1)
        self.attachment.file.save("a.txt", ContentFile(b"a"), save=False)
        self.attachment.save()
        self.dismissal = Dismissal.objects.create(
            case=self.case, by=self.author, key="k", title="A finding", reason="Known."
        )
        self.choice = ValueChoice.objects.create(
            case=self.case,
            job=self.job,
            document=self.document,
            by=self.author,
            key="k",
            field="business_name",
            kind="first",
            candidates=2,
            offered=["Fjord Ltd", "Fiord Ltd"],
            value="Fjord Ltd",
        )
        self.look_up = LookUp.objects.create(
            connection=self.connection, by=self.author, query={"name": "Ek"}
        )
        agent = self.case.agent
        assert agent is not None
        self.invitation = Invitation.objects.create(
            agent=agent,
            made_by=self.person,
            expires_at=now() + timedelta(days=1),
        )
        Organisation.objects.create(name="Fjord Bank", logo=b"RIFF", due_at=None)
        self.request = InformationRequest.objects.create(
            case=self.case,
            made_by=self.author,
            message="Please",
            expires_at=now() + timedelta(days=1),
        )
        self.decision = Decision.objects.create(
            case=self.case,
            made_by=self.author,
            outcome="approve",
            status=Decision.Status.PROPOSED,
            rationale="Fine.",
            needs_second=True,
        )
        self.notification = Notification.objects.create(
            to=self.author, case=self.case, kind="mention"
        )
        Tag.objects.create(name="vip")
        rating = CaseRating.objects.create(
            case=self.case,
            policy=RiskPolicy.objects.get(status=RiskPolicy.Status.LIVE),
            score=10,
            band="low",
        )
        RatingState.objects.create(
            case=self.case,
            rating=rating,
            policy=rating.policy,
            score=10,
            band="low",
            due_at=None,
        )
        RatingBatch.objects.create(policy=rating.policy, first_case=1, last_case=200)
        PolicyTrial.objects.create(
            policy=rating.policy,
            against=rating.policy,
            by=self.author,
            status=PolicyTrial.Status.DONE,
        )
        self.decision_policy = DecisionPolicy.objects.create(
            number=1, note="First.", content={"rules": []}, made_by=self.author
        )
        trial = DecisionTrial.objects.create(
            policy=self.decision_policy,
            by=self.author,
            status=DecisionTrial.Status.DONE,
        )
        self.look = SecondLook.objects.create(
            case=self.case, decision=self.decision, share=5
        )
        self.contradiction = Contradiction.objects.create(
            trial=trial, case=self.case, decision=self.decision, outcome="approve"
        )
        self.label = HitLabel.objects.create(
            case=self.case,
            kind=HitLabel.Kind.CONFIRMED,
            source=HitLabel.Source.SCREENING,
            key="c" * 64,
            list_title="UN list",
            script="latin",
            band="possible",
            score=0.8,
            is_certain=False,
            by=self.author,
            at=now(),
        )
        ScreeningPolicy.objects.create(
            number=1,
            note="First.",
            content={"rules": [{"list": "", "script": "", "threshold": 0.9}]},
            made_by=self.author,
        )
        item = {"key": "seen", "label": "Seen", "required": False, "help": ""}
        self.procedure = Procedure.objects.create(
            kind="kyb",
            number=1,
            note="First.",
            content={"fields": [], "items": [item]},
            made_by=self.author,
        )
        type(self.case).objects.filter(pk=self.case.pk).update(procedure=self.procedure)
        self.line = trail.record(self.case, "noted", user=self.author)

    def _of_parties(self) -> None:
        parties = [Party.objects.create(kind="company") for _ in range(3)]
        links = []
        for number, party in enumerate(parties):
            links.append(
                CaseParty.objects.create(
                    case=self.case, party=party, role="owner", place=f"owners/{number}"
                )
            )
        self.party = parties[0]
        self.party_link = links[0]
        self.relation = PartyRelation.objects.create(
            holder=links[1], held=links[0], kind="owner", source="analyst"
        )
        self.merge = PartyMerge.objects.create(
            first=parties[1], second=parties[2], reason="Same.", by=self.author
        )

    def _of_desk(self) -> None:
        self.event = make_event(self.case, status="ignored", reason="x", job=self.job)
        self.subscription = Subscription.objects.create(
            name="core", url="https://core.example/", secret="s"
        )
        self.announcement = Announcement.objects.create(
            subscription=self.subscription,
            case=self.case,
            decision=self.decision,
            body=b"{}",
            url="https://core.example/",
        )
        self.view = SavedView.objects.create(owner=self.author, name="v", query="?")
        self.bulk = BulkAct.objects.create(
            act="assign", by=self.author, cases=[self.case.pk]
        )
        self.suspicion = SuspicionReport.objects.create(
            case=self.case, noticed_on=now(), due_on=now(), made_by=self.author
        )
        self.approval = BulkApproval.objects.create(by=self.author, share=10)
        BulkApprovalCase.objects.create(
            approval=self.approval, case=self.case, revision="1", is_sample=False
        )
        generic(DraftFile, user=self.author)
        self.imported = generic(CaseImport, by=self.author, agent=self.case.agent)
        generic(ImportedRow, source=self.imported, case=self.case)
        generic(AnnouncementAttempt, delivery=self.announcement, error="away")
        self.tokens = {}
        for role, user in self.people.items():
            self.tokens[role] = _token(user)
        self.token = ApiToken.objects.get(user=self.people[roles.ANALYST])

        self.proposal = Proposal.objects.create(
            title="A change", content="[]", made_by=self.author
        )

    def _of_hub(self) -> None:
        self.account = Account.objects.create(name="Client")
        self.key, self.api_key = api_keys.create(self.account)
        signing_secrets.rotate(self.account)
        self.secret, _ = signing_secrets.rotate(self.account)
        self.hub_agent = HubAgent.objects.create(
            account=self.account, name="kyb", kind="kyb", key="kyb-hub"
        )
        self.hub_job = generic(AgentJob, account=self.account, agent=self.hub_agent)
        self.delivery = generic(Delivery, job=self.hub_job, status=Delivery.Status.DEAD)
        generic(Attempt, delivery=self.delivery, error="away")
        self.source = generic(ListSource, slug="a_list", url="https://lists.example/")
        version = generic(ListVersion, source=self.source, status="rejected")
        self.held = generic(HeldVersion, version=version)
        self.quarantined = generic(QuarantinedFile, account=self.account)

    def values(self, path: str) -> dict[str, object]:
        """What stands for each parameter of this route."""
        values: dict[str, object] = {
            "slug": self.connection.slug,
            "uidb36": "0",
            "key": "key",
            "provider_id": "company",
            "organization_slug": "company",
            "token": "no-token",
            "batch_id": uuid.uuid4(),
            "batch": uuid.uuid4(),
            "upload_id": uuid.uuid4(),
            "agent_id": self.case.agent_id,
            "document_id": self.document.pk,
            "other": self.document.pk,
            "number": 1,
            "name": "vip",
            "kind": "kyb",
            "id": self.person.pk,
            "app_label": "reviews",
            "url": "nothing",
            "form": "csv",
            "act": "approve",
            # Rules, reasons, limits and retention are of rule owners; the other tables of administrators.
            "table": "four-eyes-rules",
        }
        if path.startswith("documents/"):
            values["token"] = store.service_url(self.document).split("/")[-2]
        # Links of earlier versions.
        if path.startswith("requests/"):
            values["token"] = links.REQUEST.path_signer.sign(str(self.request.pk))
        if path.startswith("apply/"):
            values["token"] = links.INVITATION.path_signer.sign(str(self.invitation.pk))
        if path.startswith("queues/failed/"):
            values["name"] = "jobs"
        if path.startswith("hub/lists/"):
            values["slug"] = self.source.slug
        for prefix, pk in self._keys().items():
            if path.startswith(prefix):
                values["pk"] = pk
        return values

    def link_cookies(self) -> SimpleCookie:
        """What a browser has that has opened the links of the applicant."""
        response = HttpResponse()
        link_cookies.give(response, links.REQUEST, self.request.pk)
        link_cookies.give(response, links.INVITATION, self.invitation.pk)
        return response.cookies

    def _keys(self) -> dict[str, object]:
        """The key that `pk` stands for, by how a route begins. The last match counts."""
        keys: dict[str, object] = {
            "inbox/": self.notification.pk,
            "approvals/": self.proposal.pk,
            "webhooks/received/": self.event.pk,
            "webhooks/sent/": self.announcement.pk,
            "account/2fa/webauthn/keys/": 1,
            "people/": self.person.pk,
            "parties/": self.party.pk,
            "api/desk/v1/parties/": self.party.pk,
            "parties/relations/": self.relation.pk,
            "parties/merges/": self.merge.pk,
            "parties/links/": self.party_link.pk,
            "hub/accounts/": self.account.pk,
            "hub/keys/": self.key.pk,
            "hub/secrets/": self.secret.pk,
            "hub/agents/": self.hub_agent.pk,
            "hub/jobs/": self.hub_job.pk,
            "hub/deliveries/": self.delivery.pk,
            "hub/lists/": self.held.pk,
            "hub/quarantine/": self.quarantined.pk,
            "queue/acts/": self.bulk.pk,
            "bulk-approvals/": self.approval.pk,
            "second-looks/": self.look.pk,
            "decision-policy/contradictions/": self.contradiction.pk,
            "screening-quality/": self.label.pk,
            "suspicion/": self.suspicion.pk,
            "api/desk/v1/suspicion-reports/": self.suspicion.pk,
            "api/desk/v1/bulk-approvals/": self.approval.pk,
            "batches/files/": self.imported.pk,
            "privacy/holds/": self.hold.pk,
            "privacy/erasures/": self.erasure.pk,
            "privacy/rules/": self.rule.pk,
            "scans/": 1,
            "invitations/": self.invitation.pk,
            "requests/": self.request.pk,
            "apply/": self.invitation.pk,
            "api/desk/v1/invitations/": self.invitation.pk,
            "api/desk/v1/holds/": self.hold.pk,
            "api/desk/v1/erasures/": self.erasure.pk,
            "queue/views/": self.view.pk,
            "settings/": self.four_eyes_rule.pk,
        }
        for prefix in ("", "api/desk/v1/"):
            keys |= {
                f"{prefix}jobs/": self.job.pk,
                f"{prefix}cases/": self.case.pk,
                f"{prefix}look-ups/": self.look_up.pk,
                f"{prefix}connections/": self.connection.pk,
                f"{prefix}tokens/": self.token.pk,
                f"{prefix}notes/": self.note.pk,
                f"{prefix}attachments/": self.attachment.pk,
                f"{prefix}documents/": self.document.pk,
                f"{prefix}webhooks/<": self.event.pk,
                f"{prefix}agents/": self.case.agent_id,
                f"{prefix}dismissals/": self.dismissal.pk,
                f"{prefix}value-choices/": self.choice.pk,
                f"{prefix}hit-confirmations/": self.label.pk,
                f"{prefix}subscriptions/": self.subscription.pk,
                f"{prefix}sent-webhooks/": self.announcement.pk,
            }
        return keys

    def row_of(self, table: str) -> models.Model:
        """A row of a table of the admin. People and agents are those of others."""
        if table == "auth.user":
            return self.person
        if table == "reviews.caseevent":
            return self.line
        model = apps.get_model(table)
        return first(model) or generic(model)


def _token(user: User) -> str:
    maker = make_user(f"maker of {user.username}", role=roles.ADMINISTRATOR)
    token, raw = api_tokens.create(
        actor=maker, user=user, name="all", scopes=[Scope.READ]
    )
    token.scopes = list(Scope.values)
    token.save()
    return raw


def first(model: type[models.Model]) -> models.Model | None:
    return model._default_manager.order_by("pk").first()


def generic(model: type[models.Model], **values: Any) -> Any:
    """A row of any model: each column that needs a value and has none gets one of its type."""
    for field in model._meta.concrete_fields:
        is_filled = field.name in values or field.has_default() or field.null
        is_counted = field.primary_key and not isinstance(field, models.UUIDField)
        if not is_filled and not is_counted:
            values[field.name] = _value_of(field)
    return model._default_manager.create(**values)


VALUES: tuple[tuple[type[models.Field[Any, Any]], Any], ...] = (
    (models.DateTimeField, now),
    (models.BooleanField, bool),
    (models.IntegerField, lambda: 1),
    (models.FloatField, lambda: 1),
    (models.JSONField, dict),
    (models.BinaryField, bytes),
    (models.UUIDField, uuid.uuid4),
)


def _value_of(field: models.Field[Any, Any]) -> Any:
    if isinstance(field, models.ForeignKey):
        related: Any = field.related_model
        return first(related) or generic(related)
    for kind, make in VALUES:
        if isinstance(field, kind):
            return make()
    if field.blank:
        return ""
    return uuid.uuid4().hex[: field.max_length or 32]
