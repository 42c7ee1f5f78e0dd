"""Verify this evidence pack: python verify.py [--key KEY] [--anchors FILE] [--secret SECRET]

Needs Python 3.9 or later and nothing else. It checks that every file is the one that the manifest
names and, where one was handed in, the one that was handed in, that no file was added, that every
line of the audit trail has the hash it is sealed with and stands in the log whose head is signed (a
Merkle tree as in RFC 9162), and that the manifest is signed.

Only with the public key of the desk (--key), which its address /.well-known/audit-keys.json shows,
does that prove who made the pack: whoever changes a pack can sign it with a key of their own. With a
file of anchors that were kept outside of the desk (--anchors) it checks that the head is one of
them, and with the secret of the webhooks (--secret) their signatures.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import sys
from pathlib import Path
from typing import Any  # Python 3.9

here = Path(__file__).resolve().parent
manifest = json.loads((here / "manifest.json").read_text(encoding="utf-8"))
faults = []


def timed_key(secret: bytes) -> bytes:
    """The key of a signature with a time: what stands in base64 after whsec_, or all bytes."""
    if not secret.startswith(b"whsec_"):
        return secret
    text = secret[6:].rstrip(b"=")
    return base64.b64decode(text + b"=" * (-len(text) % 4))


def option(name: str) -> str:
    """The word after --name; empty where there is none."""
    if name in sys.argv[:-1]:
        return sys.argv[sys.argv.index(name) + 1]
    return ""


# Ed25519 as RFC 8032, section 5.1, has it. Points are (X, Y, Z, T) with x = X/Z, y = Y/Z, xy = T/Z.
Point = tuple[int, int, int, int]
P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_1 = pow(2, (P - 1) // 4, P)


def add(a: Point, b: Point) -> Point:
    e = (a[1] - a[0]) * (b[1] - b[0]) % P
    f = (a[1] + a[0]) * (b[1] + b[0]) % P
    g = 2 * a[3] * b[3] * D % P
    h = 2 * a[2] * b[2] % P
    i, j, k, m = f - e, h - g, h + g, f + e
    return i * j % P, k * m % P, j * k % P, i * m % P


def times(number: int, point: Point) -> Point:
    result = (0, 1, 1, 0)
    while number:
        if number & 1:
            result = add(result, point)
        point = add(point, point)
        number >>= 1
    return result


def point_of(raw: bytes) -> Point:
    """The point that 32 bytes stand for. Raises ValueError where there is none."""
    y = int.from_bytes(raw, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT_OF_MINUS_1 % P
    if len(raw) != 32 or y >= P or (x * x - square) % P or (not x and sign):
        raise ValueError("not a point")
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


BASE = point_of((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def is_by(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the owner of the public key made the signature."""
    try:
        key, r = point_of(public), point_of(signature[:32])
    except ValueError:
        return False
    s = int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or s >= ORDER:
        return False
    digest = hashlib.sha512(signature[:32] + public + message).digest()
    k = int.from_bytes(digest, "little") % ORDER
    a, b = times(s, BASE), add(r, times(k, key))
    same_x = (a[0] * b[2] - b[0] * a[2]) % P == 0
    same_y = (a[1] * b[2] - b[1] * a[2]) % P == 0
    return same_x and same_y


pinned = option("--key").strip().lower()
signer = ""
try:
    signed_by = json.loads((here / "manifest.sig").read_text(encoding="utf-8"))
    signer = str(signed_by["public"])
    signature = bytes.fromhex(signed_by["signature"])
    content = (here / "manifest.json").read_bytes()
    if not is_by(bytes.fromhex(signer), content, signature):
        faults.append("manifest.json was changed after it was signed")
    key_id = hashlib.sha256(bytes.fromhex(signer)).hexdigest()[:16]
    if signed_by["key"] != key_id or signed_by["algorithm"] != "Ed25519":
        faults.append("manifest.sig was changed")
    if set(signed_by) != {"algorithm", "key", "public", "signature"}:
        faults.append("manifest.sig was changed")
except (OSError, ValueError, KeyError, TypeError):
    faults.append("manifest.sig is missing, or holds no signature")
if pinned and signer != pinned:
    faults.append("the pack is not signed with the key that you gave")


