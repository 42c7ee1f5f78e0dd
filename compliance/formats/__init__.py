"""The formats of days and times per language, under the names that templates pass to `date`."""

from __future__ import annotations
