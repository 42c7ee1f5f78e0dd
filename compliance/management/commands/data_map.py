from __future__ import annotations

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser

from compliance.security import data_map

BEGIN, END = "<!-- data map -->\n", "<!-- end -->"


class Command(BaseCommand):
    help = "Print which columns hold what of people, why, and what erasure does."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--write",
            metavar="PAGE",
            type=Path,
            help="replace the map in a page of the documentation",
        )

    def handle(self, *args: object, write: Path | None, **options: object) -> None:
        faults = data_map.faults()
        if faults:
            raise CommandError("\n".join(faults))
        text = data_map.markdown()
        if write is None:
            self.stdout.write(text)
            return
        page = write.read_text(encoding="utf-8")
        before, _, rest = page.partition(BEGIN)
        _, end, after = rest.partition(END)
        if not end:
            raise CommandError(f"{write} has no place for the map: {BEGIN}{END}")
        write.write_text(f"{before}{BEGIN}{text}\n{end}{after}", encoding="utf-8")
