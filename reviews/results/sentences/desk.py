"""What the desk itself stores in English: reasons of its first risk policy, what changed since an approval, and
why a case came back.
"""

from __future__ import annotations

from django.utils.translation import gettext_noop as _

SENTENCES = (
    # The rules of reviews.risk.engine.default. A policy that people write stays as they wrote it.
    _("A person confirmed a match with a list of sanctions."),
    _("Listed owners hold half of it or more, or control it."),
    _("Listed owners may hold half of it or more: a share or a hit is not certain."),
    _("A strong hit on a list of sanctions was not cleared."),
    _("A politically exposed person, or one close to one."),
    _("A country on the black list of FATF."),
    _("The structure is opaque."),
    _("People rejected a document as forged."),
    # reviews.decisions.policy: why a second person must agree.
    _("1 RISK indicator found"),
    _("{count} RISK indicators found"),
    _("A document is of high risk"),
    _("No document and no list was examined"),
    _("The agent recommends: nothing"),
    _("The agent recommends"),
    _("Approve"),
    _("Reject"),
    _("Review"),
    _("The agent says"),
    _("Overridden: {list}"),
    _("Not passed: {list}"),
    # papers.errors and reviews.documents.page_images: why pages of a document are not shown
    _(
        "It is neither a PDF nor a PNG, JPEG, TIFF or HEIC picture, whatever its name says."
    ),
    _(
        "It is encrypted: a password or a key is needed to open it. Ask for a plain copy."
    ),
    _("It is damaged or incomplete and cannot be opened."),
    _("It has no pages."),
    _("Its picture is larger than 100 megapixels, which is more than is drawn here."),
    _("It cannot be shown."),
    _("Drawing its pages did not end well: {reason}."),
    _("Only {count} of {count2} pages could be drawn."),
    _("The first {count} of {count2} pages are drawn."),
    _("The file lacks a font: letters may be missing in its pictures."),
    _("The file is not in the store any more."),
    _("The file in the store is not the one that was handed in: its SHA-256 differs."),
    # reviews.periodic.changes
    _("Only the last {count} of {count2} changes are listed"),
    _("The risk went from {old} to {new}"),
    _("low"),
    _("medium"),
    _("high"),
    _("prohibited"),
    _("A document expires"),
    _("An alarm about a party"),
    _("Another case of the same customer"),
    _("People found a party on a list in another case"),
    _("Another case about a party was rejected"),
    _("New: {kind} of a party"),
    _("Ended: {kind} of a party"),
    _("owner"),
    _("controller"),
    _("director"),
    _("signatory"),
    _("relative"),
    _("associate"),
    # reviews.periodic.dismissal_ends
    _("The dismissal of “{title}” has ended."),
    # reviews.jobs.reopening
    _("A result came after the decision: {label} failed."),
    _("A result came after the decision: {label} could not be run."),
    _("A result came after the decision: {label} asks for a review."),
    _("A result came after the decision: {label} is inconclusive."),
    _("A result came after the decision: {label} cannot be read."),
    _("Run after the decision: {label} failed."),
    _("Run after the decision: {label} could not be run."),
    _("Run after the decision: {label} asks for a review."),
    _("Run after the decision: {label} is inconclusive."),
    _("Run again, and nothing is said of this check any more: {label}."),
    _("Before, it failed."),
    _("Before, it could not be run."),
    _("Before, it asks for a review."),
    _("Before, it is inconclusive."),
    _("Screened again, with a new hit."),
    _("{name}: {title}, score {count}, on {lists}."),
    _("And {count} more."),
    _("The service recommends “{title}”."),
    _("The service recommends nothing."),
    _("It was decided on “{title}”."),
    _("It was decided on nothing."),
    # reviews.jobs.polling, reviews.jobs.end_notices, reviews.findings.confirmation
    _("The service recommends “{title}” now."),
    _("“{title}” stands until a person decides."),
    _("Before: “{title}”."),
    _(
        "The service does not confirm a result that a webhook brought: {label}, {words}."
    ),
    _("The job is under way since {moment} UTC."),
    _("The service does not say that it ended."),
    _("The service says now that the job is {words}."),
    _("It ended as {words}."),
    _("A webhook said: {words}."),
    _("The service says: {words}, which counts."),
    # reviews.jobs, reviews.intake.cases: why a job waits, or how it failed. Words of the service stay as they are.
    _("The service takes no more at the moment."),
    _("The service reported that the job failed."),
    _("The results could not be collected"),
    _("No answer confirms it: {words}"),
    _("The service says of this job: “{title}”."),
    _("The service says of this job: no status."),
    _("Whether it has ended cannot be told from that."),
    _("Waits for the malware scanner: {list}"),
    _("{name} stopped waiting for this job."),
    _("It was under way since {moment} UTC."),
    # webhooks.events
    _("A webhook of this case could not be read: number {count}."),
    _("It was kept."),
    _("It is neither a job event nor a tool event."),
    _("It is a sample: the service was asked to try this receiver."),
    _("The service refuses the key."),
    _("The service is not asked: the connection is switched off."),
    _("The case of this job was erased."),
    _("Nothing was kept."),
    _("Nobody here started this job, and the service says: {words}"),
)
# By what a check of duplicates links two cases.
SHARED = (
    _("number of the ID"),
    _("e-mail address"),
    _("telephone number"),
    _("date of birth"),
    _("tax number"),
    _("website"),
    _("registration number"),
    _("address"),
    _("name"),
    _("country"),
)
