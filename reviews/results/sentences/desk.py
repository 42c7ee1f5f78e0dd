"""What the desk itself stores in English: reasons of its first risk policy, and what changed since an approval."""

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
    # reviews.periodic.changes
    _("The risk went from {old} to {new}"),
    _("low"),
    _("medium"),
    _("high"),
    _("prohibited"),
    _("A document expires"),
    _("An alarm about a party"),
    _("Another case of the same customer"),
    _("New: {kind} of a party"),
    _("Ended: {kind} of a party"),
    _("owner"),
    _("controller"),
    _("director"),
    _("signatory"),
    _("relative"),
    _("associate"),
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
