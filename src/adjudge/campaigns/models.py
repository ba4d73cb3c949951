"""Database models of campaigns; answers of judges are never deleted.

A test set (documents, segments, perhaps short parts of segments, the distinct outputs of systems)
is judged in HITs under one protocol each: runs of consecutive segments, one or more items (screens)
a segment. An assignment gives an item to a judge, in a display order of their own; an answer
belongs to an assignment, and a later revision supersedes an earlier one.
"""

import secrets

from django.db import models
from django.utils import timezone

from adjudge.campaigns.design import Design
from adjudge.campaigns.organiser_models import DesignVersion as DesignVersion
from adjudge.campaigns.organiser_models import Project as Project
from adjudge.campaigns.organiser_models import Site as Site


def secret_seed() -> int:
    """Random seed that cannot be guessed: it determines what each judge will be shown."""
    return secrets.randbits(63)


def new_judge_key() -> str:
    """Random identifier of a judge."""
    return secrets.token_hex(10)


class _Finished(models.Manager["Campaign"]):
    """Manager of complete campaigns: excludes those being created, restored or deleted."""

    def get_queryset(self) -> models.QuerySet["Campaign"]:
        return super().get_queryset().filter(making=None)


class Campaign(models.Model):
    """Language pair judged under one protocol, or under several in batches."""

    class State(models.TextChoices):
        """State of a campaign; closed campaigns assign no work."""

        OPEN = "open"
        CLOSED = "closed"

    name = models.CharField(max_length=200, unique=True)
    project = models.ForeignKey(Project, models.SET_NULL, null=True, related_name="campaigns")
    source_language = models.CharField(max_length=35, blank=True)
    target_language = models.CharField(max_length=35, blank=True)
    # [[protocol, screens], …]: judges meet the protocols in batches of so many screens, in random
    # order (WMT07 §3: five, five and ten). The only one's screens are null: it never ends.
    batches = models.JSONField(default=list)
    design_values = models.JSONField(default=dict)  # as `design` reads them
    # Null: as each protocol has it, and never where the reference is one of the candidates.
    show_reference = models.BooleanField(null=True)
    instructions = models.TextField(blank=True)  # Markdown
    contact = models.CharField(max_length=200, blank=True)  # where judges may ask, in words
    tutorial = models.JSONField(default=list)  # practice items; see `tutorial`
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    seed = models.BigIntegerField(default=secret_seed)  # for owners only (`people.access`)
    created = models.DateTimeField(default=timezone.now)
    closed = models.DateTimeField(null=True, blank=True)
    # Work is given out from one to the other; null: at once, until it is closed.
    opens = models.DateTimeField(null=True, blank=True)
    ends = models.DateTimeField(null=True, blank=True)
    archived = models.DateTimeField(null=True, blank=True)  # out of the list, all of it kept
    version = models.PositiveIntegerField(default=1)  # of what is asked (`DesignVersion`)
    # How many HITs were drawn; with the seed, it makes every draw repeatable.
    drawn = models.PositiveIntegerField(default=0)
    # Adaptive mode: what each pair of systems is worth, after how many answers that was worked
    # out, and since when a process is working it out anew (null: none is).
    needs = models.JSONField(default=list)
    needs_at = models.PositiveIntegerField(default=0)
    needs_claimed = models.DateTimeField(null=True)
    crowd = models.JSONField(default=dict)  # see `crowd`; empty: no platform
    # Not whole yet, or no more: when its rows were last worked on (`store.unfinished`).
    making = models.DateTimeField(null=True, blank=True)

    objects = _Finished()
    everything = models.Manager["Campaign"]()

    def __str__(self) -> str:
        return self.name

    @property
    def protocols(self) -> tuple[str, ...]:
        """Names of the protocols."""
        return tuple(name for name, _ in self.batches)

    @property
    def design(self) -> Design:
        """Validated design."""
        return Design.from_json(self.design_values)

    @property
    def pair(self) -> str:
        """Language pair, or the campaign's name without one."""
        if self.source_language and self.target_language:
            return f"{self.source_language}-{self.target_language}"
        return self.name


class Access(models.Model):
    """Permission of an organiser in a campaign; administrators need none (see `people.access`)."""

    class Role(models.TextChoices):
        """Role of an organiser; owners do everything, analysts only read."""

        OWNER = "owner"
        ANALYST = "analyst"

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="access")
    organiser = models.CharField(max_length=150)  # as they sign in
    role = models.CharField(max_length=10, choices=Role)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["campaign", "organiser"], name="one_role_each"),
        )


class AuditEntry(models.Model):
    """Audit log entry, kept when the campaign is deleted (`store.audit`)."""

    campaign = models.ForeignKey(Campaign, models.SET_NULL, null=True, related_name="audit")
    campaign_name = models.CharField(max_length=200)
    at = models.DateTimeField(default=timezone.now)
    who = models.CharField(max_length=200)
    what = models.CharField(max_length=200)
    details = models.JSONField(default=dict)

    class Meta:
        indexes = (models.Index(fields=["campaign", "at"], name="audit_of_a_campaign"),)

    def details_in_words(self) -> str:
        """Format the details for readers."""
        parts = []
        for name, value in self.details.items():
            said = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
            parts.append(f"{name.replace('_', ' ')}: {said}")
        return "; ".join(parts)


