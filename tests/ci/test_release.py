"""What is released: a wheel that has everything, units of systemd, and the files for a public repository."""

from __future__ import annotations

import configparser
import email
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import compliance
from compliance.operation import supervisor
from tests.docs.pages import ROOT, code, read
from tests.docs.test_deploy import without_places
from tests.loop.installations import environment

PACKAGES = {"agenthub", "checks", "compliance", "ownership", "papers", "reviews", "webhooks"}  # fmt: skip
EXTRAS = {path.stem for path in (ROOT / "requirements").glob("*.in")}
EXTRAS -= {"base", "dev", "pip"}
UNITS = sorted((ROOT / "deploy" / "systemd").glob("*.service"))
GIT, SYSTEMD = shutil.which("git") or "", shutil.which("systemd-analyze") or ""
PROJECT = tomllib.loads(read("pyproject.toml"))["project"]


def tracked(*folders: str) -> set[str]:
    process = subprocess.run(
        [GIT, "ls-files", *folders], cwd=ROOT, capture_output=True, text=True, check=True
    )  # fmt: skip
    return set(process.stdout.splitlines())


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """Built from what is tracked, without a network."""
    source = tmp_path_factory.mktemp("source")
    for name in tracked():
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, source / name)
    target = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(target)],
        cwd=source, check=True, capture_output=True,
    )  # fmt: skip
    [built] = target.iterdir()
    return built


def test_the_wheel_has_everything_and_nothing_else(wheel):
    assert wheel.name == f"compliance_desk-{compliance.__version__}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as file:
        names = set(file.namelist())
    assets = "compliance/assets/"
    info = {name for name in names if ".dist-info/" in name}
    expected = tracked(*PACKAGES)
    expected |= {assets + name for name in tracked("templates", "static", "locale")}
    assert names - info == expected
    assert any(name.endswith("licenses/LICENSE") for name in info)


def test_the_wheel_declares_its_command_and_its_version(wheel):
    with zipfile.ZipFile(wheel) as file:
        [name] = [name for name in file.namelist() if name.endswith("entry_points.txt")]
        points = file.read(name).decode()
        [name] = [name for name in file.namelist() if name.endswith("/METADATA")]
        about = email.message_from_bytes(file.read(name))
    assert "compliance-desk = compliance.__main__:main" in points
    assert about["Version"] == compliance.__version__
    assert set(about.get_all("Provides-Extra") or []) == EXTRAS | {"distributed"}


def test_the_extra_for_several_machines_is_in_the_base():
    extra = PROJECT["optional-dependencies"]["distributed"]
    assert set(extra) <= set(PROJECT["dependencies"])


def test_the_packages_are_those_of_the_wheel_wherever_it_is_started(wheel, tmp_path):
    """A folder with the name of one of them must not be imported in its place."""
    installed = tmp_path / "installed"
    with zipfile.ZipFile(wheel) as file:
        file.extractall(installed)
    (tmp_path / "here" / "reviews").mkdir(parents=True)
    (tmp_path / "here" / "reviews" / "__init__.py").write_text("raise ValueError")
    env = environment(tmp_path / "var", PYTHONPATH=str(installed), PORT="1")

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-P", "-m", "compliance", *words],
            cwd=tmp_path / "here", env=env, capture_output=True, text=True, check=False,
        )  # fmt: skip

    checked = run("manage", "check", "--tag", "installation")
    assert checked.returncode == 0, checked.stderr
    started = run("up")
    assert started.returncode == 1
    assert "has a folder reviews" in started.stderr
    assert (tmp_path / "var").is_dir()


def test_the_version_stands_in_one_place():
    assert "version" not in PROJECT
    assert re.fullmatch(r"\d+\.\d+\.\d+", compliance.__version__)


def locked(name: str) -> dict[str, set[str]]:
    """The versions of a lock file by package; some have one for each version of Python."""
    data: dict[str, set[str]] = {}
    pattern = r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^\s;\\]+)"
    for package, version in re.findall(pattern, read(name), re.MULTILINE):
        data.setdefault(canonicalize_name(package), set()).add(version)
    return data


def sources(name: str) -> set[str]:
    """The packages that a file of requirements names."""
    lines = [line.partition("#")[0].strip() for line in read(name).splitlines()]
    return {
        canonicalize_name(Requirement(line).name)
        for line in lines
        if line and not line.startswith("-")
    }


@pytest.mark.parametrize("name", ["base", *sorted(EXTRAS)])
def test_the_ranges_are_of_what_is_tested(name):
    texts = PROJECT["dependencies"]
    if name != "base":
        texts = PROJECT["optional-dependencies"][name]
    ranges = [Requirement(text) for text in texts]
    assert {canonicalize_name(one.name) for one in ranges} == sources(f"requirements/{name}.in")  # fmt: skip
    versions = locked(f"requirements/{name}.txt")
    for one in ranges:
        assert one.specifier, one.name
        for version in versions[canonicalize_name(one.name)]:
            assert one.specifier.contains(version), (one, version)


