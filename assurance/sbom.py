"""Makes the list of packages (SBOM) in CycloneDX 1.6 from the lock files.

    python -m assurance.sbom FILE

The same lock files and installed packages always give the same bytes: the list contains no time,
and its serial number is computed from its content. Licences are those which the installed packages
state.
"""

from __future__ import annotations

import hashlib
import json
import sys
import tomllib
import uuid
from collections import defaultdict
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import (
    ExternalReference,
    ExternalReferenceType,
    HashAlgorithm,
    HashType,
    Property,
    XsUri,
)
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.model.license import License
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL
from packaging.version import Version

import compliance
from assurance import locks
from assurance.locks import Package

# The packages an installation needs, and those it may add. The other sets are for tests and tools.
RUNS = "base"
MAY_BE_ADDED = frozenset({"face", "ocr-hq", "provenance"})
NAMESPACE = uuid.UUID("5f0a2c7e-3d1b-4f5e-9a66-0d6f3b1c8e42")
# Classifiers that name one licence. Others, such as "BSD License", name a family and stay as they
# are.
CLASSIFIERS = {
    "Apache Software License": "Apache-2.0",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}
# Some packages give the whole text of their licence instead of its name.
LONGEST_NAME = 60


def licences(name: str, version: str) -> list[License]:
    """What the installed package states. Empty if this version is not installed."""
    try:
        facts = metadata(name)
    except PackageNotFoundError:
        return []
    # Lock files have the normal form of a version: 2.12 for 2.012.
    if Version(facts["Version"]) != Version(version):
        return []
    # Asked with get_all: the index of a missing member is deprecated.
    names = facts.get_all("License-Expression", [])
    if not names:
        names = _licences_by_classifier(facts.get_all("Classifier", []))
    factory = LicenseFactory()
    if not names:
        names = _short(facts.get_all("License", []))
    return [factory.make_from_string(one) for one in names]


def _licences_by_classifier(classifiers: list[str]) -> list[str]:
    names = [line.split(" :: ")[-1] for line in classifiers if "License ::" in line]
    return [CLASSIFIERS.get(one, one) for one in names if one != "OSI Approved"]


def _short(texts: list[str]) -> list[str]:
    names = []
    for text in texts:
        if text and "\n" not in text and len(text) <= LONGEST_NAME:
            names.append(text)
    return names


def scope(sets: set[str]) -> ComponentScope:
    if RUNS in sets:
        return ComponentScope.REQUIRED
    if sets & MAY_BE_ADDED:
        return ComponentScope.OPTIONAL
    return ComponentScope.EXCLUDED


def component(rows: list[Package]) -> Component:
    """One version of a package, which may be in several lock files."""
    name, version = rows[0].name, rows[0].version
    purl = PackageURL("pypi", name=name, version=version)
    sets = {row.set for row in rows}
    hashes = {content for row in rows for content in row.hashes}
    files = ExternalReference(
        type=ExternalReferenceType.DISTRIBUTION,
        url=XsUri(purl.to_string()),
        comment="any of these files",
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=one) for one in hashes],
    )
    properties = [Property(name="requirements:sets", value=",".join(sorted(sets)))]
    markers = {row.marker for row in rows if row.set == RUNS}
    if markers - {""}:
        properties.append(Property(name="requirements:marker", value=markers.pop()))
    return Component(
        name=name,
        version=version,
        type=ComponentType.LIBRARY,
        bom_ref=purl.to_string(),
        purl=purl,
        scope=scope(sets),
        licenses=licences(name, version),
        external_references=[files],
        properties=properties,
    )


def bom(root: Path = locks.ROOT) -> Bom:
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    product = Component(
        name=project["name"],
        version=compliance.__version__,
        type=ComponentType.APPLICATION,
        bom_ref=project["name"],
        licenses=[LicenseFactory().make_from_string(project["license"])],
    )
    rows = locks.packages(root)
    versions: dict[tuple[str, str], list[Package]] = defaultdict(list)
    for row in rows:
        versions[row.name, row.version].append(row)
    components = {key: component(group) for key, group in versions.items()}
    whole = Bom(components=components.values(), serial_number=serial_number(rows))
    # With a time, two lists of the same packages would differ.
    whole.metadata.timestamp = None  # type: ignore[assignment]
    whole.metadata.component = product
    add_dependencies(whole, product, rows, components)
    return whole


def add_dependencies(
    whole: Bom,
    product: Component,
    rows: list[Package],
    components: dict[tuple[str, str], Component],
) -> None:
    of_name: dict[str, list[Component]] = defaultdict(list)
    for (name, _), one in components.items():
        of_name[name].append(one)
    for row in rows:
        needed = components[row.name, row.version]
        for parent in row.parents:
            parents = of_name[parent]
            if parent.startswith("-r "):
                parents = [product]
            for one in parents:
                whole.register_dependency(one, [needed])
        whole.register_dependency(needed)


def serial_number(rows: list[Package]) -> uuid.UUID:
    content = "\n".join(sorted(map(repr, rows)))
    return uuid.uuid5(NAMESPACE, hashlib.sha256(content.encode()).hexdigest())


def text(root: Path = locks.ROOT) -> str:
    """The list as a JSON text."""
    return JsonV1Dot6(bom(root)).output_as_string(indent=2) + "\n"


def validate(output: str) -> None:
    """Raise ValueError if the list does not fit the schema of CycloneDX 1.6."""
    fault = JsonStrictValidator(SchemaVersion.V1_6).validate_str(output)
    if fault is not None:
        message = f"The list does not fit the schema: {fault}"
        raise ValueError(message)


def main(target: str) -> int:
    output = text()
    validate(output)
    path = Path(target)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(output, encoding="utf-8")
    listed = json.loads(output)["components"]
    without = [one["name"] for one in listed if "licenses" not in one]
    print(f"{path}: {len(listed)} packages, {len(without)} of them without a licence:")
    print("  not installed here, or they state none: " + ", ".join(without))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
