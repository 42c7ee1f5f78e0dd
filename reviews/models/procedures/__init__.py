"""Models of procedures: the fields and the checklist for a kind of case, and its marks.

The code in reviews.procedures uses them; they contain no rules.
"""

from __future__ import annotations

from reviews.models.procedures.procedures import ChecklistMark, Procedure

__all__ = ["ChecklistMark", "Procedure"]
