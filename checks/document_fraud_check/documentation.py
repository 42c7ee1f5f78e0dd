"""The page about the indicators, from their docstrings.

Run this module with `python -m` to print it.
"""

from __future__ import annotations

import inspect
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
    # The first paragraph of the docstring says what the tool does. The second is the rule.
    docstring = inspect.getdoc(DocumentFraud) or ""
    _, _, rule = docstring.partition("\n\n")
    limits = [f"- {limit}" for limit in CANNOT]
    cannot = ";\n".join(limits) + "."
    parts = [HEAD.format(rule=rule, cannot=cannot)]
    for category in dict.fromkeys(entry.category for entry in EVERY):
        parts.extend(_category(category))
    return "".join(parts)


def _category(category: str) -> Iterator[str]:
    yield f"\n## {category.capitalize()}\n"
    for entry in EVERY:
        if entry.category == category:
            yield _entry(entry)


def _entry(entry: Rule[object]) -> str:
    kind = f"strong {entry.type}" if entry.strong else entry.type
    _, _, text = entry.documentation.partition("\n")
    head = f"### {entry.title}\n\n`{entry.indicator_id}` · {kind}"
    return f"\n{head}\n\n{text.strip()}\n"


if __name__ == "__main__":
    sys.stdout.write(page())
