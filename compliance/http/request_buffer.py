"""Buffers requests for a server without a proxy: the whole body first, then Django in a thread.

Django under WSGI needs a tenth of the CPU that it needs under ASGI. But a WSGI thread that reads
from a slow sender can serve nobody else, and WSGI has no chunked bodies. So this module receives
every body itself, with a deadline and a size limit, and occupies a thread only while Django works.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import sys
import tempfile
from collections.abc import (
    Awaitable,
    Callable,
    Iterable,
    Iterator,
    Mapping,
    MutableMapping,
)
from concurrent.futures import ThreadPoolExecutor
from typing import IO, Any, NamedTuple

from django.conf import settings

from compliance.http.limits import credentials

# The wire format of ASGI: https://asgi.readthedocs.io/en/latest/specs/www.html
Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
# A WSGI application (PEP 3333) is called with the environ and start_response.
Application = Callable[[dict[str, object], Callable[..., Any]], Iterable[bytes]]

THREADS = 8
# Seconds for a whole body: 160 MiB arrive in this time at 22 Mbit/s.
BODY_SECONDS = 60.0
# A larger body is stored in a temporary file.
MEMORY_BYTES = 1 << 20
# A streamed response passes from its thread to the event loop in chunks of this size, because each
# pass is expensive compared with Django's small chunks.
CHUNK_BYTES = 256 << 10

CUT_OFF = "The request was cut off."
_REASONS = {400: "Bad Request", 408: "Request Timeout", 413: "Content Too Large"}

_pool = ThreadPoolExecutor(THREADS, thread_name_prefix="web")
# Logins wait for their turn in threads of their own: checking a password is slow, and must not
# delay other requests (see security/logins.py). The extra thread refuses logins beyond the queue.
_logins = ThreadPoolExecutor(
    settings.LOGINS_AT_A_TIME + settings.LOGIN_QUEUE + 1, thread_name_prefix="logins"
)


class _RefusedError(Exception):
    """The request is not passed to Django. The sender gets the status and the message."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(status)
        self.status = status
        self.message = message


class _Response(NamedTuple):
    status: int
    headers: list[tuple[bytes, bytes]]
    start: bytes  # the first part of the body
    # The remaining chunks of a streamed body; None: `start` is the whole body.
    rest: Iterator[bytes] | None


class RequestBuffer:
    """An ASGI application that calls a WSGI application once a request has arrived completely."""

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # The server announces its start and its end: nothing needs preparation.
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
            return
        if scope["type"] != "http":
            return
        try:
            body, length = await _receive_body(scope, receive)
        except _RefusedError as exc:
            await _refuse(exc, send)
            return
        try:
            environ = _environ(scope, body, length)
            pool = _logins if _is_login(scope) else _pool
            loop = asyncio.get_running_loop()
            response = await loop.run_in_executor(
                pool, _call, self._application, environ
            )
            await _respond(response, send)
        finally:
            body.close()


def _is_login(scope: Scope) -> bool:
    return scope["method"] == "POST" and scope["path"] in settings.LOGIN_PAGES


def _limit(path: str, headers: Mapping[bytes, bytes]) -> int:
    return credentials.body_limit(
        path,
        cookie=headers.get(b"cookie", b"").decode("latin-1"),
        authorization=headers.get(b"authorization", b"").decode("latin-1"),
    )


class _Allowance:
    """How many bytes a request may have. Credentials are checked only once the body is large."""

    def __init__(self, scope: Scope) -> None:
        self._path: str = scope["path"]
        self._headers = dict(scope["headers"])
        self.limit = _limit(self._path, self._headers)
        # No check is needed where the limit is the same with and without credentials: webhooks are
        # verified by their signature later, and an anonymous limit is the smallest.
        is_webhook = self.limit == settings.MAX_WEBHOOK_BYTES
        self._is_asked = is_webhook or self.limit <= settings.MAX_ANONYMOUS_BYTES

    async def require(self, length: int) -> None:
        """Raises _RefusedError if a body of `length` bytes is too large."""
        if length > self.limit:
            raise _RefusedError(413, "The request is too large.")
        if self._is_asked or length <= settings.MAX_ANONYMOUS_BYTES:
            return
        self._is_asked = True
        # The check reads the database, so it must not run in the event loop.
        loop = asyncio.get_running_loop()
        is_genuine = await loop.run_in_executor(
            _pool, credentials.is_genuine_in_thread, self._path, self._headers
        )
        if not is_genuine:
            self.limit = settings.MAX_ANONYMOUS_BYTES
            raise _RefusedError(413, "The request is too large for who is not known.")


