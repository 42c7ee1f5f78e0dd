"""Phrases and columns that several tables of the data map share."""

from __future__ import annotations

from django.db.models import CharField, Value
from django.db.models.functions import Cast, Concat

# The columns of every row of work.
WORK = "updated_at due_at leased_until claim_count failures"
CASE = "as long as the case: until it is erased by a rule or at a request."
STAFF = "for good: the trail names who did what."
OF_STAFF = "Who works here, and not who is under review."
# The value after an erasure in a column that must be unique.
NUMBERED = Concat(Value("erased-"), Cast("pk", CharField()), output_field=CharField())
