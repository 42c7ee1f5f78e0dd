"""Benchmarks: each a command that prints ratios, its goals, and whether they hold."""

from __future__ import annotations
