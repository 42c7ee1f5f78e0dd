"""What is read of the texts: nothing wrong, and nearly all of it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from checks.ein_document.extraction import EinDocumentExtraction
from checks.evaluation.judging import judge
from checks.evaluation.labels import Labelled
from checks.incorporation_document.extraction import IncorporationDocumentExtraction
from checks.proof_of_address.extraction import ProofOfAddressExtraction
from tests.checks.documents import evidence_of
from tests.checks.made_texts.drawing import draw, made_texts

pytestmark = pytest.mark.sweep

TOOLS = {"tax": EinDocumentExtraction(), "poa": ProofOfAddressExtraction("kyb")}
# Of the values that the texts of a file state. Where the deed has another day than the entry, both days are
# right, and a person chooses: of these 35 registers so are six.
LEAST = 0.94
# Where other parties, former names and other days stand beside them; a line of the head of a paper of unknown
# type names nobody.
LEAST_WITH_TRAPS = 0.88
# Kept as they were read at first sight: what is not given is unsure or missing.
LEAST_AT_FIRST_SIGHT = 0.77


@pytest.mark.parametrize(
    "file",
    [
        "registers_of_europe.txt",
        "registers_of_the_world.txt",
        "more_registers.txt",
        "registers_at_last.txt",
        "statutes.txt",
        "more_statutes.txt",
        "letters_and_bills.txt",
        "more_letters_and_bills.txt",
        "unseen_registers.txt",
        "unseen_articles.txt",
        "unseen_tax_letters.txt",
        "unseen_bills.txt",
        "unseen_second.txt",
        "traps_registers.txt",
        "traps_articles.txt",
        "traps_letters.txt",
        "traps_second.txt",
        "traps_third.txt",
        "fresh_first.txt",
        "fresh_second.txt",
        "fresh_third.txt",
        "fresh_fourth.txt",
        "fresh_fifth.txt",
        "fresh_sixth.txt",
        "layouts.txt",
        "layouts_second.txt",
        "layouts_third.txt",
        "seventh_articles.txt",
        "seventh_letters.txt",
        "seventh_registers.txt",
        "seventh_tax.txt",
        "eighth_letters.txt",
        "eighth_tax.txt",
        "ninth_articles.txt",
        "ninth_letters.txt",
        "ninth_registers.txt",
        "ninth_tax.txt",
        "tenth_articles.txt",
        "tenth_tax.txt",
        "sixteenth.txt",
    ],
)
def test_made_texts(file):
    verdicts: Counter[str] = Counter()
    wrong = []
    for text in made_texts(file):
        kind = text.kind.partition("-")[0]
        tool = TOOLS.get(kind) or IncorporationDocumentExtraction()
        data = tool.run(evidence_of(draw(text))).payload["extraction_data"]
        label = Labelled(Path(text.name), text.kind, text.truth)
        for judgement in judge(label, data):
            verdicts[judgement.verdict] += 1
            if judgement.verdict == "wrong":
                wrong.append(judgement)

    assert wrong == []
    stated = verdicts.total() - verdicts["rightly empty"]
    least = (
        LEAST_WITH_TRAPS if file.startswith(("traps", "fresh", "layouts")) else LEAST
    )
    if file.startswith(("seventh", "eighth", "ninth", "tenth", "sixteenth")):
        least = LEAST_AT_FIRST_SIGHT
    assert verdicts["right"] >= least * stated
