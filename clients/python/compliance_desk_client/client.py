# Made by `python -m assurance.python_client --write` from the OpenAPI description of the desk.
"""The client: a method for each operation of the desk's interface."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, cast

from compliance_desk_client import models
from compliance_desk_client.transport import File, Transport


class DeskClient(Transport):
    """Calls the desk. `url` is its address, such as https://desk.example; `token` an API token.

    An error of the desk is raised as ApiError, with the problem that it answered.
    """

    def list_agents(
        self, *, cursor: str | None = None, limit: int | None = None
    ) -> models.Agents:
        """The agents that cases go to."""
        return cast(
            "models.Agents",
            self._json("GET", "/agents", query={"cursor": cursor, "limit": limit}),
        )

    def iterate_agents(self, *, limit: int | None = None) -> Iterator[models.Agent]:
        """As list_agents, page after page."""
        cursor: str | None = None
        while True:
            page = self.list_agents(limit=limit, cursor=cursor)
            yield from page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def list_agent_batches(self, pk: int) -> models.Batches:
        """The newest fifty batches of an agent."""
        return cast(
            "models.Batches", self._json("GET", f"/agents/{self._part(pk)}/batches")
        )

    def create_agent_batch(self, pk: int, body: models.NewBatch) -> models.BatchStarted:
        """Starts a case for each row of a CSV file."""
        return cast(
            "models.BatchStarted",
            self._json("POST", f"/agents/{self._part(pk)}/batches", body=body),
        )

    def get_agent_batch(
        self, pk: int, batch: str, *, cursor: str | None = None
    ) -> models.Batch:
        """How far a batch is, and its jobs page by page."""
        return cast(
            "models.Batch",
            self._json(
                "GET",
                f"/agents/{self._part(pk)}/batches/{self._part(batch)}",
                query={"cursor": cursor},
            ),
        )

    def get_agent_batch_export(self, pk: int, batch: str) -> bytes:
        """The service's table of a batch."""
        return self._bytes(
            "GET", f"/agents/{self._part(pk)}/batches/{self._part(batch)}/export"
        )

    def get_attachment_content(self, pk: int) -> bytes:
        """A file of a note as it was attached; it may be harmful."""
        return self._bytes("GET", f"/attachments/{self._part(pk)}/content")

    def list_bulk_approvals(
        self, *, cursor: str | None = None, limit: int | None = None
    ) -> models.BulkApprovals:
        """Approvals of many clean cases at once, and what became of their samples."""
        return cast(
            "models.BulkApprovals",
            self._json(
                "GET", "/bulk-approvals", query={"cursor": cursor, "limit": limit}
            ),
        )

    def iterate_bulk_approvals(
        self, *, limit: int | None = None
    ) -> Iterator[models.BulkApproval]:
        """As list_bulk_approvals, page after page."""
        cursor: str | None = None
        while True:
            page = self.list_bulk_approvals(limit=limit, cursor=cursor)
            yield from page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def create_bulk_approval(self, body: models.NewBulkApproval) -> models.BulkApproval:
        """Draws the sample among those of the cases that fit; nothing is approved yet."""
        return cast(
            "models.BulkApproval", self._json("POST", "/bulk-approvals", body=body)
        )

    def get_bulk_approval(self, pk: int) -> models.BulkApproval:
        """One bulk approval: its cases, and what became of them."""
        return cast(
            "models.BulkApproval",
            self._json("GET", f"/bulk-approvals/{self._part(pk)}"),
        )

    def confirm_bulk_approval(
        self, pk: int, body: models.BulkConfirmation
    ) -> models.BulkApproval:
        """Has all cases approved that were not drawn, one by one."""
        return cast(
            "models.BulkApproval",
            self._json("POST", f"/bulk-approvals/{self._part(pk)}/confirm", body=body),
        )

    def list_cases(
        self,
        *,
        view: Literal[
            "review",
            "mine",
            "attention",
            "second",
            "escalated",
            "running",
            "waiting",
            "snoozed",
            "decided",
            "all",
        ]
        | None = None,
        kind: Literal["kyb", "kyc"] | None = None,
        country: str | None = None,
        agent: str | None = None,
        analyst: str | None = None,
        recommendation: Literal["approve", "review", "reject"] | None = None,
        band: Literal["prohibited", "high", "medium", "low", "none"] | None = None,
        origin: Literal["review"] | None = None,
        review_in: Literal["30", "90"] | None = None,
        checklist: Literal["open", "done"] | None = None,
        due: Literal["over", "2h", "24h"] | None = None,
        sort: Literal["worst", "band", "due", "new", "old"] | None = None,
        cursor: str | None = None,
    ) -> models.Cases:
        """The queue, fifty cases a page."""
        return cast(
            "models.Cases",
            self._json(
                "GET",
                "/cases",
                query={
                    "view": view,
                    "kind": kind,
                    "country": country,
                    "agent": agent,
                    "analyst": analyst,
                    "recommendation": recommendation,
                    "band": band,
                    "origin": origin,
                    "review_in": review_in,
                    "checklist": checklist,
                    "due": due,
                    "sort": sort,
                    "cursor": cursor,
                },
            ),
        )

    def iterate_cases(
        self,
        *,
        view: Literal[
            "review",
            "mine",
            "attention",
            "second",
            "escalated",
            "running",
            "waiting",
            "snoozed",
            "decided",
            "all",
        ]
        | None = None,
        kind: Literal["kyb", "kyc"] | None = None,
        country: str | None = None,
        agent: str | None = None,
        analyst: str | None = None,
        recommendation: Literal["approve", "review", "reject"] | None = None,
        band: Literal["prohibited", "high", "medium", "low", "none"] | None = None,
        origin: Literal["review"] | None = None,
        review_in: Literal["30", "90"] | None = None,
        checklist: Literal["open", "done"] | None = None,
        due: Literal["over", "2h", "24h"] | None = None,
        sort: Literal["worst", "band", "due", "new", "old"] | None = None,
    ) -> Iterator[models.CaseRow]:
        """As list_cases, page after page."""
        cursor: str | None = None
        while True:
            page = self.list_cases(
                view=view,
                kind=kind,
                country=country,
                agent=agent,
                analyst=analyst,
                recommendation=recommendation,
                band=band,
                origin=origin,
                review_in=review_in,
                checklist=checklist,
                due=due,
                sort=sort,
                cursor=cursor,
            )
            yield from page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def create_case(
        self,
        body: models.CaseDraft,
        *,
        files: Mapping[str, File | list[File]] | None = None,
    ) -> models.Case:
        """Submits a case with its documents."""
        return cast("models.Case", self._json("POST", "/cases", body=body, files=files))

    def claim_case(self, body: models.Claim) -> models.Case:
        """Takes the most urgent case that is nobody's: no two callers ever get the same."""
        return cast("models.Case", self._json("POST", "/cases/claim", body=body))

    def search_cases(self, body: models.CaseSearch) -> models.Cases:
        """Searches the queue by a name, a reference or a tag."""
        return cast("models.Cases", self._json("POST", "/cases/search", body=body))

    def get_case(self, pk: int) -> models.Case:
        """One case."""
        return cast("models.Case", self._json("GET", f"/cases/{self._part(pk)}"))

    def assign_case(self, pk: int, body: models.Assignment) -> models.Case:
        """Gives a case to somebody, or puts it down."""
        return cast(
            "models.Case",
            self._json("POST", f"/cases/{self._part(pk)}/assign", body=body),
        )

    def get_case_checklist(self, pk: int) -> models.Checklist:
        """The checklist of a case, and who ticked what."""
        return cast(
            "models.Checklist", self._json("GET", f"/cases/{self._part(pk)}/checklist")
        )

    def mark_checklist_item(
        self, pk: int, body: models.ChecklistMark
    ) -> models.Checklist:
        """Ticks an item, explains why it is not needed, or takes that back."""
        return cast(
            "models.Checklist",
            self._json("POST", f"/cases/{self._part(pk)}/checklist", body=body),
        )

    def list_case_decisions(
        self, pk: int, *, cursor: str | None = None, limit: int | None = None
    ) -> models.Decisions:
        """What was decided about a case."""
        return cast(
            "models.Decisions",
            self._json(
                "GET",
                f"/cases/{self._part(pk)}/decisions",
                query={"cursor": cursor, "limit": limit},
            ),
        )

    def iterate_case_decisions(
        self, pk: int, *, limit: int | None = None
    ) -> Iterator[models.Decision]:
        """As list_case_decisions, page after page."""
        cursor: str | None = None
        while True:
            page = self.list_case_decisions(pk, limit=limit, cursor=cursor)
            yield from page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def decide_case(self, pk: int, body: models.NewDecision) -> models.Decision:
        """Decides, or proposes where a second person must agree."""
        return cast(
            "models.Decision",
            self._json("POST", f"/cases/{self._part(pk)}/decisions", body=body),
        )

    def create_case_dismissal(
        self, pk: int, body: models.NewDismissal
    ) -> models.Dismissal:
        """Dismisses a finding: it is shown as such wherever it comes again."""
        return cast(
            "models.Dismissal",
            self._json("POST", f"/cases/{self._part(pk)}/dismissals", body=body),
        )

    def list_case_documents(
        self, pk: int, *, cursor: str | None = None, limit: int | None = None
    ) -> models.Documents:
        """The documents of a case, oldest first."""
        return cast(
            "models.Documents",
            self._json(
                "GET",
                f"/cases/{self._part(pk)}/documents",
                query={"cursor": cursor, "limit": limit},
            ),
        )

    def iterate_case_documents(
        self, pk: int, *, limit: int | None = None
    ) -> Iterator[models.Document]:
        """As list_case_documents, page after page."""
        cursor: str | None = None
        while True:
            page = self.list_case_documents(pk, limit=limit, cursor=cursor)
            yield from page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def list_case_erasures(
        self, pk: int, *, cursor: str | None = None, limit: int | None = None
    ) -> models.Erasures:
        """The erasures of a case: planned, done, refused and withdrawn."""
        return cast(
            "models.Erasures",
            self._json(
                "GET",
                f"/cases/{self._part(pk)}/erasures",
                query={"cursor": cursor, "limit": limit},
            ),
        )

    def iterate_case_erasures(
        self, pk: int, *, limit: int | None = None
    ) -> Iterator[models.Erasure]:
        """As list_case_erasures, page after page."""
        cursor: str | None = None
        while True:
            page = self.list_case_erasures(pk, limit=limit, cursor=cursor)
            yield from page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def create_case_erasure(self, pk: int, body: models.Reason) -> models.Erasure:
        """Plans the erasure of a case; it is done at once, or when a second person agrees."""
        return cast(
            "models.Erasure",
            self._json("POST", f"/cases/{self._part(pk)}/erasures", body=body),
        )

    def list_case_events(
        self, pk: int, *, cursor: str | None = None, limit: int | None = None
    ) -> models.Events:
        """The audit trail of a case, oldest first, with the hashes of the chain."""
        return cast(
            "models.Events",
            self._json(
                "GET",
                f"/cases/{self._part(pk)}/events",
                query={"cursor": cursor, "limit": limit},
            ),
        )

    def iterate_case_events(
        self, pk: int, *, limit: int | None = None
    ) -> Iterator[models.Event]:
        """As list_case_events, page after page."""
        cursor: str | None = None
        while True:
            page = self.list_case_events(pk, limit=limit, cursor=cursor)
            yield from page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def get_case_evidence(self, pk: int) -> bytes:
        """The evidence pack of a case."""
        return self._bytes("GET", f"/cases/{self._part(pk)}/evidence")

    def set_case_fields(self, pk: int, body: models.CustomFields) -> models.Case:
        """Fills in the fields of the procedure."""
        return cast(
            "models.Case",
            self._json("POST", f"/cases/{self._part(pk)}/fields", body=body),
        )

    def create_case_hit_confirmation(
        self, pk: int, body: models.NewHitConfirmation
    ) -> models.HitConfirmation:
        """Confirms a hit of the screening as a match: the listed entry is the subject."""
        return cast(
            "models.HitConfirmation",
            self._json("POST", f"/cases/{self._part(pk)}/hit-confirmations", body=body),
        )

    def list_case_holds(
        self, pk: int, *, cursor: str | None = None, limit: int | None = None
    ) -> models.Holds:
        """The holds of a case, also those that were lifted."""
        return cast(
            "models.Holds",
            self._json(
                "GET",
                f"/cases/{self._part(pk)}/holds",
                query={"cursor": cursor, "limit": limit},
            ),
        )

    def iterate_case_holds(
        self, pk: int, *, limit: int | None = None
    ) -> Iterator[models.Hold]:
        """As list_case_holds, page after page."""
        cursor: str | None = None
        while True:
            page = self.list_case_holds(pk, limit=limit, cursor=cursor)
            yield from page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def create_case_hold(self, pk: int, body: models.NewHold) -> models.Hold:
        """Holds a case: no rule and no request erases it."""
        return cast(
            "models.Hold",
            self._json("POST", f"/cases/{self._part(pk)}/holds", body=body),
        )

    def list_case_jobs(
        self, pk: int, *, cursor: str | None = None, limit: int | None = None
    ) -> models.Jobs:
        """The jobs of a case."""
        return cast(
            "models.Jobs",
            self._json(
                "GET",
                f"/cases/{self._part(pk)}/jobs",
                query={"cursor": cursor, "limit": limit},
            ),
        )

    def iterate_case_jobs(
        self, pk: int, *, limit: int | None = None
    ) -> Iterator[models.Job]:
        """As list_case_jobs, page after page."""
        cursor: str | None = None
        while True:
            page = self.list_case_jobs(pk, limit=limit, cursor=cursor)
            yield from page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def run_case_again(self, pk: int) -> models.Job:
        """Runs the checks again."""
        return cast(
            "models.Job", self._json("POST", f"/cases/{self._part(pk)}/jobs", body={})
        )

    def mark_check(self, pk: int, body: models.CheckMark) -> models.ReviewState:
        """Says of a check that it was reviewed, or overrides it with a reason."""
        return cast(
            "models.ReviewState",
            self._json("POST", f"/cases/{self._part(pk)}/marks", body=body),
        )

    def list_case_notes(
        self, pk: int, *, cursor: str | None = None, limit: int | None = None
    ) -> models.Notes:
        """The notes of a case."""
        return cast(
            "models.Notes",
            self._json(
                "GET",
                f"/cases/{self._part(pk)}/notes",
                query={"cursor": cursor, "limit": limit},
            ),
        )

    def iterate_case_notes(
        self, pk: int, *, limit: int | None = None
    ) -> Iterator[models.Note]:
        """As list_case_notes, page after page."""
        cursor: str | None = None
        while True:
            page = self.list_case_notes(pk, limit=limit, cursor=cursor)
            yield from page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def create_case_note(self, pk: int, body: models.NewNote) -> models.Note:
        """Writes a note; @name mentions somebody."""
        return cast(
            "models.Note",
            self._json("POST", f"/cases/{self._part(pk)}/notes", body=body),
        )

    def get_case_rating(self, pk: int) -> models.Rating:
        """How great the risk of a case is, and what made it so."""
        return cast(
            "models.Rating", self._json("GET", f"/cases/{self._part(pk)}/rating")
        )

    def rate_case(self, pk: int, body: models.NewRating) -> models.Rating:
        """Rates a case otherwise: upwards at once, downwards once a second person agrees."""
        return cast(
            "models.Rating",
            self._json("POST", f"/cases/{self._part(pk)}/rating", body=body),
        )

    def reopen_case(self, pk: int, body: models.Reopening) -> models.Case:
        """Takes a decision back; it stays on record."""
        return cast(
            "models.Case",
            self._json("POST", f"/cases/{self._part(pk)}/reopen", body=body),
        )

    def get_case_report(self, pk: int) -> bytes:
        """The report of a case."""
        return self._bytes("GET", f"/cases/{self._part(pk)}/report")

    def get_case_review_state(self, pk: int) -> models.ReviewState:
        """How a case stands: its checks, findings, and what stands against approving it."""
        return cast(
            "models.ReviewState",
            self._json("GET", f"/cases/{self._part(pk)}/review-state"),
        )

    def list_case_reviews(self, pk: int) -> models.Reviews:
        """When a case is reviewed again, and the case that it is the review of."""
        return cast(
            "models.Reviews", self._json("GET", f"/cases/{self._part(pk)}/reviews")
        )

    def second_decision(self, pk: int, body: models.SecondLook) -> models.Decision:
        """Agrees to what was proposed, or sends it back with a note."""
        return cast(
            "models.Decision",
            self._json("POST", f"/cases/{self._part(pk)}/second", body=body),
        )

    def snooze_case(self, pk: int, body: models.Snoozing) -> models.Case:
        """Snoozes a case until a time, or ends its snooze; the SLA still counts."""
        return cast(
            "models.Case",
            self._json("POST", f"/cases/{self._part(pk)}/snooze", body=body),
        )

    def stop_waiting_for_job(self, pk: int) -> models.Job:
        """Stops to wait for the job that is under way."""
        return cast(
            "models.Job",
            self._json("POST", f"/cases/{self._part(pk)}/stop-waiting", body={}),
        )

    def create_case_suspicion_report(
        self, pk: int, body: models.NewSuspicionReport
    ) -> models.SuspicionReport:
        """Drafts a report from what the case says, each sentence with its evidence."""
        return cast(
            "models.SuspicionReport",
            self._json("POST", f"/cases/{self._part(pk)}/suspicion-reports", body=body),
        )

    def create_case_tag(self, pk: int, body: models.NewTag) -> models.Tags:
        """Tags a case."""
        return cast(
            "models.Tags",
            self._json("POST", f"/cases/{self._part(pk)}/tags", body=body),
        )

    def remove_case_tag(self, pk: int, body: models.NewTag) -> models.Tags:
        """Takes a tag off a case."""
        return cast(
            "models.Tags",
            self._json("POST", f"/cases/{self._part(pk)}/tags/remove", body=body),
        )

    def list_case_value_choices(self, pk: int) -> models.ValueChoices:
        """The values that people chose or corrected in a case, the ended ones too, the
        newest first.
        """
        return cast(
            "models.ValueChoices",
            self._json("GET", f"/cases/{self._part(pk)}/value-choices"),
        )

    def create_case_value_choice(
        self, pk: int, body: models.NewValueChoice
    ) -> models.ValueChoice:
        """Chooses the value of an unsure field, or corrects a value that was read."""
        return cast(
            "models.ValueChoice",
            self._json("POST", f"/cases/{self._part(pk)}/value-choices", body=body),
        )

    def withdraw_request(self, pk: int) -> models.Case:
        """Stops waiting for the applicant."""
        return cast(
            "models.Case",
            self._json("POST", f"/cases/{self._part(pk)}/withdraw-request", body={}),
        )

    def list_decision_policies(
        self,
        *,
        status: Literal["draft", "live", "retired"] | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> models.DecisionPolicies:
        """The versions of the decision policy, and what their newest what-ifs came to."""
        return cast(
            "models.DecisionPolicies",
            self._json(
                "GET",
                "/decision-policies",
                query={"status": status, "cursor": cursor, "limit": limit},
            ),
        )

    def iterate_decision_policies(
        self,
        *,
        status: Literal["draft", "live", "retired"] | None = None,
        limit: int | None = None,
    ) -> Iterator[models.DecisionPolicy]:
        """As list_decision_policies, page after page."""
        cursor: str | None = None
        while True:
            page = self.list_decision_policies(
                status=status, limit=limit, cursor=cursor
            )
            yield from page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def delete_dismissal(self, pk: int) -> models.Dismissal:
        """Has a dismissed finding asked about again."""
        return cast(
            "models.Dismissal", self._json("DELETE", f"/dismissals/{self._part(pk)}")
        )

    def list_documents(
        self,
        *,
        kind: Literal[
            "incorporation_documents",
            "business_ownership_documents",
            "proof_of_address_documents",
            "source_of_funds_documents",
            "ein_documents",
            "promo_marketing_documents",
            "front_image_url",
            "back_image_url",
            "face_match_image_url",
        ]
        | None = None,
        status: Literal["pending", "drawn", "unreadable"] | None = None,
        case: str | None = None,
        sha256: str | None = None,
        again: Literal["1"] | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> models.Documents:
        """The documents of all cases, of the newest case first."""
        return cast(
            "models.Documents",
            self._json(
                "GET",
                "/documents",
                query={
                    "kind": kind,
                    "status": status,
                    "case": case,
                    "sha256": sha256,
                    "again": again,
                    "cursor": cursor,
                    "limit": limit,
                },
            ),
        )

    def iterate_documents(
        self,
        *,
        kind: Literal[
            "incorporation_documents",
            "business_ownership_documents",
            "proof_of_address_documents",
            "source_of_funds_documents",
            "ein_documents",
            "promo_marketing_documents",
            "front_image_url",
            "back_image_url",
            "face_match_image_url",
        ]
        | None = None,
        status: Literal["pending", "drawn", "unreadable"] | None = None,
        case: str | None = None,
        sha256: str | None = None,
        again: Literal["1"] | None = None,
        limit: int | None = None,
    ) -> Iterator[models.Document]:
        """As list_documents, page after page."""
        cursor: str | None = None
        while True:
            page = self.list_documents(
                kind=kind,
                status=status,
                case=case,
                sha256=sha256,
                again=again,
                limit=limit,
                cursor=cursor,
            )
            yield from page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def get_document(self, pk: str) -> models.Document:
        """One document."""
        return cast(
            "models.Document", self._json("GET", f"/documents/{self._part(pk)}")
        )

    def get_document_content(self, pk: str) -> bytes:
        """The safe copy: a PDF of the pages that the desk drew."""
        return self._bytes("GET", f"/documents/{self._part(pk)}/content")

    def end_document_links(self, pk: str) -> None:
        """End all links to a document."""
        self._json("POST", f"/documents/{self._part(pk)}/end-links")

    def get_document_original(self, pk: str) -> bytes:
        """The file as it was handed in; it may be harmful."""
        return self._bytes("GET", f"/documents/{self._part(pk)}/original")

    def confirm_erasure(self, pk: int) -> models.Erasure:
        """Agrees to an erasure that somebody else planned."""
        return cast(
            "models.Erasure",
            self._json("POST", f"/erasures/{self._part(pk)}/confirm", body={}),
        )

    def withdraw_erasure(self, pk: int, body: models.Reason) -> models.Erasure:
        """Withdraws an erasure that is planned."""
        return cast(
            "models.Erasure",
            self._json("POST", f"/erasures/{self._part(pk)}/withdraw", body=body),
        )

    def delete_hit_confirmation(self, pk: int) -> models.HitConfirmation:
        """Ends the confirmation of a hit: it is asked about again."""
        return cast(
            "models.HitConfirmation",
            self._json("DELETE", f"/hit-confirmations/{self._part(pk)}"),
        )

    def lift_hold(self, pk: int, body: models.Reason) -> models.Hold:
        """Lifts a hold."""
        return cast(
            "models.Hold",
            self._json("POST", f"/holds/{self._part(pk)}/lift", body=body),
        )

    def list_inbox(
        self,
        *,
        unread: Literal["true", "false"] | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> models.Messages:
        """What the token's user is to hear of, newest first."""
        return cast(
            "models.Messages",
            self._json(
                "GET",
                "/inbox",
                query={"unread": unread, "cursor": cursor, "limit": limit},
            ),
        )

    def iterate_inbox(
        self,
        *,
        unread: Literal["true", "false"] | None = None,
        limit: int | None = None,
    ) -> Iterator[models.Message]:
        """As list_inbox, page after page."""
        cursor: str | None = None
        while True:
            page = self.list_inbox(unread=unread, limit=limit, cursor=cursor)
            yield from page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def mark_inbox_read(self, body: models.ReadMessages) -> models.MessagesRead:
        """Marks messages of the token's user as read: those with these ids, or all."""
        return cast("models.MessagesRead", self._json("POST", "/inbox/read", body=body))

    def list_invitations(
        self, *, cursor: str | None = None, limit: int | None = None
    ) -> models.Invitations:
        """Invitations of applicants, newest first."""
        return cast(
            "models.Invitations",
            self._json("GET", "/invitations", query={"cursor": cursor, "limit": limit}),
        )

    def iterate_invitations(
        self, *, limit: int | None = None
    ) -> Iterator[models.Invitation]:
        """As list_invitations, page after page."""
        cursor: str | None = None
        while True:
            page = self.list_invitations(limit=limit, cursor=cursor)
            yield from page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def create_invitation(self, body: models.NewInvitation) -> models.Invitation:
        """Invites an applicant to begin a case; the answer has the link."""
        return cast("models.Invitation", self._json("POST", "/invitations", body=body))

    def withdraw_invitation(self, pk: int) -> models.Invitation:
        """Ends the link of an invitation."""
        return cast(
            "models.Invitation",
            self._json("POST", f"/invitations/{self._part(pk)}/withdraw", body={}),
        )

    def list_jobs(
        self,
        *,
        status: Literal["queued", "running", "complete", "failed"] | None = None,
        agent: str | None = None,
        case: str | None = None,
        scope: Literal["whole", "one"] | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> models.Jobs:
        """The jobs of all cases, of the newest case first."""
        return cast(
            "models.Jobs",
            self._json(
                "GET",
                "/jobs",
                query={
                    "status": status,
                    "agent": agent,
                    "case": case,
                    "scope": scope,
                    "cursor": cursor,
                    "limit": limit,
                },
            ),
        )

    def iterate_jobs(
        self,
        *,
        status: Literal["queued", "running", "complete", "failed"] | None = None,
        agent: str | None = None,
        case: str | None = None,
        scope: Literal["whole", "one"] | None = None,
        limit: int | None = None,
    ) -> Iterator[models.Job]:
        """As list_jobs, page after page."""
        cursor: str | None = None
        while True:
            page = self.list_jobs(
                status=status,
                agent=agent,
                case=case,
                scope=scope,
                limit=limit,
                cursor=cursor,
            )
            yield from page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def get_job(self, pk: str) -> models.OneJob:
        """One job, and what it waits for while it is under way."""
        return cast("models.OneJob", self._json("GET", f"/jobs/{self._part(pk)}"))

    def list_job_results(
        self, pk: str, *, cursor: str | None = None, limit: int | None = None
    ) -> models.Results:
        """What the service said in a job, word for word, oldest first."""
        return cast(
            "models.Results",
            self._json(
                "GET",
                f"/jobs/{self._part(pk)}/results",
                query={"cursor": cursor, "limit": limit},
            ),
        )

    def iterate_job_results(
        self, pk: str, *, limit: int | None = None
    ) -> Iterator[models.Result]:
        """As list_job_results, page after page."""
        cursor: str | None = None
        while True:
            page = self.list_job_results(pk, limit=limit, cursor=cursor)
            yield from page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def look_up(self, body: models.NewLookUp) -> models.LookUp:
        """Looks a name, a part of one, or a number up in the lists of a service."""
        return cast("models.LookUp", self._json("POST", "/look-ups", body=body))

    def get_look_up(self, pk: int) -> models.LookUp:
        """What was looked up, by whom, and what the lists held."""
        return cast("models.LookUp", self._json("GET", f"/look-ups/{self._part(pk)}"))

    def get_me(self) -> models.Me:
        """Whose token this is, and what it is good for."""
        return cast("models.Me", self._json("GET", "/me"))

    def change_note(self, pk: int, body: models.NewNote) -> models.Note:
        """Rewords one's own note; the earlier wording stays in the trail."""
        return cast(
            "models.Note", self._json("PATCH", f"/notes/{self._part(pk)}", body=body)
        )

    def list_parties(
        self,
        *,
        kind: Literal[
            "person", "company", "trust", "vessel", "wallet", "account", "unknown"
        ]
        | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> models.Parties:
        """The parties of the cases that you may see."""
        return cast(
            "models.Parties",
            self._json(
                "GET",
                "/parties",
                query={"kind": kind, "cursor": cursor, "limit": limit},
            ),
        )

    def iterate_parties(
        self,
        *,
        kind: Literal[
            "person", "company", "trust", "vessel", "wallet", "account", "unknown"
        ]
        | None = None,
        limit: int | None = None,
    ) -> Iterator[models.PartyRow]:
        """As list_parties, page after page."""
        cursor: str | None = None
        while True:
            page = self.list_parties(kind=kind, limit=limit, cursor=cursor)
            yield from page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def search_parties(self, body: models.PartySearch) -> models.Parties:
        """Finds parties by a whole name or number."""
        return cast("models.Parties", self._json("POST", "/parties/search", body=body))

    def get_party(self, pk: int) -> models.Party:
        """Who a party is, who owns it, and how great its risk is."""
        return cast("models.Party", self._json("GET", f"/parties/{self._part(pk)}"))

    def create_party_relation(
        self, pk: int, body: models.NewRelation
    ) -> models.Relation:
        """Records in a case that somebody has a relation to this party."""
        return cast(
            "models.Relation",
            self._json("POST", f"/parties/{self._part(pk)}/relations", body=body),
        )

    def get_period_report(
        self, *, first: str | None = None, last: str | None = None
    ) -> models.PeriodReport:
        """The figures of a period: volumes, outcomes, times, control, overrides, samples."""
        return cast(
            "models.PeriodReport",
            self._json("GET", "/period-report", query={"first": first, "last": last}),
        )

    def list_procedures(
        self,
        *,
        kind: Literal["kyb", "kyc"] | None = None,
        status: Literal["draft", "live", "retired"] | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> models.Procedures:
        """The versions of the procedures: fields of one's own and checklists."""
        return cast(
            "models.Procedures",
            self._json(
                "GET",
                "/procedures",
                query={
                    "kind": kind,
                    "status": status,
                    "cursor": cursor,
                    "limit": limit,
                },
            ),
        )

    def iterate_procedures(
        self,
        *,
        kind: Literal["kyb", "kyc"] | None = None,
        status: Literal["draft", "live", "retired"] | None = None,
        limit: int | None = None,
    ) -> Iterator[models.Procedure]:
        """As list_procedures, page after page."""
        cursor: str | None = None
        while True:
            page = self.list_procedures(
                kind=kind, status=status, limit=limit, cursor=cursor
            )
            yield from page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def list_reason_codes(
        self, *, cursor: str | None = None, limit: int | None = None
    ) -> models.ReasonCodes:
        """The reasons that a decision may name."""
        return cast(
            "models.ReasonCodes",
            self._json(
                "GET", "/reason-codes", query={"cursor": cursor, "limit": limit}
            ),
        )

    def iterate_reason_codes(
        self, *, limit: int | None = None
    ) -> Iterator[models.ReasonCode]:
        """As list_reason_codes, page after page."""
        cursor: str | None = None
        while True:
            page = self.list_reason_codes(limit=limit, cursor=cursor)
            yield from page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def list_risk_policies(
        self,
        *,
        status: Literal["draft", "live", "retired"] | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> models.RiskPolicies:
        """The versions of the risk policy, their newest what-ifs, and how far cases follow
        them.
        """
        return cast(
            "models.RiskPolicies",
            self._json(
                "GET",
                "/risk-policies",
                query={"status": status, "cursor": cursor, "limit": limit},
            ),
        )

    def iterate_risk_policies(
        self,
        *,
        status: Literal["draft", "live", "retired"] | None = None,
        limit: int | None = None,
    ) -> Iterator[models.RiskPolicy]:
        """As list_risk_policies, page after page."""
        cursor: str | None = None
        while True:
            page = self.list_risk_policies(status=status, limit=limit, cursor=cursor)
            yield from page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def get_screening_quality(
        self, *, version: int | None = None
    ) -> models.ScreeningQuality:
        """How many hits people confirmed and dismissed, and what a version of the
        thresholds would do.
        """
        return cast(
            "models.ScreeningQuality",
            self._json("GET", "/screening-quality", query={"version": version}),
        )

    def get_error_rates(self) -> models.ErrorRates:
        """How often second looks came to another outcome than the decision, and how people
        settled fields of documents.
        """
        return cast("models.ErrorRates", self._json("GET", "/second-looks/rates"))

    def list_sent_webhooks(
        self,
        *,
        subscription: int | None = None,
        status: Literal["due", "done", "dead"] | None = None,
        case: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> models.SentWebhooks:
        """The webhooks that the desk sends, newest first."""
        return cast(
            "models.SentWebhooks",
            self._json(
                "GET",
                "/sent-webhooks",
                query={
                    "subscription": subscription,
                    "status": status,
                    "case": case,
                    "cursor": cursor,
                    "limit": limit,
                },
            ),
        )

    def iterate_sent_webhooks(
        self,
        *,
        subscription: int | None = None,
        status: Literal["due", "done", "dead"] | None = None,
        case: str | None = None,
        limit: int | None = None,
    ) -> Iterator[models.SentWebhook]:
        """As list_sent_webhooks, page after page."""
        cursor: str | None = None
        while True:
            page = self.list_sent_webhooks(
                subscription=subscription,
                status=status,
                case=case,
                limit=limit,
                cursor=cursor,
            )
            yield from page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def get_sent_webhook(self, pk: str) -> models.WholeSentWebhook:
        """A sent webhook with its body and its attempts."""
        return cast(
            "models.WholeSentWebhook",
            self._json("GET", f"/sent-webhooks/{self._part(pk)}"),
        )

    def send_again_sent_webhook(self, pk: str) -> models.SentWebhook:
        """Sends a webhook now that failed or waits for its next try."""
        return cast(
            "models.SentWebhook",
            self._json("POST", f"/sent-webhooks/{self._part(pk)}/send-again", body={}),
        )

    def list_subscriptions(
        self, *, cursor: str | None = None, limit: int | None = None
    ) -> models.Subscriptions:
        """The subscriptions."""
        return cast(
            "models.Subscriptions",
            self._json(
                "GET", "/subscriptions", query={"cursor": cursor, "limit": limit}
            ),
        )

    def iterate_subscriptions(
        self, *, limit: int | None = None
    ) -> Iterator[models.Subscription]:
        """As list_subscriptions, page after page."""
        cursor: str | None = None
        while True:
            page = self.list_subscriptions(limit=limit, cursor=cursor)
            yield from page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def create_subscription(
        self, body: models.NewSubscription
    ) -> models.Subscription | models.Proposal:
        """Subscribes an address; the answer has the secret, this once."""
        return cast(
            "models.Subscription | models.Proposal",
            self._json("POST", "/subscriptions", body=body),
        )

    def get_subscription(self, pk: int) -> models.Subscription:
        """One subscription."""
        return cast(
            "models.Subscription", self._json("GET", f"/subscriptions/{self._part(pk)}")
        )

    def change_subscription(
        self, pk: int, body: models.SubscriptionChange
    ) -> models.Subscription | models.Proposal:
        """Changes a subscription."""
        return cast(
            "models.Subscription | models.Proposal",
            self._json("PATCH", f"/subscriptions/{self._part(pk)}", body=body),
        )

    def delete_subscription(self, pk: int) -> models.Proposal | None:
        """Removes a subscription that has sent nothing yet."""
        return cast(
            "models.Proposal | None",
            self._json("DELETE", f"/subscriptions/{self._part(pk)}"),
        )

    def list_suspicion_reports(
        self,
        *,
        status: Literal["draft", "proposed", "approved", "filed", "withdrawn"]
        | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> models.SuspicionReports:
        """Reports of suspicious activity, newest first."""
        return cast(
            "models.SuspicionReports",
            self._json(
                "GET",
                "/suspicion-reports",
                query={"status": status, "cursor": cursor, "limit": limit},
            ),
        )

    def iterate_suspicion_reports(
        self,
        *,
        status: Literal["draft", "proposed", "approved", "filed", "withdrawn"]
        | None = None,
        limit: int | None = None,
    ) -> Iterator[models.SuspicionReport]:
        """As list_suspicion_reports, page after page."""
        cursor: str | None = None
        while True:
            page = self.list_suspicion_reports(
                status=status, limit=limit, cursor=cursor
            )
            yield from page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def get_suspicion_report(self, pk: int) -> models.SuspicionReport:
        """One report, and what its sentences may rest on."""
        return cast(
            "models.SuspicionReport",
            self._json("GET", f"/suspicion-reports/{self._part(pk)}"),
        )

    def change_suspicion_report(
        self, pk: int, body: models.SuspicionSentences
    ) -> models.SuspicionReport:
        """Stores the sentences of a draft, and what FinCEN's form asks."""
        return cast(
            "models.SuspicionReport",
            self._json("PATCH", f"/suspicion-reports/{self._part(pk)}", body=body),
        )

    def act_on_suspicion_report(
        self, pk: int, body: models.SuspicionAct
    ) -> models.SuspicionReport:
        """Proposes a report, agrees to it or returns it, notes its receipt, gives a draft
        up.
        """
        return cast(
            "models.SuspicionReport",
            self._json("POST", f"/suspicion-reports/{self._part(pk)}/act", body=body),
        )

    def get_suspicion_report_fincen(self, pk: int) -> bytes:
        """The file of an approved report for FinCEN."""
        return self._bytes("GET", f"/suspicion-reports/{self._part(pk)}/fincen")

    def get_suspicion_report_goaml(self, pk: int) -> bytes:
        """The file of an approved report for goAML."""
        return self._bytes("GET", f"/suspicion-reports/{self._part(pk)}/goaml")

    def delete_value_choice(self, pk: int) -> models.ValueChoice:
        """Takes the choice of a value back: the field is as it was read."""
        return cast(
            "models.ValueChoice",
            self._json("DELETE", f"/value-choices/{self._part(pk)}"),
        )

    def list_webhooks(
        self,
        *,
        connection: str | None = None,
        status: Literal["received", "applied", "ignored"] | None = None,
        case: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> models.ReceivedWebhooks:
        """The webhooks that came, newest first."""
        return cast(
            "models.ReceivedWebhooks",
            self._json(
                "GET",
                "/webhooks",
                query={
                    "connection": connection,
                    "status": status,
                    "case": case,
                    "cursor": cursor,
                    "limit": limit,
                },
            ),
        )

    def iterate_webhooks(
        self,
        *,
        connection: str | None = None,
        status: Literal["received", "applied", "ignored"] | None = None,
        case: str | None = None,
        limit: int | None = None,
    ) -> Iterator[models.ReceivedWebhook]:
        """As list_webhooks, page after page."""
        cursor: str | None = None
        while True:
            page = self.list_webhooks(
                connection=connection,
                status=status,
                case=case,
                limit=limit,
                cursor=cursor,
            )
            yield from page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def get_webhook(self, pk: int) -> models.WholeWebhook:
        """A webhook as it came."""
        return cast(
            "models.WholeWebhook", self._json("GET", f"/webhooks/{self._part(pk)}")
        )

    def replay_webhook(self, pk: int) -> models.ReceivedWebhook:
        """Replay a webhook that was not applied."""
        return cast(
            "models.ReceivedWebhook",
            self._json("POST", f"/webhooks/{self._part(pk)}/replay", body={}),
        )
