"""The data map of the case, and of everything that a decision about it is based on."""

from __future__ import annotations

from compliance.security.data_map import ERASED, Act, Table
from reviews.models import Document
from reviews.privacy.data_map.common import CASE, NUMBERED, STAFF, WORK

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
        kept=CASE,
        act=Act.BLANK,
        path="pk",
        values={"subject": ERASED},
        note="Its number, kind, country, status and times stay: they prove that the review was done.",
    ),
    Table(
        "reviews.Document",
        plain=f"{WORK} id case kind status size sha256 tries created_at links_after request",
        personal={
            "file": "the file as it was handed in: passports, certificates, bills",
            "file_name": "its name, as the applicant chose it",
            "source_url": "where it was fetched from",
            "reason": "why it cannot be shown",
        },
        why="The evidence of the review.",
        kept=CASE,
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
        kept=CASE,
        act=Act.REMOVE,
        path="document__case",
    ),
    Table(
        "reviews.SearchText",
        plain="id case page is_reading",
        personal={
            "text": "names and numbers of the case, the text of a page, or what was read from documents",
            "reference": "the number of the case",
            "name": "the name under review",
        },
        why="The search of the queue.",
        kept=CASE,
        act=Act.REMOVE,
        path="case",
    ),
    Table(
        "reviews.SearchWord",
        plain="id text",
        personal={"word": "a word of a name, in Latin letters"},
        why="The search of the queue, by spellings that are one letter away.",
        kept=CASE,
        act=Act.REMOVE,
        path="text__case",
    ),
    Table(
        "reviews.Identifier",
        plain="id case kind",
        personal={"digest": "a hash of a name, a number or an address"},
        why="To find other cases of the same subject.",
        kept=CASE,
        act=Act.REMOVE,
        path="case",
    ),
    Table(
        "reviews.ChecklistMark",
        plain="id case item kind by at",
        personal={"note": "why an item is not needed, or a word beside the tick"},
        why="Proves that the procedure was followed.",
        kept=CASE,
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
            "fincen": "what FinCEN's form asks beside it: kinds of activity, days, amount, relationship",
            "files": "the files for the authority, as they were approved",
            "second_note": "what the second person wrote",
        },
        why="Reports that the law asks for. The subject must not learn of them.",
        kept=CASE,
        act=Act.BLANK,
        path="case",
        note="That it was filed, by whom, when, and its receipt stay. It is in no export for the subject.",
        is_secret=True,
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
        note="Who looked something up, when, and how many hits it had stay. Look-ups of no case for its name, a number, also one that only a document has, or its parties are removed, unless another case has them.",
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
        kept=CASE,
        act=Act.BLANK,
        path="case_party__case",
        values={"value": ERASED},
        note="The kind of statement, its source and time stay. A party that no other case names is a number then.",
    ),
    Table(
        "reviews.PartyRelation",
        plain="id holder held kind source by learnt_at replaced_at placed_at",
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
        kept=CASE,
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
        kept=STAFF,
        note="It says who judged what. The reasons are emptied as soon as no case names one of the two any more.",
        is_searched=True,
    ),
    Table(
        "reviews.Job",
        plain=(
            f"{WORK} id case connection agent remote_id check_id status recommendation"
            " requirements_version tries has_results traceparent created_at started_at ended_at"
        ),
        personal={
            "sent": "what the service was asked, with the attested data",
            "recommendation_reasons": "the service's words, which may quote the data",
            "notice": "how a webhook says that the job ended",
            "error": "why it failed, in the service's words",
        },
        why="To prove what was asked, and to ask again.",
        kept=CASE,
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
            "subject": "a keyed hash of the document and of what the check found",
        },
        why="What a decision rests on.",
        kept=CASE,
        act=Act.BLANK,
        path="job__case",
        values={"subject": NUMBERED},
        note="Which check it was, and whether it passed, stays.",
    ),
    Table(
        "reviews.CheckReview",
        plain="id job check_id kind by at",
        personal={"reason": "why a person overrode a check"},
        why="Who judged what, and why.",
        kept=CASE,
        act=Act.BLANK,
        path="job__case",
        values={"reason": ERASED},
        note="The person, the time and the kind stay.",
    ),
    Table(
        "reviews.Dismissal",
        plain="id case by at until taken_back_at",
        personal={
            "key": "a keyed hash of the finding",
            "title": "the finding, in words",
            "reason": "why it means nothing",
        },
        why="So that nobody judges a finding twice.",
        kept=CASE,
        act=Act.BLANK,
        path="case",
        values={"title": ERASED, "reason": ERASED, "key": NUMBERED},
        note="The person and the times stay. It no longer counts for other cases.",
    ),
    Table(
        "reviews.ValueChoice",
        plain="id case job document tool_id field kind candidates by at ended_at",
        personal={
            "key": "a keyed hash of the field and of what was offered",
            "offered": "the values that the document may state",
            "value": "the value that a person chose or typed",
        },
        why="What the document states where no two readings agree.",
        kept=CASE,
        act=Act.BLANK,
        path="case",
        values={"key": NUMBERED, "value": ERASED},
        note="Which field, how it was settled, by whom and when stay.",
    ),
    Table(
        "reviews.FieldReading",
        plain="id document field candidates at",
        why="How many fields were read, and how many were unsure.",
        kept=CASE,
    ),
    Table(
        "reviews.Decision",
        plain=(
            "id updated_at case outcome status reasons recommendation needs_second why_second made_by"
            " made_at due_at second_by second_at bulk policy"
        ),
        personal={
            "rationale": "why, in words",
            "second_note": "what the second person wrote",
            "reopened_for": "why it was reopened",
        },
        why="Who decided what, and why.",
        kept=CASE,
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
        kept=CASE,
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
        kept=CASE,
        act=Act.BLANK,
        path="case",
        values={"reason": ERASED},
        note="The bands, the people and the times stay.",
    ),
    Table(
        "reviews.RatingState",
        plain=f"{WORK} id case status rating policy score band spreads changes_on",
    ),
    Table(
        "reviews.RatingBatch",
        plain=f"{WORK} id policy first_case last_case status changed stayed read_again",
    ),
    Table(
        "reviews.PeriodicReview",
        plain=f"{WORK} id case decision status on reason opened_case opened_at",
        personal={
            "changes": "what happened since the approval: the risk, documents that expire, relations"
        },
        why="The review that the law asks for, again.",
        kept=CASE,
        act=Act.BLANK,
        path="case",
        values={"due_at": None},
        note="The date, its reason and the case that was opened stay.",
    ),
    Table(
        "reviews.PolicyTrial",
        plain=(
            f"{WORK} id policy against by begun_at ended_at status total done unread last_case counts"
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
    Table("reviews.AutomaticReview", plain=f"{WORK} id case status"),
    Table(
        "reviews.DecisionTrial",
        plain=f"{WORK} id policy against by begun_at ended_at status total done last_case counts",
    ),
    Table(
        "reviews.SecondLook",
        plain="id updated_at case decision share drawn_at status by taken_at outcome given_at",
        personal={"rationale": "why somebody would have decided so, too, or otherwise"},
        why="How good decisions are.",
        kept=CASE,
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
            "key": "a keyed hash of the hit",
            "asked": "the name that was compared",
            "title": "the listed name",
            "entry_id": "the publisher's id of the entry",
        },
        why="How good the screening is, and what another threshold would lose.",
        kept=CASE,
        act=Act.BLANK,
        path="case",
        values={"title": ERASED, "key": NUMBERED},
        note="The list, the score, what was said, by whom and when stay: they name nobody.",
    ),
    Table(
        "reviews.LostHit",
        plain="id policy label acknowledged_by acknowledged_at",
        personal={
            "reason": "why a threshold may go live although it asks nobody about a match"
        },
        why="A threshold that loses a match is answered for.",
        kept=CASE,
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
        why="A policy that approves cases automatically is answered for.",
        kept=CASE,
        act=Act.BLANK,
        path="case",
        values={"reason": ERASED},
        note="The outcome, the person and the time stay.",
    ),
    Table(
        "reviews.Procedure",
        plain="id updated_at kind number note content status made_by made_at live_at",
    ),
)
