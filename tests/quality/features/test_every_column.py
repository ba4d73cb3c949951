"""Every column of every family, beside a plain version of it for one translation.

A column that a plain version lacks, or has too many, fails too: what is new needs a test.
"""

import statistics
import unicodedata
from collections import Counter
from itertools import pairwise
from math import log, log10

import numpy as np
import plain_resources as plainly
import pytest

from adjudge.metrics.metric import metric_named
from adjudge.quality.features.extraction import Fitted, from_other_documents, sentence_features
from adjudge.quality.features.family import FAMILIES, LearnedFamily
from adjudge.quality.features.inputs import beside, prepare

SOURCES = ["The cat sat on 12 mats , ( and saw ) the dog", "a cat", "unknown words : 3.5", "on the"]
TARGETS = [
    "die Katze saß saß auf 12 matte .",
    "eine katze } !",
    "words - 7 unbekannt",
    "cat auf der",
]
LINKS = ["0-0 1-1 2-2 2-3 3-4 4-5 5-6 10-7", "0-0 1-1", "1-0 0-3", ""]
TIMES = {
    "translator": ["A", "B", "A", "C"],
    "document": ["x", "x", "y", "y"],
    "position": [1, 2, 1, 2],
}
OTHERS = {"one": ["die Katze saß", "eine katze", "words", ""], "two": TARGETS}
RANKING = [1, 1, 1, 2]


def share(part, whole):
    return part / whole if whole else 0.0


@pytest.fixture(scope="module")
def prepared(table_of, resources):
    table = table_of(
        source=SOURCES,
        target=TARGETS,
        alignment=LINKS,
        ranking=RANKING,
        feature_1=[1.0, 2.0, 3.0, 4.0],
        feature_inside=[0.5, 0.25, 0.0, -1.0],
        **TIMES,
    )
    return prepare(beside(table, OTHERS), resources, metric=["wer", "chrf"])


def texts(row: int) -> tuple[list[str], list[str], list[str], list[str]]:
    """Tokens, and the same in lower case as the resources spell them."""
    source, target = SOURCES[row].split(), TARGETS[row].split()
    return source, target, [w.lower() for w in source], [w.lower() for w in target]


def marks(text: str) -> int:
    return sum(unicodedata.category(letter).startswith("P") for letter in text)


def baseline(row, resources) -> dict:
    source, target, lower_source, lower_target = texts(row)
    found = {
        "source_tokens": len(source),
        "target_tokens": len(target),
        "source_token_length": sum(map(len, source)) / len(source),
        "source_log_probability": resources.source_model.score([lower_source]).sums()[0],
        "target_log_probability": resources.target_model.score([lower_target]).sums()[0],
        "target_tokens_per_type": len(target) / len(set(lower_target)),
        "source_punctuation": marks(SOURCES[row]),
        "target_punctuation": marks(TARGETS[row]),
    }
    counts = plainly.corpus_counts("source", 1)
    entries = {word: resources.forward.translations(word).values() for word in lower_source}
    for threshold, divided in ((0.2, False), (0.01, True)):
        number = [
            sum(p > threshold for p in entries[word]) / (counts[word,] or 1 if divided else 1)
            for word in lower_source
        ]
        found[f"translations_{threshold}"] = sum(number) / len(source)
    for length, name in enumerate(("unigrams", "bigrams", "trigrams"), 1):
        own = [plainly.quartile("source", n) for n in plainly.ngrams(lower_source, length)]
        for cut in (1, 4):
            found[f"source_{name}_quartile_{cut}"] = share(own.count(cut), len(own))
    types = set(lower_source)
    found["source_types_seen"] = sum((word,) in counts for word in types) / len(types)
    return found


def baseline_quest(row, resources) -> dict:
    """Pieces at the comma and at the colon; what is empty after the last mark does not count."""
    pieces = {"source": (2, 0, 2, 0), "target": (0, 1, 0, 0)}
    return baseline(row, resources) | {f"{s}_punctuation": pieces[s][row] for s in pieces}


