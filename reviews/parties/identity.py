"""How the same number or name is known again in another case, without being readable."""

from __future__ import annotations

import hmac
import re
import unicodedata

from compliance.security import data_keys
from reviews.parties import labels

# A shorter number may belong to many.
SHORTEST = 5
SHORTEST_NAME = 3


def digest(kind: str, label: str, value: str, issuer: str = "") -> str:
    """The HMAC of a number or a name in its plain form; "" where it identifies nobody."""
    if kind == "identifier":
        return _of_identifier(label, value, issuer)
    if kind == "name":
        return _of_name(value)
    return ""


def is_strong(label: str, issuer: str) -> bool:
    """Whether two parties with an equal number of this kind are the same one."""
    if label not in labels.STRONG:
        return False
    return label in labels.WORLDWIDE or bool(issuer)


def _of_identifier(label: str, value: str, issuer: str) -> str:
    plain = re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", value)).upper()
    # 000000000 and 99-9999999 are typed where no number is at hand.
    if len(plain) < SHORTEST or len(set(plain)) < 3:
        return ""
    if label == "wallet_address":
        # Upper and lower case differ in some kinds of address.
        plain = value.strip()
    if label in labels.WORLDWIDE:
        country = ""
    else:
        country = issuer
    return _hmac(f"{label}:{country}:{plain}")


def _of_name(value: str) -> str:
    """Without accents, signs, the order of words and the case."""
    decomposed = unicodedata.normalize("NFKD", value.casefold())
    letters = "".join(c for c in decomposed if not unicodedata.combining(c))
    words = sorted(re.findall(r"\w+", letters))
    if len("".join(words)) < SHORTEST_NAME:
        return ""
    joined = " ".join(words)
    return _hmac(f"name:{joined}")


def _hmac(content: str) -> str:
    # JSON can carry a lone surrogate, which cannot be encoded: it must not raise here.
    encoded = content.encode(errors="replace")
    key = data_keys.derive(data_keys.INSTALLATION, b"parties")
    return hmac.new(key, encoded, "sha256").hexdigest()
