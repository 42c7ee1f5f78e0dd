"""A very cheap receiver: verifies the signature, counts, and responds after a delay.

`python -m bench.anchors.sink PORT DELAY`. GET returns the counts, DELETE resets them.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import sys
import time

from bench.load import SECRET

DELAY = float(sys.argv[2])
KEY = SECRET.encode()


class Sink(asyncio.Protocol):
    valid = invalid = 0
    first = last = 0.0
    seen: set[bytes]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport, self.buffer = transport, bytearray()

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        # A minimal HTTP parser: one iteration per complete request in the buffer.
        while (end := self.buffer.find(b"\r\n\r\n")) >= 0:
            headers: dict[bytes, bytes] = {}
            for line in bytes(self.buffer[:end]).split(b"\r\n")[1:]:
                name, _, value = line.partition(b":")
                headers[name.lower()] = value
            length = int(headers.get(b"content-length", b"0"))
            if len(self.buffer) < end + 4 + length:
                return
            verb, body = self.buffer[:3], bytes(self.buffer[end + 4 : end + 4 + length])
            del self.buffer[: end + 4 + length]
            if verb == b"POS" and DELAY:
                loop = asyncio.get_running_loop()
                loop.call_later(
                    DELAY, self.take, body, headers.get(b"x-signature-sha256", b"")
                )
            elif verb == b"POS":
                self.take(body, headers.get(b"x-signature-sha256", b""))
            else:
                self.report(forget=verb == b"DEL")

    def take(self, body: bytes, signature: bytes) -> None:
        Sink.last = time.perf_counter()
        Sink.first = Sink.first or Sink.last
        expected = base64.b64encode(hmac.digest(KEY, body, hashlib.sha256))
        if hmac.compare_digest(expected, signature.strip()):
            Sink.valid += 1
            Sink.seen.add(hashlib.blake2b(body, digest_size=16).digest())
        else:
            Sink.invalid += 1
        self.answer(b'{"status":"ok"}')

    def report(self, *, forget: bool) -> None:
        if forget:
            Sink.valid = Sink.invalid = 0
            Sink.first = Sink.last = 0.0
            Sink.seen = set()
        data = {
            "valid": Sink.valid,
            "invalid": Sink.invalid,
            "distinct": len(Sink.seen),
        }
        self.answer(json.dumps({**data, "seconds": Sink.last - Sink.first}).encode())

    def answer(self, body: bytes) -> None:
        if not self.transport.is_closing():
            head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
            self.transport.write(head % len(body) + body)


async def main() -> None:
    Sink.seen = set()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Sink, "127.0.0.1", int(sys.argv[1]), backlog=512)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
