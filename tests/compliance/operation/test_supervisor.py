"""The supervisor: what it cannot start it tries again, and nothing else ends for it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from compliance.operation import supervisor


def wait_until(done) -> None:
    end = time.monotonic() + 60
    while not done():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_child_that_cannot_be_started_is_tried_again(tmp_path: Path):
    """A program that is missing raises OSError, as a fork without memory does."""
    program, here = tmp_path / "program", tmp_path / "here"
    commands = {
        "first": ["/bin/sh", "-c", f"echo >> {tmp_path}/other; exec sleep 600"],
        "second": [str(program)],
    }
    process = subprocess.Popen(
        [sys.executable, "-P", supervisor.__file__],
        env={**os.environ, supervisor.COMMANDS: json.dumps(commands)},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        assert "second cannot be started" in process.stderr.readline()
        script = f"#!/bin/sh\necho >> {here}\nexec sleep 600\n"
        (tmp_path / "new").write_text(script)
        (tmp_path / "new").chmod(0o755)
        (tmp_path / "new").rename(program)
        wait_until(lambda: here.exists() or process.poll() is not None)
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
    finally:
        process.kill()
        process.communicate()
    # The other child was not started again.
    assert (tmp_path / "other").read_text().count("\n") == 1


def test_a_child_is_started_again_while_the_disk_of_the_log_is_full(tmp_path: Path):
    starts = tmp_path / "starts"
    commands = {"first": ["/bin/sh", "-c", f"echo >> {starts}; exit 1"]}
    with Path("/dev/full").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-P", supervisor.__file__],
            env={**os.environ, supervisor.COMMANDS: json.dumps(commands)},
            stderr=log,
        )
    try:
        wait_until(
            lambda: (
                process.poll() is not None
                or (starts.exists() and starts.read_text().count("\n") > 2)
            )
        )
        assert process.poll() is None
    finally:
        process.kill()
        process.wait()


def test_its_processes_have_few_arenas_of_memory_unless_the_operator_says_otherwise(
    tmp_path: Path,
):
    file = tmp_path / "arenas"
    show = ["/bin/sh", "-c", f"echo $MALLOC_ARENA_MAX > {file}; exec sleep 600"]
    start = (
        "from compliance.operation import supervisor;"
        f" supervisor.take_over({{'first': {show!r}}})"
    )
    others = {k: v for k, v in os.environ.items() if k != "MALLOC_ARENA_MAX"}
    for own, shown in (({}, "2"), ({"MALLOC_ARENA_MAX": "8"}, "8")):
        process = subprocess.Popen([sys.executable, "-c", start], env=others | own)
        try:
            wait_until(lambda: file.exists() and file.read_text().strip())
            assert file.read_text().strip() == shown
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(30)
            file.unlink()
