"""Verify this evidence pack: python verify.py [--key KEY] [--anchors FILE] [--secret SECRET]

Needs Python 3.9 or later and nothing else. It checks:

- every file is the one that the manifest lists, and a file that was handed in is unchanged
- no file was added
- every line of the audit trail has the hash with which it was sealed, and is in the log whose head
  is signed (a Merkle tree as in RFC 9162)
- the manifest is signed

This proves who made the pack only with the public key of the desk (--key), which the desk shows at
its address /.well-known/audit-keys.json. Without it, somebody who changes a pack can sign it with
a key of their own. With a file of anchors that was stored outside of the desk (--anchors) it checks
that the head is one of them. With the secret of the webhooks (--secret) it checks their signatures.
"""

import sys

# Python looks for modules in the folder of a program first. A file json.py that somebody added to the
# pack would be run instead of Python's own, and could print what it likes. So nothing is imported
# before this, not even `__future__`.
_has_no_folder = sys.flags.isolated or getattr(sys.flags, "safe_path", False)
if __name__ == "__main__" and not _has_no_folder:
    del sys.path[0]

import argparse
import base64
import hashlib
import hmac
import json
import os
import re
from pathlib import Path
from typing import Any, NamedTuple

Json = dict[str, Any]

here = Path(__file__).resolve().parent
manifest: Json = {}
faults: list[str] = []
# The numbers of the lines whose personal part was erased with the case.
erased: list[int] = []
# What a file raises that was changed: the desk writes none of them.
BROKEN = (
    OSError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    RecursionError,
    MemoryError,
)


def main() -> int:
    """Check everything and print the result. Returns the exit status of the program."""
    # An option that is not understood ends the program: nobody should believe that it was used.
    options = parser().parse_args()
    try:
        manifest.update(
            json.loads((here / "manifest.json").read_text(encoding="utf-8"))
        )
        return check_pack(options)
    except BROKEN:
        faults.append("manifest.json or another file is not as the desk writes it")
    print_result(0, 0, 0)
    return 1


