"""Equal to the tools themselves on real texts: sacrebleu, mteval, Moses, tercom, GTM."""

import tarfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from adjudge.metrics.metric import metric_named

SACREBLEU = {
    "BLEU-13a": "bleu",
    "BLEU-13a-lc": "bleu(lowercase=yes)",
    "BLEU-13a-smooth-none": "bleu(smooth=none)",
    "BLEU-char": "bleu(tokenize=char)",
    "BLEU-intl": "bleu(tokenize=intl)",
    "BLEU-none": "bleu(tokenize=none)",
    "BLEU-zh": "bleu(tokenize=zh)",
    "chrF2": "chrf",
    "chrF2++": "chrf++",
    "chrF2+ws": "chrf(whitespace=yes)",
    "chrF2-eps": "chrf(epsilon=yes)",
    "TER": "ter",
    "TER-normalized-no_punct-case_sensitive": "ter(normalize=yes,punctuation=no,case=yes)",
    "sentBLEU-exp-None-effective_order=True": "bleu(effective=yes)",
    "sentBLEU-add-k-None-effective_order=False": "bleu(smooth=add-k,effective=no)",
    "sentBLEU-floor-0.01-effective_order=True": "bleu(smooth=floor,value=0.01,effective=yes)",
}
SYSTEMS = {"segranks": {"cu-bojar", "onlineB"}, "ende": {"ONLINE-B", "ONLINE-W"}}


# Everything was taken on both sets but TER, which takes sacrebleu a minute.
TAKEN = [(d, theirs) for d in SYSTEMS for theirs in SACREBLEU if (d, theirs[:3]) != ("ende", "TER")]


@pytest.mark.parametrize(("dataset", "theirs"), TAKEN)
def test_sacrebleu(gold, dataset, theirs):
    metric = metric_named(SACREBLEU[theirs])
    rows = [
        row
        for row in gold.rows("sacrebleu-system.tsv")
        if row["dataset"] == dataset
        and row["metric"] == theirs
        and row["system"] in SYSTEMS[dataset]
    ]
    assert rows
    counted = metric.statistics([gold.reference(dataset)])
    for row in rows:
        counts = counted(gold.system(dataset, row["system"]))
        of_segments = row["level"] == "segment-mean"
        score = (
            metric.segment_values(counts).mean()
            if of_segments
            else metric.values(counts.sum(axis=0))
        )
        assert score == pytest.approx(float(row["score"]), abs=1e-9)
        assert metric.peer_signature(1) == row["signature"]


@pytest.mark.parametrize(
    ("signature", "statistic", "column"),
    [
        ("wer(tokenize=none)", 0, "wer_cost"),
        ("cder(tokenize=none)", 0, "cder_cost"),
        ("per(tokenize=none)", 0, "per_correct"),
        ("moses-ter", 0, "moses_ter_edits"),
    ],
)
def test_moses_counts(gold, signature, statistic, column):
    expected = gold.columns("multeval/segments.baseline.opt0.tsv.gz")[column]
    counted = metric_named(signature).statistics([gold.reference("multeval")])
    counts = counted(gold.system("multeval", "baseline.opt0"))
    assert (counts[:, statistic] == expected).all()


@pytest.mark.parametrize("name", ["WER", "PER", "CDER", "TER"])
def test_moses_corpus_scores(gold, name):
    metric = metric_named("moses-ter" if name == "TER" else f"{name.lower()}(tokenize=none)")
    counts = metric.statistics([gold.reference("multeval")])(
        gold.system("multeval", "baseline.opt0")
    )
    printed = next(
        float(row["value"])
        for row in gold.rows("moses-system.tsv")
        if (row["dataset"], row["system"]) == ("multeval", "baseline.opt0")
        and row["score"] == f"Moses {name} (1-{name})"
    )
    assert 1 - metric.values(counts.sum(axis=0)) / 100 == pytest.approx(printed, abs=1e-6)


def _several(gold):
    references = [gold.texts(f"metrics-gold/multeval-set1/reference.{i}.txt.gz") for i in range(4)]
    return (
        references,
        gold.system("set1", "out0"),
        gold.columns("multeval-set1/segments.out0.tsv.gz"),
    )


def _single(gold):
    expected = gold.columns("multeval/segments.baseline.opt0.tsv.gz")
    return [gold.reference("multeval")], gold.system("multeval", "baseline.opt0"), expected


