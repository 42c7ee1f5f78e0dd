"""The Helm chart: rendered for several sets of values, and held against what the application has.

No Helm and no cluster: tests/deploy/rendering.py reads the part of the language that the templates use.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import stat
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from django.conf import settings
from django.urls import resolve

import compliance
from tests.deploy import rendering
from tests.docs.pages import ROOT, first_cells, read

CHART = ROOT / "deploy" / "helm" / "compliance-desk"
SCHEMA = json.loads((CHART / "values.schema.json").read_text())
VALUES: dict[str, dict[str, Any]] = {
    "as they come": {},
    "object store": {
        "objectStore": {"enabled": True, "options": {"bucket_name": "files"}},
        "secrets": {
            "environment": {
                "AWS_ACCESS_KEY_ID": "s3_id",
                "AWS_SECRET_ACCESS_KEY": "s3_key",
            },
            "files": {"EMAIL_PASSWORD_FILE": "email_password"},
        },
        "settings": {
            "EMAIL_HOST": "mail.example.com",
            "METRICS_NETWORKS": "10.244.0.0/16",
            "ALLOWED_HOSTS": "desk.internal",
        },
        "volume": {"existingClaim": "keys"},
        "metrics": {"annotations": True},
        "image": {"tag": "0.2.0@sha256:00", "pullSecrets": ["registry"]},
    },
    "large": {
        "workers": {
            "worker": {"replicas": 8, "queues": "default"},
            "deliveries": {
                "replicas": 2,
                "queues": "deliveries",
                "pool": "threads",
                "concurrency": 16,
                "hostname": "deliveries",
                "resources": {
                    "requests": {"cpu": 1, "memory": "1Gi"},
                    "limits": {"memory": "2Gi"},
                },
            },
        },
        "networkPolicy": {
            "ingressFrom": [
                {"namespaceSelector": {"matchLabels": {"name": "ingress"}}}
            ],
            "egress": [{"to": [{"ipBlock": {"cidr": "10.0.0.0/8"}}]}],
        },
        "nodeSelector": {"pool": "desk"},
        "tolerations": [{"key": "desk", "operator": "Exists"}],
    },
    "bare": {
        "stopped": True,
        "ingress": {"enabled": False},
        "networkPolicy": {"enabled": False},
        "podDisruptionBudget": {"enabled": False},
        "volume": {"storageClass": "nfs"},
    },
}
# Read by boto3, not by us: docs/deploy.md.
OF_LIBRARIES = {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"}
# Put into another variable by Kubernetes.
OF_KUBERNETES = {"POD_ADDRESS"}

every_set = pytest.mark.parametrize("name", VALUES)


@cache
def manifests(name: str, *, is_upgrade: bool = False) -> list[dict[str, Any]]:
    texts = rendering.render(CHART, VALUES[name], is_upgrade=is_upgrade)
    rows = []
    for file, text in texts.items():
        if file != "NOTES.txt":
            rows += [one for one in yaml.safe_load_all(text) if one]
    return rows


def of_kind(name: str, kind: str) -> dict[str, dict[str, Any]]:
    data = {}
    for manifest in manifests(name):
        if manifest["kind"] == kind:
            data[manifest["metadata"]["name"]] = manifest
    return data


def pods(name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The template of each pod, with the name of what makes it."""
    for manifest in manifests(name):
        if "template" in manifest.get("spec", {}):
            yield manifest["metadata"]["name"], manifest["spec"]["template"]


def containers(name: str) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    for owner, pod in pods(name):
        for container in pod["spec"]["containers"]:
            yield owner, pod["spec"], container


def environment(name: str, container: dict[str, Any]) -> dict[str, str]:
    """The variables of a container; "" for those that come from the secret itself."""
    variables: dict[str, str] = {}
    for source in container.get("envFrom", []):
        variables |= of_kind(name, "ConfigMap")[source["configMapRef"]["name"]]["data"]
    for entry in container["env"]:
        # The chart's own one has the other's value in it.
        assert entry["name"] not in set(variables) - {"ALLOWED_HOSTS"}
        variables[entry["name"]] = entry.get("value", "")
    return variables