def parser() -> argparse.ArgumentParser:
    result = argparse.ArgumentParser(
        "verify.py",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    # Without --key there is None. An empty key is one that nobody has.
    result.add_argument("--key")
    result.add_argument("--anchors", default="")
    result.add_argument("--secret", default="")
    return result


def check_pack(options: argparse.Namespace) -> int:
    """All checks, with the manifest that was read. Returns the exit status of the program."""
    signer = check_signature()
    # Steps: signature, files, trail, anchors, webhooks. Each adds its faults to the list.
    is_pinned = options.key is not None
    if is_pinned and signer != options.key.strip().lower():
        faults.append("the pack is not signed with the key that you gave")
    entries = {}
    for entry in manifest["files"]:
        entries[entry["path"]] = entry
    check_files(entries)
    check_other_files(entries)
    for path in manifest["missing"]:
        faults.append(f"{path} was missing in the desk's store, or could not be read")
    line_count = check_trail(signer)
    anchored = bool(options.anchors) and is_anchored(options.anchors)
    signature_count = check_webhooks(os.fsencode(options.secret))
    print_result(len(entries), line_count, signature_count)
    print_signer(signer, is_pinned=is_pinned)
    if manifest["webhooks"] and not options.secret:
        print(
            "Not verified: the signatures of the webhooks. Give their secret with --secret."
        )
    print_head(anchored=anchored)
    return 1 if faults else 0


def print_result(file_count: int, line_count: int, signature_count: int) -> None:
    if faults:
        for fault in faults:
            print(printable(fault))
    else:
        signatures = ""
        if signature_count:
            signatures = f" and {signature_count} signatures"
        print(
            f"{file_count} files, {line_count} lines of the audit trail{signatures} hold."
        )
    if erased:
        print(f"The words beside {len(erased)} lines were erased with the case.")


def printable(text: str) -> str:
    """The text without what a terminal would obey, or could not show: names are of the pack."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def print_signer(signer: str, *, is_pinned: bool) -> None:
    if is_pinned and not faults:
        print(
            "The pack is signed with the key that you gave: who has it made the pack."
        )
    if not is_pinned:
        print(
            "Consistent at most, author not verified: give the key of the desk with --key."
        )
        print(
            "So it is not verified either that these lines stand in the trail of the desk."
        )
        print(printable(f"The pack itself names the key {signer}"))


def print_head(*, anchored: bool) -> None:
    if anchored:
        print("The head of the trail is one of the anchors that you gave.")
    else:
        print(
            "Not verified: that the head of the trail was kept outside of the desk. Who has the key of"
            " the desk can make another trail. Give a file of anchors with --anchors."
        )
    chain = manifest["chain"]
    head = f"{chain['seq']}:{chain['hash']}"
    print(printable(f"The trail ended at {head}; the desk proves it with"))
    print(printable(f"  manage.py audit_verify --head {head}"))


# Ed25519 as in RFC 8032, section 5.1. A point (x, y) is stored in extended coordinates: x =
# X/Z, y = Y/Z, xy = T/Z. So points are added without a division, which costs far more than a
# multiplication.
P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_1 = pow(2, (P - 1) // 4, P)
# Of the 256 bits of an encoded point, the lower 255 are y. The highest bit is the sign of x:
# whether x is odd.
Y_BITS = 255


class Point(NamedTuple):
    X: int
    Y: int
    Z: int
    T: int


NEUTRAL = Point(0, 1, 1, 0)


def add(first: Point, second: Point) -> Point:
    """The sum of two points. The letters are those of RFC 8032, section 5.1.4."""
    a = (first.Y - first.X) * (second.Y - second.X) % P
    b = (first.Y + first.X) * (second.Y + second.X) % P
    c = first.T * 2 * D * second.T % P
    d = first.Z * 2 * second.Z % P
    e = b - a
    f = d - c
    g = d + c
    h = b + a
    return Point(
        X=e * f % P,
        Y=g * h % P,
        Z=f * g % P,
        T=e * h % P,
    )


def times(number: int, point: Point) -> Point:
    # Double and add: one doubling for each bit of the number.
    result = NEUTRAL
    while number:
        if number & 1:
            result = add(result, point)
        point = add(point, point)
        number >>= 1
    return result


def inverse(number: int) -> int:
    """The inverse of a number modulo the prime P, by Fermat's little theorem."""
    return pow(number, P - 2, P)


def point_of(raw: bytes) -> Point:
    """Decode a point from 32 bytes. Raises ValueError if they encode none."""
    number = int.from_bytes(raw, "little")
    sign = number >> Y_BITS
    y = number % 2**Y_BITS
    if len(raw) != 32 or y >= P:
        raise ValueError("not a point")
    x = root_of_square(square_of_x(y))
    if x == 0 and sign:
        raise ValueError("not a point")
    if x % 2 != sign:
        x = P - x
    return Point(x, y, 1, x * y % P)


def square_of_x(y: int) -> int:
    """x² from the equation of the curve: -x² + y² = 1 + D x² y²."""
    numerator = y * y - 1
    denominator = D * y * y + 1
    return numerator * inverse(denominator) % P


def root_of_square(square: int) -> int:
    """A square root modulo P. Raises ValueError if there is none."""
    root = pow(square, (P + 3) // 8, P)
    if root * root % P != square:
        root = root * ROOT_OF_MINUS_1 % P
    if root * root % P != square:
        raise ValueError("not a point")
    return root


def is_same(first: Point, second: Point) -> bool:
    """Whether two points are equal. Compares across, because each has its own Z: no division."""
    if (first.X * second.Z - second.X * first.Z) % P:
        return False
    return (first.Y * second.Z - second.Y * first.Z) % P == 0


BASE_Y = 4 * inverse(5) % P
BASE = point_of(BASE_Y.to_bytes(32, "little"))


def is_by(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the owner of the public key made the signature."""
    first_half = signature[:32]
    second_half = signature[32:]
    try:
        key = point_of(public)
        r = point_of(first_half)
    except ValueError:
        return False
    s = int.from_bytes(second_half, "little")
    if len(second_half) != 32 or s >= ORDER:
        return False
    digest = hashlib.sha512(first_half + public + message).digest()
    k = int.from_bytes(digest, "little") % ORDER
    return is_same(times(s, BASE), add(r, times(k, key)))


def check_signature() -> str:
    """Check the signature of the manifest. Returns the public key in manifest.sig, or ""."""
    signer = ""
    try:
        # Not as text, in which other ends of lines would become the same.
        text = (here / "manifest.sig").read_bytes().decode("utf-8")
        signed_by = json.loads(text)
        signer = str(signed_by["public"])
        check_manifest(signed_by, signer)
        # Nothing signs this file. So it has one form alone: JSON and hexadecimal can be written in other
        # ways that mean the same.
        if text != json.dumps(signed_by, indent=1, ensure_ascii=False):
            faults.append("manifest.sig was changed")
    except BROKEN:
        faults.append("manifest.sig is missing, or holds no signature")
    return signer


def check_manifest(signed_by: Json, signer: str) -> None:
    """Check the content of manifest.sig against the manifest. It may have no unchecked members."""
    content = (here / "manifest.json").read_bytes()
    signature = bytes.fromhex(signed_by["signature"])
    if bytes.fromhex(signer).hex() != signer:
        faults.append("manifest.sig was changed")
    if signature.hex() != signed_by["signature"]:
        faults.append("manifest.sig was changed")
    if not is_by(bytes.fromhex(signer), content, signature):
        faults.append("manifest.json was changed after it was signed")
    if signed_by["key"] != key_id(signer) or signed_by["algorithm"] != "Ed25519":
        faults.append("manifest.sig was changed")
    if set(signed_by) != {"algorithm", "key", "public", "signature"}:
        faults.append("manifest.sig was changed")


def key_id(public: str) -> str:
    """The id of a public key: the first 16 characters of its hash."""
    return sha256_hex(bytes.fromhex(public))[:16]


def check_files(entries: Json) -> None:
    """Check that each file of the manifest exists and is unchanged."""
    for path, entry in entries.items():
        file = here / path
        expected = entry["sha256"]
        # A link may lead to another file tomorrow.
        if file.is_symlink() or not file.is_file():
            faults.append(f"{path} is missing")
        # The size first: a file that was made huge may not fit into memory.
        elif (
            file.stat().st_size != entry["size"]
            or sha256_hex(file.read_bytes()) != expected
        ):
            faults.append(f"{path} was changed")
        elif entry.get("submitted_sha256", expected) != expected:
            faults.append(
                f"{path} is not the file that was handed in: the desk's store had changed it"
            )


def check_other_files(entries: Json) -> None:
    """Check that there is no file which the manifest does not list."""
    for file in sorted(here.rglob("*")):
        path = file.relative_to(here).as_posix()
        # A link to a folder is not of the desk: its files would be read as part of the pack.
        if file.is_dir() and not file.is_symlink():
            continue
        # Python may write a cache next to this program.
        if re.fullmatch(r"__pycache__/verify\.[-.\w]+\.pyc", path):
            continue
        # The manifest cannot contain its own hash and signature.
        if path in ("manifest.json", "manifest.sig"):
            continue
        if path not in entries:
            faults.append(f"{path} is not part of the pack")


def sha256(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()


def sha256_hex(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def canonical(value: object) -> bytes:
    """The canonical text of a JSON value: sorted names, no spaces.

    Hashes and signatures cover it.
    """
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode()


def root_of(leaf: bytes, index: int, size: int, path: list[str]) -> str:
    """The root of a tree with `size` leaves that contains this one (RFC 9162, section 2.1.3.2).

    Raises ValueError if the path has another length.
    """
    if not 0 <= index < size:
        raise ValueError("no leaf of this tree")
    number = index
    last = size - 1
    digest = sha256(b"\0" + leaf)
    for text in path:
        other = bytes.fromhex(text)
        if not last:
            raise ValueError("the path is too long")
        if number & 1 or number == last:
            digest = sha256(b"\1" + other + digest)
            # The last node of a level may have no sibling. It moves up until it has one.
            while number and not number & 1:
                number >>= 1
                last >>= 1
        else:
            digest = sha256(b"\1" + digest + other)
        number >>= 1
        last >>= 1
    if last:
        raise ValueError("the path is too short")
    return digest.hex()


def check_trail(signer: str) -> int:
    """Check audit.txt with proof.json and texts.json. Returns the number of lines."""
    try:
        texts = (here / "texts.json").read_text(encoding="utf-8")
        words = json.loads(texts)
        return check_lines(signer, words)
    except BROKEN:
        faults.append(
            "audit.txt, proof.json or texts.json is missing, or cannot be read"
        )
        return 0


def check_lines(signer: str, words: Json) -> int:
    """Check all lines of audit.txt against the head in proof.json. Returns their number."""
    proof = json.loads((here / "proof.json").read_text(encoding="utf-8"))
    head = proof["head"]
    check_head(head, signer)
    paths = {}
    for row in proof["lines"]:
        paths[row["seq"]] = row["path"]
    if len(paths) != len(proof["lines"]):
        faults.append("proof.json has two paths for one line")
    trail = (here / "audit.txt").read_text(encoding="utf-8")
    lines = trail.split("\n")[:-1]
    last = 0
    for text in lines:
        seq = check_line(text, head, paths)
        check_words(text, words)
        if seq <= last:
            faults.append(f"line {seq} of the audit trail stands in the wrong place")
        last = seq
    # Each line has removed its path and its words. What remains belongs to no line of the file.
    for seq in sorted(paths):
        faults.append(f"line {seq} of the audit trail is missing")
    for number in words["texts"]:
        faults.append(f"texts.json has words of another line {number}")
    return len(lines)


def check_head(head: Json, signer: str) -> None:
    """Check that the head of the proof is that of the manifest, and has the same signer."""
    chain = manifest["chain"]
    if head["seq"] != chain["seq"] or head["hash"] != chain["hash"]:
        faults.append("the head in proof.json is not that of the manifest")
    if head["key"] != key_id(signer):
        faults.append("the head in proof.json is signed with another key")
    # The signature covers all other members.
    members = dict(head)
    signature = bytes.fromhex(members.pop("signature"))
    public = bytes.fromhex(signer)
    if not is_by(public, canonical(members), signature):
        faults.append("the head in proof.json was changed after it was signed")


def check_line(text: str, head: Json, paths: dict[int, list[str]]) -> int:
    """Check a line of audit.txt: its hash, and its path to the head. Returns its number."""
    before, digest, line = text.split(" ", 2)
    seq: int = json.loads(line)["seq"]
    hashed = f"{before} {line}"
    if sha256_hex(hashed.encode()) != digest:
        faults.append(f"line {seq} of the audit trail was changed")
    if seq == head["seq"] and digest != head["hash"]:
        faults.append(f"line {seq} of the audit trail is not the head")
    try:
        leaf = bytes.fromhex(digest)
        path = paths.pop(seq)
        root = root_of(leaf, seq - 1, head["seq"], path)
    except (KeyError, ValueError):
        root = ""
    if root != head["root"]:
        faults.append(f"line {seq} of the audit trail is not in the log with this head")
    return seq


def check_words(text: str, words: Json) -> None:
    """Check the personal part of a line against the HMAC in the line."""
    _, _, content = text.split(" ", 2)
    line = json.loads(content)
    seq = line["seq"]
    expected = line.get("personal_sha256")
    present = words["texts"].pop(str(seq), None)
    if not expected:
        if present is not None:
            faults.append(f"line {seq} of the audit trail has no words")
        return
    # The salt is erased with the case. Without it nobody can find the words from their HMAC.
    if present is None and not words["salt"]:
        erased.append(seq)
        return
    salt = bytes.fromhex(words["salt"])
    digest = hmac.new(salt, canonical(present), "sha256").hexdigest()
    if digest != expected:
        faults.append(f"the words of line {seq} of the audit trail were changed")


def is_anchored(file: str) -> bool:
    """Whether the file of anchors contains the head of the pack.

    Adds a fault if it contains another hash for the same line.
    """
    chain = manifest["chain"]
    try:
        anchors = Path(file).read_text(encoding="utf-8", errors="replace")
    except (OSError, ValueError):
        faults.append("the file of anchors that you gave cannot be read")
        return False
    for text in anchors.split("\n"):
        try:
            anchor = json.loads(text)
            anchor = anchor.get("data", anchor)  # an anchor that was sent by webhook
            seq = anchor["seq"]
            digest = anchor["hash"]
        except BROKEN:
            continue
        if seq != chain["seq"]:
            continue
        if digest == chain["hash"]:
            return True
        faults.append(f"another line {seq} was anchored: the trail was made again")
    return False


def check_webhooks(secret: bytes) -> int:
    """Check the signatures of all webhooks if there is a secret.

    Returns the number of webhooks.
    """
    if not secret:
        return 0
    for entry in manifest["webhooks"]:
        if not is_signed(entry, secret):
            path = entry["path"]
            faults.append(f"{path}: the signature is not made with this secret")
    return len(manifest["webhooks"])


def is_signed(entry: Json, secret: bytes) -> bool:
    """Whether all signatures of a webhook in the pack were made with this secret."""
    content = (here / entry["path"]).read_bytes()
    present = entry["signatures"]
    count = 0
    for name, signature in signatures_of(content, entry["headers"], secret).items():
        if name not in present:
            continue
        count += 1
        # The pack has only hashes of the signatures, because a signature itself could be
        # replayed.
        if present[name] != sha256_hex(signature):
            return False
    return count > 0


def signatures_of(
    content: bytes, headers: dict[str, str], secret: bytes
) -> dict[str, bytes]:
    """The signatures of a webhook with this secret, by the names of their headers."""
    plain = hmac.new(secret, content, "sha256").digest()
    signatures = {"X-Signature-SHA256": base64.b64encode(plain)}
    if "webhook-id" in headers:
        before = f"{headers['webhook-id']}.{headers['webhook-timestamp']}."
        message = before.encode() + content
        timed = hmac.new(timed_key(secret), message, "sha256").digest()
        signatures["webhook-signature"] = b"v1," + base64.b64encode(timed)
    return signatures


def timed_key(secret: bytes) -> bytes:
    """The key of a timestamped signature: the base64 text after whsec_, else all bytes."""
    prefix = b"whsec_"
    if not secret.startswith(prefix):
        return secret
    text = secret[len(prefix) :].rstrip(b"=")
    padding = b"=" * (-len(text) % 4)
    return base64.b64decode(text + padding)


if __name__ == "__main__":
    # Not every terminal can write every name of a file.
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    sys.exit(main())
