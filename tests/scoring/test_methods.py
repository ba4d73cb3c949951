"""What every official analysis must do, and what they are known to do wrong."""

import numpy as np
import polars as pl
import pytest
from numpy.typing import ArrayLike

import adjudge
from adjudge.core.errors import BadParameter
from adjudge.scoring.method import SCORE_METHODS


def scores(means: dict[str, ArrayLike], segments: int = 30, seed: int = 1) -> pl.DataFrame:
    """Two domains of some segments each; `means` are of a system in both domains."""
    random = np.random.default_rng(seed)
    rows = [
        (system, domain, f"{domain}{segment // 5}", f"{domain}{segment}", mean + noise)
        for system, by_domain in means.items()
        for domain, mean in zip(("news", "social"), np.broadcast_to(by_domain, 2), strict=True)
        for segment, noise in enumerate(random.normal(0, 4, segments))
    ]
    names = ("system", "domain", "document", "segment", "score")
    return pl.DataFrame(rows, schema=names, orient="row")


@pytest.mark.parametrize("name", SCORE_METHODS)
def test_methods_order_systems_whatever_the_order_of_rows(name: str) -> None:
    table = scores({"b": 70, "a": 90, "c": 50})
    method = SCORE_METHODS[name]
    assert set(method.columns) <= set(table.columns)
    found, shuffled = method.rank(table), method.rank(table.sample(fraction=1, shuffle=True))
    assert found.method == name
    assert found.systems == shuffled.systems == ("a", "b", "c")
    np.testing.assert_allclose(found.scores, shuffled.scores)
    np.testing.assert_allclose(found.p, shuffled.p)
    np.testing.assert_allclose(found.scores, [90, 70, 50], atol=2)
    if name != "mqm":  # which tests nothing
        assert found.cluster.tolist() == [1, 2, 3]
        assert found.rank_low.tolist() == found.rank_high.tolist() == [1, 2, 3]


@pytest.mark.parametrize("name", SCORE_METHODS)
def test_several_scores_of_an_output_count_once(name: str) -> None:
    table = scores({"a": 70, "b": 60})
    again = table.filter(pl.col("system") == "a").head(10)
    once, twice = (SCORE_METHODS[name].rank(part) for part in (table, pl.concat([table, again])))
    np.testing.assert_allclose(once.scores, twice.scores)


def test_wmt24_calls_systems_different_that_domains_order_both_ways() -> None:
    table = scores({"a": (80, 60.2), "b": (60, 80)}, segments=60)
    found = SCORE_METHODS["wmt24-esa"].rank(table)
    assert abs(found.scores[0] - found.scores[1]) < 1
    assert found.p[0, 1] < 0.001


def test_scores_of_files_are_ranked_by_name() -> None:
    table = scores({"a": (80, 60.2), "b": (60, 80)})
    read = adjudge.from_scores(
        system=table["system"].to_list(),
        segment=table["segment"].to_list(),
        document=table["document"].to_list(),
        score=table["score"].to_list(),
    )
    domains = {name: name.rstrip("0123456789") for name in table["document"].unique()}
    found, expected = (
        read.official("wmt24-esa", domains=domains)[0],
        SCORE_METHODS["wmt24-esa"].rank(table),
    )
    assert found.systems == expected.systems
    np.testing.assert_allclose(found.scores, expected.scores)
    np.testing.assert_allclose(found.p, expected.p)
    assert "wmt24-esa, macro average" in read.official("wmt24-esa", domains=domains).render()
    with pytest.raises(BadParameter, match="needs the domain of every document"):
        read.official("wmt24-esa")
    with pytest.raises(BadParameter, match="lacks document 'news0'"):
        read.official("wmt24-esa", domains={k: v for k, v in domains.items() if k != "news0"})
    with pytest.raises(BadParameter, match="wmt24-eas"):
        read.official("wmt24-eas")
