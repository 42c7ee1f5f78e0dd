"""What the tables of the desk hold of people: see compliance.security.data_map."""

from __future__ import annotations

from django.db.models import CharField, Q, QuerySet, Value
from django.db.models.functions import Cast, Concat

from compliance.security.data_map import ERASED, Act, Table
from reviews.models import Case, Document, FileScan, RequestMail

_WORK = "updated_at due_at leased_until claim_count failures"
_CASE = "as long as the case: until it is erased by a rule or at a request."
_STAFF = "for good: the trail names who did what."
_OF_STAFF = "Who works here, and not who is under review."
# In place of what must differ from row to row.
_NUMBERED = Concat(Value("erased-"), Cast("pk", CharField()), output_field=CharField())


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
        "reviews.Case",
        plain=(
            "id updated_at connection agent reference kind country status submitted_by created_at"
            " analyst due_at review_on snoozed_until recommendation requirements_version risk severity"
            " risk_band alarm_at erased_at data_key summary procedure open_items"
        ),
        personal={
            "subject": "the name under review",
            "self_attested_data": "what the applicant attested: names, addresses, numbers, dates of birth",
            "schema_extra": "what came beside it",
            "recommendation_reasons": "the service's words, which may quote the data",
            "alarm": "why a person must look again; may quote a finding",
            "first_finding": "the first finding, in words",
            "custom_fields": "values of the fields that the procedure adds",
            "extra_columns": "columns of its file that mean no member of a case",
            "tags": "words that people chose",
        },
        why="The review that the law asks for.",
        kept=_CASE,
        act=Act.BLANK,
        path="pk",
        values={"subject": ERASED},
        note="Its number, kind, country, status and times stay: they prove that the review was done.",
    ),
    Table(
        "reviews.Document",
        plain=f"{_WORK} id case kind status size sha256 created_at links_after request",
        personal={
            "file": "the file as it was handed in: passports, certificates, bills",
            "file_name": "its name, as the applicant chose it",
            "source_url": "where it was fetched from",
            "reason": "why it cannot be shown",
        },
        why="The evidence of the review.",
        kept=_CASE,
        act=Act.BLANK,
        path="case",
        values={
            "file_name": ERASED,
            "reason": "It was erased.",
            "status": Document.Status.UNREADABLE,
            "due_at": None,
        },
        note="Kind, size and SHA-256 stay: the trail is bound to them.",
    ),
    Table(
        "reviews.Page",
        plain="id document number width height sha256",
        personal={
            "image": "a picture of the page",
            "words": "the words on it, with their places",
        },
        why="So that nobody has to open the original.",
        kept=_CASE,
        act=Act.REMOVE,
        path="document__case",
    ),
    Table(
        "reviews.SearchText",
        plain="id case page",
        personal={
            "text": "names and numbers of the case, or the text of a page",
            "reference": "the number of the case",
            "name": "the name under review",
        },
        why="The search of the queue.",
        kept=_CASE,
        act=Act.REMOVE,
        path="case",
    ),
    Table(
        "reviews.Identifier",
        plain="id case kind",
        personal={"digest": "a hash of a name, a number or an address"},
        why="To find other cases of the same subject.",
        kept=_CASE,
        act=Act.REMOVE,
        path="case",
    ),
    Table(
        "reviews.ChecklistMark",
        plain="id case item kind by at",
        personal={"note": "why an item is not needed, or a word beside the tick"},
        why="Proves that the procedure was followed.",
        kept=_CASE,
        act=Act.BLANK,
        path="case",
        note="Which item, by whom and when stay.",
    ),
    Table(
        "reviews.SuspicionReport",
        plain=(
            "id updated_at case status noticed_on due_on made_by made_at proposed_by proposed_at"
            " second_by second_at filed_by filed_at receipt"
        ),
        personal={
            "sentences": "what is suspicious, and the evidence of it",
            "second_note": "what the second person wrote",
        },
        why="Reports that the law asks for. The subject must not learn of them.",
        kept=_CASE,
        act=Act.BLANK,
        path="case",
        note="That it was filed, by whom, when, and its receipt stay. It is in no export for the subject.",
    ),
    Table(
        "reviews.LookUp",
        plain="id connection case party by at hit_count",
        personal={
            "query": "the name, number and date of birth that was looked up",
            "answer": "the entries of lists that the service answered",
        },
        why="Proves that the lists were searched, and what they held.",
        kept="as long as its case; of no case for five years, to the next look-up.",
        act=Act.BLANK,
        path="case",
        note="Who looked something up, when, and how many hits it had stay.",
    ),
    Table(
        "reviews.BulkApproval",
        plain="id updated_at by made_at share status reasons act",
    ),
    Table("reviews.BulkApprovalCase", plain="id approval case revision is_sample"),
    Table("reviews.Party", plain="id kind head created_at"),
    Table("reviews.CaseParty", plain="id case party role place at"),
    Table(
        "reviews.PartyStatement",
        plain="id case_party kind label source by learnt_at replaced_at",
        personal={
            "value": "a name, a number or a fact of a party: the subject, an owner, a director",
            "issuer": "the country that issued the number",
            "digest": "a hash of a name or a number",
            "since": "from when on it holds",
            "until": "until when it holds",
        },
        why="Who stands behind the customer, over all cases.",
        kept=_CASE,
        act=Act.BLANK,
        path="case_party__case",
        values={"value": ERASED},
        note="The kind of statement, its source and time stay. A party that no other case names is a number then.",
    ),
    Table(
        "reviews.PartyRelation",
        plain="id holder held kind source by learnt_at replaced_at",
        personal={
            "share_min": "the share, at least",
            "share_max": "the share, at most",
            "votes_min": "the votes, at least",
            "votes_max": "the votes, at most",
            "detail": "the relation in words",
            "since": "from when on it holds",
            "until": "until when it holds",
        },
        why="Who owns and controls the customer.",
        kept=_CASE,
        act=Act.BLANK,
        path="holder__case",
        note="The kind of relation, its source and time stay; it counts no more.",
    ),
    Table(
        "reviews.PartyMerge",
        plain="id first second by at undone_by undone_at",
        personal={
            "reason": "why two parties are the same; to be written without a name",
            "undone_reason": "why they are not",
        },
        why="Who joined parties, and why.",
        kept=_STAFF,
        note="It says who judged what.",
    ),
    Table(
        "reviews.Job",
        plain=(
            f"{_WORK} id case connection agent remote_id check_id status recommendation"
            " requirements_version tries has_results traceparent created_at started_at ended_at"
        ),
        personal={
            "sent": "what the service was asked, with the attested data",
            "recommendation_reasons": "the service's words, which may quote the data",
            "notice": "how a webhook says that the job ended",
            "error": "why it failed, in the service's words",
        },
        why="To prove what was asked, and to ask again.",
        kept=_CASE,
        act=Act.BLANK,
        path="case",
        values={"due_at": None, "leased_until": None},
        note="The number, the status and the times stay.",
    ),
    Table(
        "reviews.CheckResult",
        plain="id job source check_id status passed confirmation rank received_at",
        personal={
            "body": "what the check found, word for word",
            "subject": "which document it is about",
        },
        why="What a decision rests on.",
        kept=_CASE,
        act=Act.BLANK,
        path="job__case",
        values={"subject": _NUMBERED},
        note="Which check it was, and whether it passed, stays.",
    ),
    Table(
        "reviews.CheckReview",
        plain="id job check_id kind by at",
        personal={"reason": "why a person overrode a check"},
        why="Who judged what, and why.",
        kept=_CASE,
        act=Act.BLANK,
        path="job__case",
        values={"reason": ERASED},
        note="The person, the time and the kind stay.",
    ),
    Table(
        "reviews.Dismissal",
        plain="id case by at until taken_back_at",
        personal={
            "key": "a hash of the finding",
            "title": "the finding, in words",
            "reason": "why it means nothing",
        },
        why="So that nobody judges a finding twice.",
        kept=_CASE,
        act=Act.BLANK,
        path="case",
        values={"title": ERASED, "reason": ERASED, "key": _NUMBERED},
        note="The person and the times stay. It no longer counts for other cases.",
    ),
    Table(
        "reviews.Decision",
        plain=(
            "id updated_at case outcome status reasons recommendation needs_second why_second made_by"
            " made_at second_by second_at bulk policy"
        ),
        personal={
            "rationale": "why, in words",
            "second_note": "what the second person wrote",
            "reopened_for": "why it was reopened",
        },
        why="Who decided what, and why.",
        kept=_CASE,
        act=Act.BLANK,
        path="case",
        values={"rationale": ERASED},
        note="The outcome, the reason codes, the people and the times stay.",
    ),
    Table(
        "reviews.CaseRating",
        plain="id case policy score band at",
        personal={
            "inputs": "the facts that count: countries, hits, structure, product",
            "result": "what each of them contributed, in words",
        },
        why="How great the risk of a customer is, and why.",
        kept=_CASE,
        act=Act.BLANK,
        path="case",
        note="The policy, the score, the band and the time stay.",
    ),
    Table(
        "reviews.RatingOverride",
        plain=(
            "id updated_at case was band status made_by made_at needs_second second_by second_at"
            " ended_at"
        ),
        personal={"reason": "why a person rated the case otherwise"},
        why="Who judged what, and why.",
        kept=_CASE,
        act=Act.BLANK,
        path="case",
        values={"reason": ERASED},
        note="The bands, the people and the times stay.",
    ),
    Table(
        "reviews.RatingState",
        plain=f"{_WORK} id case status rating score band",
    ),
    Table(
        "reviews.PeriodicReview",
        plain=f"{_WORK} id case decision status on reason opened_case opened_at",
        personal={
            "changes": "what happened since the approval: the risk, documents that expire, relations"
        },
        why="The review that the law asks for, again.",
        kept=_CASE,
        act=Act.BLANK,
        path="case",
        values={"due_at": None},
        note="The date, its reason and the case that was opened stay.",
    ),
    Table(
        "reviews.PolicyTrial",
        plain=(
            f"{_WORK} id policy against by begun_at ended_at status total done unread last_case counts"
        ),
    ),
    Table(
        "reviews.TrialChange",
        plain="id trial case band score new_band new_score",
    ),
    Table(
        "reviews.RiskPolicy",
        plain="id updated_at number note content status made_by made_at live_at",
    ),
    Table(
        "reviews.DecisionPolicy",
        plain="id updated_at number note content status made_by made_at live_at",
    ),
    Table("reviews.ApprovalSwitch", plain="id updated_at status"),
    Table("reviews.AutomaticReview", plain=f"{_WORK} id case status"),
    Table(
        "reviews.DecisionTrial",
        plain=f"{_WORK} id policy against by begun_at ended_at status total done last_case counts",
    ),
    Table(
        "reviews.SecondLook",
        plain="id updated_at case decision share drawn_at status by taken_at outcome given_at",
        personal={"rationale": "why somebody would have decided so, too, or otherwise"},
        why="How good decisions are.",
        kept=_CASE,
        act=Act.BLANK,
        path="case",
        values={"rationale": ERASED},
        note="The outcome, the people and the times stay.",
    ),
    Table(
        "reviews.ScreeningPolicy",
        plain="id updated_at number note content status made_by made_at live_at",
    ),
    Table(
        "reviews.HitLabel",
        plain=(
            "id case kind source list_slug list_title script schema band score is_certain by at"
            " taken_back_at"
        ),
        personal={
            "key": "a hash of the hit",
            "asked": "the name that was compared",
            "title": "the listed name",
            "entry_id": "the publisher's id of the entry",
        },
        why="How good the screening is, and what another threshold would lose.",
        kept=_CASE,
        act=Act.BLANK,
        path="case",
        values={"title": ERASED, "key": _NUMBERED},
        note="The list, the score, what was said, by whom and when stay: they name nobody.",
    ),
    Table(
        "reviews.LostHit",
        plain="id policy label acknowledged_by acknowledged_at",
        personal={
            "reason": "why a threshold may go live although it asks nobody about a match"
        },
        why="A threshold that loses a match is answered for.",
        kept=_CASE,
        act=Act.BLANK,
        path="label__case",
        values={"reason": ERASED},
        note="The person and the time stay.",
    ),
    Table(
        "reviews.Contradiction",
        plain="id trial case decision outcome acknowledged_by acknowledged_at",
        personal={
            "reason": "why a version may go live although people decided otherwise"
        },
        why="A policy that approves cases by itself is answered for.",
        kept=_CASE,
        act=Act.BLANK,
        path="case",
        values={"reason": ERASED},
        note="The outcome, the person and the time stay.",
    ),
    Table(
        "reviews.Procedure",
        plain="id updated_at kind number note content status made_by made_at live_at",
    ),
    Table(
        "reviews.Note",
        plain="id case by at edited_at mentions",
        personal={"text": "what people wrote to each other"},
        why="Work on a case by several people.",
        kept=_CASE,
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
        kept=_CASE,
        act=Act.BLANK,
        path="note__case",
        values={"file_name": ERASED},
        note="Size and SHA-256 stay.",
    ),
    Table(
        "reviews.FileScan",
        plain=f"{_WORK} id document attachment status signature scanner scanned_at error by at",
        personal={"because": "why a person released or removed the file"},
        why="No file with malware is given to anybody.",
        kept=_CASE,
        act=Act.BLANK,
        rows=_scans,
        values={"because": ERASED},
        note="What the scanner answered, the person and the time stay.",
    ),
    Table(
        "reviews.InformationRequest",
        plain=f"{_WORK} id case status kinds made_by made_at expires_at answered_at",
        personal={
            "message": "what the applicant was asked",
            "answer": "what the applicant wrote",
            "draft": "what the applicant has typed and not sent",
        },
        why="Questions to the applicant.",
        kept=_CASE,
        act=Act.BLANK,
        path="case",
        values={"message": ERASED},
        note="The kinds that were asked for, the person and the times stay.",
    ),
    Table(
        "reviews.RequestMail",
        plain=f"{_WORK} id request invitation kind status sent_at fault",
        personal={"address": "where the link was sent"},
        why="To send the link of a request, and to remind of it.",
        kept=_CASE,
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
        kept=_CASE,
        act=Act.BLANK,
        path="request__case",
        values={"reason": ERASED},
        note="Which document it was stays.",
    ),
    Table(
        "reviews.Invitation",
        plain=(
            f"{_WORK} id agent status reference made_by made_at expires_at submitted_at submission case"
        ),
        personal={
            "message": "what the applicant was told",
            "typed": "what the applicant has typed and not sent",
        },
        why="So that an applicant fills in their own data.",
        kept="what was typed: until it is sent or the link ends. The rest: as long as the case.",
        act=Act.BLANK,
        path="case",
        note="Who invited, and the times, stay.",
    ),
    Table(
        "reviews.Organisation",
        plain=(
            f"{_WORK} id status name contact colour colour_dark logo logo_width logo_height"
            " upload logo_fault remind_days remind_most"
        ),
    ),
    Table(
        "reviews.DraftFile",
        plain=f"{_WORK} id user request invitation status kind size sha256 created_at",
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
            f"{_WORK} id by agent status sha256 mapping joins_rows total done error created_at"
            " ended_at"
        ),
        personal={
            "file": "a file of cases that are not open yet",
            "file_name": "its name",
        },
        why="So that many cases are checked together before they are opened.",
        kept="the file: until its cases are open, at most a day where nobody confirms it. The rest: for good.",
        note="It belongs to no case. The file ends by itself.",
    ),
    Table(
        "reviews.ImportedRow",
        plain="id source line reference outcome case error",
    ),
    Table(
        "reviews.Announcement",
        plain=f"{_WORK} id url status tries created_at subscription case decision event",
        personal={"body": "the news of the case, as it was sent to subscribers"},
        why="To send it again until it is accepted.",
        kept=_CASE,
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
        kept=_CASE,
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
        plain=f"{_WORK} id to status sent_at fault",
    ),
    Table(
        "reviews.InboxPreference",
        plain="user mail",
    ),
    Table(
        "reviews.DueWatch",
        plain=f"{_WORK} id status",
    ),
    Table(
        "reviews.Presence",
        plain="id case user seen_at since",
    ),
    Table(
        "reviews.CaseEvent",
        plain="id case at actor user what data bindings mac personal_sha256",
        personal={
            "personal": "the words of people and the names beside a line",
            "by": "the person who did it",
        },
        why="The proof of who did what.",
        kept="for good.",
        note="Lines are only ever added. The words cannot be read any more: their key is erased. See [the trail](#what-stays-and-why).",
    ),
    Table(
        "reviews.Draft",
        plain="id user kind updated_at",
        personal={"typed": "the fields of a form that was not submitted"},
        why="So that nobody types twice.",
        kept="30 days, or until the form is submitted.",
        note="It belongs to no case. It ends by itself.",
    ),
    Table(
        "reviews.SavedView",
        plain="id owner team",
        personal={
            "name": "a word for it",
            "query": "the filters, perhaps with a search",
        },
        why="How a person looks at the queue.",
        kept="until the person removes it.",
        note="Erasure takes the search out of it where it contains the subject.",
    ),
    Table(
        "reviews.Tag",
        plain="id",
        personal={"name": "a word that cases are marked with"},
        why="To sort cases.",
        kept="until an administrator removes it.",
        note="Erasure takes the tags off the case, and removes those that no other case has.",
    ),
    Table(
        "reviews.BulkAct",
        plain=f"{_WORK} id by act to status cases done refused created_at",
    ),
    Table(
        "reviews.Read",
        plain="id at kind item case",
        personal={"user": "who looked", "by": "the name then"},
        why="To see who looked at what.",
        kept="`READS_DAYS`.",
        note=_OF_STAFF,
    ),
    Table(
        "reviews.LegalHold",
        plain="id case reference by at until lifted_by lifted_at",
        personal={
            "reason": "why the case must be kept; to be written without a name",
            "lifted_reason": "why it need not any more",
        },
        why="To keep what a court or an authority asks for.",
        kept=_STAFF,
        note="It says why something was kept.",
    ),
    Table(
        "reviews.Erasure",
        plain=(
            f"{_WORK} id case rule rule_name by planned_at needs_second second_by second_at status"
            " erased_at counts remains service waits_for done_at"
        ),
        personal={
            "reason": "such as the number of the request; to be written without a name",
            "refusal": "why it was refused or withdrawn",
        },
        why="The proof that something was erased.",
        kept=_STAFF,
        note="It says what was erased.",
    ),
    Table(
        "reviews.ApiToken",
        plain=(
            "id prefix digest created_at expires_at revoked_at last_used_at name scopes made_by"
        ),
        personal={"user": "in whose name it acts"},
        why="Access of other systems.",
        kept=_STAFF,
        note=_OF_STAFF,
    ),
    Table(
        "reviews.Connection",
        plain=(
            "id name slug base_url api_key compact_header is_active created_at timestamped_since"
            " refused_at refused_reason"
        ),
    ),
    Table("reviews.Pause", plain=f"{_WORK} id connection status reason since probes"),
    Table(
        "reviews.WebhookSecret",
        plain="id connection name secret active_until created_at",
    ),
    Table("reviews.Agent", plain="id connection kind name agent_key is_active"),
    Table("reviews.ReasonCode", plain="id code label hint outcome claim is_active"),
    Table(
        "reviews.FourEyesRule",
        plain="id name condition threshold outcome agent is_active",
    ),
    Table("reviews.Team", plain="id name members connections"),
    Table("reviews.Clock", plain="id name minutes agent risk is_active"),
    Table("reviews.QueueLayout", plain="user hidden density"),
    Table(
        "reviews.Subscription",
        plain="id name url secret connection events is_active created_at",
    ),
    Table(
        "reviews.RetentionRule",
        plain=(f"{_WORK} id name kind outcome months clock is_active status"),
    ),
    Table("reviews.Seal", plain="seq event hash"),
    Table("reviews.Unsealed", plain="event_id"),
    Table(
        "reviews.Chain",
        plain=f"{_WORK} id status seq hash mac anchored_seq anchored_at",
    ),
    Table("reviews.TreeNode", plain="id level index hash"),
    Table(
        "reviews.AnchorCopy",
        plain=f"{_WORK} id channel status sent_seq sent_at error",
    ),
)
