"""Protections that an installation for other people needs, and their waivers.

The product cannot provide these parts itself: a malware scanner, a list of breached passwords, the
hosts that may be called, a log collector, files for secrets. Without them it refuses to start, or
warns. An operator can waive a part in PROTECTION_WAIVED.
"""

from __future__ import annotations

import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

# The permission bits of others: a file with a secret must have none of them.
_OTHERS = stat.S_IRWXO


@dataclass(frozen=True, slots=True)
class Part:
    name: str  # as in PROTECTION_WAIVED
    missing: str
    hint: str
    is_there: Callable[[], bool]


def _has_scanner() -> bool:
    return bool(settings.FILE_SCANNER)


def _has_breached_passwords() -> bool:
    return bool(settings.BREACHED_PASSWORDS)


def _has_hosts() -> bool:
    return bool(settings.OUTBOUND_HOSTS)


def _has_collector() -> bool:
    return bool(settings.LOG_COLLECTOR)


def _has_secret_files() -> bool:
    return not faults_of_secrets()


PARTS = (
    Part(
        "scanner",
        "Files of strangers are not scanned for malware: FILE_SCANNER is not set.",
        "Set FILE_SCANNER: docs/hostile-files.md.",
        _has_scanner,
    ),
    Part(
        "breached_passwords",
        "New passwords are compared with Django's 20,000 alone: BREACHED_PASSWORDS is not set.",
        "Set BREACHED_PASSWORDS to a file of hashes: docs/hardening.md says where it comes from.",
        _has_breached_passwords,
    ),
    Part(
        "outbound_hosts",
        "Every public host may be called: OUTBOUND_HOSTS is not set.",
        "List in OUTBOUND_HOSTS the hosts of documents, webhooks, lists and websites.",
        _has_hosts,
    ),
    Part(
        "log_collector",
        "The log stays on this machine: LOG_COLLECTOR is not set.",
        "Set LOG_COLLECTOR, or waive it where the platform collects standard error.",
        _has_collector,
    ),
    Part(
        "secret_files",
        "Secrets are in the environment, or in files that others may read.",
        "Set NAME_FILE, SECRETS_DIR or systemd credentials, and mode 400: `doctor` names them.",
        _has_secret_files,
    ),
)
NAMES = frozenset(part.name for part in PARTS)


def missing() -> list[Part]:
    """The parts that are neither set up nor waived."""
    waived = settings.PROTECTION_WAIVED
    return [part for part in PARTS if part.name not in waived and not part.is_there()]


def faults_of_secrets() -> list[str]:
    """Faults in how secrets are provided, as texts without the secrets."""
    faults = []
    for name, place in sorted(settings.SECRET_PLACES.items()):
        if not place:
            faults.append(f"{name} is in the environment")
        elif Path(place).stat().st_mode & _OTHERS:
            faults.append(f"{name}: others may read its file")
    return faults
