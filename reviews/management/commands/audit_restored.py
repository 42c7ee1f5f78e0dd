from __future__ import annotations

from django.core.management.base import BaseCommand, CommandParser

from reviews.audit import anchors, trail


class Command(BaseCommand):
    help = "Declare that a backup of the database was restored: later anchors no longer bind it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("reason", help="why, for those who verify the trail later")

    def handle(self, *args: object, reason: str, **options: object) -> None:
        chain = trail.seal_all()
        anchors.add("restored", chain, reason=reason)
        data = {"seq": chain.seq, "reason": reason}
        trail.record(None, "database_restored", data)
        self.stdout.write(f"The trail goes on after line {chain.seq}.")
