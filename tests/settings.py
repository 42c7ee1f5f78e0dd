"""The settings of the tests: the real ones, with data of their own and cheap passwords."""

from __future__ import annotations

import os
from pathlib import Path

os.environ.setdefault(
    "VAR", str(Path(__file__).resolve().parent.parent / "var" / "test")
)
# Fonts and icons are made once, for all databases.
os.environ.setdefault(
    "VENDORED_DIR", str(Path(os.environ["VAR"]).resolve().parent / "vendored")
)

from compliance.settings import *  # noqa: F403
from compliance.settings import DATABASES, EMBEDDED, STORAGES

ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# Thousands of tests make a connection, whose key is hashed twice.
AUDIT_SECRET_ROUNDS = 20
# No manifest: the tests need no collectstatic.
STORAGES = {
    **STORAGES,
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_AUTOREFRESH = True
# Here no power cut is survived.
NO_WAIT = "PRAGMA synchronous=OFF;"
if EMBEDDED:
    DATABASES["default"]["OPTIONS"]["init_command"] += NO_WAIT
else:
    DATABASES["default"]["OPTIONS"] = {"options": "-c synchronous_commit=off"}
# No test is about how fast this machine is.
DOCUMENT_SECONDS = 300
# Threads of a test come and go; a connection that one left open would hold the database.
DATABASES["default"]["CONN_MAX_AGE"] = 0
# Tests log in without a page. What asks for a recent login has tests of its own.
STEP_UP_MINUTES = 0
# Most tests have one person. What two must do has tests of its own.
RULES_ALONE = True
# A thread of its own would write into whatever test is running. Tests write what waits themselves.
READS_FLUSH_SECONDS = 0
TALLY_SECONDS = 0
# Tests change what is ready, and ask again at once.
READY_SECONDS = 0
# A test reads the mails of its requests. One of them is about the thread that sends them.
MAIL_IN_BACKGROUND = False
