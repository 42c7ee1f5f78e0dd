"""The commands of docs/deploy.md are those that the containers run."""

from __future__ import annotations

import datetime
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
import requests
import yaml
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from cryptography.x509.oid import NameOID

from tests.docs.pages import ROOT, code, read

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
    # The addresses of one network are the containers'.
    of_containers = {"CALLBACK_URL", "OUTBOUND_ALLOW", "ALLOWED_HOSTS"}
    assert documented - {"VAR", "STATIC_ROOT", "PATH"} == environment - of_containers


def test_the_containers_ask_everybody_for_a_second_factor():
    compose = yaml.safe_load(read("docker-compose.yml"))["x-app"]["environment"]
    assert compose["SECOND_FACTOR_ROLES"] == "${SECOND_FACTOR_ROLES-all}"
    chart = yaml.safe_load(read("deploy/helm/compliance-desk/values.yaml"))
    assert chart["settings"]["SECOND_FACTOR_ROLES"] == "all"


def test_every_setting_of_the_page_can_be_given_to_the_containers():
    app = yaml.safe_load(read("docker-compose.yml"))["x-app"]
    assert app["env_file"] == [{"path": ".env", "required": False}]
    page = read("docs/deploy.md").partition("\n## Compose\n")[2].partition("\n## ")[0]
    assert "Each setting of [settings](settings.md)" in page
    # What is the containers' own network has another value where a service is elsewhere.
    assert app["environment"]["CALLBACK_URL"] == "${CALLBACK_URL:-http://proxy:8080}"
    assert app["environment"]["OUTBOUND_ALLOW"] == "${OUTBOUND_ALLOW:-proxy:8080}"


def test_the_file_of_the_page_starts_an_installation():
    """With https nothing starts without these, or without their names in PROTECTION_WAIVED."""
    page = read("docs/deploy.md").partition("\n## Compose\n")[2].partition("\n## ")[0]
    [block] = [part for part in code(page, "sh") if "DESK_URL=" in part]
    names = {line.strip().partition("=")[0] for line in block.splitlines()}
    assert names >= {"DESK_URL", "FILE_SCANNER", "BREACHED_PASSWORDS", "OUTBOUND_HOSTS", "LOG_COLLECTOR"}  # fmt: skip


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
    [result] = re.findall(r"for name in (.*); do", block)
    assert set(result.split()) == named
    for name in named:
        assert f"{name}" in block.partition("done")[2]


def image_of(service: dict[str, Any]) -> str:
    """The name without the variable that may replace it."""
    match = re.fullmatch(r"\$\{\w+_IMAGE:-(.+)\}", service["image"])
    assert match, service["image"]
    return match[1]


def test_every_image_can_be_pinned_by_a_variable_that_the_page_names():
    page = read("docs/hardening.md")
    names = {**acme()["services"], **scanner()["services"], **services()}
    foreign = {
        name: one
        for name, one in names.items()
        if "image" in one and one["image"] != "compliance-desk"
    }
    assert set(foreign) == {"proxy", "postgres", "redis", "acme", "clamav"}
    for name, service in foreign.items():
        assert not image_of(service).endswith(":latest"), name
        variable = service["image"][2:].partition(":")[0]
        assert f"`{variable}`" in page
    stages = re.findall(r"^FROM (\S+)", read("Dockerfile"), re.MULTILINE)
    assert set(stages) == {"${PYTHON_IMAGE}"}
    assert "`PYTHON_IMAGE`" in page


def test_what_the_image_copies_is_sent_to_its_build():
    copied = re.findall(r"^COPY (?!--from)(\S+) ", read("Dockerfile"), re.MULTILINE)
    allowed = {
        line[1:] for line in read(".dockerignore").splitlines() if line[:1] == "!"
    }
    assert set(copied) == allowed
    assert read(".dockerignore").splitlines()[0] == "*"


def test_without_tls_the_proxy_is_for_this_machine_alone():
    plain, _ = services()["proxy"]["ports"]
    assert plain == "${HTTP_ADDRESS:-127.0.0.1}:8080:8080"
    others = [name for name, one in services().items() if "ports" in one]
    assert others == ["proxy"]


def test_a_folder_in_memory_is_within_the_limit_of_its_service():
    units = {"m": 1 << 20, "g": 1 << 30}

    def size(text: str) -> int:
        return int(text[:-1]) * units[text[-1]]

    for name, service in services().items():
        limit = size(service["mem_limit"])
        folders = re.findall(r"size=(\d+[mg])", str(service.get("tmpfs", "")))
        # Beat writes one small file.
        if name != "beat":
            assert sum(map(size, folders)) < limit, name


def test_the_logs_of_containers_end():
    for name, service in {**services(), "acme": acme()["services"]["acme"]}.items():
        assert service["logging"]["options"].keys() == {"max-size", "max-file"}, name


def acme() -> dict[str, Any]:
    return yaml.safe_load(read("deploy/acme.yml"))


