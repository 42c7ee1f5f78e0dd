"""The report of a job as a PDF: what was attested, what was checked, what was found."""

from __future__ import annotations

from importlib import import_module

from agenthub.models import AgentJob


def draw(job: AgentJob) -> bytes:
    """The PDF. What draws it is loaded with the first: serving pages needs no 20 MiB for it."""
    return bytes(import_module("agenthub.reports.document").draw(job))


def draw_test() -> bytes:
    """A test report as PDF: for clients that try the endpoint. It tells of no case, and says so."""
    return bytes(import_module("agenthub.reports.document").draw_test())
