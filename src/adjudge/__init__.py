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

from adjudge.files.kernel_cache import choose_kernel_cache

__version__ = "0.1.0"

choose_kernel_cache(Path(__file__).parent)  # before anything imports Numba

if TYPE_CHECKING:
    from adjudge.door.beer import train_beer
    from adjudge.door.candidate_reading import read_candidates
    from adjudge.door.coverage import coverage
    from adjudge.door.decoder_tuning import tune_decoder
    from adjudge.door.edits import Edits
    from adjudge.door.judgements import Judgements
    from adjudge.door.labels import label_agreement
    from adjudge.door.metaeval_package import check_submission, collect_submissions, metrics_task
    from adjudge.door.metric_scores import MetricScoreFiles, read_metric_scores
    from adjudge.door.quality_evaluation import evaluate_quality
    from adjudge.door.quality_features import quality_features
    from adjudge.door.quality_order import annotation_order
    from adjudge.door.quality_report import quality_gain, quality_report
    from adjudge.door.quality_resources import train_resources
    from adjudge.door.quality_training import predict_quality, quality_model, train_quality
    from adjudge.door.reading import (
        from_comparisons,
        from_rankings,
        from_scores,
        read,
        simulate,
    )
    from adjudge.door.remaking import again
    from adjudge.door.result import Plot, Result
    from adjudge.door.scores import Scores
    from adjudge.door.segment_extraction import extract_segments
    from adjudge.door.segments import Segments
    from adjudge.door.signature import Signature
    from adjudge.door.text_reading import from_texts, read_texts
    from adjudge.door.texts import Texts
    from adjudge.door.tuning import Candidates
    from adjudge.door.tuning_report import tuning_report
    from adjudge.errors import AdjudgeError, BadParameter, InputError, NotEnoughData
    from adjudge.metrics.metric import METRICS
    from adjudge.ranking.method import METHODS

_HOMES = {
    "Candidates": "adjudge.door.tuning",
    "Edits": "adjudge.door.edits",
    "Judgements": "adjudge.door.judgements",
    "MetricScoreFiles": "adjudge.door.metric_scores",
    "Plot": "adjudge.door.result",
    "Result": "adjudge.door.result",
    "Scores": "adjudge.door.scores",
    "Segments": "adjudge.door.segments",
    "Signature": "adjudge.door.signature",
    "Texts": "adjudge.door.texts",
    "again": "adjudge.door.remaking",
    "annotation_order": "adjudge.door.quality_order",
    "check_submission": "adjudge.door.metaeval_package",
    "collect_submissions": "adjudge.door.metaeval_package",
    "coverage": "adjudge.door.coverage",
    "evaluate_quality": "adjudge.door.quality_evaluation",
    "extract_segments": "adjudge.door.segment_extraction",
    "from_comparisons": "adjudge.door.reading",
    "from_rankings": "adjudge.door.reading",
    "from_scores": "adjudge.door.reading",
    "from_texts": "adjudge.door.text_reading",
    "label_agreement": "adjudge.door.labels",
    "metrics_task": "adjudge.door.metaeval_package",
    "quality_features": "adjudge.door.quality_features",
    "predict_quality": "adjudge.door.quality_training",
    "quality_gain": "adjudge.door.quality_report",
    "quality_model": "adjudge.door.quality_training",
    "quality_report": "adjudge.door.quality_report",
    "read": "adjudge.door.reading",
    "read_candidates": "adjudge.door.candidate_reading",
    "read_metric_scores": "adjudge.door.metric_scores",
    "read_texts": "adjudge.door.text_reading",
    "simulate": "adjudge.door.reading",
    "train_beer": "adjudge.door.beer",
    "train_resources": "adjudge.door.quality_resources",
    "train_quality": "adjudge.door.quality_training",
    "tune_decoder": "adjudge.door.decoder_tuning",
    "tuning_report": "adjudge.door.tuning_report",
    "AdjudgeError": "adjudge.errors",
    "BadParameter": "adjudge.errors",
    "InputError": "adjudge.errors",
    "NotEnoughData": "adjudge.errors",
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
