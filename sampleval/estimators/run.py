"""The input of estimators: the answers, the probabilities with which their items were sampled, and their losses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sampleval.designs import Problem, Round, Sample
from sampleval.metrics import Encoded, Metric
from sampleval.pool import Flags, Floats, Integers, Items
from sampleval.surrogates import Belief, Evidence, Recalibrated, expected_loss
from sampleval.surrogates.errors import Errors
from sampleval.surrogates.recalibrated import Recalibration


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """The answered run from the head of the queue, and the labels held beforehand.

    Attributes:
        items: The k items of the run, in labelling order.
        labels: Their encoded labels, (k,) or (k, C); anything where there was no answer.
        responded: Whether the annotator gave a label, (k,); skipped and unsure items did not.
        belief: π of the same items after the labels given; it stands in for missing labels.
        sample: The probabilities with which the items were sampled.
        problem: What the sample was drawn for.
        past: The rounds it was drawn in.
    """

    items: Items
    labels: Encoded
    responded: Flags
    belief: Belief
    sample: Sample
    problem: Problem
    past: Sequence[Round] = ()

    @property
    def held(self) -> Evidence:
        """The labels known beforehand."""
        return self.problem.held

    @property
    def population(self) -> int:
        """N: the items sampled from and those held."""
        return self.sample.population + len(self.held)

    @property
    def sampled(self) -> float:
        """Share of the items that the sample was drawn from: all but those held."""
        return self.sample.population / self.population

    @property
    def random_labels(self) -> int:
        """Number of labels that chance chose, which represent other items too: those asked for, and held ones if it chose them."""
        return len(self.items) + len(self.held) * self.problem.held_random

    @property
    def known(self) -> Evidence:
        """All known labels, held ones first, each with weight 1."""
        asked = Evidence(self.items.index, self.labels, np.ones(len(self.items)))
        return self.held.then(asked.where(self.responded))

    @property
    def labelled(self) -> Integers:
        """Positions of the items with a known label, each once, in rising order."""
        return np.unique(self.known.index)

    @property
    def silent(self) -> Integers:
        """Rows without an answer, (u,)."""
        return np.flatnonzero(~self.responded)

    @property
    def unanswered(self) -> tuple[Items, Belief]:
        """The items without an answer, and π of each."""
        return self.items.take(self.silent), self.belief.take(self.silent)


def recalibrated(problem: Problem, known: Evidence, at: Integers) -> Belief:
    """π of the items at these positions: the scores recalibrated by the known labels, whatever the design believes.

    The design's own map serves if it has one: another one would hold the log-odds of the whole pool a second time.
    """
    model = problem.model
    if not isinstance(model, Recalibration | Errors):
        model = problem.once("recalibration", lambda: Recalibrated().model(problem.pool))
    version = known.version, at.tobytes()
    return problem.once("recalibrated", lambda: model.believe(problem.sampled(known), at), version)


def held_loss(metric: Metric, run: Run) -> Floats:
    """Σℓ of the items held beforehand, (d,); 0 if there are none."""
    return run.problem.losses(metric, run.held).sum(axis=0) if len(run.held) else np.zeros(())


def seen(metric: Metric, run: Run) -> Floats:
    """Σℓ of the run's items that were given a label, (d,)."""
    return np.asarray(metric.loss(run.items, run.labels)[run.responded].sum(axis=0))


def known_loss(metric: Metric, run: Run) -> Floats:
    """Σℓ of all known labels, (d,)."""
    return np.asarray(held_loss(metric, run) + seen(metric, run))


def losses(metric: Metric, run: Run) -> Floats:
    """ℓ of every item of the run, (k, d); E_π ℓ where no label was given."""
    with np.errstate(over="ignore"):  # an infinite loss is reported later
        loss = metric.loss(run.items, run.labels)
    if len(silent := run.silent):
        loss[silent] = expected_loss(metric, *run.unanswered)
    return loss