def documented_settings() -> set[str]:
    page = read("docs/settings.md").partition("\n## make\n")[0]
    names = set()
    for cell in first_cells(page):
        names.update(re.findall(r"`(\w+)`", cell))
    return names


def test_the_chart_runs_the_version_of_the_code():
    about = yaml.safe_load((CHART / "Chart.yaml").read_text())
    assert about["appVersion"] == compliance.__version__
    assert about["version"] == compliance.__version__


@every_set
def test_values_follow_the_schema(name):
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    base = yaml.safe_load((CHART / "values.yaml").read_text())
    jsonschema.validate(
        rendering.merged(base, VALUES[name]), SCHEMA, cls=jsonschema.Draft7Validator
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"settings": {"SECRET_KEY": "in the clear"}},
        {"settings": {"EMAIL_PASSWORD": "in the clear"}},
        {"settings": {"SENTRY_DSN": "https://key@errors.example.com/1"}},
        {"settings": {"API_RATE": 600}},
        {"settings": {"VAR": "/elsewhere"}},
        {"database": {"url": "postgres://desk:secret@db.example.com/desk"}},
        {"redis": {"brokerUrl": "redis://:secret@redis.example.com/0"}},
        {"workers": {"worker": {"queues": "default,other"}}},
        {"workers": {"worker": {"replicas": 0}}},
        {"web": {"resources": {"limits": {"memory": None}}}},
        {"webs": {}},
    ],
)
def test_the_schema_refuses(wrong):
    base = yaml.safe_load((CHART / "values.yaml").read_text())
    faults = jsonschema.Draft7Validator(SCHEMA).iter_errors(
        rendering.merged(base, wrong)
    )
    assert list(faults)


def test_no_setting_that_can_be_a_file_is_taken_in_the_clear():
    names = documented_settings()
    secrets = {name for name in names if f"{name}_FILE" in names}
    assert secrets
    pattern = SCHEMA["properties"]["settings"]["propertyNames"]
    validator = jsonschema.Draft7Validator(pattern)
    assert {name for name in secrets if validator.is_valid(name)} == set()


@every_set
def test_every_variable_is_a_setting(name):
    documented = documented_settings()
    for owner, _, container in containers(name):
        named = set(environment(name, container))
        assert named - documented - OF_LIBRARIES - OF_KUBERNETES == set(), owner
        needed = {"DATABASE_URL", "CELERY_BROKER_URL", "DESK_URL", "SECRET_KEY_FILE"}
        assert needed <= named, owner


def test_the_containers_have_what_those_of_compose_have():
    [web] = [one for owner, _, one in containers("as they come") if "web" in owner]
    compose = yaml.safe_load(read("docker-compose.yml"))["x-app"]["environment"]
    # The addresses of one network; the image has VAR.
    own = {"ALLOWED_HOSTS", "CALLBACK_URL", "OUTBOUND_ALLOW"}
    assert set(compose) - own <= set(environment("as they come", web))


@every_set
def test_every_file_that_a_setting_names_is_mounted(name):
    for owner, pod, container in containers(name):
        [mount] = [one for one in container["volumeMounts"] if one["name"] == "secrets"]
        [volume] = [one for one in pod["volumes"] if one["name"] == "secrets"]
        paths = {
            f"{mount['mountPath']}/{item['path']}" for item in volume["secret"]["items"]
        }
        variables = environment(name, container)
        files = {value for key, value in variables.items() if key.endswith("_FILE")}
        assert files == paths, owner
        # Read by the group of the user alone.
        assert volume["secret"]["defaultMode"] == stat.S_IRUSR | stat.S_IRGRP


@every_set
def test_only_the_migration_has_the_password_of_the_owner(name):
    holders = set()
    for owner, pod, _ in containers(name):
        if "'owner_password'" in str(pod["volumes"]):
            holders.add(owner)
    assert holders == {"desk-compliance-desk-migration"}


def test_the_commands_are_those_of_compose():
    services = yaml.safe_load(read("docker-compose.yml"))["services"]
    [image] = re.findall(
        r"^CMD (\[.*?\])$", read("Dockerfile").replace("\\\n", ""), re.MULTILINE
    )
    expected = {
        "web": json.loads(image),
        "worker": shlex.split(services["worker"]["command"]),
        "documents": shlex.split(services["documents"]["command"]),
        "beat": shlex.split(services["beat"]["command"]),
        "migration": shlex.split(services["migrate"]["command"]),
    }
    ours = {
        owner.rpartition("-")[2]: one["command"]
        for owner, _, one in containers("as they come")
    }
    assert ours == expected


