from __future__ import annotations

from typing import TYPE_CHECKING

from django.apps import AppConfig
from django.db.models.signals import post_migrate, post_save, pre_save

from compliance.languages import english

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.contrib.admin.models import LogEntry
    from django.contrib.auth.models import User


class ReviewsConfig(AppConfig):
    name = "reviews"

    def ready(self) -> None:
        # Imported here: models and modules that use them are available only now.
        from compliance.approvals import lines
        from compliance.http.limits import credentials
        from compliance.identity.people import deactivated, renewed
        from compliance.operation import health
        from compliance.operation.doctor import registry as doctors
        from compliance.security import data_map, decisive_rows
        from compliance.security.data_keys import encrypting
        from compliance.security.encryption import erased_again, key_changed
        from reviews import dead_letters
        from reviews.access import account_lines, api_tokens, roles, settings_rows
        from reviews.applicants import link_cookies
        from reviews.audit import (
            anchor_copies,
            anchors,
            doctor,
            line_keys,
            settings_lines,
            sign_ins,
            tree,
            triggers,
            verification,
        )
        from reviews.decisions import (
            policy,
            system_checks,  # noqa: F401 - registers itself
        )
        from reviews.decisions.automatic import approvals, settings_of_policy
        from reviews.findings import related_cases
        from reviews.findings.values import keyed_hashes
        from reviews.organisation import verification as organisation_verification
        from reviews.people import due_messages, sla
        from reviews.periodic import schedule as review_schedule
        from reviews.periodic import verification as review_verification
        from reviews.privacy import data_map as of_desk
        from reviews.privacy import retention
        from reviews.procedures import verification as checklist_verification
        from reviews.risk import policies as risk_policies
        from reviews.risk import ratings
        from reviews.risk import schedule as rating_schedule
        from reviews.risk import verification as rating_verification
        from reviews.screening import settings_of_policy as screening_policy
        from reviews.service import pauses
        from reviews.subscriptions import announcements

        # Register the desk's tables, work and checks with the packages that own the registries.
        data_map.register(*of_desk.TABLES)
        dead_letters.register()
        # After each migrate: create rows and triggers that the desk cannot work without. The roles are
        # rows that the trail binds: its triggers come first.
        post_migrate.connect(triggers.ensure, sender=self)
        post_migrate.connect(tree.ensure, sender=self)
        post_migrate.connect(roles.ensure, sender=self)
        post_migrate.connect(verification.bind_after_migrate, sender=self)
        post_migrate.connect(keyed_hashes.key_after_migrate, sender=self)
        post_migrate.connect(account_lines.bind_accounts, sender=self)
        post_migrate.connect(policy.ensure, sender=self)
        post_migrate.connect(announcements.add_cases, sender=self)
        post_migrate.connect(sla.ensure, sender=self)
        post_migrate.connect(due_messages.ensure, sender=self)
        post_migrate.connect(risk_policies.ensure, sender=self)
        post_migrate.connect(approvals.ensure, sender=self)
        # Receivers that react to saved rows.
        pre_save.connect(_leave_names_out, sender="admin.LogEntry")
        post_save.connect(_record_settings, sender="admin.LogEntry")
        post_save.connect(pauses.probe_after_save, sender="reviews.Connection")
        post_save.connect(retention.wake, sender="reviews.RetentionRule")
        post_save.connect(rating_schedule.after_event, sender="reviews.CaseEvent")
        post_save.connect(review_schedule.after_event, sender="reviews.CaseEvent")
        post_save.connect(risk_policies.rate_again, sender="reviews.RiskPolicy")
        post_save.connect(approvals.after_event, sender="reviews.CaseEvent")
        post_save.connect(approvals.after_switch, sender="reviews.ApprovalSwitch")
        post_save.connect(approvals.after_version, sender="reviews.DecisionPolicy")
        ratings.settled.connect(approvals.after_rating)
        ratings.review_changed.connect(review_schedule.after_rating)
        decisive_rows.verify_with(rating_verification.faults)
        decisive_rows.verify_with(checklist_verification.faults)
        decisive_rows.verify_with(review_verification.faults)
        decisive_rows.verify_with(related_cases.faults)
        decisive_rows.verify_with(organisation_verification.faults)
        settings_lines.connect()
        account_lines.connect()
        settings_rows.register()
        settings_of_policy.register()
        screening_policy.register()
        # Records of accounts, links and keys.
        lines.recorded.connect(_record_administration)
        sign_ins.connect()
        credentials.register_keys(api_tokens.is_known)
        for prefix in link_cookies.PATHS:
            credentials.register_links(prefix, link_cookies.is_open)
        deactivated.connect(api_tokens.revoke_all)
        renewed.connect(api_tokens.revoke_own)
        key_changed.connect(line_keys.retire)
        erased_again.connect(_erase_again)
        encrypting.connect(related_cases.encrypt_stored)
        # Checks of /health/ready and `manage.py doctor`.
        health.add("services", pauses.health)
        doctors.add(doctor.PART, doctor.look)
        health.add("anchors", anchors.state)
        health.add("anchor_copies", anchor_copies.state)


def _record_administration(
    what: str, data: Mapping[str, object], user: User | None, **_: object
) -> None:
    """Record in the audit trail an act of an administrator that no table of the desk shows."""
    from reviews.audit import trail

    trail.record(None, what, data, user=user)


def _erase_again(ids: list[int], **_: object) -> None:
    """Erase the cases that a restored backup has brought back, by the ids of their data keys."""
    from reviews.privacy import erasures

    erasures.erase_again(ids)


def _leave_names_out(instance: LogEntry, **_: object) -> None:
    """A row that may hold a person's name, such as a tag, is named by its number in Django's log.

    Each entry becomes a line of the trail, from which no erasure can take a name.
    """
    from compliance.security.data_map import hiding

    content_type = instance.content_type
    model = content_type.model_class() if content_type else None
    if model is None:
        return
    fields = model._meta.local_fields
    if any(hiding.names_hidden(model, field.name) for field in fields):
        instance.object_repr = f"{model._meta.verbose_name} {instance.object_id}"


@english()
def _record_settings(instance: LogEntry, **_: object) -> None:
    """Record changes that an administrator makes in Django's admin in the audit trail, too."""
    from reviews.audit import trail

    data = {
        "what": str(instance.content_type),
        "which": instance.object_repr,
        "act": instance.get_action_flag_display(),
        "changed": instance.change_message,
    }
    trail.record(None, "settings_changed", data, user=instance.user)
