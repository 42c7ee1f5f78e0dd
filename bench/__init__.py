"""Benchmarks. Each is a command that prints ratios and its goals, and whether the goals are met."""

from __future__ import annotations
