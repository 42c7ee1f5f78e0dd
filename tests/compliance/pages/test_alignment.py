"""The head of a column stands on the side on which its cells stand."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent.parent
TABLE = re.compile(r"<table\b.*?</table>", re.DOTALL)
HEAD = re.compile(r"<thead\b.*?</thead>", re.DOTALL)
BODY = re.compile(r"<tbody\b.*?</tbody>", re.DOTALL)
ROW = re.compile(r"<tr\b.*?</tr>", re.DOTALL)
CELL = re.compile(r"<(?:th|td)\b([^>]*)>", re.DOTALL)
TAGS = re.compile(r"\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)


def sides(row: str) -> list[bool]:
    """Of each cell whether it is right-aligned."""
    numbers = []
    for attributes in CELL.findall(TAGS.sub("", row)):
        classes = re.search(r'class="([^"]*)"', attributes)
        numbers.append(classes is not None and "num" in classes[1].split())
    return numbers


def test_heads_stand_over_their_cells():
    compared = 0
    faults = []
    for path in sorted((ROOT / "templates").rglob("*.html")):
        for table in TABLE.findall(path.read_text()):
            head, body = HEAD.search(table), BODY.search(table)
            if not head or not body:
                continue
            wanted = sides(head[0])
            for row in ROW.findall(body[0]):
                cells = sides(row)
                # A cell over several columns, or columns of a loop: not to be told from here.
                if "colspan" in row or len(cells) != len(wanted):
                    continue
                compared += 1
                if cells != wanted:
                    faults.append(f"{path.name}: {' '.join(head[0].split())}")
    assert compared > 40
    assert not faults
