from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import asdict

from django.core.management.base import BaseCommand, CommandParser

from compliance.operation.doctor import examination


class Command(BaseCommand):
    help = "Look at each part of this installation, and say what to do where it is not right."
    # No system checks: the command reports faults of the settings itself.
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--json", action="store_true", help="one JSON object, for programs"
        )

    def handle(self, *args: object, json: bool, **options: object) -> None:
        findings = examination.examine()
        states = Counter(finding.state.value for finding in findings)
        if json:
            self._write_json([asdict(finding) for finding in findings])
        else:
            for finding in findings:
                self.stdout.write(
                    f"{finding.state.value:8}{finding.part:13}{finding.text}"
                )
                if finding.advice:
                    self.stdout.write(f"{'':21}{finding.advice}")
            self.stdout.write(
                f"{states['ok']} ok, {states['warning']} warnings, {states['failed']} failed"
            )
        if examination.has_failed(findings):
            sys.exit(1)

    def _write_json(self, findings: list[dict[str, object]]) -> None:
        self.stdout.write(json.dumps({"findings": findings}, indent=1))
