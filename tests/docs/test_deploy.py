"""The commands of docs/deploy.md are those that the containers run."""

from __future__ import annotations

import json
import re
import shlex

import yaml

from tests.docs.pages import code, read

WHERE = {"--host", "--port", "--schedule"}


def without_places(words: list[str]) -> list[str]:
    """Addresses and paths left out: they differ from machine to machine."""
    return [
        word
        for number, word in enumerate(words)
        if word not in WHERE and (number == 0 or words[number - 1] not in WHERE)
    ]


def test_without_containers_the_same_processes_run():
    [block] = [
        part
        for part in code(read("docs/deploy.md"), "sh")
        if part.startswith("granian")
    ]
    documented = [without_places(shlex.split(line)) for line in block.splitlines()]
    services = yaml.safe_load(read("docker-compose.yml"))["services"]
    [command] = re.findall(
        r"^CMD (\[.*?\])$", read("Dockerfile").replace("\\\n", ""), re.MULTILINE
    )
    of_containers = [
        json.loads(command),
        services["worker"]["command"].split(),
        services["documents"]["command"].split(),
        services["beat"]["command"].split(),
    ]
    assert documented == [without_places(words) for words in of_containers]


def test_the_environment_without_containers_has_what_the_containers_have():
    [block] = [
        part for part in code(read("docs/deploy.md"), "sh") if "\nDATABASE_URL=" in part
    ]
    documented = {line.partition("=")[0] for line in block.splitlines()}
    environment = set(
        yaml.safe_load(read("docker-compose.yml"))["x-app"]["environment"]
    )
    # The password stands in the URL or in a file; the addresses of one network are the containers'.
    of_containers = {
        "DATABASE_PASSWORD_FILE",
        "CALLBACK_URL",
        "OUTBOUND_ALLOW",
        "ALLOWED_HOSTS",
    }
    assert documented - {"VAR", "STATIC_ROOT", "PATH"} == environment - of_containers
