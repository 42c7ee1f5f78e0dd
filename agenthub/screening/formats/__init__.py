"""The formats in which lists are published. Each has a reader that yields entities one by one.

A reader is a function `(files, header, options)`. It yields entities, and stores in the header what
the file states about itself. Files are untrusted: a reader raises ListError if it cannot read one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from agenthub.screening.formats import (
    eu,
    ftm,
    generic,
    ofac,
    ofac_csv,
    opensanctions,
    uk,
    un,
)
from agenthub.screening.formats.base import Header, ListError, Options
from agenthub.screening.formats.files import Files, open_files
from agenthub.screening.formats.publishers import (
    australia,
    canada,
    ofac_advanced,
    switzerland,
    uk_xml,
    world_bank,
)
from checks.screening.records import Entity

__all__ = ["FORMATS", "Header", "ListError", "Options", "read"]

Reader = Callable[[Files, Header, Options], Iterator[Entity]]

# The ids that readers build if the source has no id.
_WITHOUT_ID = re.compile(r"(?:[a-z]+-)?(?:None)?")

FORMATS: dict[str, Reader] = {
    "ofac_sdn_xml": ofac.read,
    "ofac_sdn_csv": ofac_csv.read,
    "ofac_advanced_xml": ofac_advanced.read,
    "un_xml": un.read,
    "eu_fsf_xml": eu.read,
    "uk_sanctions_list_csv": uk.read_csv,
    "uk_sanctions_list_ods": uk.read_ods,
    "uk_sanctions_list_xml": uk_xml.read,
    "seco_xml": switzerland.read,
    "sema_xml": canada.read,
    "dfat_xlsx": australia.read,
    "world_bank_json": world_bank.read,
    "opensanctions_simple_csv": opensanctions.read,
    "ftm_json": ftm.read,
    "generic_csv": generic.read,
}


def read(
    path: Path,
    *,
    format: str,  # noqa: A002
    header: Header,
    options: Options | None = None,
) -> Iterator[Entity]:
    """Yield the entities of a file, or of a folder or archive of files that belong together.

    An entity without a name cannot be searched for: it is omitted and counted in the header. Raises
    ListError.
    """
    if format not in FORMATS:
        raise ListError(f"There is no format {format}. Known: {', '.join(FORMATS)}.")
    with open_files(path) as files:
        for entity in FORMATS[format](files, header, options or Options()):
            if _WITHOUT_ID.fullmatch(entity.id):
                raise ListError(
                    "An entry has no id: the file is damaged, or of another layout."
                )
            if entity.names:
                yield entity
            else:
                header.nameless += 1
