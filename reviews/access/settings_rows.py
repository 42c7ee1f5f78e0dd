"""The models that are settings: changing them may require a second person."""

from __future__ import annotations

from compliance.approvals import registry
from compliance.approvals.registry import Setting
from compliance.security.encryption import EncryptedTextField
from reviews.audit.bound_rows import BOUND, SETTINGS
from reviews.models import (
    ApprovalSwitch,
    Clock,
    DecisionPolicy,
    FourEyesRule,
    Procedure,
    ReasonCode,
    ReportingInstitution,
    RetentionRule,
    RiskPolicy,
    ScreeningPolicy,
    Subscription,
    Team,
)

# The group of each model on the page of settings. All others belong to "connections".
KINDS = {
    FourEyesRule: "rules",
    ReasonCode: "rules",
    Clock: "rules",
    RetentionRule: "rules",
    RiskPolicy: "rules",
    Procedure: "rules",
    DecisionPolicy: "rules",
    ApprovalSwitch: "rules",
    ScreeningPolicy: "rules",
    ReportingInstitution: "rules",
    Subscription: "subscriptions",
    Team: "people",
}


def register() -> None:
    for model in SETTINGS:
        bound = BOUND[model]
        secrets = []
        for column in model._meta.fields:
            if isinstance(column, EncryptedTextField):
                secrets.append(column.name)
        setting = Setting(
            model,
            kind=KINDS.get(model, "connections"),
            fields=bound.fields,
            many=bound.many,
            secret=" ".join(secrets),
            has_own_lines=True,
        )
        registry.register(setting)
