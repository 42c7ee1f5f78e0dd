"""What single sign-on tells the rest of the project."""

from __future__ import annotations

from django.dispatch import Signal

# Sent with `people`, the ids of those who keep their rights, and `by`: who would have taken them.
administrators_kept = Signal()
