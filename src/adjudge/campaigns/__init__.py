"""Campaigns in a database: assignment of work, and storage of answers (Django app, no pages).

| room            | what it is about, each using only those above it                          |
|-----------------|---------------------------------------------------------------------------|
| `design`        | which outputs, segments and repeats judges are given                      |
| `models`        | the tables                                                                |
| `store/`        | the database, row locks, which answers stand, backups                     |
| `protocol_kit/` | what a protocol is, and what several are made of                          |
| `protocols/`    | the ways to ask people, one module each                                   |
| `results/`      | what answers come to: tables, controls, progress                          |
| `work/`         | how work is given out and answers are taken                               |
| `setup/`        | how a campaign is set up, opened and closed                               |
| `people/`       | judges: their links, what organisers do about them, crowd, simulated ones |
"""

from adjudge.core.errors import need

need("django", "campaigns need", "campaigns")
