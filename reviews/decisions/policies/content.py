"""The content of a decision policy: its rules, and what they demand of a case together.

Plain Python without the database. If several rules fit a case, the strictest demand applies:
what any of them requires is required.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from reviews.models import DOCUMENT_KINDS, ENDING, Outcome, RiskBand
from reviews.risk.engine.policy import PolicyError
from reviews.wire import JsonObject

# The outcomes that a rule may reserve for seniors. Everybody may escalate: that is how a case
# gets to a senior.
RESTRICTED = (Outcome.APPROVE, Outcome.REJECT, Outcome.REQUEST)
# `Rule.automatic` is "" (the rule has no opinion), CLEAN (clean cases are approved
# automatically) or NEVER (no case is, whatever other rules allow).
CLEAN, NEVER = "clean", "never"
BANDS = [band.word for band in RiskBand]
LOW = RiskBand.LOW.word
# Limits of one policy. A check is named by its id.
MOST_RULES = 50
MOST_CHECKS = 40
LONGEST_CHECK = 255  # characters of the id of a check


@dataclass(frozen=True)
class Rule:
    """What a policy demands for the cases of one agent and one band of risk.

    `agent` is the primary key of an agent; None fits every agent. `band` is the word of a
    `RiskBand`; "" fits every band.

    - `checks`: ids of checks that need a conclusive verdict before an approval
    - `documents`: kinds of documents that an approval needs
    - `checklist`: whether an approval needs every item settled, not only the required ones
    - `senior`: outcomes that only seniors decide
    - `second`: outcomes that need a second person
    - `automatic`: "", CLEAN or NEVER
    - `sample`: percent of the decisions that get a second look
    """

    agent: int | None = None
    band: str = ""
    checks: Sequence[str] = ()
    documents: Sequence[str] = ()
    checklist: bool = False
    senior: Sequence[str] = ()
    second: Sequence[str] = ()
    automatic: str = ""
    sample: int = 0

    def fits(self, agent: int | None, band: str) -> bool:
        is_of_agent = self.agent is None or self.agent == agent
        return is_of_agent and self.band in {"", band}

    def to_json(self) -> dict[str, object]:
        return {
            "agent": self.agent,
            "band": self.band,
            "checks": list(self.checks),
            "documents": list(self.documents),
            "checklist": self.checklist,
            "senior": list(self.senior),
            "second": list(self.second),
            "automatic": self.automatic,
            "sample": self.sample,
        }


@dataclass
class Demands:
    """What all rules that fit a case demand together; the fields are those of `Rule`."""

    checks: set[str] = field(default_factory=set)
    documents: set[str] = field(default_factory=set)
    has_full_checklist: bool = False
    senior: set[str] = field(default_factory=set)
    second: set[str] = field(default_factory=set)
    is_automatic: bool = False
    sample: int = 0


@dataclass(frozen=True)
class Policy:
    rules: Sequence[Rule]

    @classmethod
    def from_json(cls, content: object) -> Policy:
        """Read a policy from its stored or sent JSON: `{"rules": [{…}, …]}`.

        Raises PolicyError with all faults of all rules.
        """
        if isinstance(content, dict):
            rows = content.get("rules")
        else:
            rows = None
        if not isinstance(rows, list):
            raise PolicyError([_("A policy is a list of rules.")])
        faults: list[str] = []
        if len(rows) > MOST_RULES:
            faults.append(_("At most %(most)s rules.") % {"most": MOST_RULES})
        rules = []
        # Each pair of agent and band may have one rule.
        places = set()
        for number, row in enumerate(rows[:MOST_RULES], start=1):
            rule, faults_of_row = _read(row if isinstance(row, dict) else {})
            if (rule.agent, rule.band) in places:
                faults_of_row.append(_("another rule is of the same agent and band"))
            places.add((rule.agent, rule.band))
            for words in faults_of_row:
                faults.append(f"{_('Rule')} {number}: {words}.")
            rules.append(rule)
        if faults:
            raise PolicyError(faults)
        return cls(rules)

    def to_json(self) -> dict[str, object]:
        return {"rules": [rule.to_json() for rule in self.rules]}

    def demands(self, agent: int | None, band: str) -> Demands:
        """The demands of all rules that fit; the strictest applies."""
        demands = Demands()
        is_forbidden = False
        for rule in self.rules:
            if not rule.fits(agent, band):
                continue
            demands.checks.update(rule.checks)
            demands.documents.update(rule.documents)
            demands.has_full_checklist |= rule.checklist
            demands.senior.update(rule.senior)
            demands.second.update(rule.second)
            demands.is_automatic |= rule.automatic == CLEAN
            demands.sample = max(demands.sample, rule.sample)
            is_forbidden |= rule.automatic == NEVER
        if is_forbidden:
            demands.is_automatic = False
        return demands

    @property
    def allows_automatic_approval(self) -> bool:
        """Whether any rule lets clean cases be approved automatically."""
        return any(rule.automatic == CLEAN for rule in self.rules)


EMPTY = Policy(())


def digest_of(content: object) -> str:
    """SHA-256 in hexadecimal. The keys are sorted, so their order makes no difference."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _read(row: JsonObject) -> tuple[Rule, list[str]]:
    """The rule of a row, with a default for each invalid value, and the faults in words."""
    faults: list[str] = []
    agent = row.get("agent")
    # bool is a subclass of int: True must not become the agent 1.
    if agent is not None and (not isinstance(agent, int) or isinstance(agent, bool)):
        faults.append(_("the agent is the number of an agent, or none"))
        agent = None
    band = row.get("band", "")
    if band not in ("", *BANDS):
        faults.append(_("there is no such band of risk"))
        band = ""
    automatic = row.get("automatic", "")
    if automatic not in ("", CLEAN, NEVER):
        faults.append(_("automatic approvals are of clean cases, or never"))
        automatic = ""
    if automatic == CLEAN and band != LOW:
        faults.append(_("only cases of low risk are approved automatically"))
    sample = row.get("sample", 0)
    is_number = isinstance(sample, int) and not isinstance(sample, bool)
    if not is_number or not 0 <= sample <= 100:
        faults.append(_("the share of the sample is 0 to 100 percent"))
        sample = 0
    if automatic == CLEAN and not sample:
        faults.append(_("automatic approval needs a share of sampling above 0"))
    rule = Rule(
        agent=agent,
        band=band,
        checks=_texts(row.get("checks"), None, faults, _("no check")),
        documents=_texts(row.get("documents"), _documents(), faults, _("no document")),
        checklist=row.get("checklist") is True,
        senior=_texts(row.get("senior"), RESTRICTED, faults, _("no outcome")),
        second=_texts(row.get("second"), ENDING, faults, _("no outcome")),
        automatic=automatic,
        sample=sample,
    )
    return rule, faults


def _documents() -> set[str]:
    kinds: set[str] = set()
    for of_case in DOCUMENT_KINDS.values():
        kinds.update(str(kind.value) for kind in of_case)
    return kinds


def _texts(
    value: object, known: Iterable[str] | None, faults: list[str], what: str
) -> tuple[str, ...]:
    """The words of a list, sorted and without duplicates. Faults are added to `faults`.

    `known` are the allowed words; None allows any. `what` starts the sentence of a fault.
    """
    if not isinstance(value, list | tuple | None):
        faults.append(_("%(what)s: not a list") % {"what": what})
        return ()
    if known is None:
        allowed = None
    else:
        allowed = set(known)
    texts = set()
    for word in value or ():
        is_text = isinstance(word, str) and 0 < len(word) <= LONGEST_CHECK
        if not is_text or (allowed is not None and word not in allowed):
            faults.append(f"{what}: {str(word)[:80]}")
        else:
            texts.add(word)
    if len(texts) > MOST_CHECKS:
        faults.append(_("%(what)s: too many") % {"what": what})
    return tuple(sorted(texts))
