"""Send a request as each visitor, and say in a word what came of it."""

from __future__ import annotations

import json
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlencode

from django.core.cache import caches
from django.db import transaction
from django.test import Client

from tests.permissions.routes import Route, address
from tests.permissions.world import ANONYMOUS, World

# What an answer is for a visitor.
DONE, REFUSED, LOGIN_FIRST, HIDDEN, NO_METHOD = "yes", "no", "login", "hidden", "405"
WORDS = {401: LOGIN_FIRST, 403: REFUSED, 404: HIDDEN, 405: NO_METHOD}
LOGINS = ("/login/", "/admin/login/")
REDIRECTS = {301, 302, 303}
FORM, JSON = "application/x-www-form-urlencoded", "application/json"
CASE = "/api/desk/v1/cases/<int:pk>/"


class Visits:
    """Visits of one visitor. Each leaves the database as it was."""

    def __init__(self, world: World, visitor: str) -> None:
        self.world, self.visitor = world, visitor
        self.client = Client(raise_request_exception=False)
        if visitor != ANONYMOUS:
            self.client.force_login(world.people[visitor])
        # The last answer, read to its end, and its status.
        self.content, self.status = b"", 0
        self.client.cookies.update(world.link_cookies())
        self.cookies = SimpleCookie(self.client.cookies.output(header="", sep=";"))

    def outcome(self, route: Route, method: str) -> str:
        """A word for the answer: `yes`, `no`, `login`, `hidden` (404) or `405`."""
        values = self.world.values(route.path)
        if route.table:
            values["object_id"] = self.world.row_of(route.table).pk
        path = address(route.path, values)
        if route.path in QUERIES:
            path += QUERIES[route.path].format(case=self.world.case.pk)
        with transaction.atomic():
            word = self._send(path, method, self.body(route, method))
            transaction.set_rollback(True)
        return word

    def get(self, path: str) -> str:
        """The same for this address, with its query. What it changes is not undone."""
        return self._send(path, "GET", {})

    def post(self, path: str, body: dict[str, str]) -> str:
        """The same for a form with these values. What it changes is not undone."""
        return self._send(path, "POST", body)

    def body(self, route: Route, method: str) -> Any:
        """A body that fits, where an empty one is refused before anything is asked of the role."""
        if method == "GET":
            return {}
        body = dict(BODIES.get(f"{method} /{route.path}", {}))
        if route.page == "delete":
            body["post"] = "yes"
        for name, value in body.items():
            if value == "CASE":
                body[name] = self.world.case.pk
        return body

    def _send(self, path: str, method: str, body: Any) -> str:
        for cache in caches.all():
            cache.clear()
        self.client.cookies.clear()
        self.client.cookies.update(self.cookies)
        content, media = urlencode(body), FORM
        headers = {}
        if path.startswith("/api/"):
            content, media = json.dumps(body), JSON
            headers = self.headers(path)
        answer = self.client.generic(method, path, content, media, headers=headers)
        status = answer.status_code
        # Read to its end, it closes its file.
        self.content, self.status = b"".join(answer), status
        # 502: a service that the desk calls is away, here always. 503: what health has to say.
        is_expected = status == 502 or path == "/health/ready"
        assert status < 500 or is_expected, f"{method} {path}: {status}"
        target = answer.headers.get("Location", "")
        is_login_page = path.endswith("/login/")
        if status in REDIRECTS and target == "/admin/" and not is_login_page:
            # So the admin answers for a row that is not there.
            return HIDDEN
        is_login = target.startswith(LOGINS)
        is_login = is_login and not path.endswith("/logout/")
        if status in REDIRECTS and is_login:
            return LOGIN_FIRST
        return WORDS.get(status, DONE)

    def headers(self, path: str) -> dict[str, str]:
        key = ""
        if path.startswith("/api/desk/"):
            key = self.world.tokens.get(self.visitor, "")
        if not key:
            return {}
        return {"Authorization": f"Bearer {key}"}


QUERIES = {"reports/": "?case={case}"}
BODIES: dict[str, dict[str, Any]] = {
    "POST /hub/quarantine/<int:pk>/": {"act": "remove", "reason": "Known."},
    "POST /queue/act/": {"act": "csv", "case": "CASE"},
    "POST /api/desk/v1/agents/<int:pk>/batches": {"file_name": "a.csv", "csv": "a,b"},
    "POST /suspicion/<int:pk>/act/": {"act": "withdraw", "revision": "1"},
    "POST /cases/<int:pk>/suspicion/": {"noticed_on": "2026-03-01"},
    f"POST {CASE}suspicion-reports": {"noticed_on": "2026-03-01"},
    "PATCH /api/desk/v1/suspicion-reports/<int:pk>": {"sentences": [], "revision": "1"},
    "POST /api/desk/v1/suspicion-reports/<int:pk>/act": {
        "act": "withdraw",
        "revision": "1",
    },
    "POST /api/desk/v1/bulk-approvals": {"cases": [1]},
    "POST /api/desk/v1/bulk-approvals/<int:pk>/confirm": {"reasons": ["A01"]},
    f"POST {CASE}assign": {"to": None},
    f"POST {CASE}snooze": {"until": None},
    f"POST {CASE}notes": {"text": "Seen."},
    f"POST {CASE}tags": {"name": "new"},
    f"POST {CASE}tags/remove": {"name": "new"},
    f"POST {CASE}marks": {"check_id": "c", "kind": "reviewed"},
    f"POST {CASE}value-choices": {"field_key": "k", "candidate": 1},
    f"POST {CASE}dismissals": {"key": "k", "reason": "Known."},
    f"POST {CASE}rating": {"band": "prohibited", "reason": "Known."},
    "POST /api/desk/v1/parties/<int:pk>/relations": {
        "case_id": "CASE",
        "kind": "owner",
        "name": "Bo Ek",
    },
    "POST /api/desk/v1/look-ups": {"name": "Bo Ek"},
    f"POST {CASE}decisions": {
        "outcome": "approve",
        "reasons": ["A01"],
        "rationale": "Fine.",
        "revision": "1",
    },
    f"POST {CASE}second": {"agrees": True, "revision": "1"},
    f"POST {CASE}holds": {"reason": "A claim."},
    f"POST {CASE}erasures": {"reason": "A claim."},
    "POST /api/desk/v1/holds/<int:pk>/lift": {"reason": "Settled."},
    "POST /api/desk/v1/erasures/<int:pk>/withdraw": {"reason": "A mistake."},
    f"POST {CASE}reopen": {"reason": "New facts.", "revision": "1"},
    "PATCH /api/desk/v1/notes/<int:pk>": {"text": "Seen."},
    "POST /api/desk/v1/subscriptions": {"name": "n", "url": "https://a.example/"},
    "PATCH /api/desk/v1/subscriptions/<int:pk>": {"is_active": False},
}
