from django.db import migrations, models


class Migration(migrations.Migration):
    """Create and delete campaigns in steps, hidden until complete."""

    dependencies = (("campaigns", "0008_hits_before_a_change"),)

    operations = (
        migrations.AddField(
            model_name="campaign",
            name="making",
            field=models.DateTimeField(blank=True, null=True),
        ),
    )
