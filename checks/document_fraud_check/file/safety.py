"""Indicators from what a file does, contains or hides."""

from __future__ import annotations

from checks.document_fraud_check.rules import Finding, IndicatorResult, indicator
from checks.evidence import Evidence
from checks.text.plurals import counted

# Forms of registers compute with scripts and submit themselves. All other actions are unusual.
USUAL_IN_FORMS = {"JavaScript", "SubmitForm"}


@indicator("RISK", "safety")
def malformed(evidence: Evidence) -> IndicatorResult:
    """The file could not be opened as a document.

    It is empty, damaged, or not a document at all, whatever its name says. Nothing in it could be
    examined.

    Found: its first bytes, and what the readers say of the rest.

    Innocent explanations: an upload that was cut off; a web page that was saved under the name of a
    document. Ask for the file again.
    """
    problem = evidence.problem
    # Encrypted and too large files have their own indicators.
    if problem is None or problem.kind in {"encrypted", "too_large"}:
        return None
    return Finding(
        problem.explanation, raw=repr(evidence.file[:24]) if evidence.file else ""
    )


@indicator("RISK", "safety")
def too_large(evidence: Evidence) -> IndicatorResult:
    """The file is too large to be opened safely.

    It would unfold to more memory or time than a document deserves, and was left closed.

    Found: its size, the size of its pictures, and how far its streams and drawings unfold, each
    told before it is opened.

    Innocent explanations: a plan or a photograph of extreme resolution, a book. A few small bytes
    that unfold to gigabytes have none: that is an attack on the reader.
    """
    problem = evidence.problem
    if problem and problem.kind == "too_large":
        return Finding(problem.explanation)
    return None


@indicator("RISK", "safety")
def password(evidence: Evidence) -> IndicatorResult:
    """The file is locked with a password.

    Nobody gave it, so that nothing in the file could be examined.

    Found: the file does not open with the empty password.

    Innocent explanations: banks lock the statements that they send. Ask for a copy that is not.
    """
    problem = evidence.problem
    if problem and problem.kind == "encrypted":
        return Finding(problem.explanation)
    return None


@indicator("INFO", "safety")
def encrypted(evidence: Evidence) -> IndicatorResult:
    """The file is encrypted, and opens without a password.

    It restricts printing, copying or changing.

    Found: the dictionary of encryption of the PDF.

    Innocent explanations: this is usual for tax offices and banks.
    """
    if not evidence.structure.encrypted:
        return None
    return Finding("The file is encrypted and opens without a password.")


@indicator("RISK", "safety")
def active_content(evidence: Evidence) -> IndicatorResult:
    """The file carries out actions.

    It runs scripts, starts programs or sends data when it is opened. Nothing of it is ever run
    here, and reviewers see pictures of the pages alone.

    Found: the actions in the file, by their kinds.

    Innocent explanations: forms of registers compute with scripts and submit themselves; scripts
    alone are an INFO for that reason.
    """
    actions = evidence.structure.actions
    if not actions:
        return None
    description = f"Actions in the file: {', '.join(actions)}."
    raw = "\n".join(actions)
    # Scripts and submitting are normal in forms of registers.
    if USUAL_IN_FORMS.issuperset(actions):
        return Finding(description, raw=raw, type="INFO")
    return Finding(description, raw=raw)


@indicator("INFO", "safety")
def embedded_file(evidence: Evidence) -> IndicatorResult:
    """The file contains other files.

    They are attached to the document, and are not examined.

    Found: the streams of the file that are marked as embedded files.

    Innocent explanations: electronic invoices carry their data so, and archives their originals.
    """
    count = evidence.structure.embedded_files
    if count:
        return Finding(f"{counted(count, 'file is', 'files are')} embedded.")
    return None


@indicator("RISK", "safety")
def timed_out(ending: str) -> IndicatorResult:
    """The examination of the file had to be stopped.

    Reading the file took too long or too much memory, or crashed the reader, in a process of its
    own that was then ended. Nothing more could be examined.

    Found: the process that reads the file has limits of time and memory, and something that
    watches it.

    Innocent explanations: a very long or damaged document. A file that is made to do that to its
    reader is an attack; have it sent again, or on paper.
    """
    if ending:
        return Finding(f"The document could not be examined: {ending}.")
    return None
