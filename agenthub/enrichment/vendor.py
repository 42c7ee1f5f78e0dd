"""Enrichment by a vendor over HTTP: ENRICHMENT_URL, with ENRICHMENT_KEY as bearer token.

The facts are posted as a JSON object to `<ENRICHMENT_URL>/person` or `/company`. Accepted
responses:

- 200 with {"status", "data", "error", "source"}, as in the interface;
- 200 with any other object, which is then the data; an empty one means `not_found`;
- 404 or 204: `not_found`.

Any other response becomes an `error` that describes it.
"""

from __future__ import annotations

import json

import orjson
from django.conf import settings

from agenthub.enrichment.providers import Enrichment, Facts
from agenthub.models import Account
from agenthub.wire import JsonValue, Wire
from compliance.http import outbound

TIMEOUT = 15.0  # seconds, while the caller waits
MOST_BYTES = 1 << 20
LONGEST_WORDS = 500
_OK, _NOTHING = 200, frozenset({204, 404})
_STATUSES = ("success", "not_found", "error")
# Levels of nesting. The answer becomes a part of a response or of a result, which are deeper.
DEEPEST = 64


class HttpVendor:
    """A provider that sends the facts of the request, and nothing else, to a vendor."""

    def person(self, account: Account, facts: Facts) -> Enrichment:
        return self._ask("person", facts)

    def company(self, account: Account, facts: Facts) -> Enrichment:
        return self._ask("company", facts)

    def _ask(self, what: str, facts: Facts) -> Enrichment:
        url = f"{settings.ENRICHMENT_URL}/{what}"
        host = outbound.origin(url)
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json",
            "User-Agent": outbound.HUB_USER_AGENT,
        }
        if settings.ENRICHMENT_KEY:
            headers["Authorization"] = f"Bearer {settings.ENRICHMENT_KEY}"
        try:
            response = outbound.request(
                "POST",
                url,
                data=json.dumps(dict(facts)).encode(),
                headers=headers,
                timeout=TIMEOUT,
                max_bytes=MOST_BYTES,
                # The operator has configured this host, so it may be private.
                allow_private=frozenset({host}),
                is_personal=True,
            )
        except outbound.OutboundError as exc:
            return Enrichment("error", host[0], error=str(exc))
        return _read(response, source=host[0])


def _read(response: outbound.Response, *, source: str) -> Enrichment:
    if response.status_code in _NOTHING:
        return Enrichment("not_found", source)
    if response.status_code != _OK:
        error = f"The provider answered HTTP {response.status_code}."
        return Enrichment("error", source, error=error)
    try:
        # Strict: values such as NaN, which Python's json reads, could not be written to a response.
        answer = orjson.loads(response.content)
    except orjson.JSONDecodeError:
        answer = None
    if not isinstance(answer, dict) or _is_deeper(answer, DEEPEST):
        return Enrichment(
            "error", source, error="The provider's answer is not a JSON object."
        )
    return _enrichment(answer, source)


def _enrichment(answer: Wire, source: str) -> Enrichment:
    status = answer.get("status")
    data = answer.get("data")
    is_data = data is None or isinstance(data, dict)
    if status not in _STATUSES or not is_data:
        # Not in the interface's format: the whole object is the data.
        return Enrichment("success" if answer else "not_found", source, data=answer)
    answer_source = answer.get("source")
    if isinstance(answer_source, str) and answer_source:
        source = answer_source[:LONGEST_WORDS]
    if status == "error":
        error = answer.get("error") or "The provider could not answer."
        return Enrichment("error", source, error=str(error)[:LONGEST_WORDS])
    if status == "not_found":
        return Enrichment("not_found", source, data or {})
    return Enrichment("success", source, data or {})


def _is_deeper(value: JsonValue, levels: int) -> bool:
    if isinstance(value, dict):
        items = list(value.values())
    elif isinstance(value, list):
        items = value
    else:
        return False
    return not levels or any(_is_deeper(item, levels - 1) for item in items)
