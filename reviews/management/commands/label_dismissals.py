from __future__ import annotations

from django.core.management.base import BaseCommand

from reviews.models import Case, Dismissal
from reviews.screening import earlier_dismissals


class Command(BaseCommand):
    help = (
        "Add hits that were dismissed before there was a labelled set to it. Done again, it"
        " changes nothing."
    )

    def handle(self, *args: object, **options: object) -> None:
        # One transaction per case, so the command can be interrupted and run again.
        cases = labels = 0
        keys = Dismissal.objects.filter(taken_back_at=None).order_by("case")
        for pk in keys.values_list("case", flat=True).distinct().iterator():
            made = earlier_dismissals.label(Case.objects.get(pk=pk))
            if made:
                cases += 1
                labels += len(made)
        self.stdout.write(f"{labels} labels were made for {cases} cases.")
