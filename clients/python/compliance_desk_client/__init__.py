"""A typed client of the desk's interface: requests and the standard library, nothing else.

client = DeskClient("https://desk.example", token)
case = client.create_case({"agent": 1, "self_attested_data": {"business_name": "Northwind Ltd"}})
for row in client.iterate_cases(view="review"):
    ...
"""

from __future__ import annotations

from compliance_desk_client import models
from compliance_desk_client.client import DeskClient
from compliance_desk_client.errors import ApiError, WebhookError
from compliance_desk_client.transport import File
from compliance_desk_client.webhooks import read_webhook, verify_webhook

__all__ = [
    "ApiError",
    "DeskClient",
    "File",
    "WebhookError",
    "models",
    "read_webhook",
    "verify_webhook",
]
