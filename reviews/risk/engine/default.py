"""The risk policy of a new installation. Administrators replace it by later versions.

Unknown facts cost points, so a customer about whom nothing is known never has low risk. The
lists of countries have a date: later changes of the official lists are not included.
"""

from __future__ import annotations

from typing import Any

# Points of the screening factors. A cleared hit costs a little, because the name is similar to
# a listed one.
_SCREENING = {
    "none": 0, "cleared": 10, "possible": 30, "strong": 90, "confirmed": 100,
    # Nothing was screened. That is better than a hit, but does not allow low risk by itself.
    "unknown": 30,
}  # fmt: skip

DEFAULT: dict[str, Any] = {
    "factors": {
        # The law requires enhanced due diligence for these people (AMLR article 42), whatever
        # else is known.
        "pep": {"weight": 40, "points": {**_SCREENING, "unknown": 15}},
        "structure": {
            "weight": 30,
            "points": {"simple": 0, "layered": 50, "opaque": 100, "unknown": 20},
        },
        # The 50 % rule, over the owners of all cases. A minority passes no sanctions on, and costs
        # less than a possible hit. That owners are not known costs points as structure already.
        "ownership": {
            "weight": 100,
            "points": {
                "none": 0,
                "minority": 20,
                "suspected": 90,
                "possible": 90,
                "controlled": 100,
                "blocked": 100,
                "unknown": 0,
            },
        },
        # A young company has no track record. That alone does not make the risk high.
        "age": {
            "weight": 15,
            "points": {
                "over_3_years": 0,
                "under_3_years": 50,
                "under_1_year": 100,
                "unknown": 30,
            },
        },
        "geography": {
            "weight": 50,
            "points": {
                "fatf_black": 100,
                "eu_high_risk": 70,
                "fatf_grey": 60,
                "other": 0,
                "unknown": 20,
            },
        },
        # Merchant category codes (MCC) with much cash, fast transfer of value, or anonymity.
        "product": {
            "weight": 25,
            "points": {
                "4829": 100,  # money transfer
                "6051": 100,  # quasi-cash, crypto-assets
                "7995": 100,  # gambling
                "5933": 80,  # pawnshops
                "5094": 80,  # precious stones and metals
                "6211": 60,  # brokers
                "7273": 60,  # dating and escort services
                "5993": 40,  # tobacco
                "other": 0,
                "unknown": 10,
            },
        },
        # A little more if nobody met the customer; never enough for medium risk by itself.
        "channel": {
            "weight": 10,
            "points": {"desk": 0, "interface": 50, "other": 50, "unknown": 20},
        },
        "sanctions": {"weight": 100, "points": {**_SCREENING}},
        "adverse": {"weight": 40, "points": {**_SCREENING, "unknown": 15}},
        "documents": {
            "weight": 40,
            "points": {
                "clean": 0,
                "unsure": 30,
                "risk": 60,
                "high_risk": 100,
                "forged": 100,
                "unknown": 20,
            },
        },
        "checks": {
            "weight": 25,
            "points": {
                "passed": 0,
                "unsure": 30,
                "review": 50,
                "failed": 100,
                "unknown": 20,
            },
        },
    },
    "countries": {
        "fatf_black": {
            "title": "FATF, call for action",
            "source": "Financial Action Task Force, high-risk jurisdictions",
            "as_of": "2026-06-19",
            "codes": ["IR", "KP", "MM"],
        },
        "fatf_grey": {
            "title": "FATF, increased monitoring",
            "source": "Financial Action Task Force, jurisdictions under increased monitoring",
            "as_of": "2026-06-19",
            "codes": [
                "AO", "BA", "BG", "BO", "CD", "CI", "CM", "HT", "IQ", "KE", "KW", "LA", "LB",
                "MC", "NP", "PG", "SS", "SY", "VE", "VG", "VN", "YE",
            ],
        },
        "eu_high_risk": {
            "title": "EU, high-risk third countries",
            "source": "Delegated Regulation (EU) 2016/1675 as amended by (EU) 2025/1184",
            "as_of": "2025-08-05",
            "codes": [
                "AF", "AO", "BF", "CD", "CI", "CM", "DZ", "HT", "IR", "KE", "KP", "LA", "LB",
                "MC", "ML", "MM", "MZ", "NA", "NG", "NP", "SS", "SY", "TT", "TZ", "VE", "VN",
                "VU", "YE", "ZA",
            ],
        },
    },
    "bands": {"medium": 30, "high": 60},
    "overrides": [
        {
            "reason": "A person confirmed a match with a list of sanctions.",
            "factor": "sanctions",
            "labels": ["confirmed"],
            "band": "prohibited",
        },
        {
            "reason": "A strong hit on a list of sanctions was not cleared.",
            "factor": "sanctions",
            "labels": ["strong"],
            "band": "high",
        },
        {
            "reason": "Listed owners hold half of it or more, or control it.",
            "factor": "ownership",
            "labels": ["blocked", "controlled"],
            "band": "prohibited",
        },
        {
            "reason": "Listed owners may hold half of it or more: a share or a hit is not certain.",
            "factor": "ownership",
            "labels": ["possible", "suspected"],
            "band": "high",
        },
        {
            "reason": "A politically exposed person, or one close to one.",
            "factor": "pep",
            "labels": ["confirmed", "strong"],
            "band": "high",
        },
        {
            "reason": "A country on the black list of FATF.",
            "factor": "geography",
            "labels": ["fatf_black"],
            "band": "high",
        },
        {
            "reason": "The structure is opaque.",
            "factor": "structure",
            "labels": ["opaque"],
            "band": "high",
        },
        {
            "reason": "People rejected a document as forged.",
            "factor": "documents",
            "labels": ["forged"],
            "band": "high",
        },
    ],
    # Days until the next review. AMLR article 26(2) allows one year for high risk and five
    # years for others.
    "review_days": {"low": 1826, "medium": 730, "high": 365, "prohibited": 365},
}  # fmt: skip
