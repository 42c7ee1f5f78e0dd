from django.db import migrations


class Migration(migrations.Migration):
    """Changes no table: after it, the hashes of findings and fields of an earlier version are keyed.

    See reviews.findings.values.keyed_hashes.
    """

    dependencies = [
        ("reviews", "0053_hashes_of_ended_imports"),
    ]

    operations = []
