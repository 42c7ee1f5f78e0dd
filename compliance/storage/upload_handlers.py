"""Keeps large uploads of forms in files without a name while a request is served."""

from __future__ import annotations

import tempfile
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import (
    FileUploadHandler,
    TemporaryFileUploadHandler,
)


class NamelessFileUploadHandler(TemporaryFileUploadHandler):
    """Of Django's named files, one would stay on the disk, in the clear, if its process was killed.

    The system deletes a file without a name when its process ends, however it ends.
    """

    def new_file(self, *args: Any, **options: Any) -> None:
        FileUploadHandler.new_file(self, *args, **options)
        # Django closes it at the end of the request.
        file = tempfile.TemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR)  # noqa: SIM115
        # `file_complete` sets the size.
        self.file: Any = UploadedFile(
            file,
            self.file_name,
            self.content_type,
            0,
            self.charset,
            self.content_type_extra,
        )

    def upload_interrupted(self) -> None:
        if hasattr(self, "file"):
            self.file.close()