def test_the_service_that_gets_certificates_is_shut_in_too():
    service = acme()["services"]["acme"]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["mem_limit"]
    assert service["pids_limit"]
    # It has no secret of the desk, and does not reach the database.
    assert "secrets" not in service
    assert service["networks"] == ["edge"]
    certificates = [
        line
        for line in acme()["services"]["proxy"]["volumes"]
        if "certificates" in line
    ]
    assert certificates == ["certificates:/etc/nginx/certificates:ro"]


def scanner() -> dict[str, Any]:
    return yaml.safe_load(read("deploy/clamav.yml"))


def test_the_scanner_is_shut_in_too_and_no_other_machine_reaches_it():
    service = scanner()["services"]["clamav"]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["mem_limit"]
    assert service["pids_limit"]
    assert "secrets" not in service
    assert "ports" not in service
    # It does not reach the database, and workers reach it.
    assert service["networks"] == ["edge"]
    assert "edge" in services()["worker"]["networks"]


def test_the_scanner_takes_each_document_and_reports_what_it_cannot_scan_whole(
    settings,
):
    text = read("deploy/clamd.conf")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    directives = dict(line.split(" ", 1) for line in lines)
    assert directives["StreamMaxLength"] == f"{settings.MAX_DOCUMENT_BYTES >> 20}M"
    assert directives["AlertExceedsMax"] == "yes"
    mounted = "./deploy/clamd.conf:/etc/clamav/clamd.conf:ro"
    assert mounted in scanner()["services"]["clamav"]["volumes"]


def test_what_an_installation_does_not_start_without_is_passed_on_to_it():
    compose = yaml.safe_load(read("docker-compose.yml"))["x-app"]["environment"]
    chart = yaml.safe_load(read("deploy/helm/compliance-desk/values.yaml"))["settings"]
    for name in ("FILE_SCANNER", "BREACHED_PASSWORDS", "OUTBOUND_HOSTS", "LOG_COLLECTOR", "PROTECTION_WAIVED"):  # fmt: skip
        assert compose[name] == f"${{{name}:-}}"
        # The chart waives nothing by itself.
        assert chart[name] == ""


CERTBOT = """#!/bin/sh
mkdir -p live; echo "$*" >asked
"""


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("https://desk.example.com", "desk.example.com"),
        ("https://desk.example.com:8443/x", "desk.example.com"),
    ],
)
def test_the_certificate_is_for_the_name_of_the_desk(tmp_path, address, name):
    for program, content in (
        ("certbot", CERTBOT),
        ("sleep", "#!/bin/sh\nkill $PPID\n"),
    ):
        (tmp_path / program).write_text(content)
        (tmp_path / program).chmod(0o755)
    env = {"PATH": f"{tmp_path}:/usr/bin:/bin", "DESK_URL": address, "ACME_SERVER": "s"}
    script = str(ROOT / "deploy" / "acme.sh")
    subprocess.run(["/bin/sh", script], cwd=tmp_path, env=env, check=False)
    words = (tmp_path / "asked").read_text().split()
    assert words[words.index("--domain") + 1] == name


def test_a_plain_address_gets_no_certificate(tmp_path):
    env = {"PATH": "/usr/bin:/bin", "DESK_URL": "http://desk.example.com"}
    script = str(ROOT / "deploy" / "acme.sh")
    process = subprocess.run(
        ["/bin/sh", script], cwd=tmp_path, env=env, capture_output=True, check=False
    )
    assert process.returncode == 1
    assert b"https" in process.stderr


NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
# The file of the containers, in the frame that the image has.
FRAME = """
daemon off; pid {folder}/pid; error_log stderr;
events {{}}
http {{ access_log off; include {folder}/desk.conf;
  client_body_temp_path {folder}/a; proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c;
  uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e; }}
"""


def test_tls_is_of_today_and_limited():
    text = read("deploy/nginx-tls.conf")
    assert "ssl_protocols TLSv1.2 TLSv1.3;" in text
    assert "ssl_session_tickets off;" in text
    assert re.search(r"^    limit_conn \w+ \d+;$", text, re.MULTILINE)


