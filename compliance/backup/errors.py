from __future__ import annotations


class BackupError(Exception):
    """A backup cannot be made, read or restored. The text says why and what to do, for the operator."""
