"""Tracebacks in the log: the place and the class of an error, without its message.

Messages of exceptions repeat data: a database names the values of a row, a parser quotes its input.
Personal data must not reach the logs, so tracebacks are written without messages.
"""

from __future__ import annotations

import logging
import traceback
from types import TracebackType

# At most so many errors of a chain are written: the causes of causes say little more.
MAX_CAUSES = 5


class Formatter(logging.Formatter):
    def formatException(  # noqa: N802 - logging's name
        self,
        ei: tuple[type[BaseException], BaseException, TracebackType | None]
        | tuple[None, None, None],
    ) -> str:
        parts: list[str] = []
        exc: BaseException | None = ei[1]
        while exc is not None and len(parts) < MAX_CAUSES:
            frames = "".join(traceback.format_tb(exc.__traceback__))
            error = type(exc)
            parts.append(f"{frames}{error.__module__}.{error.__qualname__}")
            exc = _cause(exc)
        return "\n… after:\n".join(parts)


def _cause(exc: BaseException) -> BaseException | None:
    """The exception that Python would show before this one."""
    if exc.__cause__ is not None:
        return exc.__cause__
    # `raise … from None` hides the context.
    if exc.__suppress_context__:
        return None
    return exc.__context__
