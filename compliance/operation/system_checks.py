"""Refuses to start on missing secrets or settings that contradict each other."""

from __future__ import annotations

from django.conf import settings
from django.core import checks
from django.core.checks import CheckMessage, Error, register

from compliance.scanning import scanner
from compliance.work import sandbox

# The tag of the checks that are ours.
INSTALLATION = "installation"


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
def scanner_is_readable(**_: object) -> list[CheckMessage]:
    if not settings.FILE_SCANNER:
        return []
    try:
        scanner.parse(settings.FILE_SCANNER)
    except ValueError as exc:
        return [Error(str(exc), id="compliance.E006")]
    return []
