"""Words of a search for an address: encrypted, for one person, and for a day.

An address stands in the history of browsers and in the logs of proxies, so no name may stand in
it. Whoever searches sends the words in the body of a request, and is led to an address with this.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from compliance.security import encryption

# As long as a login lasts: an open page takes a new one each time that it asks for its rows.
SECONDS = 12 * 3600
# No other secret of the installation is taken for a search.
_PURPOSE = "search:"


def seal(values: Mapping[str, str], *, reader: int) -> str:
    """`reader`: the id of the person who may read it again."""
    text = json.dumps([reader, dict(values)])
    return encryption.encrypt(_PURPOSE + text)


def open_sealed(token: str, *, reader: int) -> dict[str, str]:
    """The values; none where it is too old, of somebody else, or was never sealed."""
    text = encryption.decrypt_recent(token, seconds=SECONDS)
    if text is None or not text.startswith(_PURPOSE):
        return {}
    sealed_for, values = json.loads(text.removeprefix(_PURPOSE))
    if sealed_for != reader:
        return {}
    return {str(name): str(value) for name, value in values.items()}
