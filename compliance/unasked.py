"""Statements that are run without asking first whether the connection lives."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django.db import InterfaceError, OperationalError, connection

Found = TypeVar("Found")


def run(statement: Callable[[], Found]) -> Found:
    """Run a statement that does no harm if it runs twice, as the first of a request.

    Django would ask SELECT 1 before it, which doubles the round trips of a short request. A
    connection that was lost while it lay idle is opened anew here instead, and the statement
    repeated.
    """
    setattr(connection, "health_check_done", True)  # noqa: B010 - unknown to the type stubs
    try:
        return statement()
    except (InterfaceError, OperationalError):
        if connection.in_atomic_block or connection.is_usable():
            raise
        connection.close()
        return statement()
