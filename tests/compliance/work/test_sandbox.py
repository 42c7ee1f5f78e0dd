"""A document that took over its reader: no files, no network, no secrets, no other process."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import socket
import stat
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgpack
import pytest

from compliance.work import isolation, sandbox
from compliance.work.isolation import IsolationError, TimeLimitError

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or bool(sandbox.missing()),
    reason="This kernel has no sandbox",
)


def run(name: str, *, seconds: float = 20, readable=(), **kwargs) -> list[object]:
    target = f"{__name__}:{name}"
    return list(
        isolation.stream(target, kwargs, seconds=seconds, readable=list(readable))
    )


def _read(path: str) -> None:
    with Path(path).open("rb") as stream:
        stream.read(1)


def _write(path: str) -> None:
    with Path(path).open("ab") as stream:
        stream.write(b"1")


def _connect(port: int) -> None:
    socket.create_connection(("127.0.0.1", port), 2).close()


def _send_datagram(port: int) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"1", ("127.0.0.1", port))


def _connect_locally(path: str) -> None:
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(path)


def _trace(pid: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.ptrace(16, pid, 0, 0) != 0:  # PTRACE_ATTACH
        raise PermissionError(ctypes.get_errno(), "ptrace")


def _call(name: str, *arguments: object) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if getattr(libc, name)(*arguments) < 0:
        raise OSError(ctypes.get_errno(), name)


ATTEMPTS: dict[str, Callable[..., object]] = {
    "read": _read,
    "list": os.listdir,
    "write": _write,
    "remove": os.unlink,
    "make folder": os.mkdir,
    "change rights": lambda path: Path(path).chmod(0o600),
    "change times": lambda path: os.utime(path, (1, 1)),
    "truncate": lambda path: os.truncate(path, 0),
    "connect": _connect,
    "datagram": _send_datagram,
    "local socket": _connect_locally,
    "program": lambda path: subprocess.run([path], check=False),
    "replace itself": lambda path: os.execv(path, [path]),  # noqa: S606
    "fork": lambda: os.fork() or os._exit(0),
    "signal": lambda pid: os.kill(pid, 0),
    "trace": _trace,
    "priority": lambda pid: os.setpriority(os.PRIO_PROCESS, pid, 19),
    "scheduling": lambda pid: os.sched_setscheduler(
        pid, os.SCHED_BATCH, os.sched_param(0)
    ),
    "log of the kernel": lambda: _call("klogctl", 10, None, 0),
    "higher limit": lambda pid: sys.modules["resource"].prlimit(pid, 7),
}


def attempts(*, tries: list[list[object]]) -> Iterator[str]:
    for name, *arguments in tries:
        try:
            ATTEMPTS[str(name)](*arguments)
        except OSError as exc:
            yield f"{name}: refused ({type(exc).__name__})"
        else:
            yield f"{name} {arguments}: done"


def test_what_a_reader_is_refused(tmp_path):
    theirs = tmp_path / "secret"
    theirs.write_text("key")
    (tmp_path / "folder").mkdir()
    listener = socket.create_server(("127.0.0.1", 0))
    local = socket.socket(socket.AF_UNIX)
    local.bind(str(tmp_path / "socket"))
    local.listen()
    port = listener.getsockname()[1]
    parent = os.getpid()
    tries: list[list[object]] = [
        ["read", "/etc/passwd"],
        ["read", str(theirs)],
        ["read", "/proc/self/environ"],
        ["read", f"/proc/{parent}/environ"],
        ["read", f"/proc/{parent}/maps"],
        ["read", str(sandbox.ROOT / "manage.py")],
        ["list", "/"],
        ["list", str(tmp_path)],
        ["write", str(theirs)],
        ["write", "/tmp/of-a-document"],  # noqa: S108
        ["write", str(sandbox.ROOT / "checks" / "of_a_document.py")],
        ["write", f"{sys.prefix}/of-a-document"],
        ["remove", str(theirs)],
        ["make folder", str(tmp_path / "new")],
        ["change rights", str(theirs)],
        ["change times", str(theirs)],
        ["truncate", str(theirs)],
        ["connect", port],
        ["datagram", port],
        ["local socket", str(tmp_path / "socket")],
        ["program", "/bin/true"],
        ["replace itself", "/bin/true"],
        ["fork"],
        ["signal", parent],
        ["signal", 1],
        ["trace", parent],
        ["higher limit", parent],
        ["priority", parent],
        ["scheduling", parent],
        ["log of the kernel"],
    ]
    answers = run("attempts", tries=tries)
    listener.close()
    local.close()
    assert [answer for answer in answers if "refused" not in str(answer)] == []
    assert len(answers) == len(tries)
    assert theirs.read_text() == "key"


def test_what_libraries_throw_away_can_be_written():
    """Tesseract opens it for its notes, and crashes where it cannot."""
    assert "done" in str(run("attempts", tries=[["write", "/dev/null"]])[0])


def test_fonts_of_the_machine_can_be_read():
    """PDFium looks for them there, so that a page is drawn as out of the sandbox."""
    fonts = Path("/usr/local/share/fonts")
    if not fonts.is_dir():
        pytest.skip("This machine has no such folder")
    assert "done" in str(run("attempts", tries=[["list", str(fonts)]])[0])


def test_what_was_allowed_can_be_read(tmp_path):
    (tmp_path / "root.pem").write_text("a certificate")
    tries = [["read", str(tmp_path / "root.pem")]]
    answers = run("attempts", tries=tries, readable=[str(tmp_path)])
    assert "done" in str(answers[0])


def starts_threads() -> Iterator[int]:
    rows: list[int] = []
    thread = threading.Thread(target=lambda: rows.append(1))
    thread.start()
    thread.join()
    yield sum(rows)


def test_threads_of_libraries_still_start():
    assert run("starts_threads") == [1]


def looks_around() -> Iterator[object]:
    from django.conf import settings

    yield sorted(os.environ)
    yield settings.configured
    descriptors = []
    for number in range(64):
        try:
            mode = os.fstat(number).st_mode
        except OSError:
            continue
        kind = "pipe" if stat.S_ISFIFO(mode) else "device"
        descriptors.append(kind if not stat.S_ISSOCK(mode) else "socket")
    yield descriptors


def test_a_reader_has_no_secrets_and_no_descriptors():
    script = (
        "import sys; from tests.compliance.work import test_sandbox\n"
        "if __name__ == '__main__': print(test_sandbox.run('looks_around'))"
    )
    secrets = {"SECRET_KEY": "s3cret", "DATABASE_URL": "postgres://u:p@h/d"}
    ran = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, **secrets},
        capture_output=True,
        text=True,
        check=True,
    )
    environment, is_configured, descriptors = eval(ran.stdout)  # noqa: S307 - our own
    assert not set(environment) & {*secrets, "ENCRYPTION_KEY"}
    assert is_configured is False
    assert descriptors == ["device", "device", "device", "pipe"]


def test_erased_variables_are_gone_from_memory():
    script = (
        "import os, compliance.work.erase_environment\n"
        "memory = open('/proc/self/environ', 'rb').read()\n"
        "print(b's3cret-value' in memory, 'MY_SECRET' in os.environ, 'TZ' in os.environ)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "MY_SECRET": "s3cret-value", "TZ": "UTC"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.split() == ["False", "False", "True"]


def _answers_to() -> int:
    for number in range(3, 64):
        try:
            if stat.S_ISFIFO(os.fstat(number).st_mode):
                return number
        except OSError:
            continue
    raise AssertionError


def writes(*, content: bytes) -> Iterator[int]:
    os.write(_answers_to(), content)
    time.sleep(300)
    yield 1


@pytest.mark.parametrize(
    "content",
    [
        b"\xc1",
        b"\x01",
        msgpack.packb(["item"]),
        msgpack.packb([["item", 1], 2, 3]),
        b"\x80\x04cos\nsystem\n(S'true'\ntR.",
        b"\xd9\x05\xff\xff\xff\xff\xff",
    ],
)
def test_an_answer_that_is_none(content):
    with pytest.raises(IsolationError, match="cannot be read"):
        run("writes", content=content)


def test_a_reader_that_stalls_in_the_middle_of_its_answer_is_stopped():
    ticks = []
    began = time.monotonic()
    started = isolation.stream(
        f"{__name__}:writes",
        # A list of two, a text, and of 1,000 bytes of text the first one.
        {"content": b"\x92\xa4item\xda\x03\xe8x"},
        seconds=3,
        tick=lambda: ticks.append(1),
    )
    with pytest.raises(TimeLimitError):
        list(started)
    assert time.monotonic() - began < 60
    assert ticks


def floods(*, size: int) -> Iterator[bytes]:
    while True:
        yield bytes(size)


@pytest.mark.parametrize("size", [1 << 20, isolation.ITEM_BYTES + 1])
def test_an_answer_has_a_limit(size):
    with pytest.raises(IsolationError, match="more than a document"):
        run("floods", size=size, seconds=60)


BOMBS = {
    "lists": b"\xdd\x00\x80\x00\x00" + b"\x90" * (1 << 23),
    "maps": b"\xdd\x00\x40\x00\x00" + b"\x81\x00\xc0" * (1 << 22),
    "nested": b"\x91" * 900 + b"\xc0",
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_small_answer_does_not_become_large(name):
    """Each of these bytes would be an object of 56 to 232 bytes in the worker."""
    before = _peak_kilobytes()
    with pytest.raises(IsolationError):
        run("bomb", bomb=name, seconds=60)
    assert _peak_kilobytes() - before < 256 << 10


def bomb(*, bomb: str) -> Iterator[None]:
    rest = memoryview(b"\x92\xa4item" + BOMBS[bomb])
    while rest:
        rest = rest[os.write(_answers_to(), rest) :]
    time.sleep(300)
    yield


def _peak_kilobytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


@pytest.mark.parametrize(
    "value",
    [
        msgpack.ExtType(4, b"x"),
        msgpack.Timestamp(1),
        float("nan"),
        float("inf"),
        {1: 2},
        {b"a": 1},
        {"a": {"b": b"a file"}},
        [[[msgpack.ExtType(4, b"x")]]],
    ],
)
def test_an_answer_is_plain_data(value):
    content = msgpack.packb(["item", value])
    with pytest.raises(IsolationError):
        run("writes", content=content, seconds=60)


def test_an_answer_has_only_characters_that_a_database_stores():
    text = "a\x00b\ud800c\udc00 \U0001f600 é"
    content = msgpack.packb(["item", {"k\x00": [text]}], unicode_errors="surrogatepass")
    item: Any = next(
        isolation.stream(f"{__name__}:writes", {"content": content}, seconds=60)
    )
    assert set(item) == {"k\ufffd"}
    (kept,) = item["k\ufffd"]
    kept.encode()
    assert kept.replace("\ufffd", "") == "abc \U0001f600 é"


def prints() -> Iterator[int]:
    print("Jane Doe")  # noqa: T201
    os.write(2, b"Jane Doe")
    yield 1


def test_what_a_library_prints_reaches_no_log(capfd):
    assert run("prints") == [1]
    assert "Jane" not in "".join(capfd.readouterr())


def own_signal() -> Iterator[int]:
    signal.signal(signal.SIGUSR1, lambda *_: None)
    os.kill(os.getpid(), signal.SIGUSR1)
    yield 1


def test_a_reader_may_signal_itself():
    assert run("own_signal") == [1]


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_filter_is_well_formed(machine):
    """Each jump stays inside, and the last instruction returns."""
    code = sandbox._instructions(machine, 1234)
    count = len(code) // 8
    assert len(code) % 8 == 0
    assert count < 4096
    for place in range(count):
        opcode, if_true, if_false, _ = struct.unpack(
            "=HBBI", code[place * 8 : place * 8 + 8]
        )
        if opcode in {0x15, 0x35, 0x45}:
            assert place + 1 + max(if_true, if_false) < count
    assert struct.unpack("=HBBI", code[-8:])[0] == 0x06


def test_health_says_whether_the_sandbox_is_whole(client, db):
    assert client.get("/health/ready").json()["sandbox"] == sandbox.state() == "ok"


def test_the_code_is_there():
    for name in sandbox.CODE:
        assert Path(sandbox.ROOT / name).is_dir()
