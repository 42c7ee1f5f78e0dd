"""The data map of notes and files, requests to applicants, and messages that are sent."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from compliance.security.data_map import ERASED, Act, Table
from reviews.models import Case, FileScan, RequestMail
from reviews.privacy.data_map.common import CASE, WORK


def _scans(case: Case) -> QuerySet[FileScan]:
    of_documents = Q(document__case=case)
    of_notes = Q(attachment__note__case=case)
    return FileScan.objects.filter(of_documents | of_notes)


def _mails(case: Case) -> QuerySet[RequestMail]:
    of_requests = Q(request__case=case)
    of_invitations = Q(invitation__case=case)
    return RequestMail.objects.filter(of_requests | of_invitations)


TABLES = (
    Table(
        "reviews.Note",
        plain="id case by at edited_at mentions",
        personal={"text": "what people wrote to each other"},
        why="Work on a case by several people.",
        kept=CASE,
        act=Act.BLANK,
        path="case",
        values={"text": ERASED},
        note="The person and the time stay.",
    ),
    Table(
        "reviews.Attachment",
        plain="id note size sha256",
        personal={"file": "a file beside a note", "file_name": "its name"},
        why="Work on a case by several people.",
        kept=CASE,
        act=Act.BLANK,
        path="note__case",
        values={"file_name": ERASED},
        note="Size and SHA-256 stay.",
    ),
    Table(
        "reviews.FileScan",
        plain=f"{WORK} id document attachment status signature scanner scanned_at error by at",
        personal={"because": "why a person released or removed the file"},
        why="No file with malware is given to anybody.",
        kept=CASE,
        act=Act.BLANK,
        rows=_scans,
        # A file that is gone cannot be scanned: the row would be due again and again.
        values={"because": ERASED, "due_at": None},
        note="What the scanner answered, the person and the time stay.",
    ),
    Table(
        "reviews.InformationRequest",
        plain=f"{WORK} id case status kinds made_by made_at expires_at answered_at",
        personal={
            "message": "what the applicant was asked",
            "answer": "what the applicant wrote",
            "draft": "what the applicant has typed and not sent",
        },
        why="Questions to the applicant.",
        kept=CASE,
        act=Act.BLANK,
        path="case",
        values={"message": ERASED},
        note="The kinds that were asked for, the person and the times stay.",
    ),
    Table(
        "reviews.RequestMail",
        plain=f"{WORK} id request invitation kind status language sent_at fault",
        personal={"address": "where the link was sent"},
        why="To send the link of a request, and to remind of it.",
        kept="as long as its case; of an invitation that leads to no case until its link ends.",
        act=Act.BLANK,
        rows=_mails,
        values={"address": ERASED, "due_at": None},
        note="The kind, the status and the time stay.",
    ),
    Table(
        "reviews.RefusedDocument",
        plain="id request document",
        personal={"reason": "why a document was not accepted"},
        why="So that the applicant knows what to send instead.",
        kept=CASE,
        act=Act.BLANK,
        path="request__case",
        values={"reason": ERASED},
        note="Which document it was stays.",
    ),
    Table(
        "reviews.Invitation",
        plain=(
            f"{WORK} id agent status reference made_by made_at expires_at submitted_at submission case"
        ),
        personal={
            "message": "what the applicant was told",
            "typed": "what the applicant has typed and not sent",
        },
        why="So that an applicant fills in their own data.",
        kept="what was typed: until it is sent or the link ends. The message: as long as the case; of no case until the link ends.",
        act=Act.BLANK,
        path="case",
        note="Who invited, and the times, stay.",
    ),
    Table(
        "reviews.Organisation",
        plain=(
            f"{WORK} id status name contact colour colour_dark logo logo_width logo_height"
            " upload logo_fault remind_days remind_most"
        ),
    ),
    Table(
        "reviews.ReportingInstitution",
        plain=(
            "id name tin tin_type regulator kind other_kind street city state postal_code country"
            " office office_phone office_extension transmitter transmitter_tin transmitter_code"
            " transmitter_contact transmitter_phone transmitter_street transmitter_city"
            " transmitter_state transmitter_postal_code transmitter_country"
        ),
    ),
    Table(
        "reviews.DraftFile",
        plain=f"{WORK} id user request invitation status kind size sha256 created_at",
        personal={
            "file": "a file that was not submitted",
            "file_name": "its name",
        },
        why="So that nobody chooses a file twice.",
        kept="30 days, of a link to an applicant until the link ends.",
        act=Act.REMOVE,
        path="request__case",
    ),
    Table(
        "reviews.CaseImport",
        plain=(
            f"{WORK} id by agent status sha256 mapping joins_rows total done error created_at"
            " ended_at"
        ),
        personal={
            "file": "a file of cases that are not open yet",
            "file_name": "its name",
        },
        why="So that many cases are checked together before they are opened.",
        kept="the file: until its cases are open, at most a day where nobody confirms it. The rest: for good.",
        note="It belongs to no case. The file ends by itself. Erasure empties the name of a file that names the subject.",
        is_searched=True,
    ),
    Table(
        "reviews.ImportedRow",
        plain="id source line reference outcome case error",
    ),
    Table(
        "reviews.Announcement",
        plain=f"{WORK} id url status tries created_at subscription case decision event",
        personal={"body": "the news of the case, as it was sent to subscribers"},
        why="To send it again until it is accepted.",
        kept=CASE,
        act=Act.BLANK,
        path="case",
        values={"due_at": None},
        note="The address, the status and the times stay.",
    ),
    Table(
        "reviews.AnnouncementAttempt",
        plain="id at http_status error took_ms delivery",
        personal={"response": "what the receiver answered"},
        why="To see why a delivery failed.",
        kept=CASE,
        act=Act.BLANK,
        path="delivery__case",
        note="Status and times stay.",
    ),
    Table(
        "reviews.Notification",
        plain="id to case kind by at read_at mail",
    ),
    Table(
        "reviews.NoticeMail",
        plain=f"{WORK} id to status sent_at fault",
    ),
    Table(
        "reviews.InboxPreference",
        plain="user mail",
    ),
    Table(
        "reviews.DueWatch",
        plain=f"{WORK} id status",
    ),
    Table(
        "reviews.Presence",
        plain="id case user seen_at since",
    ),
)
