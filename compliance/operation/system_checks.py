"""System checks: refuse to start with missing secrets or contradictory settings."""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings
from django.core import checks
from django.core.checks import CheckMessage, Error, Tags, register
from django.db import DatabaseError

from compliance.approvals import registry
from compliance.identity.single_sign_on.saml import checks as saml
from compliance.operation import protection
from compliance.scanning import scanner
from compliance.security import data_keys
from compliance.startup import INSTALLATION
from compliance.work import sandbox


@register(INSTALLATION)
def secrets_are_set(**_: object) -> list[CheckMessage]:
    return [
        Error(
            f"{name} is not set.",
            hint=f"Set {name}, or {name}_FILE to the path of a file that holds it.",
            id=f"compliance.E00{number}",
        )
        for number, name in enumerate(("SECRET_KEY", "ENCRYPTION_KEY"), start=1)
        if not getattr(settings, name)
    ]


@register(Tags.database)
def encryption_key_fits_database(
    databases: Sequence[str] | None = None, **_: object
) -> list[CheckMessage]:
    """Django asks this before a migration, and startup before web, workers and beat."""
    if not databases:
        return []
    try:
        is_another = data_keys.are_of_another_installation()
    except DatabaseError:
        # It is away, or not migrated yet.
        return []
    if not is_another:
        return []
    return [
        Error(
            "ENCRYPTION_KEY is not the one that this database was written with.",
            hint="What is written with another key cannot be read with the right one.",
            id="compliance.E013",
        )
    ]


@register(INSTALLATION)
def broker_fits_database(**_: object) -> list[CheckMessage]:
    if settings.EMBEDDED and settings.CELERY_BROKER_URL:
        return [
            checks.Warning(
                "CELERY_BROKER_URL is set, but DATABASE_URL is not: workers on other machines "
                "cannot see an SQLite file.",
                hint="Set DATABASE_URL to a PostgreSQL database.",
                id="compliance.W001",
            )
        ]
    return []


@register(INSTALLATION)
def one_side_is_on(**_: object) -> list[CheckMessage]:
    if settings.DESK_ENABLED or settings.HUB_ENABLED:
        return []
    return [
        Error(
            "DESK_ENABLED and HUB_ENABLED are both off: there is nothing to run.",
            id="compliance.E004",
        )
    ]


@register(INSTALLATION)
def sandbox_is_whole(**_: object) -> list[CheckMessage]:
    parts = "; ".join(sandbox.missing())
    if not parts:
        return []
    message = f"Processes that read foreign files are not shut in completely: {parts}."
    hint = "docs/deploy.md names the kernels that can."
    if settings.REQUIRE_SANDBOX:
        return [Error(message, hint=hint, id="compliance.E005")]
    return [checks.Info(message, hint=hint, id="compliance.I001")]


@register(INSTALLATION)
def saml_is_set_up(**_: object) -> list[CheckMessage]:
    return [Error(fault, id="compliance.E011") for fault in saml.faults()]


@register(INSTALLATION)
def scanner_is_readable(**_: object) -> list[CheckMessage]:
    if not settings.FILE_SCANNER:
        return []
    try:
        scanner.parse(settings.FILE_SCANNER)
    except ValueError as exc:
        return [Error(str(exc), id="compliance.E006")]
    return []


@register(INSTALLATION)
def traces_are_sent_by_http(**_: object) -> list[CheckMessage]:
    protocol = settings.OTEL_EXPORTER_OTLP_PROTOCOL
    if not settings.OTEL_EXPORTER_OTLP_ENDPOINT or protocol == settings.OTEL_HTTP:
        return []
    # Many set it for all of their services, so this is no reason not to start.
    return [
        checks.Warning(
            f"OTEL_EXPORTER_OTLP_PROTOCOL is {protocol}, and traces are sent by {settings.OTEL_HTTP}:"
            " the collector may drop them.",
            hint="Give the collector's address for OTLP over HTTP, usually port 4318, and set"
            f" OTEL_EXPORTER_OTLP_PROTOCOL={settings.OTEL_HTTP}.",
            id="compliance.W002",
        )
    ]


@register(INSTALLATION)
def waivers_are_known(**_: object) -> list[CheckMessage]:
    unknown = settings.PROTECTION_WAIVED - protection.NAMES
    if not unknown:
        return []
    hint = f"It may name {', '.join(sorted(protection.NAMES))}."
    words = f"PROTECTION_WAIVED names {', '.join(sorted(unknown))}."
    return [Error(words, hint=hint, id="compliance.E009")]


@register(INSTALLATION)
def kinds_for_a_second_person_are_known(**_: object) -> list[CheckMessage]:
    unknown = settings.SETTINGS_FOUR_EYES - {"all", *registry.KINDS}
    if not unknown:
        return []
    hint = f"It may name all, {', '.join(registry.KINDS)}."
    words = f"SETTINGS_FOUR_EYES names {', '.join(sorted(unknown))}."
    return [Error(words, hint=hint, id="compliance.E012")]


@register(INSTALLATION)
def protection_is_whole(**_: object) -> list[CheckMessage]:
    """Installations that people on other machines use must not start without these parts."""
    if not settings.REQUIRE_PROTECTION:
        return []
    waive = "Or name it in PROTECTION_WAIVED:"
    return [
        Error(
            part.missing,
            hint=f"{part.hint} {waive} {part.name}.",
            id="compliance.E010",
        )
        for part in protection.missing()
    ]


@register(INSTALLATION, deploy=True)
def protection_is_advised(**_: object) -> list[CheckMessage]:
    if settings.REQUIRE_PROTECTION:
        return []
    return [
        checks.Warning(part.missing, hint=part.hint, id="compliance.W010")
        for part in protection.missing()
    ]
