from __future__ import annotations


class BackupError(Exception):
    """A backup cannot be made, read or restored.

    The message says why and what the operator can do.
    """
