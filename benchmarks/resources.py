"""Resources and features for quality estimation: how long they take, how near QuEst's they are.

100,000 pairs of lines of Europarl (docs/test-data.md), one core: language models of order 3 beside
KenLM's lmplz (where that program is on the PATH) and beside plain Python; IBM Model 1, five
passes, beside plain Python; then all resources, and the features of WMT17's 23,000 training lines.
Last, the 17 features of WMT12's training lines beside those that were given out: no public corpus
is the one they were made from, so ranks are compared. Times are of one processor; plain Python is
timed on fewer lines and its time is scaled up.
"""

import lzma
import os
import resource
import shutil
import subprocess
import tarfile
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np
import polars as pl
from scipy.stats import spearmanr
from tests.text.plain_kneser_ney import PlainModel

from adjudge.metrics.tokenizer import Tokens, split
from adjudge.quality.features.extraction import fit, sentence_features, word_features
from adjudge.quality.features.inputs import prepare
from adjudge.quality.reading import read_quality
from adjudge.quality.translations import document_groups
from adjudge.text.resources import lexical_table
from adjudge.text.resources.bundle import Recipe, Resources, train
from adjudge.text.resources.corpus import encode
from adjudge.text.resources.language_model import kneser_ney
from adjudge.text.resources.language_model.arpa import read_arpa
from adjudge.text.resources.language_model.model import LanguageModel

DATA = Path(os.environ.get("ADJUDGE_SHARED_DATA", Path(__file__).parents[2] / "shared" / "data"))
FEW = 5_000  # lines for plain Python


def main() -> None:
    """Time and compare."""
    if not (DATA / "corpora" / "europarl-en-es-de").is_dir():
        print(f"no data at {DATA}; set ADJUDGE_SHARED_DATA to its folder")
        return
    english, spanish, german = (tokens_of(language) for language in ("en", "es", "de"))
    models(english)
    tables(english, spanish)
    to_spanish = all_resources(english, spanish)
    to_german = train(english, german, Recipe("", "", "13a", True))
    with TemporaryDirectory() as folder:
        features_of_wmt17(unpacked("wmt17-qe-en-de", folder), to_german)
        beside_quest(unpacked("wmt12-qe", folder), to_spanish)


def tokens_of(language: str) -> Tokens:
    """The lines of one language, tokenised."""
    path = DATA / "corpora" / "europarl-en-es-de" / f"europarl.{language}.xz"
    with lzma.open(path, "rt", encoding="utf-8") as stream:
        lines = tuple(stream.read().split("\n")[:-1])
    return split(lines, "13a", True)


def seconds(work: Callable[[], object]) -> float:
    """How long it takes, of one processor."""
    start = process_time()
    work()
    return process_time() - start


def models(english: Tokens) -> None:
    """One language model, three ways."""
    corpus = encode(english)
    ours = seconds(lambda: kneser_ney.train(corpus, 3))
    print(f"language model, order 3, {len(english):,} lines, {len(corpus.word):,} tokens")
    print(f"  adjudge       {ours:7.1f} s")
    lmplz = shutil.which("lmplz")
    if lmplz is None:
        print("  lmplz is not on the PATH")
    else:
        text = "\n".join(map(" ".join, english)).encode()
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        options = [lmplz, "-o", "3", "-S", "1G", "--skip_symbols"]
        written = subprocess.run(options, input=text, capture_output=True, check=True).stdout
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        theirs = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(
            f"  lmplz         {theirs:7.1f} s, ratio {theirs / ours:.1f} (it writes an ARPA file)"
        )
        beside_lmplz(english, kneser_ney.train(corpus, 3), written)
    plain = seconds(lambda: PlainModel(english[:FEW], 3)) * len(english) / FEW
    print(f"  plain Python  {plain:7.1f} s, ratio {plain / ours:.1f} (scaled from {FEW:,} lines)")


