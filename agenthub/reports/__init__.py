"""The report of a job as a PDF: attested data, checks, and findings."""

from __future__ import annotations

from importlib import import_module

from agenthub.models import AgentJob


def draw(job: AgentJob) -> bytes:
    """The report as PDF.

    The drawing code is imported late: it takes 20 MiB that pages do not need.
    """
    return bytes(import_module("agenthub.reports.document").draw(job))


def draw_test() -> bytes:
    """A test report as PDF, for clients that try the endpoint.

    It states that it contains no case.
    """
    return bytes(import_module("agenthub.reports.document").draw_test())
