"""Search terms for a URL: encrypted for one person, valid for a limited time.

URLs are recorded in browser histories and in the logs of proxies, so they must not contain names. A
search is sent in the body of a request, and the response redirects to a URL with the sealed terms.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from compliance.security import encryption

# As long as a login lasts. An open page gets a new token whenever it reloads its rows.
SECONDS = 12 * 3600
# A prefix, so that no other encrypted secret of the installation is accepted as a search.
_PURPOSE = "search:"


def seal(values: Mapping[str, str], *, reader: int) -> str:
    """Encrypt `values` for the person with the id `reader`."""
    text = json.dumps([reader, dict(values)])
    return encryption.encrypt(_PURPOSE + text)


def open_sealed(token: str, *, reader: int) -> dict[str, str]:
    """The sealed values; empty if the token is too old, invalid, or another person's."""
    text = encryption.decrypt_recent(token, seconds=SECONDS)
    if text is None or not text.startswith(_PURPOSE):
        return {}
    sealed_for, values = json.loads(text.removeprefix(_PURPOSE))
    if sealed_for != reader:
        return {}
    return {str(name): str(value) for name, value in values.items()}
