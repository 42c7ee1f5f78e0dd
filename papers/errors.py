"""The reasons why a file cannot be read or shown.

This module imports no reader, because only child processes load readers.
"""

from __future__ import annotations

from typing import ClassVar


class UnreadableError(Exception):
    """A file that cannot be read or shown.

    The child process sends the parent only the class of the error. So each class has a `reason`, a
    sentence for people. The text of the error stays in the child: it may quote a library and so the
    file.
    """

    reason: ClassVar[str] = "It cannot be shown."

    def __init__(self, detail: str = "") -> None:
        super().__init__(detail or self.reason)


class UnknownFormatError(UnreadableError):
    reason = "It is neither a PDF nor a PNG, JPEG, TIFF or HEIC picture, whatever its name says."


class EncryptedError(UnreadableError):
    reason = "It is encrypted: a password or a key is needed to open it. Ask for a plain copy."


class MalformedError(UnreadableError):
    reason = "It is damaged or incomplete and cannot be opened."


class NoPagesError(UnreadableError):
    reason = "It has no pages."


class TooLargeError(UnreadableError):
    reason = (
        "Its picture is larger than 100 megapixels, which is more than is drawn here."
    )
