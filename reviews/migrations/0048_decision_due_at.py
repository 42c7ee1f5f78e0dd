"""A decision keeps when its case was due: a case that is reopened gets a new due time."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("reviews", "0047_review_without_new_case"),
    ]

    operations = [
        migrations.AddField(
            model_name="decision",
            name="due_at",
            field=models.DateTimeField(
                editable=False,
                help_text="When the case was due, then. Empty: as the case is.",
                null=True,
            ),
        ),
    ]