def beside_lmplz(english: Tokens, ours: LanguageModel, written: bytes) -> None:
    """How far the probabilities of all tokens are from those of lmplz."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "lmplz.arpa"
        file.write_bytes(written)
        theirs = read_arpa(str(file))
    scores = [model.score(english).log_probability for model in (ours, theirs)]
    same = ours.ngrams() == theirs.ngrams()
    print(f"                the same n-grams: {same}; log10 probabilities of all tokens differ by")
    print(f"                {np.abs(scores[0] - scores[1]).max():.1e} at most")


def tables(english: Tokens, spanish: Tokens) -> None:
    """One lexical table, two ways."""
    corpora = (encode(english), encode(spanish))
    lexical_table.train(encode(english[:9]), encode(spanish[:9]))  # compiles, or loads
    ours = seconds(lambda: lexical_table.train(corpora[0], corpora[1], 5))
    few = FEW // 5
    plain = seconds(lambda: plain_model_1(english[:few], spanish[:few])) * len(english) / few
    print(f"IBM Model 1, five passes over {len(english):,} pairs of lines")
    print(f"  adjudge       {ours:7.1f} s")
    print(f"  plain Python  {plain:7.1f} s, ratio {plain / ours:.1f} (scaled from {few:,} lines)")


def plain_model_1(source: Sequence[Sequence[str]], target: Sequence[Sequence[str]]) -> object:
    """IBM Model 1 with dictionaries, five passes."""
    t: dict[tuple[str, str], float] = defaultdict(lambda: 1.0)
    for _ in range(5):
        counts: dict[tuple[str, str], float] = defaultdict(float)
        totals: dict[str, float] = defaultdict(float)
        for own, other in zip(source, target, strict=True):
            words = ["", *own]
            for word in other:
                total = sum(t[each, word] for each in words)
                for each in words:
                    part = t[each, word] / total
                    counts[each, word] += part
                    totals[each] += part
        t = {pair: count / totals[pair[0]] for pair, count in counts.items()}
    return t


def all_resources(source: Tokens, target: Tokens) -> Resources:
    """Two models, two tables of counts, two lexical tables."""
    start = process_time()
    resources = train(source, target, Recipe("", "", "13a", True))
    print(f"all resources of both languages: {process_time() - start:.1f} s")
    return resources


def unpacked(name: str, folder: str) -> Path:
    """The folder of an archive."""
    with tarfile.open(DATA / "quality" / name / f"{name}.tar.xz") as archive:
        archive.extractall(Path(folder) / name, filter="data")
    return Path(folder) / name


def features_of_wmt17(folder: Path, resources: Resources) -> None:
    """Every family that can be had."""
    table = read_quality([str(folder / "train")]).table
    gold, groups = table["hter"].to_numpy(), document_groups(table)
    rows = f"{len(table):,} lines of WMT17"
    start = process_time()
    features = sentence_features(prepare(table, resources))
    print(f"{len(features.columns)} features of {rows}: {process_time() - start:.1f} s")
    start = process_time()
    _, features = fit(prepare(table, resources), gold, groups, ["style"])
    print(f"{len(features.columns)} learned features of style: {process_time() - start:.1f} s")
    start = process_time()
    words = word_features(prepare(table, resources))
    took = process_time() - start
    print(f"{len(words.columns)} features of its {words.rows:,} words: {took:.1f} s")


def beside_quest(folder: Path, resources: Resources) -> None:
    """Ours and theirs, column by column."""
    table = read_quality([str(folder / "train")]).table
    ours = sentence_features(prepare(table, resources), ["baseline-quest"])
    given = table.select(pl.col(f"feature_{n}") for n in range(1, 18)).to_numpy()
    print(f"the 17 features of WMT12, {len(table):,} training lines, beside those given out")
    print("  column                              equal   Spearman")
    for number, name in enumerate(ours.names):
        mine, theirs = ours.numbers[:, number], given[:, number]
        equal = np.isclose(mine, theirs, rtol=1e-5).mean()
        rho = spearmanr(mine, theirs).statistic
        print(f"  {number + 1:2} {name:32} {equal:6.1%}   {rho:8.3f}")