class System(models.Model):
    """System that takes part, or the human reference hidden among the systems."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="systems")
    name = models.CharField(max_length=200)
    is_reference = models.BooleanField(default=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["campaign", "name"], name="one_system_of_a_name"),
        )

    def __str__(self) -> str:
        return self.name


class Document(models.Model):
    """Ordered segments that belong together."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="documents")
    name = models.CharField(max_length=500)
    order = models.PositiveIntegerField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["campaign", "name"], name="one_document_of_a_name"),
        )


class Run(models.Model):
    """Consecutive segments of a document, judged by one person as one HIT."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="runs")
    drawn = models.PositiveIntegerField(default=0)  # how often a HIT was drawn from it


class Segment(models.Model):
    """Segment of the test set."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="segments")
    document = models.ForeignKey(Document, models.CASCADE, related_name="segments")
    run = models.ForeignKey(Run, models.CASCADE, related_name="segments")
    name = models.CharField(max_length=200)
    order = models.PositiveIntegerField()  # in the test set, from 1
    source = models.TextField()
    reference = models.TextField(null=True, blank=True)
    # [[better, worse], …]: outputs on which trusted judges agree; null: none.
    controls = models.JSONField(null=True, blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["campaign", "order"], name="one_segment_a_place"),
        )

    @property
    def words(self) -> int:
        """Length of the source in words."""
        return len(self.source.split())


class Part(models.Model):
    """Phrase of a segment that is judged by itself (WMT07 §3, Macháček 2014 §2)."""

    segment = models.ForeignKey(Segment, models.CASCADE, related_name="parts")
    order = models.PositiveIntegerField()  # in the segment, from 1
    words = models.JSONField()  # zero-based indices of its words in the source, in order
    text = models.TextField()  # these words

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["segment", "order"], name="one_part_a_place"),
        )


class Output(models.Model):
    """Distinct translation of a segment or part: shown once, credited to all systems that produced
    it.
    """

    segment = models.ForeignKey(Segment, models.CASCADE, related_name="outputs")
    part = models.ForeignKey(Part, models.CASCADE, null=True, related_name="outputs")
    text = models.TextField()
    # For a part: its translated sentence and position there; empty: unknown.
    sentence = models.TextField(blank=True)
    start = models.PositiveIntegerField(null=True)  # its first character in the sentence
    systems = models.ManyToManyField(System, related_name="outputs")


class Exposure(models.Model):
    """Number of times that two systems were shown together (a system with itself: shown at all)."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="exposures")
    system = models.ForeignKey(System, models.CASCADE, related_name="+")
    other = models.ForeignKey(System, models.CASCADE, related_name="+")
    shown = models.IntegerField(default=0)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["system", "other"], name="one_count_a_pair"),
        )


class Person(models.Model):
    """Person who judges in several campaigns, with one link or one account for all of them."""

    token_hash = models.CharField(max_length=64, unique=True, null=True)  # null: no link
    email = models.EmailField(unique=True, null=True)  # in small letters; null: no account
    password = models.CharField(max_length=128, blank=True)  # as Django hashes it
    created = models.DateTimeField(default=timezone.now)


class Judge(models.Model):
    """Judge in a campaign, identified by a secret token."""

    class State(models.TextChoices):
        """State of a judge; excluded judges get no work and are left out of the analysis."""

        ACTIVE = "active"
        PAUSED = "paused"
        EXCLUDED = "excluded"

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="judges")
    name = models.CharField(max_length=200)
    # In addresses and in the browser's storage; it stays whatever becomes of links and servers.
    key = models.CharField(max_length=32, unique=True, default=new_judge_key)
    person = models.ForeignKey(Person, models.SET_NULL, null=True, related_name="judges")
    group = models.CharField(max_length=100, blank=True)
    languages = models.JSONField(default=list)  # what they say they read
    protocols = models.JSONField(default=list)  # the only ones they are asked for; empty: all
    practised = models.DateTimeField(null=True)  # when they finished the tutorial
    own_systems = models.ManyToManyField(System, related_name="+", blank=True)
    quota = models.PositiveIntegerField(null=True, blank=True)  # items; null: no limit
    email = models.EmailField(blank=True)  # for the invitation and reminders, if known
    mailed = models.DateTimeField(null=True)  # the last time
    state = models.CharField(max_length=10, choices=State, default=State.ACTIVE)
    reason = models.CharField(max_length=500, blank=True)  # of the state
    flag = models.CharField(max_length=500, blank=True)  # what quality control noticed
    token_hash = models.CharField(max_length=64, unique=True, null=True)  # null: revoked
    platform = models.JSONField(default=dict)  # workerId, PROLIFIC_PID, …
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["campaign", "name"], name="one_judge_of_a_name"),
        )

    def __str__(self) -> str:
        return self.name


class Task(models.Model):
    """Task taken by a crowd worker.

    Its platform name belongs to one worker. If identities are unproven (`people.crowd`), several
    sessions may claim it until one of them has worked on it.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="tasks")
    judge = models.ForeignKey(Judge, models.CASCADE, related_name="tasks")
    name = models.CharField(max_length=200)  # assignmentId, SESSION_ID
    details = models.JSONField(default=dict)  # study, HIT
    answered_before = models.PositiveIntegerField()  # by the judge, when it began
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["campaign", "name", "judge"], name="one_task_a_judge"),
        )


