from __future__ import annotations

from itertools import islice

from django.core.management.base import BaseCommand, CommandError, CommandParser

from compliance.http import numbers
from compliance.security import data_keys
from reviews.audit import anchor_copies, anchors, doctor, trail, verification
from reviews.models import Chain, Seal, Unsealed


class Command(BaseCommand):
    help = "Prove that no line, no row and no file was changed, removed or added behind the desk."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--head",
            metavar="SEQ:HASH",
            help="a head that was noted earlier, as evidence packs carry it: must be in the chain",
        )

    def handle(self, *args: object, head: str | None, **options: object) -> None:
        if data_keys.are_of_another_installation():
            # Else each line would be called changed.
            raise CommandError(f"Nothing was verified: {doctor.OTHER_KEY}.")
        with verification.snapshot():
            faults = list(islice(verification.faults(), trail.MOST_FAULTS))
        if head and not _is_in_chain(head):
            faults.append(
                f"The chain does not hold the head {head}: it was cut or made again."
            )
        if faults:
            raise CommandError("\n".join(faults))
        chain = Chain.objects.get(pk=1)
        waiting = Unsealed.objects.count()
        self.stdout.write(f"{chain.seq} lines hold. Head {chain.seq}:{chain.hash}")
        if erased := trail.count_erased():
            self.stdout.write(f"The words beside {erased} lines were erased.")
        self.stdout.write(f"The last anchor is of line {chain.anchored_seq}.")
        for line in (*anchors.restorations(), *anchor_copies.report()):
            self.stdout.write(line)
        if stamp := anchors.last_stamp():
            self.stdout.write(stamp)
        if waiting:
            self.stdout.write(f"{waiting} more wait for their seal.")


def _is_in_chain(head: str) -> bool:
    seq, _, digest = head.partition(":")
    # No line has the number 0.
    number = numbers.parse(seq) or 0
    return Seal.objects.filter(seq=number, hash=digest).exists()
