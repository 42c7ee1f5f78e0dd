"""The pages of the documentation, as the tests read them."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(
    [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "deploy").rglob("*.md"),
    ]
)
IDS = [str(page.relative_to(ROOT)) for page in PAGES]


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def code(text: str, language: str) -> list[str]:
    """The blocks of code in that language, also where they are indented."""
    return re.findall(rf"^ *```{language}\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE)


def without_code(text: str) -> str:
    return re.sub(r"^ *```.*?^ *```", "", text, flags=re.DOTALL | re.MULTILINE)


def first_cells(text: str) -> list[str]:
    """What stands in the first column of the tables, headings left out."""
    lines = without_code(text).splitlines()
    rows = [line for line in lines if line.startswith("|")]
    heads = {
        line
        for line, after in zip(lines, [*lines[1:], ""], strict=True)
        if _is_rule(after)
    }
    return [
        row.strip("|").split("|")[0].strip()
        for row in rows
        if row not in heads and not _is_rule(row)
    ]


def anchors(text: str) -> set[str]:
    """The anchors that a forge makes of the headings."""
    headings = re.findall(r"^#+ +(.+)$", without_code(text), re.MULTILINE)
    return {
        re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
        for heading in headings
    }


def _is_rule(line: str) -> bool:
    return bool(re.fullmatch(r"\|[-:| ]+\|", line.strip()))