@every_set
def test_every_program_is_there(name):
    for owner, _, container in containers(name):
        program = container["command"][0]
        assert shutil.which(program, path=f"{ROOT}/.venv/bin"), owner
        assert "manage.py" not in container["command"] or (ROOT / "manage.py").exists()


@every_set
def test_every_queue_has_a_worker(name):
    served = set()
    for _, _, container in containers(name):
        command = container["command"]
        if "--queues" in command:
            served.update(command[command.index("--queues") + 1].split(","))
    routes = {route["queue"] for route in settings.CELERY_TASK_ROUTES.values()}
    assert served == routes | {settings.CELERY_TASK_DEFAULT_QUEUE}


@every_set
def test_probes_ask_for_routes_and_names_that_are_served(name, client):
    [web] = [one for owner, _, one in containers(name) if owner.endswith("-web")]
    paths = set()
    for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
        request = web[probe]["httpGet"]
        path, _, query = request["path"].partition("?")
        paths.add(path)
        assert resolve(path).func.__module__ == "compliance.operation.health"
        assert request["port"] in {port["name"] for port in web["ports"]}
        [host] = request["httpHeaders"]
        assert host == {"name": "Host", "value": "localhost"}
        if query:
            assert f"`{path}?{query}`" in read("docs/deploy.md")
    assert paths == {"/health/live", "/health/ready"}
    # As the kubelet asks.
    assert client.get("/health/live", HTTP_HOST="localhost").status_code == 200


@every_set
def test_a_worker_is_asked_by_the_name_that_it_has(name):
    for owner, _, container in containers(name):
        command = container["command"]
        if "--hostname" in command:
            own = command[command.index("--hostname") + 1]
            query = container["readinessProbe"]["exec"]["command"][2].split()[-1]
            assert own.replace("%h", "$HOSTNAME") == query, owner


@every_set
def test_ports_agree(name):
    [service] = of_kind(name, "Service").values()
    [port] = service["spec"]["ports"]
    [web] = [one for owner, _, one in containers(name) if owner.endswith("-web")]
    [own] = web["ports"]
    assert port["targetPort"] == own["name"]
    command = web["command"]
    assert command[command.index("--port") + 1] == str(own["containerPort"])
    assert f"EXPOSE {own['containerPort']}" in read("Dockerfile")
    for ingress in of_kind(name, "Ingress").values():
        [rule] = ingress["spec"]["rules"]
        [path] = rule["http"]["paths"]
        backend = path["backend"]["service"]
        assert backend["name"] == service["metadata"]["name"]
        assert backend["port"]["name"] == port["name"]


def test_metrics_are_where_the_annotations_say():
    [service] = of_kind("object store", "Service").values()
    notes = service["metadata"]["annotations"]
    assert resolve(notes["prometheus.io/path"]).url_name
    assert notes["prometheus.io/port"] == str(service["spec"]["ports"][0]["port"])
    [web] = [
        one for owner, _, one in containers("object store") if owner.endswith("-web")
    ]
    hosts = environment("object store", web)["ALLOWED_HOSTS"]
    assert hosts == "$(POD_ADDRESS),desk.internal"
    names = [entry["name"] for entry in web["env"]]
    # Kubernetes knows only variables that stand before.
    assert names.index("POD_ADDRESS") < names.index("ALLOWED_HOSTS")
    [plain] = of_kind("as they come", "Service").values()
    assert "annotations" not in plain["metadata"]


def selectors(manifest: dict[str, Any]) -> dict[str, str]:
    spec = manifest["spec"]
    if manifest["kind"] == "Service":
        return spec["selector"]
    return spec["podSelector" if "podSelector" in spec else "selector"]["matchLabels"]


SELECTING = ("Deployment", "Service", "PodDisruptionBudget", "NetworkPolicy")


