"""What goes wrong: the desk's own problems, and webhooks that nobody at the desk signed."""

from __future__ import annotations

from compliance_desk_client import models


class ApiError(Exception):
    """The desk answered an error. `problem` is its body (RFC 9457), where it was one.

    `retry_after` is in seconds, where the desk says when to try again.
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
        """For programs: docs/desk-api.md lists them. Empty where there was no problem."""
        return self.problem["code"] if self.problem else ""


class WebhookError(Exception):
    """The signature is missing, old or another secret's."""
