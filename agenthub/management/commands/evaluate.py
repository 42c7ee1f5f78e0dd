"""`manage.py evaluate FOLDER`: how well the fields of the user's own labelled documents are read."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, get_args

from django.core.management.base import BaseCommand, CommandError

from checks import registry
from checks.evaluation.judging import Judgement
from checks.evaluation.labels import LabelError, Labelled, Part, read_labels
from checks.evaluation.report import faults_of, rows_of, table_of
from checks.evaluation.run import evaluate


class Command(BaseCommand):
    help = (
        "Read labelled documents, and print recall and precision of each kind and field. "
        "Nothing is stored or sent."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "folder",
            type=Path,
            help="a folder of documents with labels.csv, or with NAME.json beside each",
        )
        parser.add_argument(
            "--labels", type=Path, help="the table of labels, if it lies elsewhere"
        )
        parser.add_argument(
            "--part",
            choices=get_args(Part),
            default="all",
            help="one half of the documents, by the digest of their content",
        )
        parser.add_argument(
            "--processes", type=int, default=1, help="documents that are read at once"
        )
        parser.add_argument(
            "--json", action="store_true", help="print JSON instead of a table"
        )
        parser.add_argument(
            "--figures-only",
            action="store_true",
            help="do not print the values that are wrong, unsure or missing",
        )

    def handle(self, *_: object, **options: Any) -> None:
        if options["processes"] < 1:
            raise CommandError("--processes must be at least 1.")
        documents = self._documents(options)
        judgements: list[Judgement] = []
        for of_document in evaluate(documents, processes=options["processes"]):
            judgements.extend(of_document)
        rows = rows_of(judgements)
        if options["figures_only"]:
            faults = []
        else:
            faults = faults_of(judgements)
        if options["json"]:
            report = {
                "documents": len(documents),
                "part": options["part"],
                "rows": [row.to_wire() for row in rows],
                "faults": faults,
            }
            self.stdout.write(json.dumps(report, indent=2, ensure_ascii=False))
            return
        self.stdout.write(f"{len(documents)} documents ({options['part']})\n")
        self.stdout.write(table_of(rows))
        for fault in faults:
            self.stdout.write(
                f"{fault['verdict']}: {fault['file']}, {fault['field']}: "
                f"read “{fault['read']}”, true “{fault['truth']}”"
            )

    def _documents(self, options: dict[str, Any]) -> list[Labelled]:
        try:
            documents = read_labels(
                options["folder"], table=options["labels"], part=options["part"]
            )
            for document in documents:
                if document.check_id:
                    registry.get(document.check_id)
        except (LabelError, registry.UnknownCheckError) as exc:
            raise CommandError(str(exc)) from exc
        return documents