@pytest.mark.parametrize("name", ["nginx.conf", "nginx-tls.conf"])
def test_nginx_takes_the_file(tmp_path, name):
    program = nginx_or_skip()
    text = read(f"deploy/{name}").replace("/etc/nginx/certificates", str(tmp_path))
    text = text.replace("/var/log/nginx", str(tmp_path))
    version = subprocess.run(
        [program, "-v"], capture_output=True, text=True, check=True
    )
    numbers = re.findall(r"\d+", version.stderr.partition("nginx/")[2])[:2]
    if tuple(map(int, numbers)) < (1, 25):
        # Debian's older nginx writes it another way.
        text = text.replace("    http2 on;\n", "").replace(
            "8443 ssl;", "8443 ssl http2;"
        )
    write_certificate(tmp_path)
    (tmp_path / "desk.conf").write_text(text)
    (tmp_path / "nginx.conf").write_text(FRAME.format(folder=tmp_path))
    process = subprocess.run(
        [program, "-t", "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    assert "[warn]" not in process.stderr


def nginx_or_skip() -> str:
    if NGINX is not None:
        return NGINX
    if os.environ.get("REQUIRE_SERVERS"):
        pytest.fail("nginx is not installed")
    pytest.skip("nginx is not installed")


def test_the_log_of_the_proxy_has_no_query_and_no_key(tmp_path):
    program = nginx_or_skip()
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    text = read("deploy/nginx.conf").replace("/var/log/nginx", str(tmp_path))
    # Nothing serves behind it: it answers 502, and writes the same line.
    text = text.replace("listen 8080;", f"listen 127.0.0.1:{port};")
    text = text.replace("http://web:8000", "http://127.0.0.1:9")
    (tmp_path / "desk.conf").write_text(text)
    (tmp_path / "nginx.conf").write_text(FRAME.format(folder=tmp_path))
    command = [program, "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf")]
    errors = (tmp_path / "stderr").open("wb")
    with errors, subprocess.Popen(command, stderr=errors) as nginx:
        try:
            for path in (
                "/scim/v2/Users?filter=userName+eq+%22jane.roe%22",
                "/documents/8c9a/file/jane.roe/",
                "/requests/jane.roe/",
                "/cases/7/?q=jane.roe",
            ):
                assert status_of(port, path) == 502
        finally:
            nginx.terminate()
    # nginx writes of each of them why there is no answer, where it may.
    for name in ("error.log", "stderr"):
        assert "jane.roe" not in (tmp_path / name).read_text()
    log = (tmp_path / "access.log").read_text()
    assert '"GET /scim/v2/Users" 502' in log
    assert '"GET /cases/7/" 502' in log
    assert "jane.roe" not in log


def status_of(port: int, path: str) -> int:
    """What it answers, as soon as it does."""
    url = f"http://127.0.0.1:{port}{path}"
    headers = {"Referer": "http://127.0.0.1/?q=jane.roe"}
    for _ in range(100):
        try:
            return requests.get(url, headers=headers, timeout=10).status_code
        except requests.ConnectionError:
            time.sleep(0.1)
    raise TimeoutError(url)


def write_certificate(folder: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "desk.example.com")])
    now = datetime.datetime.now(datetime.UTC)
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name)
    builder = builder.public_key(key.public_key()).serial_number(1)
    builder = builder.not_valid_before(now).not_valid_after(now + datetime.timedelta(1))
    certificate = builder.sign(key, hashes.SHA256())
    (folder / "desk.pem").write_bytes(certificate.public_bytes(Encoding.PEM))
    (folder / "desk.key").write_bytes(
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    )


def test_the_proxy_says_itself_who_calls():
    for name in ("nginx.conf", "nginx-tls.conf"):
        text = read(f"deploy/{name}")
        assert "X-Forwarded-Proto $scheme;" in text
        assert "X-Forwarded-For $remote_addr;" in text


REDIS = shutil.which("redis-server")


def test_redis_has_its_password_and_no_argument_shows_it(tmp_path):
    """Everybody on the machine may read the arguments of a process."""
    if REDIS is None:
        if os.environ.get("REQUIRE_SERVERS"):
            pytest.fail("redis-server is not installed")
        pytest.skip("redis-server is not installed")
    secret = tmp_path / "redis_password"
    secret.write_text("of-redis-alone\n")
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    program, option, text = services()["redis"]["command"]
    text = text.replace("$$", "$").replace("/run/secrets/redis_password", str(secret))
    text = text.replace("redis-server -", f"{REDIS} - --port {port}")
    with subprocess.Popen(
        [program, option, text], cwd=tmp_path, stdout=subprocess.DEVNULL
    ) as redis:
        try:
            assert reply(port, "PING").startswith("-NOAUTH")
            arguments = Path(f"/proc/{redis.pid}/cmdline").read_bytes()
            assert reply(port, "AUTH of-redis-alone") == "+OK"
            assert reply(port, "AUTH another").startswith("-WRONGPASS")
        finally:
            redis.terminate()
    assert b"redis-server" in arguments
    assert b"of-redis-alone" not in arguments
    # It keeps nothing.
    assert list(tmp_path.iterdir()) == [secret]


def reply(port: int, command: str) -> str:
    """The first line that Redis answers, as soon as it listens."""
    for _ in range(100):
        try:
            with socket.create_connection(("127.0.0.1", port), 10) as connection:
                connection.sendall(f"{command}\r\n".encode())
                return connection.recv(200).decode().splitlines()[0]
        except ConnectionError:
            time.sleep(0.1)
    raise TimeoutError(command)


def test_no_script_gives_a_secret_as_an_argument():
    texts = [read("deploy/passwords.sh"), read("deploy/acme.sh")]
    for service in services().values():
        command = service.get("command", "")
        texts.append(command if isinstance(command, str) else "\n".join(command))
    for text in texts:
        for line in text.replace("\\\n", " ").splitlines():
            is_program = re.search(r"\b(psql|redis-server|createuser|certbot)\b", line)
            assert not (is_program and "/run/secrets/" in line), line