def counts(row, resources) -> dict:
    source, target, *_ = texts(row)
    a, b = SOURCES[row], TARGETS[row]
    found = {
        "source_characters": len(a),
        "target_characters": len(b),
        "token_ratio": len(target) / len(source),
        "token_difference": abs(len(target) - len(source)) / len(source),
        "character_ratio": len(b) / len(a),
        "target_token_length": sum(map(len, target)) / len(target),
        "source_types_per_token": len(set(source)) / len(source),
        "target_types_per_token": len(set(target)) / len(target),
        "punctuation_difference": abs(marks(a) - marks(b)) / len(source),
        "source_punctuation_share": marks(a) / len(source),
        "target_punctuation_share": marks(b) / len(target),
        "numbers_changed": (0, 0, 2, 0)[row],
        "words_copied": sum(w in source and w.isalpha() for w in target) / len(target),
        "types_copied": len(set(source) & set(target)) / len(source),
        "words_doubled": (1, 0, 0, 0)[row],
    }
    for name, letters in {
        "full_stops": ".", "commas": ",", "colons": ":", "semicolons": ";", "question_marks": "?",
        "exclamation_marks": "!", "brackets": "()[]{}", "quotes": "\"'“”„‘’«»", "dashes": "-–—",
    }.items():  # fmt: skip
        found[f"{name}_more"] = sum(c in letters for c in b) - sum(c in letters for c in a)
    for side, tokens in (("source", source), ("target", target)):
        number = len(tokens)
        found[f"{side}_numeric"] = sum(any(c.isdigit() for c in w) for w in tokens) / number
        found[f"{side}_capitalised"] = sum(w[0] != w[0].lower() for w in tokens) / number
        found[f"{side}_alphabetic"] = sum(w.isalpha() for w in tokens) / number
    return found


def frequencies(row, resources) -> dict:
    found = {}
    for side, words in zip(("source", "target"), texts(row)[2:], strict=True):
        for length, name in enumerate(("unigrams", "bigrams", "trigrams"), 1):
            own = plainly.ngrams(words, length)
            quartiles = [plainly.quartile(side, ngram) for ngram in own]
            for cut in range(5):
                found[f"{side}_{name}_frequency_{cut}"] = share(quartiles.count(cut), len(own))
            occurs = plainly.corpus_counts(side, length)
            logs = sum(log10(1 + occurs[ngram]) for ngram in own)
            found[f"{side}_{name}_log_frequency"] = share(logs, len(own))
    return found


def language_model(row, resources) -> dict:
    found = {}
    per_token = {}
    models = {"source": resources.source_model, "target": resources.target_model}
    for side, words in zip(models, texts(row)[2:], strict=True):
        tokens = len(words) + 1  # the end is one
        for order in (1, 2, 3):
            total = models[side].score([words], order).log_probability.sum()
            found[f"{side}_log_probability_per_token_{order}"] = total / tokens
        logs = models[side].score([words]).log_probability.tolist()
        ends, _ = plainly.longest_known(side, words)
        for length in range(4):
            found[f"{side}_back_off_{length}"] = ends.count(length) / tokens
        found[f"{side}_least_log_probability"] = min(logs)
        found[f"{side}_log_probability_deviation"] = statistics.pstdev(logs)
        per_token[side] = sum(logs) / tokens
    found["log_probability_per_token_difference"] = per_token["target"] - per_token["source"]
    return found


def lexicon(row, resources) -> dict:
    _, _, source, target = texts(row)
    found = {}
    for side, other, table, words, others in (
        ("target", "source", resources.forward, target, source),
        ("source", "target", resources.backward, source, target),
    ):
        logs = [plainly.log_given(table, word, others) for word in words]
        best = [max(plainly.lexical(table, word, others)) for word in words]
        found[f"{side}_given_{other}"] = sum(logs)
        found[f"{side}_given_{other}_per_token"] = sum(logs) / len(words)
        found[f"{side}_best_translation"] = sum(best) / len(words)
        for threshold in (0.01, 0.1, 0.5):
            found[f"{side}_covered_{threshold}"] = sum(p > threshold for p in best) / len(words)
    for threshold in (0.01, 0.05, 0.1, 0.2, 0.5):
        number = [
            sum(p > threshold for p in resources.forward.translations(word).values())
            for word in source
        ]
        found[f"translations_above_{threshold}"] = sum(number) / len(source)
    return found


def alignment(row, resources) -> dict:
    source, target, *_ = texts(row)
    links = [tuple(map(int, link.split("-"))) for link in LINKS[row].split()]
    links.sort(key=lambda link: (link[1], link[0]))
    found = {"links_per_source_token": len(links) / len(source)}
    for at, (side, words) in enumerate((("source", source), ("target", target))):
        each = Counter(link[at] for link in links)
        number = len(words)
        found[f"{side}_unlinked"] = (number - len(each)) / number
        found[f"{side}_linked_twice"] = sum(n > 1 for n in each.values()) / number
        gaps = "".join(" " if i in each else "x" for i in range(number)).split()
        found[f"{side}_longest_gap"] = max(map(len, gaps), default=0) / number
    jumps = [b[0] - a[0] for a, b in pairwise(links)]
    found["links_backwards"] = share(sum(jump < 0 for jump in jumps), len(jumps))
    found["links_in_order"] = share(sum(jump == 1 for jump in jumps), len(jumps))
    found["jump"] = share(sum(map(abs, jumps)), len(jumps))
    off = [abs(s / len(source) - t / len(target)) for s, t in links]
    found["off_diagonal"] = share(sum(off), len(off))
    return found


