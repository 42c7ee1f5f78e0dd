"""Why a case needs a person again, and why a webhook was not applied: stored in English."""

from __future__ import annotations

from django.utils.translation import gettext_noop as _

SENTENCES = (
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
    # webhooks.events
    _("A webhook of this case could not be read: number {count}."),
    _("It was kept."),
    _("It is neither a job event nor a tool event."),
    _("It is a sample: the service was asked to try this receiver."),
    _("The service refuses the key."),
    _("The case of this job was erased."),
    _("Nothing was kept."),
    _("Nobody here started this job, and the service says: {words}"),
)
