from __future__ import annotations

from django.db import migrations, models

# Those of a new installation, where nobody gave them another meaning since.
CLAIMS = {
    ("R02", "Attested data contradicted"): "contradicted",
    ("I02", "Document illegible or incomplete"): "document",
}


def fill(apps, schema_editor):
    reasons = apps.get_model("reviews", "ReasonCode").objects
    for (code, label), claim in CLAIMS.items():
        reasons.filter(code=code, label=label, claim="").update(claim=claim)


class Migration(migrations.Migration):
    dependencies = [("reviews", "0022_findings_are_counted_as_shown")]

    operations = [
        migrations.AlterField(
            model_name="reasoncode",
            name="claim",
            field=models.CharField(
                blank=True,
                choices=[
                    ("", "Nothing that the case could contradict"),
                    ("all_passed", "Checks ran, and all of them passed"),
                    ("document", "The case has a document"),
                    ("match", "A name stands on a list of sanctions"),
                    ("contradicted", "A check, or who overrode it, contradicts the attested data"),
                ],
                default="",
                help_text="What the reason says of the case. Where that is not so, it is refused.",
                max_length=12,
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
