"""BEER trained on preferences of WMT13, tried on those of WMT14 into English (thesis Table 4.4).

Kendall's τ of segments as in WMT14, (right − wrong) / all, over the preferences of people. METEOR's
scores are the jar's. With METEOR's jar (in the package pycocoevalcap) words match by stems and
synonyms too, without it only if they are the same. Takes several minutes.
"""

import gzip
import os
import tarfile
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import adjudge
from adjudge.api.texts import Texts
from adjudge.data.comparisons import Comparisons, by_pair, compare
from adjudge.metrics.combination import preferred
from adjudge.metrics.metric import Floats

DATA = Path(os.environ.get("ADJUDGE_SHARED_DATA", Path(__file__).parents[2] / "shared" / "data"))
HISTORY = DATA / "metaeval" / "history"
TRAINED_ON = ("cs-en", "de-en", "es-en", "fr-en")
TRIED_ON = ("fr-en", "de-en", "hi-en", "cs-en", "ru-en")


def _lines(archive: tarfile.TarFile, name: str) -> list[str]:
    stream = archive.extractfile(name)
    assert stream is not None
    return stream.read().decode().removesuffix("\n").split("\n")


def wmt13(pair: str) -> Texts:
    """The outputs of WMT13; systems are called as in the preferences."""
    folder = DATA / "newstest2013"
    with tarfile.open(folder / "references.tar.xz") as archive:
        reference = _lines(archive, "references/newstest2013-ref.en")
    with tarfile.open(folder / f"{pair}.tar.xz") as archive:
        files = [member.name for member in archive.getmembers() if member.isfile()]
        systems = {name.partition("/")[2]: _lines(archive, name) for name in files}
    return adjudge.from_texts(systems, [reference], pair=pair)


def wmt14(pair: str) -> Texts:
    """The outputs of WMT14."""
    root = "wmt14-data/txt"
    with tarfile.open(HISTORY / "wmt14-texts" / "wmt14-data-txt.tar.gz") as archive:
        name = f"{root}/references/newstest2014-{pair.replace('-', '')}-ref.en"
        reference = _lines(archive, name)
        folder = f"{root}/system-outputs/newstest2014/{pair}/newstest2014."
        files = [name for name in archive.getnames() if name.startswith(folder)]
        systems = {
            name.removeprefix(folder).removesuffix(f".{pair}"): _lines(archive, name)
            for name in files
        }
    return adjudge.from_texts(systems, [reference], pair=pair)


def tau(texts: Texts, scores: Floats, people: Comparisons) -> float:
    """(right − wrong) / all preferences; a tie of the metric is neither."""
    line, better, worse = preferred(people, texts.systems, len(texts))
    return float(np.sign(scores[line, better] - scores[line, worse]).mean())


def meteor_scores(pair: str, texts: Texts) -> Floats:
    """The jar's own scores of segments."""
    scores = np.zeros((len(texts), len(texts.systems)))
    place = {name: number for number, name in enumerate(texts.systems)}
    with gzip.open(HISTORY / "wmt14-into-english" / "METEOR-1.5.seg.score.gz", "rt") as stream:
        for row in stream:
            _, direction, _, system, segment, score = row.rstrip("\n").split("\t")
            if direction == pair:
                scores[int(segment) - 1, place[system]] = float(score)
    return scores


def main() -> None:
    """Train, try and print."""
    if not HISTORY.is_dir():
        print("  no real data here (docs/test-data.md)")
        return
    package = find_spec("pycocoevalcap")
    folders = [] if package is None else list(package.submodule_search_locations or [])
    resources = "".join(str(Path(each) / "meteor" / "meteor-1.5.jar") for each in folders[:1])
    modules = "exact+stem+synonym" if resources else "exact"
    trained = adjudge.train_beer(
        [wmt13(pair) for pair in TRAINED_ON],
        str(HISTORY / "wmt13" / "preferences.tsv.gz"),
        modules=modules,
        resources=resources,
    )
    print(f"BEER 2014 ({modules}), {trained.preferences:,} preferences of WMT13")
    print(f"  τ on segments left out: {np.mean(trained.tau):.3f}")
    judged = adjudge.read(str(HISTORY / "wmt14-into-english" / "preferences.tsv.gz"))
    people = {pair: compare(table) for pair, table in by_pair(judged.table)}
    rows: dict[str, list[float]] = {"BEER": [], "METEOR": [], "sentBLEU": []}
    with TemporaryDirectory() as folder:
        model = str(Path(folder) / "beer.tsv")
        trained[0].save(model)
        beer = f"beer(model={model},resources={resources})"
        for pair in TRIED_ON:
            texts = wmt14(pair)
            rows["METEOR"].append(tau(texts, meteor_scores(pair, texts), people[pair]))
            for name, metric in (("BEER", beer), ("sentBLEU", "sentbleu(tokenize=intl)")):
                scores = texts.segment_scores(metric)[0].measured.segment_scores()
                rows[name].append(tau(texts, scores, people[pair]))
    print(f"  {'':9}" + "".join(f"{pair:>8}" for pair in (*TRIED_ON, "mean")))
    for name, taus in rows.items():
        print(f"  {name:9}" + "".join(f"{value:8.3f}" for value in (*taus, np.mean(taus))))


if __name__ == "__main__":
    main()
