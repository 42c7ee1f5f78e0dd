from django.db import migrations, models


class Migration(migrations.Migration):
    # Apart from the change of the rows: PostgreSQL does not do both in one transaction.
    dependencies = [("agenthub", "0007_uploads_and_files_go")]

    operations = [
        migrations.AddIndex(
            model_name="upload",
            index=models.Index(
                condition=models.Q(("due_at__isnull", False)),
                fields=["due_at"],
                name="agenthub_upload_due",
            ),
        ),
    ]
