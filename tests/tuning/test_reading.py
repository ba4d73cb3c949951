"""Lists of candidates from files: every layout, and what is refused."""

import json

import numpy as np
import pytest

from adjudge.core.errors import BadParameter, InputError
from adjudge.core.files.input_file import InputFile
from adjudge.tuning.candidate_statistics import count
from adjudge.tuning.objective import tunable
from adjudge.tuning.pool import pooled, refuse_useless
from adjudge.tuning.read_nbest import extracted_pool, read_candidates, read_references

TWO = "0 ||| a b ||| d= 0 -1.5 lm= -3 ||| -4\n0 ||| b a ||| d= 1 -2 lm= -4 ||| -5\n"


@pytest.fixture
def listed(tmp_path):
    """The list of a file with this text."""

    def read(text, name="list"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return read_candidates(InputFile(tmp_path / name))

    return read


@pytest.mark.parametrize(
    "text",
    [
        "0||| a b  ||| d= 0 -1.5 lm= -3 ||| -4\n",
        "0 ||| a b ||| d: 0 -1.5 lm: -3 ||| -4\n",
        "0 ||| a b ||| d_0=0 d_1=-1.5 lm_0=-3 ||| -4\n",
        "0 ||| a b ||| d= 0 -1.5 lm= -3 ||| -4 ||| 0-0 1-1\n",
        "0 ||| a |0-0| b |1-2| ||| d= 0 -1.5 lm= -3 ||| -4 ||| 0=0 1-2=1\n",
        "0 ||| a |0-0,wa=0-0| b |1-2,wa=0-0 1-0,total=-1| ||| d= 0 -1.5 lm= -3 ||| -4\n",
    ],
)
def test_moses_layouts(listed, text):
    candidates = listed(text)
    assert candidates.names == ("d_0", "d_1", "lm_0")
    assert candidates.features.tolist() == [[0, -1.5, -3]]
    assert candidates.texts == ("a b",)


def test_values_without_labels(listed):
    assert listed("0 ||| a ||| -126.855 -5.823\n").names == ("feature_0", "feature_1")


def test_a_name_with_an_underscore_is_a_feature_like_any_other(listed):
    # Moses takes it for a sparse one, and all weights come out as nan.
    candidates = listed("0 ||| a ||| my_lm= -3 ||| 1\n0 ||| b ||| my_lm= -4 ||| 2\n")
    assert candidates.names == ("my_lm_0",)


def test_sentences_need_not_be_in_order(listed):
    candidates = listed("1 ||| c ||| f= 1\n0 ||| a ||| f= 2\n1 ||| d ||| f= 3\n")
    assert candidates.texts == ("a", "c", "d")
    assert candidates.starts.tolist() == [0, 1, 3]


def test_json_lines(listed):
    rows = [
        {"segment": 1, "text": "a", "features": {"lm": -1, "qe": 0.5}, "scores": {"comet": 0.8}},
        {"segment": 1, "text": "b", "features": {"qe": 0.25, "lm": -2}, "scores": {"comet": 0.7}},
    ]
    candidates = listed("\n".join(map(json.dumps, rows)))
    assert candidates.names == ("lm", "qe")
    assert candidates.features.tolist() == [[-1, 0.5], [-2, 0.25]]
    assert candidates.scores["comet"].tolist() == [0.8, 0.7]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (TWO.replace("1 -2 lm= -4", "1 -2"), "line 2: lacks feature lm_0, unlike line 1"),
        (TWO.replace("lm= -4", "lm= -4 w= 1"), "line 2: has feature w_0 besides"),
        (TWO.replace("d= 1 -2 lm= -4", "lm= -4 d= 1 -2"), "line 2: has features in another order"),
        (TWO.replace("d= 0", "d= nan"), "line 1: feature d_0 is not a finite number"),
        (TWO.replace("-4 |", "inf |"), "line 2: feature lm_0 is not a finite number"),
        (TWO.replace("-1.5", "x"), "line 1: 'x' is not a feature"),
        ("0 ||| a ||| ||| 1\n", "line 1: has no features"),
        ("0 ||| a ||| d= 1 d= 2 ||| 1\n", "line 1: has feature d_0 twice"),
        (TWO + "2 ||| a ||| d= 0 1 lm= 1\n", "sentence 1 has no candidates"),
        (TWO + "nonsense\n", "line 3: is not a candidate"),
        ("a plain text\n", "is not a list of candidates"),
        ('{"segment": 0, "text": "a", "features": {"f": 1}}', "segment 0 is not a line of a"),
        (
            '{"segment": 1, "text": "a", "features": {"f": true}}',
            "f is True, which is not a number",
        ),
        ('{"segment": 1, "text": "a", "features": {"f": NaN}}', "feature f is not a finite number"),
        ('{"segment": 1, "text": "a", "weights": {"f": 1}}', "unknown key 'weights'"),
        ('{"segment": 1, "text": "a", "features": {"f": 1}', "line 1: is not a JSON object"),
        ("FEATURES_TXT_BEGIN_0 0 2 1 f\n1\nFEATURES_TXT_END_0\n", "ends after 1 of 2"),
        ("FEATURES_TXT_BEGIN_0 0 1 1 f\n1\n", "breaks off before the last"),
        ("FEATURES_TXT_BEGIN_0 0 1 1 f\n1 2\nFEATURES_TXT_END_0\n", "has 2 values for 1 features"),
    ],
)
def test_bad_input_is_refused_with_its_place(listed, text, said):
    with pytest.raises(InputError) as refused:
        listed(text)
    assert said in str(refused.value)
    assert "list" in str(refused.value)


