from __future__ import annotations

from django.db import migrations, models


def severity_of(summary) -> int:
    failed = [name.lower() for name, verdict in summary.get("checks") or [] if verdict == "fail"]
    if failed:
        words = ("sanction", "watchlist", "ofac")
        return 1 if any(word in name for name in failed for word in words) else 2
    verdicts = {verdict for _, verdict in summary.get("checks") or []}
    if "review" in verdicts or summary.get("risks"):
        return 3
    return 4 if verdicts - {"pass"} else 5


def fill(apps, schema_editor):
    """The severity of cases that have results already, from what the queue keeps of them."""
    cases = apps.get_model("reviews", "Case").objects.exclude(summary={})
    of_severity: dict[int, list[int]] = {}
    for pk, summary in cases.values_list("pk", "summary").iterator(2000):
        of_severity.setdefault(severity_of(summary), []).append(pk)
    for severity, pks in of_severity.items():
        for start in range(0, len(pks), 500):
            part = pks[start : start + 500]
            cases.filter(pk__in=part).update(severity=severity)


class Migration(migrations.Migration):
    dependencies = [("reviews", "0013_recommendation_reasons")]

    operations = [
        migrations.AddField(
            model_name="case",
            name="severity",
            field=models.PositiveSmallIntegerField(
                choices=[
                    (1, "Sanctions hit"),
                    (2, "Failed check"),
                    (3, "Finding to review"),
                    (4, "Check without a result"),
                    (5, "No finding"),
                ],
                default=5,
                help_text="The worst of its findings.",
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.RemoveIndex(model_name="case", name="reviews_case_risk"),
        migrations.RemoveIndex(model_name="case", name="reviews_case_all_risk"),
        migrations.AddIndex(
            model_name="case",
            index=models.Index(
                fields=["status", "severity", "due_at", "id"], name="reviews_case_worst"
            ),
        ),
        migrations.AddIndex(
            model_name="case",
            index=models.Index(fields=["severity", "due_at", "id"], name="reviews_case_all_worst"),
        ),
    ]
