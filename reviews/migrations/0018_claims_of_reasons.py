from __future__ import annotations

from django.db import migrations, models

# Those of a new installation, where nobody gave them another meaning since.
CLAIMS = {
    ("A01", "All checks passed"): "all_passed",
    ("R01", "Document forged or altered"): "document",
    ("R03", "Sanctions or watchlist match"): "match",
}


def fill(apps, schema_editor):
    reasons = apps.get_model("reviews", "ReasonCode").objects
    for (code, label), claim in CLAIMS.items():
        reasons.filter(code=code, label=label).update(claim=claim)


class Migration(migrations.Migration):
    dependencies = [("reviews", "0017_connections_demand_timestamps")]

    operations = [
        migrations.AddField(
            model_name="reasoncode",
            name="claim",
            field=models.CharField(
                blank=True,
                choices=[
                    ("", "Nothing that the case could contradict"),
                    ("all_passed", "Checks ran, and all of them passed"),
                    ("document", "The case has a document"),
                    ("match", "A name stands on a list of sanctions"),
                ],
                default="",
                help_text="What the reason says of the case. Where that is not so, it is refused.",
                max_length=12,
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
