"""Scans all stored files for malware again: after new signatures, or for the first time."""

from __future__ import annotations

from django.core.management.base import BaseCommand, CommandError

from compliance.scanning import scanner
from reviews.documents import scans


class Command(BaseCommand):
    help = (
        "Have all files of cases scanned for malware again. Nobody gets a file until the scanner"
        " has answered."
    )

    def handle(self, *_: object, **__: object) -> None:
        if not scanner.is_on():
            raise CommandError("FILE_SCANNER is not set.")
        count = scans.scan_again()
        self.stdout.write(f"{count} files wait for the scanner.")
