"""Each table of the installation is bound to the trail, or here it says why it need not be.

The question about each: could somebody who writes to the database alone gain an act, a sign-in or another
decision by it, without `audit_verify` seeing it? Tables of the desk have their reasons in EXEMPT.
"""

from __future__ import annotations

from django.apps import apps

from reviews.audit.bound_rows import BOUND, EXEMPT

# What docs/audit.md names as not bound.
KNOWN_GAP = "docs/audit.md names it."
OF_A_LIST = "Compared with the digest of its version: test_lists.py."
OF_A_LOAD = "Compared with the digest of its load: test_registers.py."
FOLLOWS = "Computed from what is bound, or shown only."
WORK = "Progress of work."
OTHERS = {
    "account.EmailConfirmation": "Not used: keys of confirmations are signed, and not stored.",
    "admin.LogEntry": "Each entry is a line of the trail, too.",
    "agenthub.AddressEntry": OF_A_LOAD,
    "agenthub.AgentJob": KNOWN_GAP,
    "agenthub.Attempt": WORK,
    "agenthub.CheckRun": KNOWN_GAP,
    "agenthub.Delivery": "The desk asks the service for each result that a webhook brings.",
    "agenthub.DocumentPrint": KNOWN_GAP,
    "agenthub.Feedback": "What a customer wrote. It decides nothing.",
    "agenthub.JobBatch": WORK,
    "agenthub.ListEntity": OF_A_LIST,
    "agenthub.ListIdentifier": OF_A_LIST,
    "agenthub.ListName": OF_A_LIST,
    "agenthub.ListPosting": OF_A_LIST,
    "agenthub.ListRefresh": WORK,
    "agenthub.ListReindex": WORK,
    "agenthub.RegistryCompany": OF_A_LOAD,
    "agenthub.RegistryPosting": OF_A_LOAD,
    "agenthub.RejectedRow": FOLLOWS,
    "agenthub.Rescreening": WORK,
    "agenthub.SubjectMark": KNOWN_GAP,
    "agenthub.ToolRun": KNOWN_GAP,
    "agenthub.Upload": KNOWN_GAP,
    "approvals.Line": "The record of an installation without the desk, which has no trail.",
    "compliance.CspReport": FOLLOWS,
    "compliance.DataKey": "A changed key opens nothing. An erased one needs the line of its erasure.",
    "compliance.Heartbeat": FOLLOWS,
    "compliance.LocalePreference": FOLLOWS,
    "compliance.Tally": FOLLOWS,
    "sessions.Session": KNOWN_GAP,
    "socialaccount.SocialApp": "Not read: the provider is that of the settings.",
    "socialaccount.SocialToken": "Not read.",
    "usersessions.UserSession": KNOWN_GAP,
    "webhooks.Event": KNOWN_GAP,
}


def test_each_table_is_bound_or_has_a_reason():
    undeclared = []
    for model in apps.get_models():
        is_declared = model in BOUND or model in EXEMPT or model._meta.label in OTHERS
        if not is_declared:
            undeclared.append(model._meta.label)
    assert undeclared == []


def test_no_reason_is_left_over():
    labels = {model._meta.label for model in apps.get_models() if model not in BOUND}
    assert set(OTHERS) - labels == set()


def test_each_relation_of_many_is_bound_with_its_row():
    """Rows of a relation of many are in the hash of the row that has the relation."""
    free = {"reviews.Case.tags", "reviews.Note.mentions"}
    for model in apps.get_models():
        for relation in model._meta.local_many_to_many:
            label = f"{model._meta.label}.{relation.name}"
            bound = BOUND.get(model)
            is_bound = bound is not None and relation.name in bound.many.split()
            assert is_bound or label in free, label
