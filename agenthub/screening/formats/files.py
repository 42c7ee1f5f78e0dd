"""Opens the files of a list: a plain file, a gzip, a zip or tar archive, or a folder.

All have a limit on their unpacked size.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import IO, AnyStr

from agenthub.screening.formats.base import ListError

Files = Mapping[str, Callable[[], IO[bytes]]]

CAP = 8 << 30  # unpacked bytes; the largest public collection has 4 GiB
# Lists are compressed to a fifth or a twentieth. A file that unpacks to far more is a
# decompression bomb.
MOST_UNPACKED, ANYHOW = (
    100,  # times the packed size
    64 << 20,  # bytes, which are allowed in any case
)

# A longer line is a file without line ends: it would be held in memory as a whole.
MOST_OF_LINE = 1 << 24


def lines(stream: IO[AnyStr]) -> Iterator[AnyStr]:
    """The lines of a stream with their ends. Raises ListError for one that is too long."""
    while line := stream.readline(MOST_OF_LINE + 1):
        if len(line) > MOST_OF_LINE:
            raise ListError(
                f"A line is longer than {MOST_OF_LINE >> 20} MB: the file is of another format."
            )
        yield line


class _Capped(io.RawIOBase):
    """A stream that raises ListError after `cap` bytes, or if packed data is damaged or cut off."""

    def __init__(self, inner: IO[bytes], cap: int) -> None:
        self._inner, self._count, self._cap = inner, 0, cap

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        try:
            data = self._inner.read(len(buffer))
        except (
            EOFError,
            zlib.error,
            lzma.LZMAError,
            OSError,
            zipfile.BadZipFile,
        ) as exc:
            raise ListError(
                "The file is packed, and ends early or is damaged."
            ) from exc
        self._count += len(data)
        if self._count > self._cap:
            raise ListError(
                f"The file unpacks to more than {self._cap >> 20:,} MB, which is refused."
            )
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._inner.close()
        super().close()


def _capped(inner: IO[bytes], *, packed: int | None = None) -> IO[bytes]:
    """Limit a stream. `packed` is its compressed size in bytes; None: it is not compressed."""
    cap = CAP
    if packed is not None:
        cap = min(CAP, max(ANYHOW, MOST_UNPACKED * packed))
    return io.BufferedReader(_Capped(inner, cap), 1 << 18)


@contextlib.contextmanager
def open_files(path: Path) -> Iterator[Files]:
    """The files at a path: lower-case name → function that opens it.

    Each may be opened repeatedly.
    """
    if path.is_dir():
        yield _of_folder(path)
        return
    try:
        with path.open("rb") as stream:
            start = stream.read(4)
    except OSError as exc:
        raise ListError(f"{path.name}: {exc.strerror}.") from exc
    if not start:
        raise ListError(f"{path.name} is empty.")
    name = path.name.lower()
    is_gzip = start[:2] == b"\x1f\x8b"
    # An .ods spreadsheet is a zip archive itself: it stays one file.
    if start[:2] == b"PK" and path.suffix.lower() != ".ods":
        yield from _zip(path)
    elif is_gzip and name.endswith((".tar.gz", ".tgz")):
        yield from _tar(path)
    elif is_gzip:
        size = path.stat().st_size
        yield {name.removesuffix(".gz"): lambda: _capped(_unpacked(path), packed=size)}
    else:
        yield {name: _plain(path)}


def _of_folder(folder: Path) -> Files:
    files: dict[str, Callable[[], IO[bytes]]] = {}
    for file in sorted(folder.iterdir()):
        if file.is_file() and not _is_of_system(file):
            _add(files, file, _plain(file))
    return files


def _is_of_system(path: Path) -> bool:
    """Whether a system put the file beside the others: .DS_Store, or __MACOSX/._sdn.xml."""
    return path.name.startswith(".") or "__MACOSX" in path.parts


def _add(
    files: dict[str, Callable[[], IO[bytes]]],
    path: Path,
    opener: Callable[[], IO[bytes]],
) -> None:
    """Add a file under its name.

    If another folder has a file of this name, it cannot be opened: which one is the list?
    A workbook has such files, and none of them is read.
    """
    name = path.name.lower()
    if name in files:
        opener = partial(_refuse, name)
    files[name] = opener


def _refuse(name: str) -> IO[bytes]:
    raise ListError(f"There are two files with the name {name}.")


def single(files: Files) -> Callable[[], IO[bytes]]:
    """The only file. Raises ListError if there is not exactly one."""
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
            files: dict[str, Callable[[], IO[bytes]]] = {}
            for info in archive.infolist():
                member = Path(info.filename)
                if info.is_dir() or _is_of_system(member):
                    continue
                if info.flag_bits & 1:
                    raise ListError("The archive is encrypted.")
                _add(files, member, partial(_zip_member, archive, info))
            yield files
    except zipfile.BadZipFile as exc:
        raise ListError("The archive ends early or is damaged.") from exc


def _zip_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> IO[bytes]:
    try:
        stream = archive.open(info)
    except NotImplementedError as exc:
        # Windows packs large files with Deflate64.
        raise ListError(
            "The archive is packed with a method that cannot be read here."
        ) from exc
    return _capped(stream, packed=info.compress_size)


def _tar(path: Path) -> Iterator[Files]:
    size = path.stat().st_size
    try:
        with tarfile.open(path, "r:gz") as archive:
            files: dict[str, Callable[[], IO[bytes]]] = {}
            for member in archive.getmembers():
                path_of_member = Path(member.name)
                if member.isfile() and not _is_of_system(path_of_member):
                    opener = partial(_tar_member, archive, member, packed=size)
                    _add(files, path_of_member, opener)
            yield files
    except (tarfile.TarError, EOFError, zlib.error) as exc:
        raise ListError("The archive ends early or is damaged.") from exc


def _tar_member(
    archive: tarfile.TarFile, member: tarfile.TarInfo, *, packed: int
) -> IO[bytes]:
    inner = archive.extractfile(member)
    if inner is None:
        raise ListError(f"{member.name} cannot be read from the archive.")
    return _capped(inner, packed=packed)