def editing(row, resources) -> dict:
    return {name: values[row] for name, values in TIMES.items()}


def given(row, resources) -> dict:
    return {"feature_1": row + 1, "feature_inside": (0.5, 0.25, 0.0, -1.0)[row]}


def pseudo_references(row, resources) -> dict:
    found = {}
    for name in ("wer", "chrf"):
        for system, lines in OTHERS.items():
            found[f"{name}_against_{system}"] = score(name, TARGETS[row], lines[row])
        both = [found[f"{name}_against_{system}"] for system in OTHERS]
        found[f"{name}_against_others"] = sum(both) / 2
    return found


def score(metric: str, hypothesis: str, reference: str) -> float:
    own = metric_named(metric)
    return own.segment_values(own.statistics([(reference,)])((hypothesis,)))[0]


def agreement(row, resources) -> dict:
    """Each source of these is ranked once, so its other translations are none."""
    group = [other for other in range(4) if RANKING[other] == RANKING[row]]
    found = {"same_as_others": 0.0}
    means = {}
    for name in ("wer", "chrf"):
        for here in group:
            against = [
                score(name, TARGETS[here], TARGETS[other]) for other in group if other != here
            ]
            means[here] = share(sum(against), len(against))
            if here == row:
                found[f"{name}_others_high"] = max(against, default=0.0)
                found[f"{name}_others_low"] = min(against, default=0.0)
        found[f"{name}_others_mean"] = means[row]
        found[f"{name}_others_above"] = means[row] - sum(means.values()) / len(group)
    for length in range(1, 5):
        sets = {other: set(plainly.ngrams(texts(other)[3], length)) for other in group}
        others = [other for other in group if other != row]
        shared = sum(len(sets[row] & sets[other]) for other in others)
        found[f"ngrams_{length}_others"] = share(shared, len(sets[row]) * len(others))
    alone = {name.replace("_others", "_of_source"): 0.0 for name in found}
    del alone["same_as_of_source"]
    return found | alone


PLAIN = {
    "agreement": agreement,
    "alignment": alignment,
    "baseline": baseline,
    "baseline-quest": baseline_quest,
    "counts": counts,
    "editing": editing,
    "frequencies": frequencies,
    "given": given,
    "language-model": language_model,
    "lexicon": lexicon,
    "pseudo-references": pseudo_references,
}


@pytest.mark.parametrize("name", FAMILIES)
def test_columns_are_the_plain_ones(prepared, resources, name) -> None:
    if isinstance(FAMILIES[name], LearnedFamily):
        assert name in LEARNED  # tested below
        return
    frame = sentence_features(prepared, [name]).to_frame()
    for row in range(len(SOURCES)):
        expected = PLAIN[name](row, resources)
        assert frame.row(row, named=True) == pytest.approx(expected, abs=1e-12), row


def style(rows, gold, learned_from) -> list[dict]:
    """The style of rows, learned from others: patterns counted in the two outer thirds."""
    low, high = np.quantile([gold[row] for row in learned_from], (1 / 3, 2 / 3))
    found = [{} for _ in rows]
    for side, lines in (("source", SOURCES), ("target", TARGETS)):
        for unit, longest in (("words", 3), ("characters", 4)):
            split = [list(line.lower()) if unit == "characters" else line.lower().split()
                     for line in lines]  # fmt: skip
            for length in range(1, longest + 1):
                least, most = Counter(), Counter()
                for row in learned_from:
                    own = plainly.ngrams(split[row % 4], length)
                    if gold[row] <= low:
                        least.update(own)
                    elif gold[row] >= high:
                        most.update(own)
                totals = sum(least.values()), sum(most.values())
                for place, row in enumerate(rows):
                    own = plainly.ngrams(split[row % 4], length)
                    weights = [weight(least[n], most[n], *totals) for n in own]
                    tokens = len(split[row % 4])
                    name = f"style_{side}_{unit}_{length}"
                    found[place][f"{name}_weight"] = sum(weights) / tokens
                    found[place][f"{name}_low"] = sum(w > 0 for w in weights) / tokens
                    found[place][f"{name}_high"] = sum(w < 0 for w in weights) / tokens
    return found


