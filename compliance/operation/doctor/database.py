"""Parts that need the database: its state, keys, clocks, workers and work, and the document store."""

from __future__ import annotations

from collections.abc import Iterator

from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import Group
from django.core.exceptions import ImproperlyConfigured
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils.crypto import get_random_string

from compliance.models import Heartbeat
from compliance.operation import dead_letters, health, heartbeats, queue_figures
from compliance.operation.doctor.registry import Finding, by_health, failed, ok, warning
from compliance.security import data_keys
from compliance.security.encryption import EncryptedTextField
from compliance.storage import backend, stored_files

# Characters of what the database says where it cannot be reached.
LONGEST_REASON = 200
# How many stored secrets are decrypted per table, the newest first.
SAMPLE = 20
REPAIR_KEY = "Set ENCRYPTION_KEY to the key that this database was written with, and keep it safe."


def fault() -> str:
    """Why the database cannot be used; empty if it answers."""
    try:
        connection.ensure_connection()
    except DatabaseError as exc:
        # The words of the server name what to correct: an address, a role, a database. No row was
        # read, so there is nothing of a person in them.
        return " ".join(str(exc).split())[:LONGEST_REASON]
    return "" if connection.is_usable() else "it does not answer"


def reason_to_stop() -> str:
    """Why the other parts cannot be examined; empty if they can."""
    if fault():
        return "the database cannot be used"
    try:
        missing = _missing(MigrationExecutor(connection))
    except DatabaseError:
        # For example, the role may not read its tables, or another process has locked them.
        return "its migrations cannot be read"
    return "tables are missing" if missing else ""


