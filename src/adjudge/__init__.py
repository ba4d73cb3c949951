"""Human evaluation of machine translation: from judgements to rankings with their uncertainty.

    import adjudge

    judgements = adjudge.read("judgements.xml.gz")
    ranking = judgements.select(pair="fre-eng").rank()
    ranking.to_frame()

Nothing is imported before it is used: `import adjudge` takes no time.
"""

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjudge.core.files.kernel_cache import choose_kernel_cache
from adjudge.core.version import __version__

choose_kernel_cache(Path(__file__).parent)  # before anything imports Numba

if TYPE_CHECKING:
    from adjudge.api.beer import train_beer
    from adjudge.api.coverage import coverage
    from adjudge.api.decoder_tuning import tune_decoder
    from adjudge.api.edits import Edits
    from adjudge.api.judgements import Judgements
    from adjudge.api.labels import label_agreement
    from adjudge.api.metaeval_package import check_submission, collect_submissions, metrics_task
    from adjudge.api.metric_scores import MetricScoreFiles, read_metric_scores
    from adjudge.api.nbest_io import read_candidates
    from adjudge.api.quality_evaluation import evaluate_quality
    from adjudge.api.quality_features import quality_features
    from adjudge.api.quality_order import annotation_order
    from adjudge.api.quality_report import quality_gain, quality_report
    from adjudge.api.quality_resources import train_resources
    from adjudge.api.quality_training import predict_quality, quality_model, train_quality
    from adjudge.api.reading import (
        from_comparisons,
        from_rankings,
        from_scores,
        read,
        simulate,
    )
    from adjudge.api.reproduce import again
    from adjudge.api.result import Plot, Result
    from adjudge.api.scores import Scores
    from adjudge.api.segment_extraction import extract_segments
    from adjudge.api.segments import Segments
    from adjudge.api.text_reading import from_texts, read_texts
    from adjudge.api.texts import Texts
    from adjudge.api.tuning import Candidates
    from adjudge.api.tuning_report import tuning_report
    from adjudge.core.errors import AdjudgeError, BadParameter, InputError, NotEnoughData
    from adjudge.core.signature import Signature
    from adjudge.metrics.metric import METRICS
    from adjudge.ranking.method import METHODS

_HOMES = {
    "Candidates": "adjudge.api.tuning",
    "Edits": "adjudge.api.edits",
    "Judgements": "adjudge.api.judgements",
    "MetricScoreFiles": "adjudge.api.metric_scores",
    "Plot": "adjudge.api.result",
    "Result": "adjudge.api.result",
    "Scores": "adjudge.api.scores",
    "Segments": "adjudge.api.segments",
    "Signature": "adjudge.core.signature",
    "Texts": "adjudge.api.texts",
    "again": "adjudge.api.reproduce",
    "annotation_order": "adjudge.api.quality_order",
    "check_submission": "adjudge.api.metaeval_package",
    "collect_submissions": "adjudge.api.metaeval_package",
    "coverage": "adjudge.api.coverage",
    "evaluate_quality": "adjudge.api.quality_evaluation",
    "extract_segments": "adjudge.api.segment_extraction",
    "from_comparisons": "adjudge.api.reading",
    "from_rankings": "adjudge.api.reading",
    "from_scores": "adjudge.api.reading",
    "from_texts": "adjudge.api.text_reading",
    "label_agreement": "adjudge.api.labels",
    "metrics_task": "adjudge.api.metaeval_package",
    "quality_features": "adjudge.api.quality_features",
    "predict_quality": "adjudge.api.quality_training",
    "quality_gain": "adjudge.api.quality_report",
    "quality_model": "adjudge.api.quality_training",
    "quality_report": "adjudge.api.quality_report",
    "read": "adjudge.api.reading",
    "read_candidates": "adjudge.api.nbest_io",
    "read_metric_scores": "adjudge.api.metric_scores",
    "read_texts": "adjudge.api.text_reading",
    "simulate": "adjudge.api.reading",
    "train_beer": "adjudge.api.beer",
    "train_resources": "adjudge.api.quality_resources",
    "train_quality": "adjudge.api.quality_training",
    "tune_decoder": "adjudge.api.decoder_tuning",
    "tuning_report": "adjudge.api.tuning_report",
    "AdjudgeError": "adjudge.core.errors",
    "BadParameter": "adjudge.core.errors",
    "InputError": "adjudge.core.errors",
    "NotEnoughData": "adjudge.core.errors",
    "METRICS": "adjudge.metrics.metric",
    "METHODS": "adjudge.ranking.method",
}

__all__ = [
    "METHODS",
    "METRICS",
    "AdjudgeError",
    "BadParameter",
    "Candidates",
    "Edits",
    "InputError",
    "Judgements",
    "MetricScoreFiles",
    "NotEnoughData",
    "Plot",
    "Result",
    "Scores",
    "Segments",
    "Signature",
    "Texts",
    "__version__",
    "again",
    "annotation_order",
    "check_submission",
    "collect_submissions",
    "coverage",
    "evaluate_quality",
    "extract_segments",
    "from_comparisons",
    "from_rankings",
    "from_scores",
    "from_texts",
    "label_agreement",
    "metrics_task",
    "predict_quality",
    "quality_features",
    "quality_gain",
    "quality_model",
    "quality_report",
    "read",
    "read_candidates",
    "read_metric_scores",
    "read_texts",
    "simulate",
    "train_beer",
    "train_quality",
    "train_resources",
    "tune_decoder",
    "tuning_report",
]


def __getattr__(name: str) -> Any:
    """PEP 562: what is asked for is imported then, and kept."""
    if name not in _HOMES:
        raise AttributeError(f"module 'adjudge' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
