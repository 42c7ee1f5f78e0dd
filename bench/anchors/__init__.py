"""Reference implementations: the same work as the project's, written in the usual ways."""

from __future__ import annotations
