"""Verify this evidence pack: python verify.py [--secret WEBHOOK_SECRET]

Needs Python 3.9 or later and nothing else. It checks that every file is the one that the manifest
names and, where one was handed in, the one that was handed in, that no file was added, and that every line of the audit trail has the hash it is sealed
with. With the secret of the webhooks it checks their signatures, too.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import sys
from pathlib import Path
from typing import Any

here = Path(__file__).resolve().parent
manifest = json.loads((here / "manifest.json").read_text(encoding="utf-8"))
faults = []


def timed_key(secret: bytes) -> bytes:
    """The key of a signature with a time: what stands in base64 after whsec_, or all bytes."""
    if not secret.startswith(b"whsec_"):
        return secret
    text = secret[6:].rstrip(b"=")
    return base64.b64decode(text + b"=" * (-len(text) % 4))


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
    # The manifest cannot hold its own hash.
    if path not in entries and path != "manifest.json":
        faults.append(f"{path} is not part of the pack")

faults += [
    f"{path} was missing in the desk's store, or could not be read"
    for path in manifest["missing"]
]

last = 0
audit = here / "audit.txt"
lines = []
if audit.is_file():
    lines = audit.read_text(encoding="utf-8").split("\n")[:-1]
for text in lines:
    before, digest, line = text.split(" ", 2)
    seq = json.loads(line)["seq"]
    if hashlib.sha256(f"{before} {line}".encode()).hexdigest() != digest:
        faults.append(f"line {seq} of the audit trail was changed")
    if seq <= last:
        faults.append(f"line {seq} of the audit trail stands in the wrong place")
    last = seq


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
if "--secret" in sys.argv[:-1]:
    secret = sys.argv[sys.argv.index("--secret") + 1].encode()
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
        f"{len(entries)} files, {len(lines)} lines of the audit trail{signatures_words} hold."
    )
head = manifest["chain"]
print(f"The trail ended at {head['seq']}:{head['hash']}; the desk proves it with")
print(f"  manage.py audit_verify --head {head['seq']}:{head['hash']}")
sys.exit(1 if faults else 0)
