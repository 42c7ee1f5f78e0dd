"""What goes into the log: where a fault happened and of which class, never what it was about.

Messages of exceptions repeat what was sent to us: a database names the values of a row, a parser
quotes its input. Personal data must not reach the logs, so tracebacks are written without them.
"""

from __future__ import annotations

import logging
import traceback
from types import TracebackType


class Formatter(logging.Formatter):
    def formatException(  # noqa: N802 - logging's name
        self,
        ei: tuple[type[BaseException], BaseException, TracebackType | None]
        | tuple[None, None, None],
    ) -> str:
        parts: list[str] = []
        seen: BaseException | None = ei[1]
        while seen is not None and len(parts) < 5:
            frames = "".join(traceback.format_tb(seen.__traceback__))
            parts.append(f"{frames}{type(seen).__module__}.{type(seen).__qualname__}")
            seen = seen.__cause__ or (None if seen.__suppress_context__ else seen.__context__)
        return "\n… after:\n".join(parts)