@every_set
def test_every_selector_has_the_pods_that_it_means(name):
    labels = {owner: pod["metadata"]["labels"] for owner, pod in pods(name)}
    for kind in SELECTING:
        for own, manifest in of_kind(name, kind).items():
            wanted = selectors(manifest).items()
            names = {owner for owner, has in labels.items() if wanted <= has.items()}
            if kind in ("Deployment", "PodDisruptionBudget"):
                assert names == {own}
            elif kind == "Service" or own.endswith("-web"):
                assert names == {"desk-compliance-desk-web"}, own
            else:
                assert names == set(labels), own


@every_set
def test_every_container_is_shut_in(name):
    for owner, pod, container in containers(name):
        assert pod["automountServiceAccountToken"] is False, owner
        assert pod["securityContext"]["runAsNonRoot"] is True, owner
        assert f"--uid {pod['securityContext']['runAsUser']} " in read("Dockerfile")
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "privileged": False,
            "readOnlyRootFilesystem": True,
            "runAsNonRoot": True,
            "capabilities": {"drop": ["ALL"]},
            "seccompProfile": {"type": "RuntimeDefault"},
        }, owner
        assert container["resources"]["limits"]["memory"], owner
        assert container["resources"]["requests"].keys() == {"cpu", "memory"}, owner
        mounts = {mount["name"] for mount in container["volumeMounts"]}
        assert mounts == {volume["name"] for volume in pod["volumes"]}, owner


@every_set
def test_only_the_folders_that_are_written_can_be(name):
    for owner, _, container in containers(name):
        writable = {
            mount["mountPath"]
            for mount in container["volumeMounts"]
            if not mount.get("readOnly")
        }
        assert writable == {"/data", "/tmp"}, owner  # noqa: S108
        assert environment(name, container)["VAR"] == "/data"


@every_set
def test_all_pods_share_one_volume(name):
    claims = set()
    for owner, pod in pods(name):
        volumes = {volume["name"]: volume for volume in pod["spec"]["volumes"]}
        if "persistentVolumeClaim" in volumes["var"]:
            claims.add(volumes["var"]["persistentVolumeClaim"]["claimName"])
        else:
            assert owner.endswith("-migration")
    [claim] = claims
    result = of_kind(name, "PersistentVolumeClaim")
    existing = VALUES[name].get("volume", {}).get("existingClaim")
    assert {claim} == ({existing} if existing else set(result))
    for manifest in result.values():
        notes = manifest["metadata"]["annotations"]
        assert notes["helm.sh/resource-policy"] == "keep"


@every_set
@pytest.mark.parametrize("is_upgrade", [False, True])
def test_the_migration_needs_nothing_that_is_made_after_it(name, is_upgrade):
    [job] = [
        one for one in manifests(name, is_upgrade=is_upgrade) if one["kind"] == "Job"
    ]
    hook = job["metadata"]["annotations"]["helm.sh/hook"]
    assert hook == "pre-install,pre-upgrade"
    text = json.dumps(job)
    assert "configMapRef" not in text
    assert "serviceAccountName" not in text
    existing = bool(VALUES[name].get("volume", {}).get("existingClaim"))
    assert ("persistentVolumeClaim" in text) == (existing or is_upgrade)


def test_the_migration_has_the_settings_of_the_others():
    by_name = {
        owner.rpartition("-")[2]: environment("object store", one)
        for owner, _, one in containers("object store")
    }
    migration, web = by_name["migration"], by_name["web"]
    assert migration.pop("DATABASE_URL") != web.pop("DATABASE_URL")
    for name in ("POD_ADDRESS", "ALLOWED_HOSTS"):
        migration.pop(name, "")
        web.pop(name)
    assert migration == web
    options = json.loads(web["DOCUMENT_STORAGE_OPTIONS"])
    assert options["bucket_name"] == "files"
    assert web["DOCUMENT_STORAGE"] == "compliance.storage.object_store.ObjectStorage"


def test_pods_start_again_when_a_setting_changes():
    def checksums(values: dict[str, Any]) -> set[str]:
        text = "\n".join(rendering.render(CHART, values).values())
        return set(re.findall(r"checksum/settings: (\w{64})", text))

    [before] = checksums({})
    [after] = checksums({"settings": {"API_RATE": "700"}})
    assert before != after


