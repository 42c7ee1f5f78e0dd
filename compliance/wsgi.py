"""For a server that stands behind a buffering proxy, such as the one of docker-compose.yml."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterable
from importlib import import_module

from django.conf import settings
from django.core.wsgi import get_wsgi_application

# Load all pages before the first request, and have the garbage collector leave alone what is there
# for good: it walked through all of it again and again, first here, then while requests waited.
gc.disable()
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "compliance.settings")
# REST framework looks for PostgreSQL's fields: its driver is 10 MiB that SQLite has no use for. None
# hides a module; whoever asks for it later, finds it.
hidden = settings.EMBEDDED and sys.modules.setdefault("psycopg", None) is None  # type: ignore[arg-type]
application: Callable[..., Iterable[bytes]] = get_wsgi_application()
import_module(settings.ROOT_URLCONF)
if hidden:
    del sys.modules["psycopg"]
gc.freeze()
gc.enable()
