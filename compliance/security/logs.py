"""What is left out of the log: messages of exceptions, and the paths that open something by themselves.

Messages of exceptions repeat data: a database names the values of a row, a parser quotes its input.
Personal data must not reach the logs, so tracebacks are written with the place and the class alone.
Django logs the path of each request that it refuses, and some paths are keys.
"""

from __future__ import annotations

import logging
import re
import traceback
from types import TracebackType

# At most so many errors of a chain are written: the causes of causes say little more.
MAX_CAUSES = 5
# The links of documents, applicants, uploads, files of batches and forgotten passwords: what follows
# the prefix opens them.
_KEY_IN_PATH = re.compile(
    r"(/documents/[^/\s]+/file/|/requests/|/api/v1/uploads/[^/\s]+/|/api/v1/batches/"
    r"|/account/password/reset/key/)[^/\s?\"']+"
)


class Formatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return _KEY_IN_PATH.sub(r"\1...", super().format(record))

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
