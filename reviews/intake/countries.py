"""Countries as the forms of the desk offer them."""

from __future__ import annotations

from papers.countries import NAMES

__all__ = ["CHOICES", "NAMES"]

_labels = {code: f"{name} ({code})" for code, name in NAMES.items()}
CHOICES: list[tuple[str, str]] = [("", ""), *sorted(_labels.items(), key=lambda label: label[1])]
