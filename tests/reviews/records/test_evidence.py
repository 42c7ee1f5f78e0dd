"""The evidence pack: everything about a case, verifiable with nothing but Python."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import random
import runpy
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.core.files.base import ContentFile
from django.utils.timezone import now

from compliance.http import signatures, standard_webhooks
from reviews.audit import signing, trail
from reviews.decisions import marks
from reviews.models import CaseEvent, Chain
from reviews.models.trail import canonical
from reviews.people import notes
from tests.factories import SECRET
from tests.reviews.api.calling import Caller
from tests.reviews.pages.case.rows import add_check_result
from tests.reviews.rows import (
    CHECK,
    add_risky_document,
    decide,
    one_person,
    open_case,
    someone,
)
from webhooks.models import Event

pytestmark = pytest.mark.django_db
# 3,000 were tried once.
RANDOM_CHANGES = 60
PDF = b"%PDF-1.7\n% the original\n%%EOF\n"
HOSTILE = "../../<b>evil</b> & Łódź.pdf"


@pytest.fixture
def case():
    one_person()
    case = open_case(subject="Žižka & <b>Sons</b> Ltd", recommendation="Approve")
    ana = someone("analyst", "ana")
    document = add_risky_document(case)
    document.file_name = HOSTILE
    document.sha256 = hashlib.sha256(PDF).hexdigest()
    document.file.save("x.bin", ContentFile(PDF))
    job = case.jobs.get()
    body = json.dumps({"id": job.remote_id, "status": "complete"}).encode()
    Event.objects.create(
        connection=case.connection, digest=b"1" * 32, body=body, job=job, received_at=now(),
        headers={"X-Signature-SHA256": signatures.sign(body, SECRET)},
        secret=case.connection.webhook_secrets.get(),
    )  # fmt: skip
    notes.add(
        case, actor=ana, text="Called.", files=[ContentFile(PDF, name="call.pdf")]
    )
    for check in (CHECK, f"document-{document.pk.hex}"):
        marks.mark(case, check, actor=ana, kind="reviewed")
    decide(case, ana, rationale="Looked at: " + "Łódź & <i>more</i> " * 40)
    return case


@pytest.fixture
def packed(client, case, tmp_path) -> Path:
    client.force_login(someone("auditor"))
    answer = client.get(f"/cases/{case.pk}/evidence/")
    assert (
        answer["Content-Disposition"] == 'attachment; filename="evidence-C-10428.zip"'
    )
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as archive:
        assert all(
            ".." not in name and not name.startswith("/") for name in archive.namelist()
        )
        archive.extractall(tmp_path / "pack")
    return tmp_path / "pack"


def verify(folder: Path, *words: str) -> tuple[int, str]:
    """As somebody elsewhere would: no site packages, no environment."""
    run = subprocess.run(
        [sys.executable, "-I", "-S", str(folder / "verify.py"), *words],
        capture_output=True, text=True, check=False, env={},
    )  # fmt: skip
    return run.returncode, run.stdout + run.stderr


# Tries changes of a pack one after the other: to start Python takes longer than to verify.
EACH = """
import base64, contextlib, io, json, pathlib, runpy, sys, traceback

program, *words = sys.argv[1:]
answers = []
for name, changed in json.load(sys.stdin):
    path = pathlib.Path(name)
    content = path.read_bytes()
    path.write_bytes(base64.b64decode(changed))
    sys.argv = [program, *words]
    code, output = 0, io.TextIOWrapper(io.BytesIO(), "utf-8")
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        try:
            runpy.run_path(program, run_name="__main__")
        except SystemExit as end:
            code = end.code or 0
        except BaseException:
            code = 1
            traceback.print_exc()
    path.write_bytes(content)
    output.seek(0)
    answers.append([code, output.read()])