async def _receive_body(scope: Scope, receive: Receive) -> tuple[IO[bytes], int]:
    """The whole body and its length. Raises _RefusedError."""
    allowance = _Allowance(scope)
    content_length = dict(scope["headers"]).get(b"content-length", b"0")
    # Refuse it before it is received. A chunked body has no Content-Length; its bytes are counted
    # below.
    if content_length.isdigit():
        await allowance.require(int(content_length))
    try:
        async with asyncio.timeout(BODY_SECONDS):
            return await _receive_chunks(receive, allowance)
    except TimeoutError:
        raise _RefusedError(408, "The request took too long to arrive.") from None


async def _receive_chunks(
    receive: Receive, allowance: _Allowance
) -> tuple[IO[bytes], int]:
    message = await receive()
    if message["type"] == "http.disconnect":
        raise _RefusedError(400, CUT_OFF)
    chunk = message.get("body", b"")
    # Nearly every request arrives as one chunk, and needs no spool.
    if not message.get("more_body"):
        return io.BytesIO(chunk), len(chunk)
    spool = _Spool()
    spool.write(chunk)
    length = len(chunk)
    while message.get("more_body"):
        message = await receive()
        if message["type"] == "http.disconnect":
            spool.close()
            raise _RefusedError(400, CUT_OFF)
        chunk = message.get("body", b"")
        spool.write(chunk)
        length += len(chunk)
        try:
            await allowance.require(length)
        except _RefusedError:
            spool.close()
            raise
    return spool.body(), length


class _Spool:
    """Stores a body: first in memory, above MEMORY_BYTES in a temporary file.

    After a write has failed, the rest is received and dropped: a browser reads the response only
    after it has sent the whole form.
    """

    def __init__(self) -> None:
        self._file: IO[bytes] = tempfile.SpooledTemporaryFile(MEMORY_BYTES)  # noqa: SIM115
        self._error: OSError | None = None

    def write(self, chunk: bytes) -> None:
        if self._error is not None:
            return
        try:
            self._file.write(chunk)
        except OSError as exc:
            self._fail(exc)

    def body(self) -> IO[bytes]:
        """The body, positioned at its start.

        If it could not be stored, reading it raises BodyLostError.
        """
        try:
            if self._error is None:
                # seek() flushes the buffer, so it may fail like a write.
                self._file.seek(0)
        except OSError as exc:
            self._fail(exc)
        if self._error is not None:
            return _LostBody(self._error)
        return self._file

    def close(self) -> None:
        # close() flushes the buffer, too.
        with contextlib.suppress(OSError):
            self._file.close()

    def _fail(self, error: OSError) -> None:
        self._error = error
        self.close()


class BodyLostError(Exception):
    """The body of a request could not be stored.

    It is no OSError: Django would treat that as a closed connection of the sender.
    """


class _LostBody(io.BytesIO):
    """Takes the place of a body that could not be stored: reading it in a view raises the error.

    So the error is handled like any other: by an error page, or in the interface's error format.
    """

    def __init__(self, error: OSError) -> None:
        super().__init__()
        self._error = error

    def read(self, size: int | None = -1, /) -> bytes:
        raise BodyLostError from self._error

    def readline(self, size: int | None = -1, /) -> bytes:
        raise BodyLostError from self._error


