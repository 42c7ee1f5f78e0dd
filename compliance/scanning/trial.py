"""A trial of the scanner with EICAR's test file, which is harmless and which every scanner reports.

A scanner that answers is not yet one that scans: an ICAP server has services that look at nothing,
and a limit of size can let large files pass unseen.
"""

from __future__ import annotations

import io
import os
import zipfile

from compliance.scanning import scanner

# In two parts, so that a scanner does not report this module.
TEST_FILE = (
    rb"X5O!P%@AP[4\PZX54(P^)7CC)7}" + rb"$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*"
)
# Bytes that an archive needs for its directory, at most.
DIRECTORY = 1024


def fault(size: int) -> str:
    """What the scanner does not report: the file, or an archive of `size` bytes that holds it; or "".

    Raises ScannerError, also if it takes no file of this size.
    """
    if not scanner.scan(io.BytesIO(TEST_FILE)):
        return "it calls EICAR's test file clean: it does not scan"
    if not scanner.scan(_archive(size)):
        return "it calls a large archive with EICAR's test file clean"
    return ""


def _archive(size: int) -> io.BytesIO:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as parts:
        parts.writestr("test.txt", TEST_FILE)
        parts.writestr("noise.bin", os.urandom(size - DIRECTORY))
    archive.seek(0)
    return archive
