"""For a server behind a buffering proxy, such as the proxy in docker-compose.yml."""

from __future__ import annotations

import gc
import os
from importlib import import_module

from django.conf import settings
from django.core.wsgi import get_wsgi_application

# Load all pages before the first request, and then freeze: what is loaded now stays in memory, so
# the garbage collector need not examine it. Examining it slowed down the start and later requests.
gc.disable()
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "compliance.settings")
application = get_wsgi_application()
import_module("compliance.startup").refuse_faulty_installation()
time_limits = import_module("compliance.db.connections.time_limits")
time_limits.limit_statements(settings.DATABASE_STATEMENT_SECONDS)
import_module(settings.ROOT_URLCONF)
gc.freeze()
gc.enable()