class Hit(models.Model):
    """Run drawn for judging, with its protocol, outputs and recipients."""

    class Kind(models.TextChoices):
        """Kind of HIT. Exclusive: one judge. Common: the pool all share. Repeat: again by the same
        judge.
        """

        EXCLUSIVE = "exclusive"
        COMMON = "common"
        REPEAT = "repeat"

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="hits")
    run = models.ForeignKey(Run, models.CASCADE, related_name="hits")
    protocol = models.CharField(max_length=50)
    kind = models.CharField(max_length=10, choices=Kind)
    repeat_of = models.ForeignKey("self", models.CASCADE, null=True, related_name="repeats")
    # Who has an exclusive HIT now; null: it was returned and waits in the pool.
    holder = models.ForeignKey(Judge, models.SET_NULL, null=True, related_name="+")
    given = models.PositiveIntegerField(default=0)  # to how many judges
    retired = models.BooleanField(default=False)  # drawn before a change: not assigned again

    class Meta:
        indexes = (models.Index(fields=["campaign", "kind", "holder"], name="hits_in_the_pool"),)


class Item(models.Model):
    """Segment with the outputs to be judged together on one screen."""

    hit = models.ForeignKey(Hit, models.CASCADE, related_name="items")
    segment = models.ForeignKey(Segment, models.CASCADE, related_name="items")
    place = models.PositiveIntegerField()  # in the HIT, from 1
    outputs = models.ManyToManyField(Output, related_name="items")
    # The answer that is judged here (a review is of an edit); null: outputs are.
    about = models.ForeignKey("Answer", models.CASCADE, null=True, related_name="items")

    class Meta:
        constraints = (models.UniqueConstraint(fields=["hit", "place"], name="one_item_a_place"),)


class Assignment(models.Model):
    """Item given to a judge."""

    class State(models.TextChoices):
        """State of an assignment. Returned: abandoned and given to others; a late answer is still
        kept.
        """

        OPEN = "open"
        ANSWERED = "answered"
        SKIPPED = "skipped"
        RETURNED = "returned"

    judge = models.ForeignKey(Judge, models.CASCADE, related_name="assignments")
    item = models.ForeignKey(Item, models.CASCADE, related_name="assignments")
    hit = models.ForeignKey(Hit, models.CASCADE, related_name="assignments")  # in which it came
    place = models.PositiveIntegerField()  # in that HIT
    key = models.CharField(max_length=32, unique=True)  # the only name a browser knows it by
    shown = models.JSONField()  # the outputs, in the order this judge sees them
    control = models.BooleanField(default=False)  # its HIT was given to check the judge
    version = models.PositiveIntegerField(default=1)  # of the campaign, when it was given
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    assigned = models.DateTimeField()
    started = models.DateTimeField(null=True)  # first shown as the current item
    finished = models.DateTimeField(null=True)
    returned = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["judge", "item"], name="one_assignment_a_judge"),
        )
        indexes = (
            models.Index(fields=["judge", "state"], name="what_a_judge_has_open"),
            models.Index(fields=["state", "assigned"], name="what_is_abandoned"),
        )


class Answer(models.Model):
    """Answer of a judge, or a skip; the highest revision counts."""

    assignment = models.ForeignKey(Assignment, models.CASCADE, related_name="answers")
    revision = models.PositiveIntegerField()
    key = models.CharField(max_length=64, unique=True)  # sent twice, stored once
    payload = models.JSONField()  # as the protocol says; {} for a skip
    skipped = models.CharField(max_length=500, blank=True)  # the reason; empty: not skipped
    received = models.DateTimeField()
    seconds = models.FloatField(null=True)  # since it was shown, by the server's clock
    browser_seconds = models.FloatField(null=True)  # the same, by the browser's
    active_seconds = models.FloatField(null=True)  # without pauses, by the browser's
    browser_time = models.DateTimeField(null=True)  # when it was answered, perhaps offline
    too_fast = models.BooleanField(default=False)
    # The same for answers that say the same of different texts (`Protocol.says`); empty: unknown.
    says = models.CharField(max_length=40, blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["assignment", "revision"], name="one_revision_each"),
        )


class Remark(models.Model):
    """Text from a judge to the organisers: a comment on an item or, without one, a message."""

    judge = models.ForeignKey(Judge, models.CASCADE, related_name="remarks")
    assignment = models.ForeignKey(Assignment, models.CASCADE, null=True, related_name="remarks")
    key = models.CharField(max_length=64, unique=True)  # sent twice, stored once
    text = models.TextField()
    received = models.DateTimeField()
