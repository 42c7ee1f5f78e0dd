"""Fills the configured database with the given number of cases; prints a session key as JSON."""

from __future__ import annotations

import json
import sys

import django
from django.core.management import call_command


def session_of(username: str) -> str:
    """The cookie of a session of a new superuser with this name."""
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.auth.models import User

    from compliance.security.session_store import cookies, database

    user = User.objects.create_superuser(username)
    session = database.SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return cookies.cookie_of(str(session.session_key))


def main(count: int) -> None:
    from django.db import connection

    from bench.seed import _make
    from compliance.pages import vendored
    from reviews.intake import sample_cases

    vendored.publish()
    _make("http://127.0.0.1:9", [])
    sample_cases.create(count)
    key = session_of("of-the-bench")
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    print(json.dumps({"session": key}))


if __name__ == "__main__":
    django.setup()
    call_command("migrate", verbosity=0, interactive=False)
    main(int(sys.argv[1]))
