"""Another company on a line of its own leaves the name unsure; a number before a legal form is no company."""

from __future__ import annotations

import pytest

from checks.incorporation_document.extraction import IncorporationDocumentExtraction
from tests.checks.documents import evidence_of
from tests.checks.made_texts.drawing import LATIN, MadeText, draw

PAPER = """^ Province of Ontario
# Corporate profile
Name: MAPLE HARBOUR HOLDINGS INC.
{line}
Status: active
"""


def _unsure(line: str) -> bool:
    paper = MadeText("", "extract", {}, LATIN, (50, 250), PAPER.format(line=line))
    tool = IncorporationDocumentExtraction()
    data = tool.run(evidence_of(draw(paper))).payload["extraction_data"]
    return "business_name" in data.get("unsure", ())


@pytest.mark.parametrize(
    "line",
    [
        "10418822 Canada Inc.",
        "9188-2704 Québec inc.",
        "1822 GmbH",
        "Cedar Point Holdings Inc.",
    ],
)
def test_a_company_that_is_named_by_a_number_is_another_one(line):
    assert _unsure(line)


@pytest.mark.parametrize(
    "line", ["CHE-418.827.044 Aktiengesellschaft", "HRB 418827 GmbH"]
)
def test_a_number_before_a_legal_form_is_no_company(line):
    assert not _unsure(line)