entries = {entry["path"]: entry for entry in manifest["files"]}
for path, entry in entries.items():
    file = here / path
    if not file.is_file():
        faults.append(f"{path} is missing")
    elif hashlib.sha256(file.read_bytes()).hexdigest() != entry["sha256"]:
        faults.append(f"{path} was changed")
    elif entry.get("submitted_sha256", entry["sha256"]) != entry["sha256"]:
        faults.append(
            f"{path} is not the file that was handed in: the desk's store had changed it"
        )
for file in sorted(here.rglob("*")):
    path = file.relative_to(here).as_posix()
    # Python writes a cache beside what it runs, which may be this file.
    if not file.is_file() or "__pycache__" in path:
        continue
    # The manifest cannot hold its own hash and signature.
    if path not in entries and path not in ("manifest.json", "manifest.sig"):
        faults.append(f"{path} is not part of the pack")

faults += [
    f"{path} was missing in the desk's store, or could not be read"
    for path in manifest["missing"]
]


def sha256(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()


def root_of(leaf: bytes, index: int, size: int, path: list[str]) -> str:
    """The root of a tree of so many leaves that holds this one (RFC 9162, section 2.1.3.2).

    Raises ValueError where the path has another length."""
    if not 0 <= index < size:
        raise ValueError("no leaf of this tree")
    number, last = index, size - 1
    digest = sha256(b"\0" + leaf)
    for text in path:
        other = bytes.fromhex(text)
        if not last:
            raise ValueError("the path is too long")
        if number & 1 or number == last:
            digest = sha256(b"\1" + other + digest)
            while number and not number & 1:
                number, last = number >> 1, last >> 1
        else:
            digest = sha256(b"\1" + digest + other)
        number, last = number >> 1, last >> 1
    if last:
        raise ValueError("the path is too short")
    return digest.hex()


def signed_text(entry: dict[str, Any]) -> bytes:
    """What the signature of an anchor is over."""
    members = {name: value for name, value in entry.items() if name != "signature"}
    text = json.dumps(
        members, sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )
    return text.encode()


def check_head(head: dict[str, Any]) -> None:
    """That the head of the proof is the one of the manifest, and signed by its signer."""
    chain = manifest["chain"]
    if (head["seq"], head["hash"]) != (chain["seq"], chain["hash"]):
        faults.append("the head in proof.json is not that of the manifest")
    if head["key"] != hashlib.sha256(bytes.fromhex(signer)).hexdigest()[:16]:
        faults.append("the head in proof.json is signed with another key")
    signature = bytes.fromhex(head["signature"])
    if not is_by(bytes.fromhex(signer), signed_text(head), signature):
        faults.append("the head in proof.json was changed after it was signed")


def check_line(text: str, head: dict[str, Any], paths: dict[int, list[str]]) -> int:
    """A line of audit.txt: its hash, and its path to the head. Returns its number."""
    before, digest, line = text.split(" ", 2)
    seq: int = json.loads(line)["seq"]
    if hashlib.sha256(f"{before} {line}".encode()).hexdigest() != digest:
        faults.append(f"line {seq} of the audit trail was changed")
    if seq == head["seq"] and digest != head["hash"]:
        faults.append(f"line {seq} of the audit trail is not the head")
    try:
        root = root_of(bytes.fromhex(digest), seq - 1, head["seq"], paths.pop(seq))
    except (KeyError, ValueError):
        root = ""
    if root != head["root"]:
        faults.append(f"line {seq} of the audit trail is not in the log with this head")
    return seq


def check_words(text: str) -> None:
    """The words beside a line: their HMAC stands in it."""
    line = json.loads(text.split(" ", 2)[2])
    seq, expected = line["seq"], line.get("personal_sha256")
    present = words["texts"].pop(str(seq), None)
    if not expected and present is not None:
        faults.append(f"line {seq} of the audit trail has no words")
    if expected and present is None and not words["salt"]:
        erased.append(seq)
        return
    if not expected:
        return
    content = json.dumps(
        present, sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )
    salt = bytes.fromhex(words["salt"])
    if hmac.new(salt, content.encode(), "sha256").hexdigest() != expected:
        faults.append(f"the words of line {seq} of the audit trail were changed")


def check_trail() -> int:
    """All lines of audit.txt against the head in proof.json. Returns how many there are."""
    proof = json.loads((here / "proof.json").read_text(encoding="utf-8"))
    head = proof["head"]
    check_head(head)
    paths = {row["seq"]: row["path"] for row in proof["lines"]}
    if len(paths) != len(proof["lines"]):
        faults.append("proof.json has two paths for one line")
    lines = (here / "audit.txt").read_text(encoding="utf-8").split("\n")[:-1]
    last = 0
    for text in lines:
        seq = check_line(text, head, paths)
        check_words(text)
        if seq <= last:
            faults.append(f"line {seq} of the audit trail stands in the wrong place")
        last = seq
    faults.extend(f"line {seq} of the audit trail is missing" for seq in sorted(paths))
    faults.extend(
        f"texts.json has words of another line {seq}" for seq in words["texts"]
    )
    return len(lines)


erased: list[int] = []
words: dict[str, Any] = {"salt": "", "texts": {}}
count = 0
try:
    words = json.loads((here / "texts.json").read_text(encoding="utf-8"))
    count = check_trail()
except (OSError, ValueError, KeyError, TypeError, AttributeError):
    faults.append("audit.txt, proof.json or texts.json is missing, or cannot be read")


def is_anchored(file: str) -> bool:
    """Whether the head of the pack stands in a file of anchors. Adds a fault where another does."""
    chain = manifest["chain"]
    for text in Path(file).read_text(encoding="utf-8").split("\n"):
        try:
            anchor = json.loads(text)
            anchor = anchor.get("data", anchor)  # as a webhook brings it
            seq, digest = anchor["seq"], anchor["hash"]
        except (ValueError, KeyError, AttributeError):
            continue
        if seq == chain["seq"] and digest != chain["hash"]:
            faults.append(f"another line {seq} was anchored: the trail was made again")
        if seq == chain["seq"] and digest == chain["hash"]:
            return True
    return False


anchored = bool(option("--anchors")) and is_anchored(option("--anchors"))


def signatures_of(
    content: bytes, headers: dict[str, str], secret: bytes
) -> dict[str, bytes]:
    """The signatures that the secret makes for a webhook, by the names of their headers."""
    plain = hmac.new(secret, content, "sha256").digest()
    signatures = {"X-Signature-SHA256": base64.b64encode(plain)}
    if "webhook-id" in headers:
        before = f"{headers['webhook-id']}.{headers['webhook-timestamp']}."
        message = before.encode() + content
        timed = hmac.new(timed_key(secret), message, "sha256").digest()
        signatures["webhook-signature"] = b"v1," + base64.b64encode(timed)
    return signatures


def is_signed(entry: dict[str, Any], secret: bytes) -> bool:
    """Whether each signature of a webhook that the pack has is made with this secret."""
    content = (here / entry["path"]).read_bytes()
    signatures = signatures_of(content, entry["headers"], secret)
    matches = []
    for name, value in signatures.items():
        if name in entry["signatures"]:
            # The pack holds the hashes of the signatures: a signature itself could be sent again.
            digest = hashlib.sha256(value).hexdigest()
            matches.append(digest == entry["signatures"][name])
    return bool(matches) and all(matches)


signed = 0
if option("--secret"):
    secret = option("--secret").encode()
    for entry in manifest["webhooks"]:
        if not is_signed(entry, secret):
            faults.append(
                f"{entry['path']}: the signature is not made with this secret"
            )
        signed += 1

if faults:
    print("\n".join(faults))
else:
    signatures_words = f" and {signed} signatures" if signed else ""
    print(
        f"{len(entries)} files, {count} lines of the audit trail{signatures_words} hold."
    )
if erased:
    print(f"The words beside {len(erased)} lines were erased with the case.")
if pinned and not faults:
    print("The pack is signed with the key that you gave: who has it made the pack.")
if not pinned:
    print(
        "Consistent at most, author not verified: give the key of the desk with --key."
    )
    print(
        "So it is not verified either that these lines stand in the trail of the desk."
    )
    print(f"The pack itself names the key {signer}")
if not option("--secret") and manifest["webhooks"]:
    print(
        "Not verified: the signatures of the webhooks. Give their secret with --secret."
    )
if anchored:
    print("The head of the trail is one of the anchors that you gave.")
else:
    print(
        "Not verified: that the head of the trail was kept outside of the desk. Who has the key of"
        " the desk can make another trail. Give a file of anchors with --anchors."
    )
head = manifest["chain"]
print(f"The trail ended at {head['seq']}:{head['hash']}; the desk proves it with")
print(f"  manage.py audit_verify --head {head['seq']}:{head['hash']}")
sys.exit(1 if faults else 0)
