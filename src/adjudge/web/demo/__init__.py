"""Demonstration: a small corpus of our own, a campaign on it, and the output of `make demo`.

| module       | what it holds                                                            |
|--------------|--------------------------------------------------------------------------|
| `corpus`     | the texts, and how good simulated judges find them                       |
| `campaign`   | the campaign, half judged by simulated judges, and a link for a guest    |
| `results`    | what is shown of the judgements: the tables and the report               |
| `tuning`     | `adjudge tune --demo`: a decoder trained on captions, tuned in a loop    |
| `thot/`      | that decoder, as two scripts                                             |
| `server`     | its web server in the background                                         |
| `command`    | how the user started Adjudge, so that what is printed can be typed again |
"""
