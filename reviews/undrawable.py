"""Why a file cannot be shown. Apart from the readers, which the child process alone loads."""

from __future__ import annotations

from typing import ClassVar


class UndrawableError(Exception):
    """A file that cannot be shown. Its parent process learns the class alone, hence `reason`."""

    reason: ClassVar[str] = "It cannot be shown."

    def __init__(self) -> None:
        super().__init__(self.reason)


class UnknownFormatError(UndrawableError):
    reason = "It is neither a PDF nor a PNG, JPEG, TIFF or HEIC picture, whatever its name says."


class PasswordError(UndrawableError):
    reason = "It is encrypted: a password or a key is needed to open it. Ask for a plain copy."


class BrokenError(UndrawableError):
    reason = "It is damaged or incomplete and cannot be opened."


class NoPagesError(UndrawableError):
    reason = "It has no pages."


class TooLargeError(UndrawableError):
    reason = "Its picture is larger than 100 megapixels, which is more than is drawn here."