def test_references_of_another_length(listed, tmp_path):
    candidates = listed(TWO)
    with pytest.raises(InputError, match="candidates of 1 sentences, the reference has 2 lines"):
        count([candidates], [tunable("bleu")], [("a b", "c d")])
    for name, text in (("one", "a\n"), ("two", "a\nb\n")):
        (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=r"has 2 lines, .* has 1; references must be parallel"):
        read_references([str(tmp_path / "one"), str(tmp_path / "two")])


def test_lists_of_one_pool_must_fit(listed):
    first = listed(TWO)
    other = listed(TWO.replace("lm=", "ilm="), "other")
    longer = listed(TWO + "1 ||| a ||| d= 0 1 lm= 1\n", "longer")
    statistics, objective = count([first], [tunable("wer")], [("a b",)])
    with pytest.raises(InputError, match="other: lacks feature lm_0, unlike"):
        pooled([first, other], statistics * 2, objective)
    with pytest.raises(InputError, match="longer: has 2 sentences"):
        pooled([first, longer], statistics * 2, objective)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("0 ||| a ||| f= 1\n", "one candidate only"),
        ("0 ||| a ||| f= 1\n0 ||| b ||| f= 1\n", "equal features"),
        ("0 ||| c ||| f= 1\n0 ||| b ||| f= 2\n", "equally good by wer"),
    ],
)
def test_a_pool_in_which_nothing_can_be_chosen(listed, text, said):
    candidates = listed(text)
    statistics, objective = count([candidates], [tunable("wer")], [("a",)])
    with pytest.raises(BadParameter, match=said):
        refuse_useless(pooled([candidates], statistics, objective))


def test_given_scores_are_means(listed):
    rows = [
        {"segment": s, "text": "", "features": {"f": f}, "scores": {"qe": q}}
        for s, f, q in ((1, 1, 0.5), (1, 2, 0.7), (2, 1, 0.1), (2, 3, 0.2))
    ]
    candidates = listed("\n".join(map(json.dumps, rows)))
    statistics, objective = count([candidates], [tunable("scores:qe")], [])
    pool = pooled([candidates], statistics, objective)
    assert pool.score(np.array([1.0])) == pytest.approx(0.45)
    assert pool.score(np.array([-1.0])) == pytest.approx(0.3)
    with pytest.raises(InputError, match="no scores called 'comet'; there are: qe"):
        count([candidates], [tunable("scores:comet")], [])


def test_statistics_must_belong_to_the_features(tmp_path):
    (tmp_path / "f").write_text("FEATURES_TXT_BEGIN_0 0 2 1 f \n1 \n2 \nFEATURES_TXT_END_0\n")
    (tmp_path / "s").write_text("SCORES_TXT_BEGIN_0 0 1 2 WER\n1 2 \nSCORES_TXT_END_0\n")
    with pytest.raises(InputError, match="statistics of 1 candidates"):
        extracted_pool([read_candidates(InputFile(tmp_path / "f"))], [str(tmp_path / "s")])
    (tmp_path / "s").write_text("SCORES_TXT_BEGIN_0 0 2 1 BEER\n1 \n1 \nSCORES_TXT_END_0\n")
    with pytest.raises(InputError, match="statistics of BEER; known are BLEU"):
        extracted_pool([read_candidates(InputFile(tmp_path / "f"))], [str(tmp_path / "s")])
