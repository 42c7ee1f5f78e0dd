"""Indicators from Content Credentials (C2PA) and from what a file declares about its origin."""

from __future__ import annotations

from checks.document_fraud_check.facts import credentials_of
from checks.document_fraud_check.rules import (
    Finding,
    IndicatorResult,
    Unchecked,
    indicator,
)
from checks.evidence import Evidence


@indicator("TRUST", "provenance")
def c2pa_valid(evidence: Evidence) -> IndicatorResult:
    """The Content Credentials of the file hold.

    The file carries a signed record of its making, and is as that record says.

    Found: the C2PA manifest is validated with the library of the Content Authenticity Initiative,
    without asking anybody. Where that library is not installed, the result says under what was not
    checked that the file carries such a record.

    Does not prove: that the signer is to be trusted, for anybody can sign; nor that what the file
    shows is true. Read who signed it.
    """
    credentials = evidence.once(credentials_of)
    if credentials is None:
        return None
    if credentials.valid is None:
        why = ", ".join(credentials.problems) or "the library for it is not installed"
        description = (
            "the file carries Content Credentials (C2PA), which were not validated"
        )
        return Unchecked(f"{description}: {why}")
    if not credentials.valid:
        return None
    return Finding(
        f"Signed by {credentials.issuer or 'an unnamed issuer'}; the file is as signed."
    )


@indicator("RISK", "provenance")
def c2pa_invalid(evidence: Evidence) -> IndicatorResult:
    """The Content Credentials of the file do not hold.

    The file carries a signed record of its making, and is not as that record says: it was changed
    by a program that knows nothing of such records, or the record was taken from another file.

    Found: as for credentials that hold. That a signer is unknown does not count.

    Innocent explanations: cropping or shrinking with an old program.
    """
    credentials = evidence.once(credentials_of)
    if credentials is None or credentials.valid is not False:
        return None
    return Finding(
        f"The record does not fit the file: {', '.join(credentials.problems)}."
    )


@indicator("RISK", "provenance")
def ai_generated(evidence: Evidence) -> IndicatorResult:
    """The file says that a generative model made it, or a part of it.

    The record of its making names trained algorithmic media as its source.

    Found: the IPTC digital source type in the C2PA manifest.

    Innocent explanations: a drawing or a background in a document that is otherwise a person's. No
    register issues such a file. That the record is lacking proves nothing: it is easily removed.
    """
    credentials = evidence.once(credentials_of)
    if credentials is None or not credentials.generated:
        return None
    return Finding("Its Content Credentials name a generative model as the source.")
