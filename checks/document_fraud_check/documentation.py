"""The page of the indicators, from their docstrings: `python -m` this module prints it."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from checks.document_fraud_check.catalogue import EVERY
from checks.document_fraud_check.rules import Rule
from checks.document_fraud_check.tool import CANNOT, DocumentFraud

HEAD = """# Indicators of fraud

What the fraud check looks for, one by one. This page is printed by
`python -m checks.document_fraud_check.documentation` from the docstrings of the indicators, and a
test holds it to them. The same words stand beside a finding at the desk.

Each indicator has an id, by which it is known on the wire, and a type: **RISK**, **INFO** or
**TRUST**. A strong RISK alone makes a document HIGH_RISK. Where an indicator says that a case is
milder, it is sent with that type. Findings carry the places on the page, and the words before and
after where both are known.

## The rule of the result

{rule}

What no examination of a file can find:

{cannot}
"""


def page() -> str:
    rule = (DocumentFraud.__doc__ or "").split("\n\n", 1)[1]
    head = HEAD.format(
        rule="\n".join(line.strip() for line in rule.strip().splitlines()),
        cannot="\n".join(f"- {what};" for what in CANNOT)[:-1] + ".",
    )
    categories = list(dict.fromkeys(entry.category for entry in EVERY))
    return head + "".join(
        line for category in categories for line in _category(category)
    )


def _category(category: str) -> Iterator[str]:
    yield f"\n## {category.capitalize()}\n"
    for entry in EVERY:
        if entry.category == category:
            yield _entry(entry)


def _entry(entry: Rule[object]) -> str:
    strength = "strong " if entry.strong else ""
    _, _, text = entry.documentation.partition("\n")
    return f"\n### {entry.title}\n\n`{entry.indicator_id}` · {strength}{entry.type}\n\n{text.strip()}\n"


if __name__ == "__main__":
    sys.stdout.write(page())
