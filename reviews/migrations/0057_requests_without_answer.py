from django.db import migrations, models


class Migration(migrations.Migration):
    """A message of the inbox: the time of a request is over, and there is no answer."""

    dependencies = [
        ("reviews", "0056_files_of_reports"),
    ]

    operations = [
        migrations.AlterField(
            model_name="notification",
            name="kind",
            field=models.CharField(
                choices=[
                    ("mention", "mentioned you in a note"),
                    ("assigned", "assigned the case to you"),
                    ("escalated", "escalated the case"),
                    ("second", "asks for a second approval"),
                    ("sent_back", "sent your decision back"),
                    ("answer", "answered the request"),
                    ("no_answer", "got no answer to the request in time"),
                    ("alarm", "came after your decision"),
                    ("due_soon", "is due within the hour"),
                    ("overdue", "is overdue"),
                    ("look", "would have decided otherwise"),
                    ("report", "asks you to approve a report"),
                    ("report_back", "sent your report back"),
                    ("report_ok", "approved your report: it is to be filed"),
                ],
                max_length=12,
            ),
        ),
    ]
