"""Estimators: what we conclude from a sample.

Each estimator has a module of its name. What it is given is in `run`, its covariance in `spread`; `inference` carries
both through the metric.
"""

from __future__ import annotations

from types import MappingProxyType

from sampleval.estimators.adaptive import AdaptiveImportanceSampling
from sampleval.estimators.assisted import ModelAssisted
from sampleval.estimators.base import Assisted, Estimator, Linear, Predictive, weighted_mean
from sampleval.estimators.extremes import completed, extremes, tangled, tried
from sampleval.estimators.horvitz_thompson import HorvitzThompson
from sampleval.estimators.importance import ImportanceSampling
from sampleval.estimators.inference import Inference, foresees_misses, infer, values_at, weights
from sampleval.estimators.lure import Lure
from sampleval.estimators.post_stratified import PostStratified
from sampleval.estimators.posterior import PosteriorPredictive
from sampleval.estimators.rounds import RoundsMean
from sampleval.estimators.run import Run, held_loss, known_loss, losses, recalibrated, seen
from sampleval.estimators.spread import Spread
from sampleval.estimators.stratified import StratifiedMean

ESTIMATORS: MappingProxyType[str, type[Estimator]] = MappingProxyType(
    {
        estimator.key: estimator
        for estimator in (
            HorvitzThompson,
            ImportanceSampling,
            StratifiedMean,
            AdaptiveImportanceSampling,
            RoundsMean,
            ModelAssisted,
            Lure,
            PosteriorPredictive,
            PostStratified,
        )
    }
)

__all__ = [
    "ESTIMATORS",
    "AdaptiveImportanceSampling",
    "Assisted",
    "Estimator",
    "HorvitzThompson",
    "ImportanceSampling",
    "Inference",
    "Linear",
    "Lure",
    "ModelAssisted",
    "PostStratified",
    "PosteriorPredictive",
    "Predictive",
    "RoundsMean",
    "Run",
    "Spread",
    "StratifiedMean",
    "completed",
    "extremes",
    "foresees_misses",
    "held_loss",
    "infer",
    "known_loss",
    "losses",
    "recalibrated",
    "seen",
    "tangled",
    "tried",
    "values_at",
    "weighted_mean",
    "weights",
]
