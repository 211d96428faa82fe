"""The post-stratified mean: losses predicted by the curve, corrected by the labels of items of similar score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sampleval.designs import CellSample, Strata
from sampleval.designs.targeted import foresight
from sampleval.estimators.inference import infer
from sampleval.estimators.posterior import PosteriorPredictive
from sampleval.estimators.run import Run
from sampleval.estimators.spread import Spread
from sampleval.estimators.stratified import StratifiedMean
from sampleval.metrics import Metric
from sampleval.metrics.jacobians import Jacobian
from sampleval.partition import merged
from sampleval.pool import Floats

LEAST = 3  # least number of labels in a group of neighbouring cells


@dataclass(frozen=True, slots=True)
class PostStratified:
    """R̂ = (1/N)(Σ_n m_n + Σ_g N_g/n_g Σ_{s_g} (ℓ − m)), for metrics that treat items of the same score differently.

    m = E_π ℓ is the loss that the calibration curve predicts after all labels, as if items of similar score were alike.
    The labels of a cell are a random sample of it, so their residuals show how far these predictions are off. For this,
    neighbouring cells of a kind are joined to groups g of at least `LEAST` labels (Särndal, Swensson & Wretman 1992, section 7.6).
    The labels that correct the curve have also been used to fit it, so residuals are smaller than errors. The variance
    is therefore the sum of the sampling variance of the corrections and the posterior variance of the curve.
    """

    key: ClassVar[str] = "post-stratified"
    title: ClassVar[str] = "Post-stratified mean of cells"
    about: ClassVar[str] = (
        "What the calibration curve expects of every item, corrected by its mean error on labelled items of similar score."
    )
    methods = (
        "the post-stratified mean (a difference estimator: what the calibration curve expects of every item, corrected by "
        "its mean error among the labels of similar score)"
    )
    accepts: ClassVar[tuple[type, ...]] = (CellSample,)

    def weight(self, sample: CellSample) -> Floats:
        """N_g/n_g, (k,)."""
        return in_groups(sample).weight

    def foreseen(self, metric: Metric, run: Run) -> tuple[Floats, Floats]:
        """m of every answered item, (k, d), and what m adds to the weighted mean, (d,)."""
        sample, items, curve = run.sample, run.problem.pool.items, foresight(run.problem, run.known)
        assert isinstance(sample, CellSample)
        own = curve.of(metric, items, run.items.index)
        rest = curve.total(metric, items) - curve.of(metric, items, run.held.index).sum(axis=0)
        return own, (rest - self.weight(sample) @ own[sample.rows]) / sample.population

    def spread(self, sample: CellSample, effects: Floats, centre: Floats) -> Spread:
        """The covariance of the stratified mean of the residuals, with the groups as strata."""
        groups = in_groups(sample)
        found = StratifiedMean().spread(groups, effects, centre)
        return found.scaled(groups.population / sample.population)

    def unshown(
        self, metric: Metric, run: Run, foreseen: Floats, jacobian: Jacobian, shown: Spread
    ) -> Floats:
        """Factors of the curve's posterior variance, (J, m): the curve was fitted to the labels that correct it."""
        return np.nan_to_num(infer(metric, run, PosteriorPredictive()).spread.factor)


def in_groups(sample: CellSample) -> Strata:
    """The sample with neighbouring cells of a kind joined to strata of at least `LEAST` labels.

    Errors of what a curve predicts have opposite signs for the two decisions. Samples drawn for a difference of systems ask above
    all for items that these decide unlike each other, while each label of the others stands for many items: joined with them,
    differences of parts had 0.9 to 2.4 times the error of a uniform sample, and 0.1 to 0.3 times without.
    """
    labels, apart = np.bincount(sample.stratum, minlength=len(sample.sizes)), sample.apart
    group = merged([labels], LEAST)
    if min(labels[apart].sum(), labels[~apart].sum()) >= LEAST:
        group[apart] = merged([labels[apart]], LEAST)
        group[~apart] = group[apart].max() + 1 + merged([labels[~apart]], LEAST)
    sizes = np.bincount(group, sample.sizes).astype(np.intp)
    return Strata(sample.rows, group[sample.stratum], sizes)
