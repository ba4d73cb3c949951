from django.db import migrations, models


class Migration(migrations.Migration):
    """Add task claims of sessions, uniform answers, and HITs given as controls."""

    dependencies = (("campaigns", "0009_making"),)

    operations = (
        migrations.RemoveConstraint(model_name="task", name="one_worker_a_task"),
        migrations.AddConstraint(
            model_name="task",
            constraint=models.UniqueConstraint(
                fields=("campaign", "name", "judge"), name="one_task_a_judge"
            ),
        ),
        migrations.AddField(
            model_name="answer",
            name="says",
            field=models.CharField(blank=True, max_length=40),
        ),
        migrations.AddField(
            model_name="assignment",
            name="control",
            field=models.BooleanField(default=False),
        ),
    )
