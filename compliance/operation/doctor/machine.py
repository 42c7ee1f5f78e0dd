"""Parts that need no database: versions, settings, disk space, the broker, mail."""

from __future__ import annotations

import platform
import shutil
import sys
from collections.abc import Iterator
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from urllib.parse import urlsplit

import django
from django.conf import settings
from django.contrib.staticfiles.finders import FileSystemFinder
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core import checks, mail
from django.utils import timezone

import compliance
from compliance.identity.passwords import breached
from compliance.identity.single_sign_on.saml import checks as saml
from compliance.operation import health, protection
from compliance.operation.doctor.registry import (
    Finding,
    State,
    by_health,
    failed,
    ok,
    warning,
)
from compliance.scanning import scanner, trial
from compliance.scanning.connection import ScannerError
from compliance.startup import INSTALLATION
from compliance.tracing import log_collector
from compliance.work import notify, sandbox

# The oldest and the newest version of Python that is tested.
PYTHONS = ((3, 11), (3, 14))
# Bytes. Below the first limit uploads will soon fail; below the second an operator should act.
SMALL_DISK, NEARLY_SMALL_DISK = 256 << 20, 5 << 30
NO_MAIL = "django.core.mail.backends.dummy.EmailBackend"
MAIL_SECONDS = 5
REPAIR_REDIS = "Start Redis, give it memory, or correct REDIS_PASSWORD or"
# The module loads the extra, so it is imported only with a provider of SAML.
SAML_CERTIFICATES = "compliance.identity.single_sign_on.saml.certificates"
# So is this module, only with a collector of traces.
TRACES = "compliance.tracing.exporting"
# How long before its end a certificate is a warning.
CERTIFICATE_DAYS = timedelta(days=30)


def versions() -> Iterator[Finding]:
    running = (
        f"{compliance.__version__}, Python {platform.python_version()},"
        f" Django {django.get_version()}"
    )
    if PYTHONS[0] <= sys.version_info[:2] <= PYTHONS[1]:
        yield ok("versions", running)
    else:
        advice = "Use Python 3.11 to 3.14: no other version is tested."
        yield warning("versions", running, advice)


def configuration() -> Iterator[Finding]:
    """The system checks of the installation, and settings that only an operator can judge."""
    messages = checks.run_checks(tags=[INSTALLATION])
    for message in messages:
        state = State.FAILED if message.level >= checks.ERROR else State.WARNING
        hint = message.hint or "Correct the settings: docs/settings.md."
        yield Finding("settings", state, message.msg, hint)
    if settings.DEBUG:
        advice = "Set DEBUG=0: pages of errors show settings and data."
        yield failed("settings", "DEBUG is on", advice)
    address = urlsplit(settings.DESK_URL)
    if address.scheme != "https" and address.hostname not in {"127.0.0.1", "localhost"}:
        text = f"DESK_URL is {settings.DESK_URL}: logins travel without encryption"
        advice = "Put a proxy with TLS in front, and write https into DESK_URL."
        yield warning("settings", text, advice)
    if not messages:
        yield ok("settings", f"served at {settings.DESK_URL}")


def protecting() -> Iterator[Finding]:
    """Protections that only an operator can set up, and those that were waived."""
    for part in protection.missing():
        yield warning("protection", part.missing, part.hint)
    for fault in protection.faults_of_secrets():
        yield warning("protection", fault, "Give it as a file of mode 400.")
    waived = ", ".join(sorted(settings.PROTECTION_WAIVED)) or "nothing"
    if not protection.missing():
        yield ok("protection", f"all parts are set up; waived: {waived}")


def breached_passwords() -> Iterator[Finding]:
    """Without the list a new password is an error; with a wrong one nothing is refused."""
    if not settings.BREACHED_PASSWORDS:
        return
    if fault := breached.fault(Path(settings.BREACHED_PASSWORDS)):
        advice = "Correct BREACHED_PASSWORDS: docs/hardening.md says which file it is."
        yield failed("passwords", fault, advice)
    else:
        yield ok("passwords", "new ones are looked up in the file of breached ones")


def traces() -> Iterator[Finding]:
    """Send the collector of traces an export without a span."""
    if not settings.OTEL_EXPORTER_OTLP_ENDPOINT:
        return
    is_accepted = import_module(TRACES).is_accepted(
        settings.OTEL_EXPORTER_OTLP_ENDPOINT,
        headers=settings.OTEL_EXPORTER_OTLP_HEADERS,
    )
    if is_accepted:
        yield ok("traces", "the collector accepts them")
        return
    text = "the collector of traces refuses, or cannot be reached: traces are lost"
    advice = "Correct OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS."
    yield warning("traces", text, advice)


def collector() -> Iterator[Finding]:
    """Connect to the log collector with TLS, without sending anything."""
    if not settings.LOG_COLLECTOR:
        return
    try:
        handler = log_collector.CollectorHandler(
            settings.LOG_COLLECTOR,
            settings.LOG_COLLECTOR_CA,
            settings.LOG_COLLECTOR_CERTIFICATE,
        )
        handler.connect().close()
    except (OSError, ValueError) as exc:
        text = f"the collector of logs cannot be reached ({type(exc).__name__})"
        advice = "Look at LOG_COLLECTOR, its certificate and LOG_COLLECTOR_CA."
        yield failed("log collector", text, advice)
        return
    yield ok("log collector", "it takes connections, and its certificate fits")


