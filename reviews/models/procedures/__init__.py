"""Tables of procedures: the fields and the checklist of a kind of case, and what people ticked.

Rooms call them; they hold no rules.
"""

from __future__ import annotations

from reviews.models.procedures.procedures import ChecklistMark, Procedure

__all__ = ["ChecklistMark", "Procedure"]
