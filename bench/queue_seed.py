"""Fills the database that the environment names with so many cases; prints a session as JSON."""

from __future__ import annotations

import json
import sys

import django
from django.core.management import call_command

if __name__ == "__main__":
    django.setup()
    call_command("migrate", verbosity=0, interactive=False)
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.auth.models import User
    from django.contrib.sessions.backends.db import SessionStore
    from django.db import connection

    from bench.seed import _make
    from compliance import vendored
    from reviews import demo

    vendored.publish()
    _make("http://127.0.0.1:9", [])
    demo.make(int(sys.argv[1]))
    user = User.objects.create_superuser("of-the-bench")
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    print(json.dumps({"session": session.session_key}))