def malware_scanner() -> Iterator[Finding]:
    """Have it scan EICAR's test file, alone and in a file as large as a document may be."""
    if not scanner.is_on():
        return
    version = ""
    try:
        fault = trial.fault(settings.MAX_DOCUMENT_BYTES)
        version = scanner.version()
    except ScannerError as exc:
        fault = str(exc)
    if fault:
        advice = (
            "Look at FILE_SCANNER, its service, its signatures and its limits of size."
        )
        yield failed("scanner", fault, advice)
    else:
        yield ok("scanner", f"{version} reports EICAR's test file")


def static_files() -> Iterator[Finding]:
    """Whether the scripts and style sheets of this version were collected: no page works without."""
    names = getattr(staticfiles_storage, "hashed_files", None)
    # `up` of the embedded installation collects them itself. Tests have no such list.
    if settings.EMBEDDED or names is None:
        return
    ours = {path for path, _ in FileSystemFinder().list([])}
    missing = sorted(ours - set(names))
    if missing:
        text = f"{len(missing)} are not collected, such as {missing[0]}"
        advice = f"Run `{settings.PROGRAM} collectstatic --no-input`, and restart web."
        yield failed("static files", text, advice)
    else:
        yield ok("static files", "all are collected")


def room() -> Iterator[Finding]:
    if fault := health.temporary_fault():
        yield failed("room", fault, "Make room there, or set TMPDIR to another folder.")
    free = shutil.disk_usage(settings.VAR_DIR).free
    text = f"{free / (1 << 30):.1f} GiB are free under {settings.VAR_DIR}"
    if free < SMALL_DISK:
        yield failed("room", text, "Make room now: uploads are refused.")
    elif free < NEARLY_SMALL_DISK:
        yield warning("room", text, "Make room, or take a larger disk.")
    else:
        yield ok("room", text)


def broker() -> Iterator[Finding]:
    if not settings.CELERY_BROKER_URL:
        return
    advice = (
        f"{REPAIR_REDIS} CELERY_BROKER_URL. Meanwhile work waits, and nothing is lost."
    )
    state = notify.broker_fault() or "ok"
    yield by_health("broker", state, good="it takes messages", advice=advice)


def cache() -> Iterator[Finding]:
    if not health.has_shared_cache():
        return
    advice = f"{REPAIR_REDIS} REDIS_URL. Meanwhile each process counts by itself."
    state = health.shared_cache()
    if state == "ok":
        yield ok("cache", "it takes values")
    else:
        yield warning("cache", state, advice)


def email() -> Iterator[Finding]:
    """Log in to the mail server without sending anything."""
    if settings.EMAIL_BACKEND == NO_MAIL:
        advice = "Set EMAIL_HOST, or hand over links by hand."
        yield warning("e-mail", "no mail server is set up", advice)
        return
    connection = mail.get_connection(timeout=MAIL_SECONDS)
    try:
        connection.open()
        connection.close()
    # Errors of mail servers are OSErrors, too. ValueError: a host name that cannot exist.
    except (OSError, ValueError) as exc:
        text = f"the mail server refuses, or cannot be reached ({type(exc).__name__})"
        advice = (
            "Correct EMAIL_HOST, EMAIL_PORT, EMAIL_USER, EMAIL_PASSWORD and EMAIL_TLS."
        )
        yield failed("e-mail", text, advice)
        return
    yield ok("e-mail", f"{settings.EMAIL_HOST} takes mail")


def isolation() -> Iterator[Finding]:
    missing = "; ".join(sandbox.missing())
    if missing:
        advice = "Use a kernel that can: docs/deploy.md names them."
        yield warning("sandbox", f"not whole: {missing}", advice)
    else:
        yield ok("sandbox", "processes that read documents are shut in")


def single_sign_on() -> Iterator[Finding]:
    """Read the files of SAML, and look when their certificates end."""
    if not settings.SAML_IDP_ENTITY_ID or saml.faults():
        # The system checks name the faults.
        return
    certificates = import_module(SAML_CERTIFICATES)
    try:
        ends = certificates.ends()
    except ValueError as exc:
        advice = "Correct the settings SAML_... and their files."
        yield failed("single sign-on", str(exc), advice)
        return
    for name, end in ends:
        text = f"the certificate of {name} ends on {end:%Y-%m-%d}"
        if end < timezone.now() + CERTIFICATE_DAYS:
            yield warning("single sign-on", text, "Put the next one beside it.")
        else:
            yield ok("single sign-on", text)


PARTS = {
    "versions": versions,
    "settings": configuration,
    "protection": protecting,
    "passwords": breached_passwords,
    "log collector": collector,
    "traces": traces,
    "scanner": malware_scanner,
    "room": room,
    "static files": static_files,
    "sandbox": isolation,
    "broker": broker,
    "cache": cache,
    "e-mail": email,
    "single sign-on": single_sign_on,
}
