"""What a result rests on, in one form for all checks: its evidence, and the versions that were
used.

Both are read from the payload, so that they always agree with what the page shows.
"""

from __future__ import annotations

from checks.provenance.evidence import evidence_of
from checks.provenance.versions import RULES, version_of, versions_of

__all__ = ["RULES", "evidence_of", "version_of", "versions_of"]
