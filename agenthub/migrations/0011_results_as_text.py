from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    # A column that may be null: no row is touched, however many there are.

    dependencies = [("agenthub", "0001_squashed_0010_registers_of_companies")]

    operations = [
        migrations.AddField(
            model_name="checkrun",
            name="result_text",
            field=models.TextField(editable=False, null=True),
        ),
    ]
