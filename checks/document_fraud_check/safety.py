"""Indicators from what a file does, holds or withholds."""

from __future__ import annotations

from checks.document_fraud_check.rules import Finding, indicator
from checks.evidence import Evidence

# Forms of registers compute with scripts and submit themselves; nothing else starts programs.
USUAL_IN_FORMS = {"JavaScript", "SubmitForm"}


@indicator("RISK", "safety")
def malformed(evidence: Evidence) -> Finding | None:
    """The file could not be opened as a document.

    It is empty, damaged, too large, or not a document at all, whatever its name says. Nothing
    in it could be examined.
    """
    problem = evidence.problem
    if problem is None or problem.kind == "encrypted":
        return None
    return Finding(problem.explanation, raw=repr(evidence.file[:24]) if evidence.file else "")


@indicator("RISK", "safety")
def encrypted(evidence: Evidence) -> Finding | None:
    """The file is encrypted.

    With a password that nobody gave, nothing in it could be examined. Files that open without
    one only restrict printing or copying, which is an INFO: tax authorities send such files.
    """
    if evidence.problem and evidence.problem.kind == "encrypted":
        return Finding(evidence.problem.explanation)
    if evidence.structure.encrypted:
        return Finding("The file is encrypted and opens without a password.", type="INFO")
    return None


@indicator("RISK", "safety")
def active_content(evidence: Evidence) -> Finding | None:
    """The file carries out actions.

    It runs scripts, starts programs or sends data when it is opened. Scripts in a form are an
    INFO. Nothing of it is ever run here.
    """
    actions = evidence.structure.actions
    if not actions:
        return None
    usual = set(actions) <= USUAL_IN_FORMS
    return Finding(
        f"Actions in the file: {', '.join(actions)}.",
        raw="\n".join(actions),
        type="INFO" if usual else None,
    )


@indicator("INFO", "safety")
def embedded_file(evidence: Evidence) -> Finding | None:
    """The file contains other files.

    They are attached to the document, and are not examined.
    """
    count = evidence.structure.embedded_files
    return Finding(f"{count} file(s) are embedded.") if count else None


@indicator("INFO", "signature")
def signature_present(evidence: Evidence) -> Finding | None:
    """The file bears a digital signature.

    It is present and was not validated: neither its bytes nor the identity of the signer.
    """
    count = evidence.structure.signatures
    if not count:
        return None
    return Finding(f"{count} digital signature(s), not validated.", evidence.signature_boxes)
