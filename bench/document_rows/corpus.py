"""Documents with known facts: a corpus on disk, or the project's own samples."""

from __future__ import annotations

import csv
import json
import math
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from checks import samples

# One of three documents is held back for validation: its figures are reported, its texts are not
# shown.
HELD_BACK = 3
SPECIMEN = re.compile(r"^sample|specimen|\bexample\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Known:
    """A document with the known facts about it (empty if unknown).

    `held_back`: it is used for validation only. A specimen is not a genuine document: it was made
    as an example.
    """

    name: str
    content: bytes
    truth: dict[str, Any]
    held_back: bool
    is_specimen: bool = False


class Corpus:
    """The corpus described by `manifest.csv` in a folder: file, sha256, ground_truth (JSON) and
    other columns.
    """

    def __init__(
        self,
        folder: Path | None,
        *,
        details: bool = False,
        marks: Path | None = None,
        genuine: Path | None = None,
        processes: int = 1,
    ) -> None:
        self.folder = folder
        self.genuine = genuine
        self.processes = processes
        self.details = details
        self.marks = marks or (folder / "marks.csv" if folder else None)
        self.left = 0
        self._end = math.inf

    def begin(self, seconds: float) -> None:
        """Start a part of the measurement with its own time limit in seconds. 0 means no limit."""
        self.left = 0
        self._end = time.monotonic() + seconds if seconds else math.inf

    def is_over(self) -> bool:
        """Whether the time limit of this part has passed."""
        return time.monotonic() > self._end

    def __str__(self) -> str:
        return "a corpus of documents" if self.folder else "the project's own samples"

    def documents(self, group: str = "kyb") -> Iterator[Known]:
        """The documents in one group (folder) of the corpus. The samples only have the group
        `kyb`.

        Sorted by digest, so that the documents within the time limit are a fair sample. `left`
        counts the others.
        """
        if self.folder is None:
            yield from _samples() if group == "kyb" else ()
            return
        with (self.folder / "manifest.csv").open(encoding="utf-8", newline="") as file:
            for row in sorted(csv.DictReader(file), key=lambda row: row["sha256"]):
                path = self.folder / row["file"]
                if row["file"].startswith(f"{group}/") and path.exists():
                    if self.is_over():
                        self.left += 1
                        continue
                    truth = row["ground_truth"]
                    yield Known(
                        name=path.name,
                        content=path.read_bytes(),
                        truth=json.loads(truth) if truth.startswith("{") else {},
                        held_back=int(row["sha256"][:8], 16) % HELD_BACK == 0,
                        is_specimen=bool(SPECIMEN.search(row["what"])),
                    )

    def note(self, said: str) -> None:
        if self.details:
            print(f"      {said}", flush=True)


def _samples() -> Iterator[Known]:
    rows = [samples.good_certificate(seed) for seed in range(40, 52)]
    rows += [samples.scanned_certificate(seed) for seed in range(60, 66)]
    for sample in rows:
        attested = sample.attested
        truth = {
            "type": "certificate_of_incorporation",
            "name": attested["registered_business_name"],
            "regno": [attested["business_registration_number"]],
            "date": attested["incorporation_date"],
            "jurisdiction": "US-DE",
            "addr": [attested["address_of_incorporation"]["street_1"]],
        }
        yield Known(
            f"{sample.name} {sample.file_name}", sample.content, truth, held_back=False
        )
