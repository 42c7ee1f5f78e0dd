"""The commands of docs/deploy.md are those that the containers run."""

from __future__ import annotations

import json
import re
import shlex
from typing import Any

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
        "REDIS_PASSWORD_FILE",
        "DATABASE_PASSWORD_FILE",
        "CALLBACK_URL",
        "OUTBOUND_ALLOW",
        "ALLOWED_HOSTS",
    }
    assert documented - {"VAR", "STATIC_ROOT", "PATH"} == environment - of_containers


def services() -> dict[str, Any]:
    return yaml.safe_load(read("docker-compose.yml"))["services"]


def test_every_service_is_shut_in_as_the_page_of_hardening_says():
    for name, service in services().items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["mem_limit"], name
        assert service["pids_limit"], name


def test_the_database_and_redis_have_no_way_out():
    file = yaml.safe_load(read("docker-compose.yml"))
    assert file["networks"]["data"]["internal"] is True
    assert services()["proxy"]["networks"] == ["edge"]
    for name in ("postgres", "redis"):
        assert services()[name]["networks"] == ["data"]
        assert "ports" not in services()[name]


def test_only_migrate_has_the_password_of_the_owner():
    holders = {
        name
        for name, service in services().items()
        if "owner_password" in service.get("secrets", [])
    }
    assert holders == {"migrate", "postgres"}


def test_every_secret_of_the_containers_is_made_by_the_documented_commands():
    named = set(yaml.safe_load(read("docker-compose.yml"))["secrets"])
    [block] = code(read("deploy/secrets/README.md"), "sh")
    [made] = re.findall(r"for name in (.*); do", block)
    assert set(made.split()) == named
    for name in named:
        assert f"{name}" in block.partition("done")[2]


def test_the_proxy_says_itself_who_calls():
    for name in ("nginx.conf", "nginx-tls.conf"):
        text = read(f"deploy/{name}")
        assert "X-Forwarded-Proto $scheme;" in text
        assert "X-Forwarded-For $remote_addr;" in text
