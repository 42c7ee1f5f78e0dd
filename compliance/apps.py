from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allauth.account.signals import password_reset
from django.apps import AppConfig
from django.conf import settings
from django.contrib.auth.signals import user_logged_in
from django.contrib.staticfiles.apps import StaticFilesConfig
from django.core.exceptions import ImproperlyConfigured
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate, post_save, pre_migrate, pre_save


class ComplianceConfig(AppConfig):
    name = "compliance"

    def ready(self) -> None:
        from compliance.db import upgrade
        from compliance.db.connections import connection_settings
        from compliance.http.limits import credentials

        # Importing the module registers its system checks.
        from compliance.identity import data_map as of_people
        from compliance.identity import notices, people, sign_ins, step_up
        from compliance.identity.passwords import confirmed_addresses
        from compliance.identity.single_sign_on import session_end
        from compliance.operation import system_checks  # noqa: F401
        from compliance.pages.own_address import links
        from compliance.security import data_keys, data_map, logins, sessions
        from compliance.security.session_store import cookies

        credentials.register_logins(cookies.is_login)
        data_map.register(*of_people.TABLES)
        user_logged_in.connect(sessions.begin)
        user_logged_in.connect(logins.note_browser)
        notices.connect()
        sign_ins.connect()
        step_up.connect()
        session_end.connect()
        pre_save.connect(people.note_new_password, sender="auth.User")
        post_save.connect(people.end_if_inactive, sender="auth.User")
        post_save.connect(people.remove_earlier_addresses, sender="auth.User")
        password_reset.connect(confirmed_addresses.confirm_by_link)
        confirmed_addresses.unverified_came.connect(links.ask_to_confirm)
        connection_created.connect(connection_settings.apply)
        pre_migrate.connect(upgrade.require_last_migration)
        pre_migrate.connect(_warn_of_running_processes, sender=self)
        post_migrate.connect(data_keys.ensure_installation_key, sender=self)
        _start_error_reports()
        _start_traces()


def _warn_of_running_processes(*, using: str, plan: Sequence[object], **_: Any) -> None:
    # Imported here: it loads Celery, which most commands do not need.
    from compliance.operation import heartbeats

    if plan:
        heartbeats.warn_before_migration(using)


def _start_error_reports() -> None:
    if not settings.SENTRY_DSN:
        return
    try:
        from compliance.operation import error_reports
    except ImportError as exc:
        message = "SENTRY_DSN needs the extra `sentry`: requirements/sentry.txt."
        raise ImproperlyConfigured(message) from exc
    error_reports.start(settings.SENTRY_DSN)


def _start_traces() -> None:
    if not settings.OTEL_EXPORTER_OTLP_ENDPOINT:
        return
    try:
        from compliance.tracing import exporting
    except ImportError as exc:
        message = (
            "OTEL_EXPORTER_OTLP_ENDPOINT needs the extra `otel`: requirements/otel.txt."
        )
        raise ImproperlyConfigured(message) from exc
    exporting.start(
        settings.OTEL_EXPORTER_OTLP_ENDPOINT,
        headers=settings.OTEL_EXPORTER_OTLP_HEADERS,
        service=settings.OTEL_SERVICE_NAME,
    )


class StaticConfig(StaticFilesConfig):
    # Static files that no page uses: htmx's extensions and REST framework's browsable API.
    ignore_patterns = [
        *StaticFilesConfig.ignore_patterns,
        "ext",
        "rest_framework",
    ]
