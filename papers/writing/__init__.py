"""Writes PDFs: reports, and safe copies of drawn pages."""

from __future__ import annotations

from reportlab import rl_config

# Streams as text of base 85 make a file a quarter larger, and take time. Every viewer reads bytes.
rl_config.useA85 = 0  # type: ignore[attr-defined]  # it reads its settings from files