@pytest.mark.parametrize("texts", [_single, _several])
@pytest.mark.parametrize(
    ("signature", "column", "scale", "tolerance"),
    [
        ("sentbleu(tokenize=none)", "sentbleu_add1", 100, 1e-6),
        ("nist", "mteval_13a-c_NIST", 1, 1e-6),
        ("bleu(effective=mteval)", "mteval_13a-c_BLEU", 100, 1e-8),
        *[
            (f"gtm(tokenize=none,exponent={e})", f"gtm_e{e}_F", 1, 1e-8)
            for e in ("1.0", "1.2", "2.0", "3.0")
        ],
    ],
)
def test_every_segment(gold, texts, signature, column, scale, tolerance):
    references, outputs, expected = texts(gold)
    metric = metric_named(signature)
    scores = metric.segment_values(metric.statistics(references)(outputs)) / scale
    assert np.abs(scores - expected[column]).max() < tolerance


@pytest.mark.parametrize(("name", "tokenize"), [("13a-c", "13a"), ("intl-c", "mteval-intl")])
@pytest.mark.parametrize("metric", ["NIST", "BLEU"])
def test_mteval_systems(gold, name, tokenize, metric):
    row = next(
        row
        for row in gold.rows("mteval-system.tsv")
        if (row["dataset"], row["variant"], row["system"]) == ("ende", name, "AIRC")
    )
    ours = metric_named(f"{metric.lower()}(tokenize={tokenize})")
    counts = ours.statistics([gold.reference("ende")])(gold.system("ende", "AIRC"))
    score = ours.values(counts.sum(axis=0)) / (100 if metric == "BLEU" else 1)
    assert score == pytest.approx(float(row[metric]), abs=1e-11)


def test_tercom_differs_only_where_it_is_known_to(gold):
    rows = gold.rows("tercom-vs-sacrebleu.tsv")
    row = next(
        row for row in rows if (row["dataset"], row["system"]) == ("multeval", "baseline.opt0")
    )
    references, outputs, expected = _single(gold)
    metric = metric_named("ter")
    counts = metric.statistics(references)(outputs)
    differing = (counts[:, 0] != expected["tercom_edits"]).sum()
    assert differing == int(row["segments_with_other_edits"]) == 3
    assert metric.values(counts.sum(axis=0)) / 100 == pytest.approx(float(row["sacrebleu_TER"]))


def test_gtm_passes_nyus_own_sanity_tests(gold):
    texts = {
        (row["file"], row["document"], row["segment"]): row["text"]
        for row in gold.rows("gtm-sanity/texts.tsv")
    }
    rows = gold.rows("gtm-sanity/expected.tsv")
    checked = 0
    for row in rows:
        if not row["segment"].isdecimal():
            continue
        place = (row["document"], row["segment"])
        metric = metric_named(f"gtm(tokenize=none,exponent={row['exponent']})")
        references = [(texts[(name, *place)],) for name in row["references"].split(",")]
        counts = metric.statistics(references)((texts[(row["hypothesis"], *place)],))
        assert metric.segment_values(counts)[0] == pytest.approx(float(row["F"]), abs=1e-8)
        checked += 1
    assert checked > 100


@pytest.mark.parametrize("texts", [_single, _several])
def test_beer_with_its_published_model(gold, texts):
    model = gold.folder / "beer-params/beer-2.0-default-model.tsv"
    if not model.exists():
        pytest.skip("no model of BEER among the real data")
    references, outputs, expected = texts(gold)
    metric = metric_named(f"beer(model={model})")
    scores = metric.segment_values(metric.statistics(references)(outputs))
    column = "beer2" if len(references) == 1 else "beer2_max_over_refs"
    assert np.abs(scores - expected[column]).max() < 1e-12


@pytest.mark.parametrize(("fifth", "column"), [("smoothed", "bleu_nrc_A"), ("plain", "bleu_nrc_B")])
def test_both_readings_of_bleu_nrc(gold, fifth, column):
    references, outputs, expected = _single(gold)
    metric = metric_named(f"bleu-nrc(tokenize=none,fifth={fifth})")
    scores = metric.segment_values(metric.statistics(references)(outputs)) / 100
    assert np.abs(scores - expected[column]).max() < 1e-9


