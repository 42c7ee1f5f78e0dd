"""Opens what lists come in: a file, a gzip, a zip or tar archive, a folder; all with a size cap."""

from __future__ import annotations

import contextlib
import gzip
import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO

from agenthub.screening.formats.base import ListError

Files = Mapping[str, Callable[[], IO[bytes]]]

CAP = 8 << 30  # bytes unpacked; the largest public collection has four
# Lists are packed to a fifth or a twentieth. What unpacks to far more is made to fill the memory.
MOST_UNPACKED, ANYHOW = 100, 64 << 20  # times the packed size; so many bytes in any case


class _Capped(io.RawIOBase):
    """A stream that refuses to give more than `cap` bytes, and says so when it is cut off."""

    def __init__(self, inner: IO[bytes], cap: int) -> None:
        self._inner, self._given, self._cap = inner, 0, cap

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        try:
            data = self._inner.read(len(buffer))
        except (EOFError, zlib.error, lzma.LZMAError, OSError, zipfile.BadZipFile) as exc:
            raise ListError("The file is packed, and ends early or is damaged.") from exc
        self._given += len(data)
        if self._given > self._cap:
            raise ListError(
                f"The file unpacks to more than {self._cap >> 20:,} MB, which is refused."
            )
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._inner.close()
        super().close()


def _capped(inner: IO[bytes], *, packed: int | None = None) -> IO[bytes]:
    """`packed`: how many bytes the stream is packed in; None: it is not packed."""
    cap = CAP if packed is None else min(CAP, max(ANYHOW, MOST_UNPACKED * packed))
    return io.BufferedReader(_Capped(inner, cap), 1 << 18)


@contextlib.contextmanager
def opened(path: Path) -> Iterator[Files]:
    """The files at a path, by lower-case name, each to be opened as often as needed."""
    if path.is_dir():
        yield {p.name.lower(): _plain(p) for p in sorted(path.iterdir()) if p.is_file()}
        return
    try:
        with path.open("rb") as file:
            start = file.read(4)
    except OSError as exc:
        raise ListError(f"{path.name}: {exc.strerror}.") from exc
    if not start:
        raise ListError(f"{path.name} is empty.")
    if start[:2] == b"PK" and path.suffix.lower() != ".ods":
        yield from _zip(path)
    elif start[:2] == b"\x1f\x8b" and path.name.lower().endswith((".tar.gz", ".tgz")):
        yield from _tar(path)
    elif start[:2] == b"\x1f\x8b":
        name = path.name.lower().removesuffix(".gz")
        yield {name: lambda: _capped(_unpacked(path), packed=path.stat().st_size)}
    else:
        yield {path.name.lower(): _plain(path)}


def one(files: Files) -> Callable[[], IO[bytes]]:
    """The only file there is. Raises ListError where there are several."""
    if len(files) != 1:
        raise ListError(f"One file is expected, not {len(files)}.")
    return next(iter(files.values()))


def _unpacked(path: Path) -> IO[bytes]:
    return gzip.GzipFile(path)  # type: ignore[return-value]


def _plain(path: Path) -> Callable[[], IO[bytes]]:
    return lambda: _capped(path.open("rb"))


def _zip(path: Path) -> Iterator[Files]:
    try:
        with zipfile.ZipFile(path) as archive:
            members = [info for info in archive.infolist() if not info.is_dir()]
            if any(info.flag_bits & 1 for info in members):
                raise ListError("The archive is encrypted.")
            yield {
                Path(info.filename).name.lower(): lambda info=info: _capped(  # type: ignore[misc]
                    archive.open(info), packed=info.compress_size
                )
                for info in members
            }
    except zipfile.BadZipFile as exc:
        raise ListError("The archive ends early or is damaged.") from exc


def _tar(path: Path) -> Iterator[Files]:
    try:
        with tarfile.open(path, "r:gz") as archive:
            members = [member for member in archive.getmembers() if member.isfile()]
            yield {
                Path(member.name).name.lower(): lambda member=member: _member(  # type: ignore[misc]
                    archive, member, packed=path.stat().st_size
                )
                for member in members
            }
    except (tarfile.TarError, EOFError, zlib.error) as exc:
        raise ListError("The archive ends early or is damaged.") from exc


def _member(archive: tarfile.TarFile, member: tarfile.TarInfo, *, packed: int) -> IO[bytes]:
    inner = archive.extractfile(member)
    if inner is None:
        raise ListError(f"{member.name} cannot be read from the archive.")
    return _capped(inner, packed=packed)
