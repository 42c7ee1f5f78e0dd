"""The versions of rules, libraries, tables and lists with which a result was made."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from importlib import metadata
from importlib.resources import files

from checks.provenance.members import mapping, mappings
from checks.wire import JsonObject

# The version of the rules of the checks. A test compares it with the version of the project.
RULES = "0.2.0"


def versions_of(payload: JsonObject) -> dict[str, str]:
    """Return the versions of the rules, and of the data that parts of the payload name."""
    versions = {"checks": RULES}
    for part in [
        payload,
        *(value for value in payload.values() if isinstance(value, Mapping)),
    ]:
        versions |= _versions(part)
        for value in mappings(part.get("people")):
            versions |= _versions(mapping(value.get("screening")))
    return versions


@cache
def version_of(name: str) -> str:
    """Return the version of a library, or the first digits of the hash of a table in checks/data
    (`table:name`).
    """
    kind, _, rest = name.partition(":")
    if kind == "table":
        content = files("checks.data").joinpath(f"{rest}.csv").read_bytes()
        return hashlib.sha256(content).hexdigest()[:12]
    return metadata.version(name)


def _versions(part: JsonObject) -> dict[str, str]:
    versions = {}
    for name, value in mapping(part.get("versions")).items():
        details = mapping(value)
        if "hash" in details:
            versions[name] = f"{details['version']} ({details['hash']})"
        else:
            versions[name] = str(value)
    for item in mappings(part.get("lists")):
        if "sha256" in item:
            value = f"version {item.get('version')}, published {item.get('published_at') or 'undated'}"
            versions[f"list {item.get('slug')}"] = f"{value}, sha256 {item['sha256']}"
    return versions
