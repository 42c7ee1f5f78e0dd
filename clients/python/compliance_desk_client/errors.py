"""Exceptions of the client: errors that the desk responds with, and webhooks without a valid
signature.
"""

from __future__ import annotations

from compliance_desk_client import models


class ApiError(Exception):
    """The desk responded with an error. `problem` is its body (RFC 9457), or None if it has
    another form.

    `retry_after` is in seconds; None if the desk does not say when to try again.
    """

    def __init__(
        self,
        status: int,
        problem: models.Problem | None,
        *,
        retry_after: int | None = None,
    ) -> None:
        self.status = status
        self.problem = problem
        self.retry_after = retry_after
        detail = (
            problem["detail"] if problem else "The answer is no problem of the desk."
        )
        super().__init__(f"{status}: {detail}")

    @property
    def code(self) -> str:
        """The code for programs; docs/desk-api.md lists all codes. "" if there is no problem
        body.
        """
        return self.problem["code"] if self.problem else ""


class WebhookError(Exception):
    """The signature is missing, too old, or made with another secret."""