def test_meteors_own_example_and_its_normalisation(gold, meteor_jar):
    folder = "metrics-gold/meteor-example"
    outputs, reference = (
        gold.texts(f"{folder}/{name}.txt.gz") for name in ("system1.hyp", "reference")
    )
    metric = metric_named(f"meteor(resources={meteor_jar})")
    counts = metric.statistics([reference])(outputs)
    assert metric.values(counts.sum(axis=0)) == pytest.approx(0.2987914187556954, abs=1e-12)
    for name, lines in (("system1", outputs), ("reference", reference)):
        normalised = gold.texts(f"metrics-gold/meteor-normalizer/meteorex.{name}.en.txt.gz")
        ours = replace(metric, lowercase=False)._split(lines)
        assert ours == [line.split() for line in normalised]


METEOR = {
    "exact": "en-exact",
    "exact+stem": "en-exact-stem",
    "exact+stem+synonym": "en-exact-stem-syn",
    "exact+stem+synonym+paraphrase": "en-full",
}


@pytest.mark.parametrize("modules", METEOR)
def test_meteor_as_shipped(gold, meteor_jar, modules):
    table = meteor_jar.parent / "data" / "paraphrase-en.gz"
    name = METEOR[modules]
    references, outputs, _ = _single(gold)
    expected = gold.columns(f"multeval/meteor/{name}/baseline.opt0.tsv.gz")
    metric = metric_named(
        f"meteor(modules={modules},normalize=no,lowercase=no,resources={meteor_jar},"
        f"paraphrases={table})"
    )
    counts = metric.statistics(references)(outputs)
    scores = metric.segment_values(counts)
    assert np.abs(scores - expected["score"]).max() < 1e-9
    whole = next(
        float(row["score"])
        for row in gold.rows("meteor-system.tsv")
        if (row["dataset"], row["variant"], row["system"]) == ("multeval", name, "baseline.opt0")
    )
    assert metric.values(counts.sum(axis=0)) == pytest.approx(whole, abs=1e-9)


@pytest.mark.skipif(
    not Path("/usr/share/wordnet/index.noun").exists(), reason="no WordNet (wordnet-base)"
)
def test_debians_wordnet_has_the_synonyms_of_the_jar(gold, meteor_jar):
    references, outputs, _ = _single(gold)
    jar, wordnet = (
        metric_named(f"meteor(resources={meteor_jar},synonyms={each})")
        for each in ("jar", "wordnet")
    )
    counts = jar.statistics(references)(outputs)
    assert counts[:, 12].sum() > 500
    assert (wordnet.statistics(references)(outputs) == counts).all(axis=1).sum() >= 2488


def test_hter_of_wmt17(gold):
    """HTER of 3,000 lines of the quality estimation task of WMT17, to six digits."""
    archive = gold.data / "quality/wmt17-qe-en-de/wmt17-qe-en-de.tar.xz"
    if not archive.exists():
        pytest.skip("no WMT17 data")
    wanted = {f"{part}/{end}" for part in ("dev", "test") for end in ("mt", "pe", "hter")}
    texts = {}
    with tarfile.open(archive) as packed:
        for member in packed:
            if member.name in wanted:
                lines = packed.extractfile(member).read().decode().rstrip("\n").split("\n")
                texts[member.name] = tuple(lines)
    metric = metric_named("hter")
    for part, number in (("dev", 1000), ("test", 2000)):
        counted = metric.statistics([texts[f"{part}/pe"]])(texts[f"{part}/mt"])
        scores = metric.segment_values(counted) / 100
        expected = np.array(texts[f"{part}/hter"], float)
        assert len(scores) == number
        assert np.abs(scores - expected).max() < 6e-7


def test_hter_of_mlqe_pe(gold):
    """Every segment of the development set, to the six digits that are printed."""
    archive = gold.data / "mlqe-pe/en-de/dev.tar.gz"
    if not archive.exists():
        pytest.skip("no MLQE-PE among the real data")
    with tarfile.open(archive) as packed:
        texts = {
            end: packed.extractfile(f"en-de-dev/dev.{end}").read().decode().rstrip("\n").split("\n")
            for end in ("mt", "pe", "hter")
        }
    metric = metric_named("hter")
    scores = metric.segment_values(metric.statistics([tuple(texts["pe"])])(tuple(texts["mt"])))
    assert np.abs(scores / 100 - np.array(texts["hter"], float)).max() < 6e-7
