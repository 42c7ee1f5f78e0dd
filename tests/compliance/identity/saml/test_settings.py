"""Settings of SAML that cannot work are found at the start, and the extra is needed only with them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core import checks

from compliance.operation.doctor import machine
from compliance.operation.doctor.registry import State
from tests.compliance.identity.saml import provider
from tests.compliance.identity.saml.browser import START

ROOT = Path(__file__).resolve().parents[4]

# The extra is not installed: its packages cannot be imported.
WITHOUT = """
import sys
from importlib.abc import MetaPathFinder
class Absent(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name.partition(".")[0] in {"onelogin", "xmlsec"}:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Absent())
import importlib.util
search = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name in {"onelogin"} else search(name, *rest)
import django
django.setup()
from django.core.management import call_command
from django.urls import resolve
resolve("/account/saml/company/login/")
call_command("check")
print("started")
"""


def start(tmp_path, **environment: str) -> subprocess.CompletedProcess[str]:
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("DATABASE", "CELERY", "REDIS"))
    }
    env = {
        **clean,
        "VAR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "compliance.settings",
        **environment,
    }
    return subprocess.run(
        [sys.executable, "-c", WITHOUT],
        cwd=ROOT,
        env=env,
        capture_output=True,
        check=False,
        text=True,
    )


def test_without_the_extra_everything_else_runs(tmp_path):
    process = start(tmp_path)
    assert process.stdout.strip().endswith("started"), process.stderr


def test_without_the_extra_a_provider_of_saml_is_an_error_at_the_start(tmp_path):
    (tmp_path / "idp.xml").write_text(provider.metadata())
    process = start(
        tmp_path,
        SAML_IDP_ENTITY_ID=provider.ENTITY_ID,
        SAML_IDP_METADATA_FILE=str(tmp_path / "idp.xml"),
    )
    assert process.returncode
    assert "needs the extra `saml`: requirements/saml.txt" in process.stderr


def faults() -> str:
    found = checks.run_checks(tags=["installation"])
    return "\n".join(str(one.msg) for one in found if one.id == "compliance.E011")


def test_good_settings_have_no_faults(saml):
    assert faults() == ""


def test_two_providers_are_an_error(saml):
    saml.OIDC_ISSUER = "https://login.example.com"
    assert "choose one" in faults()


def test_a_missing_file_is_an_error(saml, tmp_path):
    saml.SAML_IDP_METADATA_FILE = str(tmp_path / "none.xml")
    assert faults() == "SAML_IDP_METADATA_FILE names no file."


def test_an_address_without_a_certificate_is_an_error(saml):
    saml.SAML_IDP_METADATA_FILE = ""
    assert faults().splitlines() == [
        "Set SAML_IDP_METADATA_FILE, or SAML_IDP_URL.",
        "SAML_IDP_CERTIFICATE_FILE names no file.",
    ]


def test_a_key_needs_its_certificate(saml):
    saml.SAML_KEY = "a key"
    assert faults() == "SAML_CERTIFICATE_FILE names no file."


@pytest.mark.django_db
@pytest.mark.parametrize(
    "text",
    [
        "",
        "<x/>",
        "no XML",
        provider.metadata().replace(provider.ENTITY_ID, "https://another.example/"),
        provider.metadata().replace("SingleSignOnService", "ArtifactService"),
        provider.metadata().replace("X509Certificate", "X509SKI"),
        '<!DOCTYPE x [<!ENTITY a "b">]>' + provider.metadata(),
    ],
)
def test_metadata_that_cannot_be_used_are_a_page_and_no_error_of_ours(
    client, saml, tmp_path, text
):
    file = tmp_path / "bad.xml"
    file.write_text(text)
    saml.SAML_IDP_METADATA_FILE = str(file)
    for address in (START, "/account/saml/company/metadata/"):
        page = client.get(address)
        assert page.status_code == 503
        assert "does not answer" in page.content.decode()


def test_the_doctor_says_when_certificates_end(saml):
    [finding] = machine.single_sign_on()
    assert finding.state == State.OK
    assert finding.text == "the certificate of the provider ends on 2125-12-08"


def test_the_doctor_warns_of_a_certificate_that_ends_soon(saml, time_machine):
    time_machine.move_to("2125-12-01")
    [finding] = machine.single_sign_on()
    assert finding.state == State.WARNING


def test_the_doctor_finds_metadata_that_cannot_be_used(saml, tmp_path):
    (tmp_path / "bad.xml").write_text("<x/>")
    saml.SAML_IDP_METADATA_FILE = str(tmp_path / "bad.xml")
    [finding] = machine.single_sign_on()
    assert finding.state == State.FAILED
    assert "does not name SAML_IDP_ENTITY_ID" in finding.text


def test_without_saml_the_doctor_says_nothing_of_it():
    assert list(machine.single_sign_on()) == []