def test_stopped_is_stopped():
    for own, manifest in of_kind("bare", "Deployment").items():
        assert manifest["spec"]["replicas"] == 0, own
    for kind in ("Ingress", "NetworkPolicy", "PodDisruptionBudget"):
        assert of_kind("bare", kind) == {}
        assert of_kind("as they come", kind)


def test_beat_runs_once():
    beat = of_kind("large", "Deployment")["desk-compliance-desk-beat"]["spec"]
    assert beat["replicas"] == 1
    assert beat["strategy"] == {"type": "Recreate"}


def test_names_fit_however_long_the_release_is_called():
    texts = rendering.render(CHART, VALUES["large"], release="r" * 53)
    del texts["NOTES.txt"]
    for manifest in yaml.safe_load_all("\n---\n".join(texts.values())):
        if manifest:
            assert len(manifest["metadata"]["name"]) <= 63


def test_the_notes_name_what_is_there():
    notes = rendering.render(CHART, {})["NOTES.txt"]
    [name] = re.findall(r"deploy/(\S+) ", notes)
    assert name in of_kind("as they come", "Deployment")
    assert resolve("/setup/").url_name
    assert "manage.py setup_code" in notes


def test_every_value_is_used():
    text = "".join(path.read_text() for path in (CHART / "templates").iterdir())
    values = yaml.safe_load((CHART / "values.yaml").read_text())
    for section, content in values.items():
        names = [section]
        loose = section in ("settings", "workers", "nodeSelector", "tolerations")
        if isinstance(content, dict) and not loose:
            names = [f"{section}.{key}" for key in content]
        for name in names:
            assert f".Values.{name}" in text, name


@pytest.mark.parametrize(
    "source",
    [
        "{{ .Values.nothing }}",
        "{{ unknown .Values.a }}",
        "{{ with .Values.a }}{{ end }}",
        "{{ if .Values.a }}",
        "{{ end }}",
        "{{ .Values.large }}",
        "{{ .Values.a | }}",
        '{{ template "x" }}',
        '{{ include "x" . }}',
        "{{ range .Values.a }}{{ end }}",
    ],
)
def test_the_renderer_refuses_what_it_does_not_know(tmp_path: Path, source: str):
    (tmp_path / "templates").mkdir()
    (tmp_path / "Chart.yaml").write_text("name: x\nappVersion: '1'\n")
    (tmp_path / "values.yaml").write_text("a: b\nlarge: 1000000\n")
    (tmp_path / "templates" / "x.yaml").write_text(source)
    with pytest.raises((rendering.TemplateError, IndexError)):
        rendering.render(tmp_path, {})


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("x: {{ .Values.a }}", "x: b"),
        ("a\n  {{- if .Values.right }}\n  b\n  {{- end }}\nc", "a\n  b\nc"),
        ("a\n  {{- if .Values.wrong }}\n  b\n  {{- else }}\n  d\n  {{- end }}\nc", "a\n  d\nc"),
        ("{{ .Values.a | quote }}{{/* c */}}", '"b"'),
        ("{{ range $k, $v := .Values.map }}{{ $k }}={{ $v }};{{ end }}", "x=1;y=2;"),
        ("{{ range $v := .Values.list }}{{ $v }}{{ end }}", "pq"),
        ("x:\n  {{- toYaml .Values.map | nindent 2 }}", "x:\n  x: 1\n  y: 2"),
        ('{{ printf "%s@%%h" .Values.a | quote }}', '"b@%h"'),
        ('{{ default "z" .Values.empty }}{{ or .Values.wrong .Values.right }}', "ztrue"),
    ],
)  # fmt: skip
def test_the_renderer_renders_as_the_language_says(tmp_path, source, output):
    (tmp_path / "templates").mkdir()
    (tmp_path / "Chart.yaml").write_text("name: x\nappVersion: '1'\n")
    (tmp_path / "values.yaml").write_text(
        "a: b\nright: true\nwrong: false\nempty: ''\nlist: [p, q]\nmap: {y: 2, x: 1}\n"
    )
    (tmp_path / "templates" / "x.yaml").write_text(source)
    assert rendering.render(tmp_path, {}) == {"x.yaml": output}
