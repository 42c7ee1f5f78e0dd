"""A connection of psycopg that does not wait for ever."""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg.pq import TransactionStatus

from compliance.db.connections import time_limits


class LimitedConnection(psycopg.Connection[object]):
    """A connection that waits a limited time for an answer.

    The server's own limits have no effect if the server or the network falls silent. Without this
    class a thread would then wait for ever.
    """

    def wait(self, *args: Any, **options: Any) -> Any:
        seconds = time_limits.answer_seconds()
        # Leave a timeout alone that the caller has set.
        if seconds and options.get("timeout") is None:
            options["timeout"] = seconds
        try:
            return super().wait(*args, **options)
        except psycopg.OperationalError:
            if self.pgconn.transaction_status == TransactionStatus.ACTIVE:
                # Close the connection: a late answer would be taken as the answer to the next
                # statement.
                self.pgconn.finish()
            raise
