"""For a server that stands behind a buffering proxy, such as the one of docker-compose.yml."""

from __future__ import annotations

import gc
import os
from importlib import import_module

from django.conf import settings
from django.core.wsgi import get_wsgi_application

# All pages are loaded before the first request. What is loaded stays for good, so the garbage
# collector need not examine it: that took time at the start, and later while requests waited.
gc.disable()
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "compliance.settings")
application = get_wsgi_application()
connection_settings = import_module("compliance.db.connection_settings")
connection_settings.limit_statements(settings.DATABASE_STATEMENT_SECONDS)
import_module(settings.ROOT_URLCONF)
gc.freeze()
gc.enable()
