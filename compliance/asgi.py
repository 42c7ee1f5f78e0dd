"""The ASGI entry point for a server without a proxy in front, such as `manage.py up`."""

from __future__ import annotations

from compliance.http.request_buffer import RequestBuffer
from compliance.wsgi import application as django

application = RequestBuffer(django)
