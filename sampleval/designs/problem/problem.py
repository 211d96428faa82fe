"""The problem that a design solves: a pool, the metrics to be estimated, and the belief about its labels."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from typing import TypeVar

import numpy as np

from sampleval._checks import InputError
from sampleval.designs.problem.cells import Cells, cells_of
from sampleval.designs.problem.hashing import Hashes, hashes, remixed, uniforms
from sampleval.designs.problem.profile import Profile
from sampleval.designs.problem.sizes import Joint, floored, joint
from sampleval.memo import Memo
from sampleval.metrics import Metric, alike_in_cells, defined
from sampleval.metrics.names import the, together
from sampleval.pool import Flags, Floats, Integers, Pool, blanks
from sampleval.surrogates import (
    Belief,
    Evidence,
    LeafModel,
    Model,
    Surrogate,
    celled,
    expected_loss,
    moments,
    predicted_risk,
    unfit,
)

T = TypeVar("T")
# Results that depend on the seed, and on which metric is the main one.
SEEDED = frozenset({"entropy", "uniforms", "round_hashes", "by_hash", "cells"})
LED = frozenset({"memo", "profile", "residual_square", "telling"})


@dataclass(frozen=True)
class Problem:
    """Everything a design may know before the first label of its own sample.

    Attributes:
        pool: The scored items.
        metrics: Pre-sampling metrics and their weights; several of them form one joint target.
        surrogate: The model that beliefs come from.
        seed: Determines every draw together with the ids of held items; a seed gives the same queue on any machine.
        held: Positions and labels known beforehand: certainties, never part of the random sample.
        stochastic: Whether each draw of an item that is asked is labelled anew.
        held_random: Whether held items were chosen by chance and scores alone, so that they represent similar items.
    """

    pool: Pool
    metrics: Mapping[Metric, float]
    surrogate: Surrogate
    seed: int = 0
    held: Evidence = None  # type: ignore[assignment]  # without any, `Evidence.none` of the pool
    stochastic: bool = False
    held_random: bool = False

    def __post_init__(self) -> None:
        kind = self.pool.task.kind
        defined(self.metrics, kind)
        for system in sorted(frozenset().union(*(metric.systems for metric in self.metrics))):
            self.pool.items.of(system)  # refuses one that the pool does not hold
        for metric in self.metrics:
            if metric.terms:  # refuses two of unlike form
                with np.errstate(all="ignore"):
                    metric.loss(self.pool.items.take(slice(0, 1)), blanks(self.pool.task, 1))
            alike_in_cells(self.pool, metric)
        if reason := unfit(self.surrogate, kind):
            raise InputError(reason)
        if self.held is None:
            object.__setattr__(self, "held", Evidence.none(self.pool))

    @cached_property
    def eligible(self) -> Flags:
        """Items that may be asked: those whose label is not held, (N,)."""
        free = np.ones(self.pool.size, bool)
        free[self.held.index] = False
        return free

    @cached_property
    def population(self) -> int:
        """Number of items that a sample is drawn from: those that may be asked."""
        return int(np.count_nonzero(self.eligible))

    @property
    def main(self) -> Metric:
        """The first metric, for which a sample drawn for several metrics is planned."""
        return next(iter(self.metrics))

    @property
    def title(self) -> str:
        """What the sample is drawn for, in mid-sentence: "the F1 score and the accuracy"."""
        return together(the(metric.title) for metric in self.metrics)

    def sampled(self, evidence: Evidence) -> Evidence:
        """The labels of items chosen by chance and scores, which therefore inform about other items too."""
        return evidence if self.held_random else evidence.where(self.eligible[evidence.index])

    def certain(self, evidence: Evidence) -> Evidence:
        """The labels that cannot change: all of these, or only the held ones with a stochastic oracle."""
        return self.held if self.stochastic else evidence

    @cached_property
    def entropy(self) -> int:
        """Entropy of all draws: the seed, combined with the ids of held items.

        Held items may come from a study with the same seed. Its own random numbers would be large for all items left.
        """
        if not len(self.held):
            return self.seed
        ids = sorted(map(str, self.pool.ids[self.held.index]))
        digest = blake2b("\0".join([str(self.seed), *ids]).encode(), digest_size=16)
        return int.from_bytes(digest.digest(), "little")

    @cached_property
    def belief(self) -> Belief:
        """π before the first label of the sample."""
        return self.believe(self.held)

    @cached_property
    def model(self) -> Model:
        """The surrogate's model of this pool."""
        return self.surrogate.model(self.pool, stochastic=self.stochastic)

    def believe(self, evidence: Evidence) -> Belief:
        """π given the `sampled` ones of these labels; an item's own label does not fix its π."""
        return self.model.believe(self.sampled(evidence))

    @cached_property
    def uniforms(self) -> Floats:
        """u, (N,): one number in (0, 1) per item, for designs without rounds."""
        return uniforms(self.pool.ids, self.entropy, "queue")

    def round_uniforms(self, number: int) -> Floats:
        """One number in (0, 1) per item for this round, (N,), independent from round to round."""
        return remixed(self.round_hashes, number)

    @cached_property
    def round_hashes(self) -> Hashes:
        """The hashes of the ids behind the `round_uniforms`, (N,)."""
        return hashes(self.pool.ids, self.entropy, "rounds")

    @cached_property
    def target(self) -> Joint:
        """The joint deviation under the first belief."""
        risks = {metric: self.predicted_risk(metric) for metric in self.metrics}
        return joint(self.metrics, self.pool.items, self.belief, risks)

    @cached_property
    def joint_weights(self) -> Mapping[Metric, float]:
        """Weight of each metric's squared deviation in the `target`, for designs that keep them fixed."""
        # One metric needs no pass over the pool.
        return dict.fromkeys(self.metrics, 1.0) if len(self.metrics) == 1 else self.target.weights

    @cached_property
    def size(self) -> Floats:
        """h = √E d², (N,): 0 for held items and where no label can matter, otherwise positive."""
        return floored(np.sqrt(self.target.square), self.target.possible & self.eligible)

    @cached_property
    def by_hash(self) -> Integers:
        """Positions in the order of their hash, (N,): draws made in this order do not depend on the order of rows."""
        return np.argsort(uniforms(self.pool.ids, self.entropy, "order"), kind="stable")

    @cached_property
    def cells(self) -> Cells:
        """The items that may be asked, in groups of identical losses and beliefs."""
        leaf = self.model.partition.leaf if isinstance(self.model, LeafModel) else None
        able = self.by_hash[self.eligible[self.by_hash]]
        return cells_of(self.pool.items, able, leaf, self.metrics)

    @cached_property
    def profile(self) -> Profile:
        """The `Profile` of the pool with the main metric's E d²: groups of items in falling order of size, few enough for planning."""
        return Profile.of(self.size, self.target.each[self.main].square, self.population)

    @cached_property
    def residual_square(self) -> Floats:
        """Var d of each group of the profile, (K,), in place of E d² for estimators that predict the losses of unlabelled items."""
        return self.profile.mean(self.target.each[self.main].variance)

    @cached_property
    def telling(self) -> Flags:
        """Whether the label of some item can matter to the main metric, for each group of the profile, (K,)."""
        return self.profile.mean(self.target.each[self.main].possible.astype(float)) > 0

    def profile_for(self, metric: Metric) -> Profile:
        """The profile with the expected squares of one metric, whether or not the sample is drawn for it."""
        return self.once(("profile", metric), lambda: self.profile_at(metric, self.predicted_risk(metric)))

    def profile_at(self, metric: Metric, risk: Floats) -> Profile:
        """The profile with the expected squares of one metric that is linearised at R = `risk`, (d,).

        All items count where they have cells: one of a group may not be one of the few that two systems decide differently.
        """
        whole = celled(metric, self.pool.task)
        at = slice(None) if whole else self.profile.typical
        square = moments(metric, self.pool.items.take(at), self.belief.take(at), risk=risk).square
        return self.profile.with_square(self.profile.mean(square) if whole else square)

    def reseeded(self, seed: int) -> Problem:
        """The problem with another seed; results that do not depend on the seed are kept."""
        other = replace(self, seed=seed)
        self._hand_on(other, SEEDED)
        return other

    def led_by(self, metric: Metric) -> Problem:
        """The problem with another of its metrics as the main one: the same sample, planned for that metric."""
        if metric == self.main:
            return self
        other = replace(self, metrics={metric: self.metrics[metric]} | dict(self.metrics))
        self._hand_on(other, LED)
        return other

    def _hand_on(self, other: Problem, but: frozenset[str]) -> None:
        """Keep what was computed once for another problem too, but for what would differ there."""
        for name in self.__dict__.keys() - other.__dict__.keys() - but:
            other.__dict__[name] = self.__dict__[name]

    def covers(self, metric: Metric, reachable: Callable[[Problem, int], Floats]) -> bool:
        """Whether every item whose label matters to the metric may be asked, by the design's `inclusion`."""
        never = self.eligible & ~self.reached(reachable)
        return not never.any() or self.once(
            (metric, reachable),
            lambda: not (moments(metric, self.pool.items, self.belief).possible & never).any(),
        )

    def reached(self, reachable: Callable[[Problem, int], Floats]) -> Flags:
        """Whether each item has a positive inclusion probability, (N,); otherwise its label cannot matter to the metrics."""
        return self.once(reachable, lambda: reachable(self, 1) > 0)

    def predicted_risk(self, metric: Metric) -> Floats:
        """R predicted by the first belief, (d,) (Y eq 14), with held labels in place; computed once."""
        return self.once(metric, lambda: metric.attained(self.risk_under(metric, self.belief, self.held)))

    def risk_under(self, metric: Metric, belief: Belief, known: Evidence) -> Floats:
        """R predicted by a belief, (d,), with known labels in place of its expectations; one pass over the pool."""
        risk = predicted_risk(metric, self.pool.items, belief)
        if not len(known):
            return risk
        return np.asarray(risk + self.residuals(metric, belief, known).sum(axis=0) / self.pool.size)

    def losses(self, metric: Metric, evidence: Evidence) -> Floats:
        """ℓ of the labelled items, (k, d)."""
        return metric.loss(self.pool.items.take(evidence.index), evidence.labels)

    def residuals(self, metric: Metric, belief: Belief, evidence: Evidence) -> Floats:
        """ℓ − E_π ℓ of the labelled items, (k, d)."""
        labelled, about = self.pool.items.take(evidence.index), belief.take(evidence.index)
        return self.losses(metric, evidence) - expected_loss(metric, labelled, about)

    @cached_property
    def memo(self) -> Memo:
        """What was computed once for this problem with any seed."""
        return Memo()

    def once(self, key: Hashable, make: Callable[[], T], version: Hashable = None) -> T:
        """The result of `make`, computed once; what depends on the seed or on labels has a version that tells them, see `Memo`."""
        return self.memo.once(key, make, version)