def test_the_command_says_what_it_can_do():
    process = subprocess.run(
        [sys.executable, "-m", "compliance"], cwd=ROOT, capture_output=True, text=True, check=True
    )  # fmt: skip
    for command in ("demo", "up", "work", "backup", "restore", "doctor", "manage"):
        assert f"compliance-desk {command}" in process.stdout
    both = [
        subprocess.run(
            [sys.executable, "-m", "compliance", *words, "--version"],
            cwd=ROOT, capture_output=True, text=True, check=True,
        ).stdout
        for words in (["manage", "doctor"], ["doctor"])
    ]  # fmt: skip
    assert both[0] == both[1] != ""


def unit(path: Path) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(path.read_text())
    return parser


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_units_are_whole(path):
    parts = unit(path)
    assert set(parts) - {"DEFAULT"} == {"Unit", "Service", "Install"}
    service = parts["Service"]
    assert service["Restart"] == "always"
    assert service["User"] == "compliance-desk"
    assert service["NoNewPrivileges"] == "yes"
    assert service["ExecStart"].startswith("/opt/compliance-desk/bin/")


def test_units_run_what_the_documentation_says():
    [block] = [
        part
        for part in code(read("docs/deploy.md"), "sh")
        if part.startswith("granian")
    ]
    documented = [without_places(shlex.split(line)) for line in block.splitlines()]
    started = []
    for name in ("web", "worker", "documents", "beat"):
        service = unit(ROOT / "deploy" / "systemd" / f"compliance-{name}.service")
        command = service["Service"]["ExecStart"].replace("%%", "%")
        words = shlex.split(command.removeprefix("/opt/compliance-desk/bin/"))
        started.append(without_places(words))
    assert started == documented


def test_processes_with_many_threads_have_few_arenas_of_memory():
    name, value = supervisor.ARENAS
    assert f"{name}={value}" in read("Dockerfile")
    for service in ("desk", "web", "worker", "documents"):
        text = read(f"deploy/systemd/compliance-{service}.service")
        assert f"Environment={name}={value}\n" in text


@pytest.mark.skipif(not SYSTEMD, reason="without systemd")
def test_systemd_takes_the_units(tmp_path):
    for path in UNITS:
        # The programs are not on this machine.
        text = re.sub(r"/opt/compliance-desk/bin/[\w-]+", "/bin/true", path.read_text())
        (tmp_path / path.name).write_text(text)
    process = subprocess.run(
        [SYSTEMD, "verify", *sorted(tmp_path.iterdir())],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (process.returncode, process.stderr) == (0, "")


def test_the_files_of_a_public_repository_are_read():
    workflow = yaml.safe_load(read(".github/workflows/tests.yml"))
    assert set(workflow["jobs"]) == {"check", "test", "all", "wheel"}
    targets = set(re.findall(r"^([\w-]+):", read("Makefile"), re.MULTILINE))
    for job in workflow["jobs"].values():
        for step in job["steps"]:
            words = step.get("run", "").split()
            assert words[:1] != ["make"] or words[1] in targets
    # The versions that the package says it runs with.
    tested = workflow["jobs"]["test"]["strategy"]["matrix"]["python-version"]
    assert tested == [
        text.rpartition(" ")[2]
        for text in PROJECT["classifiers"]
        if text.startswith("Programming Language")
    ]
    updates = yaml.safe_load(read(".github/dependabot.yml"))
    assert updates["version"] == 2
    for form in sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")):
        content = yaml.safe_load(form.read_text())
        if form.name != "config.yml":
            assert {"name", "description", "body"} <= content.keys()
            ids = [part["id"] for part in content["body"] if part["type"] != "markdown"]
            assert len(ids) == len(set(ids)) > 0


def internal_parts() -> set[str]:
    """The packages of which our code imports modules that they call internal."""
    pattern = re.compile(r"^from (\w+)(?:\.\w+)*\.(?:_\w+|internal)\b", re.MULTILINE)
    packages: set[str] = set()
    for name in tracked(*PACKAGES):
        if name.endswith(".py"):
            packages.update(pattern.findall(read(name)))
    return packages - PACKAGES


def test_a_package_whose_inside_is_used_is_held_to_its_minor_version():
    assert internal_parts() == {"allauth"}
    [allauth] = [
        requirement
        for requirement in map(Requirement, PROJECT["dependencies"])
        if requirement.name == "django-allauth"
    ]
    [version] = locked("requirements/base.txt")["django-allauth"]
    major, minor, *_ = version.split(".")
    assert allauth.specifier.contains(f"{major}.{minor}.99")
    assert not allauth.specifier.contains(f"{major}.{int(minor) + 1}.0")
