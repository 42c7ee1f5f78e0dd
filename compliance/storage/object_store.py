"""The document store in an S3-compatible object store. Needs the extra `s3`.

`DOCUMENT_STORAGE=compliance.storage.object_store.ObjectStorage`, with the options of
django-storages' S3Storage; `bucket_name` is mandatory. Credentials come from the environment, as
usual with boto3.
"""

from __future__ import annotations

import io
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from typing import Any

from boto3.exceptions import Boto3Error
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from django.core.files.base import File
from storages.backends.s3 import S3Storage
from storages.utils import clean_name

from compliance.storage import stored_files

# Seconds. All attempts together must end before a proxy gives the page up after a minute: a store that
# is silent is then named by a 503 of ours.
LIMITS = {
    "connect_timeout": 5,
    "read_timeout": 20,
    "retries": {"total_max_attempts": 2, "mode": "standard"},
    # Some object stores do not support the newer form with the bucket in the host name.
    "s3": {"addressing_style": "path"},
}
# The same for the question whether an object has changed, which a page asks for each document.
QUICK_LIMITS = {
    "connect_timeout": 2,
    "read_timeout": 2,
    "retries": {"total_max_attempts": 1, "mode": "standard"},
}
# Seconds for which an object counts as unchanged after the store said so. A page asks for each
# document of a case, and so does each poll of it: each time that would be a request per document.
KNOWN_SECONDS = 10.0
MAX_KNOWN = 10_000
# Error codes of various object stores for missing space.
FULL = frozenset({"QuotaExceeded", "XMinioStorageFull", "InsufficientStorage"})
# Statuses for a name that exists: 412, or 409 during another upload with the same name.
TAKEN = frozenset({409, 412})
# A new name is random. If so many are taken, the store answers for another reason: a bucket that is
# being removed answers 409 to everything.
MAX_NAMES = 5
FAULTS = (BotoCoreError, Boto3Error, ClientError)


class ObjectStorage(S3Storage):  # type: ignore[misc]
    """Objects that are written in one request under a new name, and never overwritten.

    open() raises FileNotFoundError, or stored_files.StoredError if the store is unavailable; save()
    raises stored_files.FullError or stored_files.NotWritableError.
    """

    def __init__(self, **options: Any) -> None:
        options = {
            "client_config": Config(**LIMITS),
            # In addition to our encryption, the provider's: some buckets refuse objects without it.
            "object_parameters": {"ServerSideEncryption": "AES256"},
            "default_acl": None,
            "file_overwrite": False,
            **options,
        }
        super().__init__(**options)
        # name → (the version, when the store said so)
        self._known: dict[str, tuple[tuple[object, ...], float]] = {}

    def _save(self, name: str, content: File[bytes]) -> str:
        body = content.read()
        name = clean_name(name)
        for _ in range(MAX_NAMES):
            if self._put(name, body):
                return name
            # Another upload has just taken this name: choose a new one.
            name = self.get_alternative_name(*_split(name))
        raise stored_files.NotWritableError

    def _put(self, name: str, body: bytes) -> bool:
        """Write an object in one request. Returns False if the name exists."""
        try:
            self._client.put_object(
                Bucket=self.bucket_name,
                Key=self._normalize_name(name),
                Body=body,
                IfNoneMatch="*",
                **self.get_object_parameters(name),
            )
        except FAULTS as exc:
            if _status(exc) in TAKEN:
                return False
            if _code(exc) in FULL:
                raise stored_files.FullError from exc
            raise stored_files.NotWritableError from exc
        return True

    def _open(self, name: str, mode: str = "rb") -> File[bytes]:
        if mode != "rb":
            raise ValueError("A stored object is only read.")
        with _as_stored_error():
            answer = self._client.get_object(
                Bucket=self.bucket_name, Key=self._normalize_name(clean_name(name))
            )
            body = answer["Body"].read()
        return File(io.BytesIO(body), name)

    @cached_property
    def _client(self) -> Any:
        # One for all threads. `connection` makes one for each thread, which takes a tenth of a second.
        return self.connection.meta.client

    @cached_property
    def _quick_client(self) -> Any:
        return self._create_session().client(
            "s3",
            region_name=self.region_name,
            use_ssl=self.use_ssl,
            endpoint_url=self.endpoint_url,
            config=self.client_config.merge(Config(**QUICK_LIMITS)),
            verify=self.verify,
        )

    def version_of(self, name: str) -> tuple[object, ...]:
        """An identifier of the object's state, which changes with it. Raises like open().

        It may be KNOWN_SECONDS old. The content is never: open() asks the store.
        """
        version, at = self._known.get(name, ((), 0.0))
        # Not negative: a clock that was set back must not keep a version.
        if 0 <= time.time() - at < KNOWN_SECONDS:
            return version
        with _as_stored_error():
            head = self._quick_client.head_object(
                Bucket=self.bucket_name, Key=self._normalize_name(clean_name(name))
            )
        version = (head["ETag"], head["ContentLength"], head["LastModified"])
        if len(self._known) >= MAX_KNOWN:
            self._known.clear()
        self._known[name] = (version, time.time())
        return version

    def files(self, folder: str) -> Iterator[tuple[str, float]]:
        """The objects below a folder: (name, time of writing in seconds since 1970).

        One request lists a thousand."""
        prefix = self._normalize_name(clean_name(folder))
        start = len(self._normalize_name(""))
        with _as_stored_error():
            for item in self.bucket.objects.filter(Prefix=f"{prefix}/"):
                yield item.key[start:].lstrip("/"), item.last_modified.timestamp()

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        # The request that writes the object also checks whether the name is free.
        return str(name)

    def exists(self, name: str) -> bool:
        with _as_stored_error():
            return bool(super().exists(name))

    def delete(self, name: str) -> None:
        self._known.pop(name, None)
        # Most stores call it deleted if it was not there; some answer 404.
        with suppress(FileNotFoundError), _as_stored_error():
            self._client.delete_object(
                Bucket=self.bucket_name, Key=self._normalize_name(clean_name(name))
            )

    def listdir(self, path: str) -> tuple[list[str], list[str]]:
        with _as_stored_error():
            folders, files = super().listdir(path)
        return folders, files


@contextmanager
def _as_stored_error() -> Iterator[None]:
    try:
        yield
    except FAULTS as exc:
        if _status(exc) == 404 and _code(exc) != "NoSuchBucket":
            raise FileNotFoundError from exc
        raise stored_files.StoredError from exc


def _status(exc: Exception) -> int:
    if isinstance(exc, ClientError):
        return int(exc.response["ResponseMetadata"]["HTTPStatusCode"])
    return 0


def _code(exc: Exception) -> str:
    if isinstance(exc, ClientError):
        return str(exc.response.get("Error", {}).get("Code", ""))
    return ""


def _split(name: str) -> tuple[str, str]:
    """(name before the last dot of the file's name, the rest with the dot)."""
    folder, slash, file = name.rpartition("/")
    root, dot, ending = file.rpartition(".")
    if not dot:
        return name, ""
    return f"{folder}{slash}{root}", f".{ending}"