json.dump(answers, sys.stdout)
"""


def verify_each(
    folder: Path, changes: list[tuple[Path, bytes]], *words: str
) -> list[tuple[int, str]]:
    """What the program says of the pack with each change by itself."""
    manifest = folder / "manifest.json"
    # Without a change it has to find no fault, before the first one and behind the last.
    tries = [(manifest, manifest.read_bytes())]
    tries = [*tries, *changes, *tries]
    wire = [(str(path), base64.b64encode(content).decode()) for path, content in tries]
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", EACH, str(folder / "verify.py"), *words],
        input=json.dumps(wire), capture_output=True, text=True, check=True, env={},
    )  # fmt: skip
    first, *answers, last = json.loads(run.stdout)
    assert (first[0], last[0]) == (0, 0), (first, last)
    assert len(answers) == len(changes)
    return [(code, output) for code, output in answers]


def test_the_signature_with_a_time_is_verified_elsewhere_too(client, case, tmp_path):
    secret = standard_webhooks.new_secret()
    event = Event.objects.get()
    body = bytes(event.body)
    event.headers |= standard_webhooks.headers("msg_1", 1614265330, body, secret)
    del event.headers["X-Signature-SHA256"]
    event.save()
    client.force_login(someone("auditor"))
    answer = client.get(f"/cases/{case.pk}/evidence/")
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as archive:
        archive.extractall(tmp_path / "pack")
    assert (
        event.headers["webhook-signature"]
        not in (tmp_path / "pack/manifest.json").read_text()
    )
    code, text = verify(tmp_path / "pack", "--secret", secret)
    assert (code, "1 signatures hold" in text) == (0, True)
    code, text = verify(tmp_path / "pack", "--secret", standard_webhooks.new_secret())
    assert (code, "not made with this secret" in text) == (1, True)


def test_a_pack_holds_what_was_kept_and_verifies_elsewhere(packed, case):
    code, text = verify(packed, "--secret", SECRET)
    assert code == 0, text
    assert "1 signatures hold" in text
    result = json.loads((packed / "case.json").read_text())
    assert result["decisions"][0]["outcome"] == "approve"
    assert len(result["reviews"]) == 2
    assert [path.read_bytes() for path in (packed / "documents").iterdir()] == [PDF]
    assert [path.read_bytes() for path in (packed / "attachments").iterdir()] == [PDF]
    lines = (packed / "audit.txt").read_text().splitlines()
    assert [json.loads(line.split(" ", 2)[2])["what"] for line in lines] == [
        "note_added", "check_reviewed", "check_reviewed", "decided",
    ]  # fmt: skip
    manifest = json.loads((packed / "manifest.json").read_text())
    assert manifest["missing"] == []
    # Other lines may follow those of the case.
    assert manifest["chain"]["seq"] >= json.loads(lines[-1].split(" ", 2)[2])["seq"]


@pytest.mark.parametrize(
    ("path", "fault"),
    [
        ("case.json", "case.json was changed"),
        ("report.pdf", "report.pdf was changed"),
        ("webhooks/0001.json", "webhooks/0001.json was changed"),
        ("audit.txt", "of the audit trail was changed"),
    ],
)
def test_a_changed_file_is_found(packed, path, fault):
    content = (packed / path).read_bytes()
    (packed / path).write_bytes(content.replace(b"ana", b"bob") + b" ")
    if path == "audit.txt":
        (packed / path).write_bytes(content.replace(b"approve", b"reject "))
    code, text = verify(packed)
    assert code == 1
    assert fault in text


@pytest.mark.parametrize(
    ("before", "after"),
    [(b'"files"', b'"filet"'), (b"{", b"\xff"), (b'"chain"', b'"chaim"')],
)
def test_a_manifest_that_cannot_be_read_is_said(packed, before, after):
    path = packed / "manifest.json"
    path.write_bytes(path.read_bytes().replace(before, after, 1))
    code, text = verify(packed)
    assert code == 1
    assert "is not as the desk writes it" in text
    assert "Traceback" not in text


def public_key(client) -> str:
    keys = client.get("/.well-known/audit-keys.json").json()["keys"]
    assert [key["algorithm"] for key in keys] == ["Ed25519"]
    return keys[0]["public"]


def test_the_published_key_proves_who_made_the_pack(packed, client):
    client.logout()
    code, words = verify(packed, "--key", public_key(client))
    assert (code, "signed with the key that you gave" in words) == (0, True)
    code, words = verify(packed, "--key", "0" * 64)
    assert (code, "not signed with the key that you gave" in words) == (1, True)


def test_without_the_key_the_author_is_not_verified(packed):
    code, words = verify(packed)
    assert (code, "author not verified" in words) == (0, True)
    assert "signed with the key that you gave" not in words


@pytest.mark.parametrize(
    "words", [["--key=" + "0" * 64], ["--key="], ["--key", ""]], ids=str
)
def test_another_or_an_empty_key_is_never_left_out(packed, words):
    """A variable of a script may be empty, and who gives a key wants it compared."""
    code, text = verify(packed, *words)
    assert (code, "not signed with the key that you gave" in text) == (1, True)


@pytest.mark.parametrize("words", [["--key"], ["--kex", "0"], ["0" * 64]], ids=str)
def test_an_option_that_is_not_understood_ends_the_program(packed, words):
    code, text = verify(packed, *words)
    assert (code, "usage: verify.py" in text) == (2, True)
    assert "hold." not in text


def write_hashes(folder: Path) -> None:
    """Make the manifest fit the files, as whoever changed them can."""
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    for entry in manifest["files"]:
        content = (folder / entry["path"]).read_bytes()
        digest = hashlib.sha256(content).hexdigest()
        entry |= {"sha256": digest, "size": len(content)}
    path.write_text(json.dumps(manifest))


def sign(folder: Path, key: signing.SigningKey) -> None:
    write_hashes(folder)
    text = (folder / "manifest.json").read_text()
    signature = {"algorithm": "Ed25519", "key": key.id, "public": key.public}
    signature["signature"] = key.sign(text)
    (folder / "manifest.sig").write_text(json.dumps(signature, indent=1))


def proof_of(folder: Path) -> dict[str, Any]:
    proof: dict[str, Any] = json.loads((folder / "proof.json").read_text())
    return proof


def change_proof(folder: Path, changes: dict[str, Any]) -> None:
    (folder / "proof.json").write_text(json.dumps(proof_of(folder) | changes))


def signed(head: dict[str, Any], key: signing.SigningKey) -> dict[str, Any]:
    """The head of a proof, signed with this key."""
    members = {name: value for name, value in head.items() if name != "signature"}
    members["key"] = key.id
    return {**members, "signature": key.sign(canonical(members))}


def test_a_pack_that_another_key_signed_is_found(packed, client, settings, tmp_path):
    """A stranger changes a decision, writes new hashes, and signs with an own key."""
    key = public_key(client)
    content = (packed / "case.json").read_bytes().replace(b"approve", b"reject")
    (packed / "case.json").write_bytes(content)
    write_hashes(packed)
    code, words = verify(packed)
    assert (code, "changed after it was signed" in words) == (1, True)
    settings.AUDIT_KEYS_DIR = tmp_path / "of-a-stranger"
    head = proof_of(packed)["head"]
    change_proof(packed, {"head": signed(head, signing.current())})
    sign(packed, signing.current())
    code, words = verify(packed)
    assert (code, "author not verified" in words) == (0, True)
    code, words = verify(packed, "--key", key)
    assert (code, "not signed with the key that you gave" in words) == (1, True)


def change_line(text: str) -> str:
    """Another author in a line of audit.txt, with the hash that fits."""
    before, _, line = text.split(" ", 2)
    content = json.loads(line)
    content["by"] = "mallory"
    line = canonical(content)
    digest = hashlib.sha256(f"{before} {line}".encode()).hexdigest()
    return f"{before} {digest} {line}"


@pytest.mark.parametrize("place", [0, 2, -1])
def test_a_line_that_is_not_in_the_log_is_found_even_if_all_is_signed(packed, place):
    """Also whoever can sign packs cannot put a line into the trail of an anchored head."""
    lines = (packed / "audit.txt").read_text().splitlines()
    lines[place] = change_line(lines[place])
    (packed / "audit.txt").write_text("\n".join(lines) + "\n")
    key = signing.current()
    sign(packed, key)
    code, words = verify(packed, "--key", key.public)
    seq = json.loads(lines[place].split(" ", 2)[2])["seq"]
    fault = f"line {seq} of the audit trail is not in the log with this head"
    assert (code, fault in words) == (1, True)
    assert "line" not in words.replace(f"line {seq} ", "").partition("Not verified")[0]


def test_a_changed_path_is_found(packed):
    key = signing.current()
    lines = proof_of(packed)["lines"]
    assert len(lines) > 3
    path = lines[1]["path"]
    changes = [
        path[:-1],
        [*path, "0" * 64],
        ["0" * 64, *path[1:]],
        path[::-1],
        lines[0]["path"],
        [],
        ["no hash", *path[1:]],
    ]
    for changed in changes:
        lines[1]["path"] = changed
        change_proof(packed, {"lines": lines})
        sign(packed, key)
        code, words = verify(packed, "--key", key.public)
        assert (code, "is not in the log with this head" in words) == (1, True), changed


def test_missing_and_added_lines_and_paths_are_found(packed):
    key = signing.current()
    proof = proof_of(packed)
    texts = (packed / "audit.txt").read_text().splitlines()
    (packed / "audit.txt").write_text("\n".join(texts[:-1]) + "\n")
    sign(packed, key)
    assert "of the audit trail is missing" in verify(packed)[1]
    (packed / "audit.txt").write_text("\n".join([*texts, texts[-1]]) + "\n")
    sign(packed, key)
    assert "stands in the wrong place" in verify(packed)[1]
    (packed / "audit.txt").write_text("\n".join(texts) + "\n")
    change_proof(packed, {"lines": proof["lines"][:-1]})
    sign(packed, key)
    assert "is not in the log with this head" in verify(packed)[1]
    change_proof(packed, {"lines": [*proof["lines"], proof["lines"][0]]})
    sign(packed, key)
    assert "two paths for one line" in verify(packed)[1]
    (packed / "proof.json").write_text("{}")
    sign(packed, key)
    assert "proof.json or texts.json is missing, or cannot be read" in verify(packed)[1]


@pytest.mark.parametrize(
    ("name", "value"),
    [("root", "0" * 64), ("seq", 3), ("hash", "0" * 64), ("at", "x"), ("key", "0")],
)
def test_a_changed_head_is_found(packed, name, value):
    key = signing.current()
    head = proof_of(packed)["head"]
    change_proof(packed, {"head": {**head, name: value}})
    sign(packed, key)
    code, words = verify(packed, "--key", key.public)
    assert (code, "proof.json" in words) == (1, True)


def test_the_head_of_a_pack_is_an_anchor(packed, settings, tmp_path, case):
    """So a trail that is made again later does not fit the anchors that somebody has."""
    value = tmp_path / "kept.jsonl"
    value.write_bytes(settings.AUDIT_ANCHORS.read_bytes())
    code, words = verify(packed, "--anchors", str(value))
    assert (code, "is one of the anchors that you gave" in words) == (0, True)
    head = proof_of(packed)["head"]
    value.write_text(json.dumps({"data": {**head, "hash": "1" * 64}}) + "\n")
    code, words = verify(packed, "--anchors", str(value))
    assert (code, "another line" in words) == (1, True)
    value.write_text("no anchor\n")
    code, words = verify(packed, "--anchors", str(value))
    assert (code, "Not verified: that the head" in words) == (0, True)


def test_a_pack_is_signed_where_the_anchor_cannot_be_written(client, case, settings):
    settings.AUDIT_ANCHORS = settings.AUDIT_KEYS_DIR.parent  # a folder
    client.force_login(someone("auditor"))
    answer = client.get(f"/cases/{case.pk}/evidence/")
    content = io.BytesIO(b"".join(answer.streaming_content))
    with zipfile.ZipFile(content) as archive:
        proof = json.loads(archive.read("proof.json"))
    assert proof["head"]["seq"] <= Chain.objects.get().seq
    assert Chain.objects.get().anchored_seq == 0


def test_every_byte_of_a_pack_counts(packed, client):
    """One byte changed in each file, at its start, in its middle and at its end."""
    key = public_key(client)
    names = [path for path in sorted(packed.rglob("*")) if path.is_file()]
    changes = []
    for path in names:
        content = path.read_bytes()
        if path.name == "verify.py":
            continue  # it cannot vouch for itself: take it from elsewhere
        for place in {0, len(content) // 2, len(content) - 2}:
            changed = bytearray(content)
            changed[place] ^= 1
            changes.append((path, bytes(changed)))
    answers = verify_each(packed, changes, "--key", key)
    for (path, _), (code, words) in zip(changes, answers, strict=True):
        assert (code, "Traceback" in words) == (1, False), (path.name, words)
    assert len(changes) > 20


def test_a_pack_that_was_changed_anywhere_says_why(packed, client):
    """Random places of all files: each is found, with a reason, and the program never breaks."""
    key = public_key(client)
    places = random.Random(20261128)  # noqa: S311 - the same places at each run
    names = [path for path in sorted(packed.rglob("*")) if path.is_file()]
    changes = []
    for number in range(RANDOM_CHANGES):
        path = names[number % len(names)]
        content = path.read_bytes()
        if path.name == "verify.py" or not content:
            continue
        changed = bytearray(content)
        place = places.randrange(len(content))
        changed[place] ^= places.randrange(1, 256)
        changes.append((path, bytes(changed)))
    answers = verify_each(packed, changes, "--key", key)
    for (path, _), (code, words) in zip(changes, answers, strict=True):
        assert (code, "Traceback" in words) == (1, False), (path.name, words)
        assert words.split("\n")[0].strip()


def test_the_signature_has_one_form_alone(packed, client):
    """Other letters of the same numbers, and other blanks, mean the same: they are changes all the same."""
    key = public_key(client)
    path = packed / "manifest.sig"
    text = path.read_text()
    members = json.loads(text)
    for changed in (
        text.replace(members["signature"], members["signature"].upper()),
        text.replace(members["public"], members["public"].upper()),
        text.replace(members["key"], members["key"].upper()),
        text.replace("\n", " "),
        text.replace("\n", "\r"),
        text.replace("\n", "\r\n"),
        text + "\n",
        text.replace("Ed", "\\u0045d"),
        text.replace("{", '{"key": "0",', 1),
    ):
        assert changed != text
        path.write_bytes(changed.encode())
        for options in (("--key", key), ()):
            code, words = verify(packed, *options)
            assert (code, "manifest.sig was changed" in words) == (1, True), changed
    path.write_text(text)
    assert verify(packed, "--key", key)[0] == 0


NESTED = "[" * 200_000


@pytest.mark.parametrize(
    "name", ["manifest.json", "manifest.sig", "proof.json", "texts.json", "audit.txt"]
)
def test_a_file_that_is_nested_without_end_is_said(packed, name):
    text = NESTED
    if name == "audit.txt":
        text = f"{'0' * 64} {'0' * 64} {NESTED}\n"
    (packed / name).write_text(text)
    code, words = verify(packed)
    assert (code, "Traceback" in words) == (1, False)
    assert words.strip()


def test_anchors_that_cannot_be_read_are_said(packed, tmp_path):
    for text in (NESTED, "\ud800", "[]", '{"data": [], "seq": 1}', "\0"):
        file = tmp_path / "anchors"
        file.write_bytes(text.encode(errors="surrogatepass"))
        _, words = verify(packed, "--anchors", str(file))
        assert "Traceback" not in words
        assert "one of the anchors" not in words
    code, words = verify(packed, "--anchors", str(tmp_path / "nothing"))
    assert (code, "Traceback" in words) == (1, False)


@pytest.mark.parametrize(
    "path", ["\ud800", "\u001b[2J1 files hold.\r", "\u0000", "ż\u202e"]
)
def test_a_path_of_the_manifest_cannot_break_or_paint_the_answer(packed, path):
    manifest = json.loads((packed / "manifest.json").read_text())
    manifest["files"].append({"path": path, "sha256": "0" * 64})
    (packed / "manifest.json").write_text(json.dumps(manifest))
    code, words = verify(packed)
    assert (code, "Traceback" in words) == (1, False)
    assert "is missing" in words
    assert not {"\x1b", "\r", "\u202e"} & set(words)


@pytest.mark.parametrize("length", [0, 1, 100])
def test_its_arithmetic_is_that_of_the_library(packed, length):
    """Signatures of a library, right and changed, over messages of several lengths."""
    names = runpy.run_path(str(packed / "verify.py"))
    for number in range(8):
        private = Ed25519PrivateKey.generate()
        public = private.public_key().public_bytes_raw()
        message = bytes([number]) * length
        signature = private.sign(message)
        assert names["is_by"](public, message, signature)
        for place in range(0, 64, 7):
            wrong = bytearray(signature)
            wrong[place] ^= 1 << number
            assert not names["is_by"](public, message, bytes(wrong))
        assert not names["is_by"](public, message + b"x", signature)
        assert not names["is_by"](bytes(32), message, signature)


def test_an_added_and_a_missing_file_and_a_wrong_secret_are_found(packed):
    (packed / "documents" / "more.pdf").write_bytes(PDF)
    (packed / "report.pdf").unlink()
    code, text = verify(packed, "--secret", "another")
    assert code == 1
    for fault in (
        "more.pdf is not part",
        "report.pdf is missing",
        "not made with this secret",
    ):
        assert fault in text


@pytest.mark.parametrize(
    "path",
    ["__pycache__/certificate.pdf", "documents/__pycache__.pdf", "a/__pycache__/b.pyc"],
)
def test_an_added_file_is_found_wherever_it_stands(packed, path):
    file = packed / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"%PDF-1.7 forged")
    code, text = verify(packed)
    assert code == 1
    assert f"{path} is not part of the pack" in text


def test_an_added_file_is_not_run_by_the_program(packed, client):
    """The program is run as the documentation says, beside files named like modules of Python."""
    own = packed / "verify.py"
    names = [*sorted(sys.stdlib_module_names), "sitecustomize", "usercustomize"]
    for name in names:
        (packed / f"{name}.py").write_text(
            "import os\nos.write(1, b'planted')\nos._exit(0)\n"
        )
    answer = subprocess.run(
        [sys.executable, str(own), "--key", public_key(client)],
        cwd=packed,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "planted" not in answer.stdout
    assert "json.py is not part of the pack" in answer.stdout
    assert answer.returncode == 1


def test_an_added_link_to_a_folder_is_found(packed, tmp_path_factory):
    (packed / "more").symlink_to(tmp_path_factory.mktemp("elsewhere"))
    code, text = verify(packed)
    assert code == 1
    assert "more is not part of the pack" in text


def test_a_link_in_the_place_of_a_file_is_found(packed, tmp_path_factory):
    """Its target has the right content today, and may have another tomorrow."""
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "case.json"
    (packed / "case.json").rename(elsewhere)
    (packed / "case.json").symlink_to(elsewhere)
    status, text = verify(packed)
    assert status == 1
    assert text.splitlines()[0] == "case.json is missing"


@pytest.mark.parametrize("name", ["case.json", "audit.txt", "manifest.json"])
def test_a_file_that_does_not_fit_into_memory_is_said(packed, name):
    with (packed / name).open("ab") as file:
        file.truncate(2**41)
    status, text = verify(packed)
    assert status == 1
    assert "Traceback" not in text
    assert "hold." not in text


def test_the_cache_of_the_program_is_no_part_of_the_pack(packed):
    (packed / "__pycache__").mkdir()
    (packed / "__pycache__" / "verify.cpython-311.pyc").write_bytes(b"")
    code, text = verify(packed)
    assert code == 0, text


def test_taking_the_pack_is_a_line_with_the_hash_of_its_manifest(packed, case):
    line = CaseEvent.objects.get(what="evidence_taken")
    digest = hashlib.sha256((packed / "manifest.json").read_bytes()).hexdigest()
    assert (line.by, line.data) == ("auditor", {"manifest_sha256": digest})
    assert list(trail.verify()) == []


def test_the_report_can_be_read(packed):
    manifest = json.loads((packed / "manifest.json").read_bytes())
    seq = manifest["chain"]["seq"]
    with pypdfium2.PdfDocument(packed / "report.pdf") as report:
        text = "\n".join(page.get_textpage().get_text_bounded() for page in report)
    for words in (
        "Case report: Žižka & <b>Sons</b> Ltd", "Łódź & <i>more</i>", "Approved", "ana",
        "<b>evil</b> & Łódź.pdf", "Text was covered", f"Audit trail to line {seq}", "A02 Explained by a third party",
    ):  # fmt: skip
        assert words in text, words


def test_half_a_character_of_a_service_breaks_no_file(client, case, tmp_path):
    result = {
        "passed": False, "explanation": "half \ud800", "alerts": ["\udc00"],
        "payload": {
            "\udc00": 1, "type": "kyb.\ud800",
            "fraud_verification_data": {
                "verification_data": [{"type": "RISK", "title": "\ud800", "indicator_id": "a\ud800"}]
            },
        },
    }  # fmt: skip
    add_check_result(case.jobs.get(), {"result": result}, check_id="kyb.odd_check")
    client.force_login(someone("auditor"))
    assert client.get(f"/cases/{case.pk}/").status_code == 200
    assert client.get(f"/cases/{case.pk}/report/").status_code == 200
    answer = client.get(f"/cases/{case.pk}/evidence/")
    assert answer.status_code == 200
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as archive:
        archive.extractall(tmp_path / "pack")
    assert verify(tmp_path / "pack")[0] == 0
    assert client.get(f"/cases/{case.pk}/report/pdf/").status_code == 200
    caller = Caller(someone("senior", "eva"))
    for address in ("", "/review-state", "/events"):
        assert caller.get(f"/cases/{case.pk}{address}").status_code == 200, address


def test_a_file_that_the_store_lost_is_named(client, case, tmp_path):
    case.documents.get().file.delete(save=False)
    client.force_login(someone("senior"))
    answer = client.get(f"/cases/{case.pk}/evidence/")
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as archive:
        manifest = json.loads(archive.read("manifest.json"))
    assert len(manifest["missing"]) == 1
