"""Shows the audit trail of a case in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from compliance.languages import english
from reviews import results
from reviews.findings import recommendations
from reviews.models import Band, CaseEvent, Document, Outcome, ValueChoice
from reviews.results.kinds import STATE_WORDS
from reviews.results.sentences import in_words
from reviews.results.words import translated

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

# Name of an audit event → icon, words that follow the user's name. Unknown events are shown by
# name.
EVENTS = {
    "submitted": ("send", _("submitted the case")),
    "run_again": ("rotate-cw", _("had the checks run again")),
    "stopped_waiting": ("hourglass", _("stopped waiting for the job")),
    "claimed": ("play", _("took the case as the next one")),
    "assigned": ("user", _("assigned the case")),
    "unassigned": ("user", _("unassigned the case")),
    "put_back": (
        "user",
        _("put the case back into the queue: its analyst can no longer review it"),
    ),
    "snoozed": ("alarm-clock", _("snoozed the case")),
    "woken": ("alarm-clock", _("ended the snooze of the case")),
    "imported": ("download", _("started a job elsewhere, and the desk imported it")),
    # Only in rows that earlier versions wrote.
    "adopted": ("download", _("started a job elsewhere, and the desk imported it")),
    "enriched": ("search", _("asked the data provider about the subject")),
    "alarm": ("triangle-alert", _("raised an alarm")),
    "late_result": ("clock", _("sent a result after the decision")),
    "results_received": ("inbox", _("sent results")),
    "results_compared": (
        "check",
        _("compared the results with the record of the service"),
    ),
    "recommendation_changed": ("info", _("changed its recommendation")),
    "document_fetched": ("download", _("fetched a document")),
    "original_taken": ("download", _("took the original of a file")),
    "file_scanned": ("shield-check", _("scanned a file for malware: nothing found")),
    "file_quarantined": ("triangle-alert", _("put a file in quarantine")),
    "file_released": ("badge-check", _("released a file from quarantine")),
    "file_removed": ("x", _("removed a file in quarantine")),
    "pages_drawn": ("file-text", _("drew the pages of a document")),
    "pages_removed": (
        "file-text",
        _("removed the pages of a document to draw them again"),
    ),
    "document_link_used": ("download", _("fetched a document by its link")),
    "document_links_ended": ("x", _("ended the links to a document")),
    "request_link_used": ("eye", _("opened the page of the request")),
    "job_complete": ("check", _("finished the job")),
    "job_failed": ("circle-alert", _("could not run the job to its end")),
    "decided": ("badge-check", _("decided the case")),
    "second_look_drawn": ("eye", _("had the decision drawn for a second look")),
    "second_look_taken": ("eye", _("began a second look")),
    "second_look_put_back": (
        "corner-up-left",
        _("left the second look to somebody else"),
    ),
    "second_look_given": ("eye", _("gave the second look")),
    "contradiction_acknowledged": (
        "gavel",
        _(
            "acknowledged that a decision policy would have approved the case automatically"
        ),
    ),
    "drawn_as_sample": (
        "eye",
        _("had the case drawn for a full look, beside a bulk approval"),
    ),
    "proposed": ("users", _("proposed a decision, for a second person to approve")),
    "approved_second": ("badge-check", _("approved the decision as the second person")),
    "sent_back": ("corner-up-left", _("sent the decision back")),
    "reopened": ("rotate-ccw", _("reopened the case")),
    "check_reviewed": ("check", _("marked a check reviewed")),
    "check_overridden": ("gavel", _("overrode a check")),
    "mark_taken_back": ("rotate-ccw", _("took a mark back")),
    "dismissed": ("circle-minus", _("dismissed a finding")),
    "value_chosen": ("check", _("chose the value of an unsure field")),
    "value_corrected": ("pencil", _("corrected a value that was read")),
    "value_choice_taken_back": ("rotate-ccw", _("took the choice of a value back")),
    "hit_confirmed": ("check", _("confirmed a hit as a match")),
    "dismissed_hits_labelled": (
        "circle-minus",
        _("added dismissed hits to the labelled set"),
    ),
    "hit_confirmation_taken_back": (
        "rotate-ccw",
        _("took the confirmation of a hit back"),
    ),
    "lost_hit_acknowledged": (
        "gavel",
        _("acknowledged that a threshold would ask nobody about a match"),
    ),
    "looked_up": ("search", _("looked a name up in the lists")),
    "dismissal_ended": ("hourglass", _("ended a dismissal: its time was up")),
    "dismissal_taken_back": ("rotate-ccw", _("took a dismissal back")),
    "information_requested": ("send", _("asked the applicant for documents")),
    "information_received": ("upload", _("sent what was asked for")),
    "applicant_submitted": ("upload", _("filled in the form and sent it")),
    "request_mailed": ("send", _("sent the applicant the link by e-mail")),
    "request_reminded": ("alarm-clock", _("reminded the applicant by e-mail")),
    "request_expired": ("hourglass", _("stopped waiting: the time was up")),
    "request_withdrawn": ("x", _("withdrew the request to the applicant")),
    "note_added": ("message-square", _("wrote a note")),
    "note_edited": ("pencil", _("edited a note")),
    "tagged": ("tag", _("tagged the case")),
    "untagged": ("tag", _("removed a tag")),
    "evidence_taken": ("package", _("took the evidence pack")),
    "webhook_replayed": ("rotate-cw", _("replayed a webhook")),
    "announcement_sent_again": (
        "rotate-cw",
        _("had the webhook of a decision sent again"),
    ),
    "job_queued_again": ("rotate-cw", _("queued a job again that was never sent")),
    "mail_queued_again": ("rotate-cw", _("had an e-mail to the applicant sent again")),
    "hold_placed": ("shield-check", _("put the case on hold")),
    "hold_lifted": ("shield-check", _("lifted a hold of the case")),
    "erasure_planned": ("hourglass", _("planned the erasure of the case")),
    "erasure_confirmed": ("users", _("agreed to the erasure as the second person")),
    "erasure_withdrawn": ("x", _("withdrew the erasure")),
    "erasure_refused": ("circle-alert", _("did not erase the case")),
    "case_erased": ("x", _("erased the personal data of the case")),
    "erasure_done": ("check", _("had the service erase the case")),
    "subject_taken": ("package", _("took the export of the subject")),
    "rated": ("gauge", _("rated the risk")),
    "rating_overridden": ("gavel", _("rated the risk otherwise")),
    "rating_override_proposed": (
        "users",
        _("proposed to rate the risk lower, for a second person to approve"),
    ),
    "rating_override_approved": ("badge-check", _("agreed to rate the risk lower")),
    "rating_override_taken_back": (
        "rotate-ccw",
        _("had the policy's rating hold again"),
    ),
    "rating_override_ended": ("rotate-ccw", _("ended a person's rating")),
    "review_opened": ("rotate-cw", _("opened the periodic review, a case of its own")),
    "opened_for_review": ("rotate-cw", _("opened this case as a periodic review")),
    "item_ticked": ("check", _("ticked an item of the checklist")),
    "item_explained": ("circle-minus", _("explained why an item is not needed")),
    "item_reopened": ("rotate-ccw", _("opened an item of the checklist again")),
    "fields_changed": ("pencil", _("changed fields of the case")),
    "procedure_changed": ("rotate-cw", _("took up another version of the procedure")),
    "report_taken": ("printer", _("took the report")),
    "party_separated": (
        "users",
        _("made a party of the case a party of its own, because its number is wrong"),
    ),
    "party_put_back": (
        "users",
        _("put a party of the case back to the party that it was before"),
    ),
    "parties_recorded": ("users", _("recorded the parties of the case")),
    "relation_added": ("users", _("added a relation between parties")),
    "relation_ended": ("users", _("ended a relation between parties")),
    "relation_placed": (
        "users",
        _("said which party a relation is about, after a merge was undone"),
    ),
}
# The names of what a line holds, as the trail keeps them. Any other is shown as it is named.
DETAILS = {
    "after": _("After"),
    "agent": _("Agent"),
    "alarm": _("Alarm"),
    "approval": _("Bulk approval"),
    "band": _("Risk band"),
    "before": _("Before"),
    "bulk": _("Bulk approval"),
    "cases": _("Cases"),
    "check": _("Check"),
    "checks": _("Checks"),
    "choice": _("Choice"),
    "closed": _("Closed"),
    "count": _("Count"),
    "counts": _("Counts"),
    "document": _("Document"),
    "documents": _("Documents"),
    "erasure": _("Erasure"),
    "field": _("Field"),
    "fields": _("Fields"),
    "file": _("File"),
    "files": _("Files"),
    "files_missing": _("Missing files"),
    "finding": _("Finding"),
    "hit": _("Hit"),
    "hits": _("Hits"),
    "hold": _("Hold"),
    "invitation": _("Invitation"),
    "item": _("Item"),
    "job": _("Job"),
    "kind": _("Kind"),
    "kinds": _("Kinds"),
    "lists": _("Lists"),
    "look_up": _("Look-up"),
    "made_by": _("Made by"),
    "mail": _("E-mail"),
    "manifest_sha256": _("SHA-256 of the manifest"),
    "missing": _("Missing"),
    "name": _("Name"),
    "new": _("New"),
    "note": _("Note"),
    "now": _("Now"),
    "old": _("Old"),
    "outcome": _("Outcome"),
    "owner": _("Owner"),
    "pages": _("Pages"),
    "parties": _("Parties"),
    "person": _("Person"),
    "policy": _("Policy"),
    "rating": _("Rating"),
    "rationale": _("Rationale"),
    "read": _("As it was read"),
    "reason": _("Reason"),
    "reasons": _("Reasons"),
    "recommendation": _("Recommendation"),
    "reference": _("Reference"),
    "relation": _("Relation"),
    "remains": _("What remains"),
    "request": _("Request"),
    "rows": _("Rows"),
    "rule": _("Rule"),
    "said": _("Text"),
    "scanner": _("Scanner"),
    "score": _("Score"),
    "second": _("Second person"),
    "service": _("Service"),
    "sha256": _("SHA-256"),
    "signature": _("Signature"),
    "source": _("Source"),
    "status": _("Status"),
    "tag": _("Tag"),
    "text": _("Text"),
    "title": _("Title"),
    "to": _("To"),
    "until": _("Until"),
    "value": _("Value"),
    "verdict": _("Verdict"),
    "was": _("Was"),
    "webhook": _("Webhook"),
    "which": _("Which"),
    "words": _("Words"),
}


@dataclass(frozen=True)
class Event:
    """One event of the audit trail in words."""

    at: datetime
    actor: str
    user: User | None
    icon: str
    words: str
    details: list[tuple[str, str]]

    @classmethod
    def of(cls, event: CaseEvent) -> Event:
        # An event that this release does not know is shown by its name.
        name_of_event = results.label(event.what).lower()
        icon, words = EVENTS.get(event.what, ("info", name_of_event))
        data = event.details
        recommendation = data.get("recommendation")
        if isinstance(recommendation, str):
            words_of_agent = recommendations.shown(recommendation)
            data = data | {"recommendation": words_of_agent}
        details = []
        for name, value in data.items():
            text = results.shown(_in_words(name, value))
            if text:
                label = DETAILS.get(name) or results.label(str(name))
                details.append((str(label), text))
        return cls(
            at=event.at,
            actor=event.actor,
            user=event.user,
            icon=icon,
            words=str(words),
            details=details,
        )


# The trail holds bands of risk in English words, and these details hold one.
_BAND_DETAILS = frozenset({"band", "before", "now", "was"})
with english():
    _BANDS = {str(band.label): band.label for band in Band}
# The words of codes, by the name of the detail that holds them.
_CODES: dict[str, dict[str, StrOrPromise]] = {
    "choice": dict(ValueChoice.Kind.choices),
    "kinds": dict(Document.Kind.choices),
    "outcome": dict(Outcome.choices),
    "verdict": dict(STATE_WORDS),
    "was": dict(Outcome.choices),
}


def _in_words(name: str, value: object) -> object:
    """A value of the trail for a reader: the words of a code, and of each in a list of codes."""
    if isinstance(value, list):
        return [_in_words(name, part) for part in value]
    if isinstance(value, dict):
        return _members_in_words(value)
    if not isinstance(value, str):
        return value
    if name in {"check", "checks"}:
        return translated(results.check_label(value))
    if name == "field":
        return translated(results.label(value))
    # Why a second person was asked, in sentences of the desk.
    if name == "second":
        return in_words(value)
    if name in _BAND_DETAILS and value in _BANDS:
        return str(_BANDS[value])
    words = _CODES.get(name, {}).get(value)
    return str(words) if words else value


def _members_in_words(members: Mapping[str, object]) -> str:
    """The members of an object of the trail, each with its label: a document and its digest."""
    parts = []
    for name, value in members.items():
        text = results.shown(_in_words(name, value))
        label = DETAILS.get(name) or results.label(name)
        if text:
            parts.append(f"{label}: {text}")
    return "; ".join(parts)