def weight(a: int, b: int, all_a: int, all_b: int) -> float:
    share_of_low = share(all_a, all_a + all_b)
    expected = (a + b) * share_of_low
    spread = (expected * (1 - share_of_low)) ** 0.5
    if a + b < 5 or abs(share(a - expected, spread)) < 2:
        return 0.0
    return log((a + 0.5) / (all_a + 1)) - log((b + 0.5) / (all_b + 1))


def changes(rows, gold, learned_from) -> list[dict]:
    """Rates of words, which back off; odd words of a row are changed where its gold is high."""
    words = [TARGETS[row % 4].lower().split() for row in range(len(gold))]
    changed = [
        [i % 2 * (gold[row] > 0.5) for i in range(len(words[row]))] for row in range(len(gold))
    ]
    linked = []
    for row, own in enumerate(words):
        pairs = [link.split("-") for link in LINKS[row % 4].split()]
        source = SOURCES[row % 4].lower().split()
        linked.append([
            " ".join([word, *(source[int(s)] for s, t in pairs if int(t) == i)])
            for i, word in enumerate(own)
        ])  # fmt: skip
    flat = [c for row in learned_from for c in changed[row]]
    rate = sum(flat) / len(flat)

    def of(kind: str, row: int, i: int) -> tuple | None:
        own, length = words[row], int(kind[-1])
        if kind.startswith("linked"):
            return (linked[row][i],)
        if kind.startswith("before"):
            return tuple(own[i + 1 - length : i + 1]) if i + 1 >= length else None
        return tuple(own[i : i + length]) if i + length <= len(own) else None

    def learned(kind: str) -> dict:
        seen: dict = {}
        for row in learned_from:
            for i, was in enumerate(changed[row]):
                seen.setdefault(of(kind, row, i), []).append(was)
        return seen

    shorter = {"before_1": None, "before_2": "before_1", "before_3": "before_2", "after_1": None,
               "after_2": "after_1", "after_3": "after_2", "linked_1": "before_1"}  # fmt: skip
    seen = {kind: learned(kind) for kind in shorter}
    found = []
    for row in rows:
        rates: dict[str, list[float]] = {}
        for kind, back in shorter.items():
            rates[kind] = []
            for i in range(len(words[row])):
                key = of(kind, row, i)
                own = seen[kind].get(key, []) if key is not None else []
                less = rate if back is None else rates[back][i]
                rates[kind].append((sum(own) + 5 * less) / (len(own) + 5))
        del rates["after_1"]
        of_word = [sum(each) / len(rates) for each in zip(*rates.values(), strict=True)]
        number = len(of_word)
        means = {f"changed_{kind}": sum(each) / number for kind, each in rates.items()}
        found.append(means | {
            "changed_mean": sum(of_word) / number,
            "changed_highest": max(of_word),
            "changed_likely": sum(r > 1.3 * rate for r in of_word) / number,
        })  # fmt: skip
    return found


LEARNED = {"style": style, "changes": changes}


@pytest.mark.parametrize("name", LEARNED)
def test_learned_columns_are_the_plain_ones(table_of, name) -> None:
    """The four translations, many times, in three documents, with values that depend on them."""
    rows = 48
    gold = np.array([(row % 4) / 4 + row / 1000 for row in range(rows)])
    group = np.arange(rows) // 16
    tags = [
        ["BAD" if i % 2 and gold[row] > 0.5 else "OK" for i in range(len(TARGETS[row % 4].split()))]
        for row in range(rows)
    ]
    table = table_of(
        source=SOURCES * 12, target=TARGETS * 12, alignment=LINKS * 12, tags=tags
    )  # fmt: skip
    prepared = prepare(table)
    frame = from_other_documents(prepared, gold, group, [name]).to_frame()
    for document in range(3):
        own = [row for row in range(rows) if group[row] == document]
        others = [row for row in range(rows) if group[row] != document]
        for row, expected in zip(own, LEARNED[name](own, gold, others), strict=True):
            assert frame.row(row, named=True) == pytest.approx(expected, abs=1e-12), row
    family = FAMILIES[name]
    fitted = Fitted((family,), {name: family.learn(prepared, gold)})
    every = list(range(rows))
    frame = fitted.features(prepared).to_frame()
    for row, expected in zip(every, LEARNED[name](every, gold, every), strict=True):
        assert frame.row(row, named=True) == pytest.approx(expected, abs=1e-12), row
