from django.db import migrations, models


class Migration(migrations.Migration):
    """HITs that were drawn before a change are given out no more."""

    dependencies = (("campaigns", "0007_what_judges_write"),)

    operations = (
        migrations.AddField(
            model_name="hit",
            name="retired",
            field=models.BooleanField(default=False),
        ),
    )
