from django.db import migrations, models


class Migration(migrations.Migration):
    """Campaigns are made, and deleted, in steps; nobody sees those that are not whole."""

    dependencies = (("campaigns", "0008_hits_before_a_change"),)

    operations = (
        migrations.AddField(
            model_name="campaign",
            name="making",
            field=models.DateTimeField(blank=True, null=True),
        ),
    )
