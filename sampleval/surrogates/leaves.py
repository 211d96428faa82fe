"""Models with one belief per part of a partition, so that an update takes time in proportion to K and not to N."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sampleval.partition import Partition, Tree, cut_by_label, partition
from sampleval.pool import YES_NO, Floats, Pool, Task
from sampleval.surrogates.base import Model
from sampleval.surrogates.belief import Belief
from sampleval.surrogates.evidence import Evidence


@dataclass(frozen=True, slots=True, eq=False)
class LeafCounts:
    """Labels per part and class.

    Attributes:
        labelled: Number of answers, (K, C).
        weighted: Sums of importance weights, which add up to about the number of answers, (K, C).
        unlabelled: Number of items without an answer, (K,).
    """

    labelled: Floats
    weighted: Floats
    unlabelled: Floats


# From the tree over the parts, their mean scores s(y|k), (K, C), and the counts to π(y|k), (K, C).
LeafPosterior = Callable[[Tree, Floats, LeafCounts], Floats]


@dataclass(frozen=True, slots=True, eq=False)
class Leafwise:
    """A model with one belief per part, from the labels in it and, depending on the posterior, in other parts.

    Attributes:
        task: The kind of labels: binary or multiclass.
        partition: The parts.
        scores: Their mean scores s(y|k), (K, C).
        posterior: What these and the labels lead to.
    """

    task: Task
    partition: Partition
    scores: Floats
    posterior: LeafPosterior

    @property
    def note(self) -> str:
        """Why there are far fewer strata than were wanted, "" if there are not."""
        return self.partition.note

    def leaves(self, evidence: Evidence) -> Belief:
        """π(y|k), (K,)."""
        counts = count(self.partition, evidence, self.task.width)
        found = self.posterior(self.partition.tree, self.scores, counts)
        return Belief(self.task, found[:, 1] if self.task.kind == "binary" else found)

    def believe(self, evidence: Evidence) -> Belief:
        """π of the part that contains each item, (N,)."""
        return self.leaves(evidence).take(self.partition.leaf)


@dataclass(frozen=True, slots=True, eq=False)
class PerLabel:
    """Independent binary models, one per label of a multi-label task."""

    task: Task
    models: tuple[Leafwise, ...]

    @property
    def note(self) -> str:
        """As in `Leafwise`, of the label with the fewest strata."""
        return min(self.models, key=lambda model: model.partition.count).note

    def believe(self, evidence: Evidence) -> Belief:
        """Independent p(label), (N, C)."""
        columns = [
            model.believe(Evidence(evidence.index, labels, evidence.weight)).mean
            for model, labels in zip(self.models, evidence.labels.T, strict=True)
        ]
        return Belief(self.task, np.stack(columns, axis=1))


def leaf_model(
    pool: Pool, posterior: LeafPosterior, *, by: str, leaves: int, depth: int, columns: tuple[str, ...]
) -> Model:
    """A model on a partition of the pool (see `partition`), or on one partition per label of a multi-label task."""
    if pool.task.kind == "multilabel":
        parts = cut_by_label(pool, by, leaves=leaves, depth=depth)
        found = [
            Leafwise(YES_NO, part, two_columns(part.mean(score)), posterior)
            for part, score in zip(parts, pool.score.T, strict=True)
        ]
        return PerLabel(pool.task, tuple(found))
    part = partition(pool, by, leaves=leaves, depth=depth, columns=columns)
    score = part.mean(pool.score)
    scores = two_columns(score) if score.ndim == 1 else score / score.sum(axis=1, keepdims=True)
    return Leafwise(pool.task, part, scores, posterior)


def two_columns(score: Floats) -> Floats:
    """p(no) and p(yes), (K,) to (K, 2)."""
    return np.stack([1 - score, score], axis=1)


def count(part: Partition, evidence: Evidence, classes: int) -> LeafCounts:
    """Labels per part and class, as plain counts and with weights (M App. H)."""
    at = part.leaf[evidence.index] * classes + np.asarray(evidence.labels, np.intp)
    cells, answers = part.count * classes, len(evidence)
    # Design weights sum to about N, the paper's weights p(x)/q(x) to about the number of draws.
    weight = evidence.weight * (answers / max(len(part.leaf), 1))
    labelled = np.bincount(at, minlength=cells).reshape(-1, classes).astype(float)
    weighted = np.bincount(at, weight, cells).reshape(-1, classes).astype(float)
    distinct = np.bincount(part.leaf[np.unique(evidence.index)], minlength=part.count)
    return LeafCounts(labelled, weighted, (part.sizes - distinct).astype(float))
