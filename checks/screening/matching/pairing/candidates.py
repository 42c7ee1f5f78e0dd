"""The form of a possible pair of words. Of all candidates, `pairs` takes the best ones."""

# The score, how the words match, and their positions in the query and in the listed name.
from __future__ import annotations

Candidate = tuple[float, str, tuple[int, ...], tuple[int, ...]]
