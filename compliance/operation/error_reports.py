"""Error reports to a server with Sentry's protocol. Needs the extra `sentry`.

What is logged as an error is sent: the exception's class, the places in the code, the log message
without its values, and the request id. Messages of exceptions, variables, addresses, headers,
bodies and people are not sent: an event is rebuilt from a list of allowed members.
"""

from __future__ import annotations

import logging
from typing import Any, TypeAlias

import sentry_sdk
from sentry_sdk.integrations.atexit import AtexitIntegration
from sentry_sdk.integrations.logging import LoggingIntegration
from sentry_sdk.types import Event, Hint

import compliance
from compliance.http import request_ids

# Allowed members of an event. `logentry` and `exception` are reduced separately.
ALLOWED = ("event_id", "timestamp", "level", "logger", "platform", "release", "sdk")
# The packages whose log lines have their values apart.
OUR_PACKAGES = {
    "agenthub",
    "checks",
    "compliance",
    "ownership",
    "papers",
    "reviews",
    "webhooks",
}
# Allowed members of a stack frame, without variables.
FRAME = ("filename", "function", "module", "lineno", "in_app")
# Seconds that an exiting process waits for reports to be sent.
END_SECONDS = 2


def start(dsn: str) -> None:
    """Send the errors of this process and of its forks."""
    sentry_sdk.init(
        dsn=dsn,
        release=f"compliance-desk@{compliance.__version__}",
        # The default integrations inspect requests, tasks and queries.
        default_integrations=False,
        integrations=[
            LoggingIntegration(level=None, event_level=logging.ERROR),
            # By default it writes to standard error while it waits.
            AtexitIntegration(callback=lambda *_: None),
        ],
        before_send=reduce_event,
        max_breadcrumbs=0,
        include_local_variables=False,
        include_source_context=False,
        send_default_pii=False,
        auto_session_tracking=False,
        send_client_reports=False,
        shutdown_timeout=END_SECONDS,
    )


Json: TypeAlias = dict[str, Any]


def reduce_event(event: Event, _hint: Hint) -> Event:
    """The event, reduced to what may leave the installation."""
    whole: Json = {**event}
    allowed = {name: whole[name] for name in ALLOWED if name in whole}
    line = whole.get("logentry") or {}
    allowed["logentry"] = {"message": _format_of(line, str(whole.get("logger")))}
    exceptions = (whole.get("exception") or {}).get("values") or []
    allowed["exception"] = {"values": [_exception(value) for value in exceptions]}
    if name := request_ids.current_id():
        allowed["tags"] = {"request": name}
    return allowed  # type: ignore[return-value]


def _format_of(line: Json, logger: str) -> str:
    """The format string of a log line: filled in with its values it would be the whole message.

    Libraries also log texts that are filled in already, such as the message of an exception. Ours
    never do.
    """
    is_ours = logger.partition(".")[0] in OUR_PACKAGES
    if is_ours or line.get("params"):
        return str(line.get("message", ""))
    return ""


def _exception(value: Json) -> Json:
    frames = (value.get("stacktrace") or {}).get("frames") or []
    places = [_frame(frame) for frame in frames]
    return {
        "type": value.get("type"),
        "module": value.get("module"),
        "stacktrace": {"frames": places},
    }


def _frame(frame: Json) -> Json:
    return {name: frame[name] for name in FRAME if name in frame}