def _environ(scope: Scope, body: IO[bytes], length: int) -> dict[str, object]:
    """The request as a WSGI environ (PEP 3333)."""
    server = scope.get("server") or ("localhost", 80)
    client = scope.get("client") or ("", 0)
    environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        # WSGI passes the bytes of the path decoded as Latin-1.
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
        # WSGI turns both "-" and "_" into "_", so a sender could disguise one header as another.
        if b"_" in raw_name:
            continue
        name = raw_name.decode("latin-1").upper().replace("-", "_")
        # The body is complete now: it is not chunked, and its length is set below.
        if name in {"TRANSFER_ENCODING", "CONTENT_LENGTH"}:
            continue
        key = name if name == "CONTENT_TYPE" else f"HTTP_{name}"
        value = raw_value.decode("latin-1")
        # A repeated header: join the values as HTTP does.
        if key in environ:
            separator = "; " if name == "COOKIE" else ","
            value = environ[key] + separator + value
        environ[key] = value
    environ["CONTENT_LENGTH"] = str(length)
    return environ


def _call(application: Application, environ: dict[str, object]) -> _Response:
    """Run the WSGI application; called in a thread. Returns a one-chunk body as a whole."""
    status = 0
    headers: list[tuple[bytes, bytes]] = []

    def start_response(
        line: str, pairs: list[tuple[str, str]], _: object = None
    ) -> Any:
        nonlocal status
        status = int(line[:3])
        # WSGI allows a second call after an error. It replaces the first.
        headers.clear()
        for name, value in pairs:
            headers.append((name.lower().encode("latin-1"), value.encode("latin-1")))

    chunks = _large_chunks(application(environ, start_response))
    first = next(chunks, b"")
    # A second chunk means that the body is streamed. Both chunks form the start of the response.
    second = next(chunks, None)
    if second is None:
        return _Response(status, headers, first, None)
    return _Response(status, headers, first + second, chunks)


def _large_chunks(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The body in chunks of CHUNK_BYTES.

    Closes the WSGI body at the end, which ends Django's request.
    """
    buffer = bytearray()
    try:
        for chunk in chunks:
            buffer += chunk
            if len(buffer) >= CHUNK_BYTES:
                yield bytes(buffer)
                buffer.clear()
        if buffer:
            yield bytes(buffer)
    finally:
        close = getattr(chunks, "close", None)
        if close is not None:
            close()


async def _respond(response: _Response, send: Send) -> None:
    await _send_start(response.status, response.headers, send)
    await _send_body(response.start, send, more=response.rest is not None)
    if response.rest is None:
        return
    # Produce each further chunk in a thread: it may read a file or the database.
    loop = asyncio.get_running_loop()
    chunk = await loop.run_in_executor(_pool, next, response.rest, None)
    while chunk is not None:
        await _send_body(chunk, send, more=True)
        chunk = await loop.run_in_executor(_pool, next, response.rest, None)
    await _send_body(b"", send)


async def _refuse(refusal: _RefusedError, send: Send) -> None:
    # JSON, as the interfaces' errors: browsers rarely send so much or so slowly.
    problem = {"error": _REASONS[refusal.status], "message": refusal.message}
    # The rest of the request is not read, so the connection cannot be reused.
    headers = [
        (b"content-type", b"application/json"),
        (b"connection", b"close"),
        (b"x-content-type-options", b"nosniff"),
    ]
    # Django's SecurityMiddleware does not run here, so its HSTS header is set by hand.
    if settings.SECURE_HSTS_SECONDS:
        value = f"max-age={settings.SECURE_HSTS_SECONDS}"
        if settings.SECURE_HSTS_INCLUDE_SUBDOMAINS:
            value += "; includeSubDomains"
        headers.append((b"strict-transport-security", value.encode()))
    await _send_start(refusal.status, headers, send)
    await _send_body(json.dumps(problem).encode(), send)


async def _send_start(
    status: int, headers: list[tuple[bytes, bytes]], send: Send
) -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers})


async def _send_body(chunk: bytes, send: Send, *, more: bool = False) -> None:
    await send({"type": "http.response.body", "body": chunk, "more_body": more})


async def _lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