def _missing(executor: MigrationExecutor) -> int:
    """The number of migrations that are not applied."""
    return len(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def answers() -> Iterator[Finding]:
    error = fault()
    if error:
        yield failed(
            "database",
            f"cannot be reached ({error})",
            "Start it, or correct DATABASE_URL.",
        )
        return
    version = ".".join(map(str, connection.get_database_version()))
    yield ok("database", f"{connection.display_name} {version} answers")


def migrations() -> Iterator[Finding]:
    executor = MigrationExecutor(connection)
    missing = _missing(executor)
    applied = set(executor.loader.applied_migrations)
    unknown = applied - set(executor.loader.disk_migrations or {})
    ours = {config.label for config in apps.get_app_configs()}
    replaced = _replaced(executor)
    newer = []
    for app, migration in sorted(unknown):
        name = f"{app}.{migration}"
        if app in ours and name not in replaced:
            newer.append(name)
    if missing:
        text = f"{missing} are not applied"
        advice = f"Run `{settings.PROGRAM} migrate --no-input`."
        yield failed("migrations", text, advice)
    elif newer:
        text = f"the database is of a newer version: {', '.join(newer[:5])}"
        advice = "Start the version that made them, or restore a backup of this one."
        yield failed("migrations", text, advice)
    else:
        yield ok("migrations", "all are applied")


def _replaced(executor: MigrationExecutor) -> set[str]:
    """Migrations that a squashed migration replaces."""
    names: set[str] = set()
    for migration in executor.loader.disk_migrations.values():
        names.update(f"{app}.{name}" for app, name in migration.replaces)
    return names


def writes() -> Iterator[Finding]:
    heartbeats.write(heartbeats.Kind.HEALTH, f"health {heartbeats.machine()}")
    yield ok("writing", "a row was written")


def keys() -> Iterator[Finding]:
    """Decrypt a sample of stored secrets, and unwrap a sample of data keys."""
    count = 0
    for model in apps.get_models():
        fields = model._meta.fields
        if not any(isinstance(field, EncryptedTextField) for field in fields):
            continue
        try:
            count += len(list(model._default_manager.order_by("-pk")[:SAMPLE]))
        except ImproperlyConfigured:
            text = f"what is stored of {model._meta.verbose_name} cannot be decrypted"
            yield failed("keys", text, REPAIR_KEY)
            return
    rows = data_keys.DataKey.objects.filter(erased_at=None)
    wrappers = set(rows.order_by().values_list("wrapper", flat=True).distinct())
    known = data_keys.known_wrappers()
    if not wrappers <= set(known):
        text = (
            "data keys are wrapped with a key that is not set: documents cannot be read"
        )
        yield failed("keys", text, REPAIR_KEY)
        return
    for row in rows.order_by("-pk")[:SAMPLE]:
        data_keys.require_whole(row)
        count += 1
    if wrappers - {known[0]}:
        text = "some data keys are wrapped with an earlier key"
        advice = f"Run `{settings.PROGRAM} reencrypt` before that key is removed."
        yield warning("keys", text, advice)
    else:
        yield ok("keys", f"{count} stored secrets and data keys were decrypted")


def clocks() -> Iterator[Finding]:
    """Compare the clocks of this machine and of the workers with the database's."""
    state = health.clocks()
    advice = "Have a time server keep the clocks (chrony, systemd-timesyncd)."
    yield by_health("clocks", state, good="agree with the database's", advice=advice)


def workers() -> Iterator[Finding]:
    fresh = heartbeats.fresh(Heartbeat.Kind.WORKER).count()
    advice = "Start the workers: docs/deploy.md has their commands."
    good = f"{fresh} have a fresh heartbeat"
    yield by_health("workers", health.workers(), good=good, advice=advice)
    if settings.CELERY_BROKER_URL:
        advice = "Start beat, and the worker of the queue `default`."
        yield by_health("sweep", health.sweep(), good="runs", advice=advice)


def work() -> Iterator[Finding]:
    advice = "Look at /queues/ and at the log of the workers."
    waiting = sum(row.waiting for row in queue_figures.all_figures())
    good = f"{waiting} rows wait, none of them for long"
    yield by_health("work", health.work(), good=good, advice=advice)
    dead = sum(kind.rows(None).count() for kind in dead_letters.registered())
    if dead:
        text = f"{dead} rows failed for good"
        advice = "Repair the cause, then have them tried again at /queues/."
        yield warning("work", text, advice)


def roles() -> Iterator[Finding]:
    """Settings may name roles that do not exist: then they apply to nobody."""
    roles_of_groups = {role for _, role in settings.SINGLE_SIGN_ON_ROLES}
    roles_by_setting = {
        "SECOND_FACTOR_ROLES": settings.SECOND_FACTOR_ROLES - {"all"},
        "OIDC_ROLES or SAML_ROLES": roles_of_groups,
    }
    if settings.DESK_ENABLED:
        # A hub alone has none of these roles, and no cases.
        roles_by_setting["MASKED_ROLES"] = settings.MASKED_ROLES
        roles_by_setting["DUE_ROLES"] = settings.DUE_ROLES
    existing = set(Group.objects.values_list("name", flat=True))
    advice = f"The roles are {', '.join(sorted(existing))}. Correct the setting, and restart."
    is_right = True
    for setting, names in roles_by_setting.items():
        unknown = ", ".join(sorted(names - existing))
        if unknown:
            is_right = False
            text = f"{setting} names {unknown}, and no role has this name"
            yield warning("roles", text, advice)
    if is_right:
        yield ok("roles", "each role that the settings name exists")


def storage() -> Iterator[Finding]:
    """Write a file with random content to the document store, read it, and delete it.

    Files are encrypted with a key from a table, so this needs the database, too.
    """
    name = f"{backend.TRIALS}/{get_random_string(16)}"
    content = get_random_string(64).encode()
    advice = "Look at the rights and the room of the document store (DOCUMENT_STORAGE)."
    try:
        name = default_storage.save(name, ContentFile(content))
        with default_storage.open(name) as file:
            is_same = file.read() == content
        default_storage.delete(name)
    except (stored_files.StoredError, OSError) as exc:
        yield failed("storage", f"takes no files ({type(exc).__name__})", advice)
        return
    if is_same:
        yield ok("storage", "a file was written, read and removed")
    else:
        yield failed("storage", "a file was read otherwise than written", advice)


PARTS = {
    "database": answers,
    "migrations": migrations,
    "writing": writes,
    "roles": roles,
    "keys": keys,
    "storage": storage,
    "clocks": clocks,
    "workers": workers,
    "work": work,
}
# Parts that are examined even if the others cannot be.
ALWAYS = {"database", "migrations"}
