"""For a server that stands alone: takes the whole body, then hands it to Django in a thread.

Django under WSGI costs a tenth of the CPU that it costs under ASGI, but a thread that reads from
a slow sender serves nobody else, and WSGI has no chunked bodies. This front reads every body
itself, with a deadline and a cap, so that a thread is only busy while Django works.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterable, Iterator, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from typing import IO, Any, NamedTuple

from django.conf import settings

from compliance.wsgi import application as django

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

THREADS = 8
BODY_SECONDS = 60.0  # a sender may take this long for a whole body
MEMORY_BYTES = 1 << 20  # larger bodies go to a temporary file
PIECE = 256 << 10  # bytes of a streamed answer per hop between thread and loop

_REASONS = {400: "Bad Request", 408: "Request Timeout", 413: "Content Too Large"}

_pool = ThreadPoolExecutor(THREADS, thread_name_prefix="web")
# Who tries a password waits beside these: for his turn, or to be told that too many wait.
_logins = ThreadPoolExecutor(
    settings.LOGINS_AT_A_TIME + settings.LOGIN_QUEUE + 1, thread_name_prefix="logins"
)


class _Refused(Exception):  # noqa: N818 - an answer, not a fault
    def __init__(self, status: int, message: str) -> None:
        super().__init__(status)
        self.status, self.message = status, message


class _Answer(NamedTuple):
    status: int
    headers: list[tuple[bytes, bytes]]
    first: bytes
    rest: Iterator[bytes] | None


async def application(scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
    if scope["type"] == "lifespan":
        return await _lifespan(receive, send)
    if scope["type"] != "http":
        return None
    try:
        body, length = await _body(scope, receive)
    except _Refused as refused:
        return await _refuse(refused, send)
    loop = asyncio.get_running_loop()
    try:
        pool = _logins if _is_login(scope) else _pool
        answer = await loop.run_in_executor(pool, _call, _environ(scope, body, length))
        await send(
            {"type": "http.response.start", "status": answer.status, "headers": answer.headers}
        )
        more = answer.rest is not None
        await send({"type": "http.response.body", "body": answer.first, "more_body": more})
        if answer.rest is not None:
            await _stream(answer.rest, send, loop)
    finally:
        body.close()
    return None


def _is_login(scope: MutableMapping[str, Any]) -> bool:
    return scope["method"] == "POST" and scope["path"] in settings.LOGIN_PAGES


async def _body(scope: MutableMapping[str, Any], receive: Receive) -> tuple[IO[bytes], int]:
    """The whole body and its length. Raises _Refused."""
    said = dict(scope["headers"]).get(b"content-length", b"0")
    if said.isdigit() and int(said) > settings.MAX_REQUEST_BYTES:
        raise _Refused(413, "The request is too large.")
    try:
        async with asyncio.timeout(BODY_SECONDS):
            return await _pieces(receive)
    except TimeoutError:
        raise _Refused(408, "The request took too long to arrive.") from None


async def _pieces(receive: Receive) -> tuple[IO[bytes], int]:
    message = await receive()
    first = message.get("body", b"")
    if not message.get("more_body"):  # nearly every request
        return io.BytesIO(first), len(first)
    spool = _Spool()
    length = spool.write(first)
    while message.get("more_body"):
        message = await receive()
        if message["type"] == "http.disconnect":
            spool.close()
            raise _Refused(400, "The request was cut off.")
        length += spool.write(message.get("body", b""))
        if length > settings.MAX_REQUEST_BYTES:
            spool.close()
            raise _Refused(413, "The request is too large.")
    return spool.body(), length


class _Spool:
    """Stores a body: in memory at first, later in a temporary file.

    Where a write fails, the rest is received and dropped: a browser reads the answer only after it
    has sent the whole form.
    """

    def __init__(self) -> None:
        self._file: IO[bytes] = tempfile.SpooledTemporaryFile(MEMORY_BYTES)  # noqa: SIM115
        self._error: OSError | None = None

    def write(self, piece: bytes) -> int:
        if self._error is None:
            try:
                self._file.write(piece)
            except OSError as exc:
                self._fail(exc)
        return len(piece)

    def body(self) -> IO[bytes]:
        """The body from its start. Where it could not be stored, reading it raises BodyLostError."""
        try:
            if self._error is None:
                self._file.seek(0)  # this writes what is still buffered
        except OSError as exc:
            self._fail(exc)
        return _LostBody(self._error) if self._error else self._file

    def close(self) -> None:
        with contextlib.suppress(OSError):  # it writes what is still buffered
            self._file.close()

    def _fail(self, error: OSError) -> None:
        self._error = error
        self.close()


class BodyLostError(Exception):
    """The body of a request could not be stored. No OSError: Django takes that for a lost sender."""


class _LostBody(io.BytesIO):
    """Stands for a body that could not be stored. Who reads it, in Django, answers the request."""

    def __init__(self, error: OSError) -> None:
        super().__init__()
        self._error = error

    def read(self, size: int | None = -1, /) -> bytes:
        raise BodyLostError from self._error

    def readline(self, size: int | None = -1, /) -> bytes:
        raise BodyLostError from self._error


def _environ(scope: MutableMapping[str, Any], body: IO[bytes], length: int) -> dict[str, Any]:
    server = scope.get("server") or ("localhost", 80)
    client = scope.get("client") or ("", 0)
    environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode().decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": str(server[0]),
        "SERVER_PORT": str(server[1]),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": str(client[0]),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.get("scheme", "http"),
        "wsgi.input": body,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for raw_name, raw_value in scope["headers"]:
        name = raw_name.decode("latin-1").upper().replace("-", "_")
        value = raw_value.decode("latin-1")
        # An underscore would let a sender pass one header off as another.
        if b"_" in raw_name or name in {"TRANSFER_ENCODING", "CONTENT_LENGTH"}:
            continue
        key = name if name == "CONTENT_TYPE" else f"HTTP_{name}"
        joint = "; " if name == "COOKIE" else ","
        environ[key] = f"{environ[key]}{joint}{value}" if key in environ else value
    environ["CONTENT_LENGTH"] = str(length)
    return environ


def _call(environ: dict[str, Any]) -> _Answer:
    """Run Django, in a thread. An answer of one piece comes back whole."""
    started: list[Any] = []

    def start_response(status: str, headers: list[tuple[str, str]], _: Any = None) -> Any:
        started[:] = [int(status[:3]), headers]

    pieces = django(environ, start_response)
    gathered = _gathered(pieces)
    first = next(gathered, b"")
    second = next(gathered, None)
    status, headers = started
    encoded = [(n.lower().encode("latin-1"), v.encode("latin-1")) for n, v in headers]
    if second is None:
        return _Answer(status, encoded, first, None)
    return _Answer(status, encoded, first + second, gathered)


def _gathered(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The answer in pieces worth a hop; closes it, which ends the request for Django."""
    buffer = bytearray()
    try:
        for piece in pieces:
            buffer += piece
            if len(buffer) >= PIECE:
                yield bytes(buffer)
                buffer.clear()
        if buffer:
            yield bytes(buffer)
    finally:
        if close := getattr(pieces, "close", None):
            close()


async def _stream(rest: Iterator[bytes], send: Send, loop: asyncio.AbstractEventLoop) -> None:
    while (piece := await loop.run_in_executor(_pool, next, rest, None)) is not None:
        await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _refuse(refused: _Refused, send: Send) -> None:
    # As the interfaces tell every error: who sends so much, or so slowly, is no browser.
    said = {"error": _REASONS[refused.status], "message": refused.message}
    headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(said).encode()})


async def _lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
