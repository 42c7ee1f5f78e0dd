from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("reviews", "0002_claim_count_and_failures"),
    ]

    operations = [
        migrations.AddField(
            model_name="caseevent",
            name="bindings",
            field=models.JSONField(
                blank=True,
                default=list,
                editable=False,
                help_text="The hashes of the rows that it is about.",
            ),
        ),
    ]
