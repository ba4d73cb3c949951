from typing import Any

import django.db.models.deletion
import django.utils.timezone
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.utils.crypto import salted_hmac

import adjudge.campaigns.models

PUBLIC_SEED = 1  # what every campaign had unless another was given


def secret_seeds(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Replace seeds by secret ones, so that future draws are unpredictable; earlier draws stay."""
    Campaign: Any = apps.get_model("campaigns", "Campaign")
    for campaign in Campaign.objects.filter(seed=PUBLIC_SEED):
        campaign.seed = adjudge.campaigns.models.secret_seed()
        campaign.save(update_fields=["seed"])


def stored_keys(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Store the keys by which browsers know judges; they were derived from the server's secret.

    On the server, its secret is known, and answers queued in a browser are still matched. Elsewhere
    any keys will do.
    """
    Judge: Any = apps.get_model("campaigns", "Judge")
    for judge in Judge.objects.all():
        judge.key = salted_hmac("adjudge.judge", str(judge.pk), algorithm="sha256").hexdigest()[:20]
        judge.save(update_fields=["key"])


def tasks_of_workers(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Turn tasks of crowd workers into rows, so that none is taken twice."""
    Judge: Any = apps.get_model("campaigns", "Judge")
    Task: Any = apps.get_model("campaigns", "Task")
    for judge in Judge.objects.exclude(platform={}).order_by("pk"):
        for task in judge.platform.pop("tasks", []):
            details = {k: v for k, v in task.items() if k not in ("task", "done_before")}
            Task.objects.get_or_create(
                campaign_id=judge.campaign_id,
                name=task["task"],
                defaults={
                    "judge_id": judge.pk,
                    "details": details,
                    "answered_before": task["done_before"],
                },
            )
        judge.save(update_fields=["platform"])


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0004_design_and_needs"),
    ]

    operations = [
        migrations.CreateModel(
            name="Access",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("organiser", models.CharField(max_length=150)),
                (
                    "role",
                    models.CharField(
                        choices=[("owner", "Owner"), ("analyst", "Analyst")], max_length=10
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="access",
                        to="campaigns.campaign",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("campaign", "organiser"), name="one_role_each")
                ],
            },
        ),
        migrations.CreateModel(
            name="AuditEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("campaign_name", models.CharField(max_length=200)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("who", models.CharField(max_length=200)),
                ("what", models.CharField(max_length=200)),
                ("details", models.JSONField(default=dict)),
                (
                    "campaign",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="audit",
                        to="campaigns.campaign",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["campaign", "at"], name="audit_of_a_campaign")],
            },
        ),
        migrations.CreateModel(
            name="Task",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                ("details", models.JSONField(default=dict)),
                ("answered_before", models.PositiveIntegerField()),
                ("created", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tasks",
                        to="campaigns.campaign",
                    ),
                ),
                (
                    "judge",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tasks",
                        to="campaigns.judge",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("campaign", "name"), name="one_worker_a_task")
                ],
            },
        ),
        migrations.AlterField(
            model_name="campaign",
            name="seed",
            field=models.BigIntegerField(default=adjudge.campaigns.models.secret_seed),
        ),
        migrations.RunPython(secret_seeds, migrations.RunPython.noop),
        migrations.AddField(
            model_name="judge",
            name="key",
            field=models.CharField(max_length=32, null=True),
        ),
        migrations.RunPython(stored_keys, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="judge",
            name="key",
            field=models.CharField(
                default=adjudge.campaigns.models.new_judge_key, max_length=32, unique=True
            ),
        ),
        migrations.RunPython(tasks_of_workers, migrations.RunPython.noop),
    ]
