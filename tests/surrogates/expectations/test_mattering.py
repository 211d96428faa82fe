"""Which components of a metric unknown labels can still change, and which labels could."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from sampleval import Pool
from sampleval.metrics import METRICS, Shortcuts, resolve
from sampleval.pool import Floats, Items, Kind
from sampleval.surrogates import Belief, moments, unsettled
from tests.surrogates.expectations.listing import belief_of, by_hand, cases, pool_of, some_risk

LABELS, ITEMS = 40, 2000


def test_all_items_are_tried_only_for_components_that_a_few_do_not_move() -> None:
    """Each of 20,000 items was tried for each of 150 labels: one table by class took 6 s, and a report 25 s."""
    rng = np.random.default_rng(0)
    score = rng.uniform(0, 0.9, (ITEMS, LABELS))
    score[:, :3] /= 2  # never predicted: their precision is undefined, and no label changes it
    score[:, 3] /= 2
    score[1234, 3] = 0.9  # predicted for one item only
    frame = pd.DataFrame(score, columns=[f"score_{k}" for k in range(LABELS)])
    pool = Pool.from_frame(frame, score="score_", task="multilabel", fields=[])
    metric, tried = METRICS["class_precision"], list[int]()

    def counted(items: Items, jacobian: Floats) -> Floats:
        tried.append(len(items) * len(jacobian))
        assert metric.shortcuts.by_label is not None
        return metric.shortcuts.by_label(items, jacobian)

    belief = Belief(pool.task, pool.score)
    risk = metric.loss(pool.items, pool.score).mean(axis=0)
    labelled = np.arange(100)
    found = unsettled(
        replace(metric, shortcuts=Shortcuts(by_label=counted)), pool.items, belief, labelled, risk
    )
    predicted = pool.pred[100:].any(axis=0)
    assert predicted.tolist() == [False] * 3 + [True] * (LABELS - 3)
    assert found.tolist() == predicted.tolist()
    assert sum(tried) < 0.2 * ITEMS * LABELS


@pytest.mark.parametrize("left", [1, 2, 5])
@cases
def test_only_items_without_a_label_leave_a_component_open(kind: Kind, name: str, left: int) -> None:
    """Against the effects of all labels, which may all have one sign."""
    pool = pool_of(kind)
    metric, belief, risk = resolve(name), belief_of(pool), some_risk(resolve(name), pool)
    for start in range(0, pool.size - left, left):
        open_ = np.arange(start, start + left)
        labelled = np.setdiff1d(np.arange(pool.size), open_)
        found = unsettled(metric, pool.items, belief, labelled, risk)
        effect = np.abs(by_hand(metric, pool, belief, risk)[1][:, open_]).max(axis=(0, 1))
        np.testing.assert_array_equal(found, effect > 1e-12)


def decided(share: float) -> tuple[Pool, Belief]:
    """Items of which this share is predicted positive; the belief is sure that none of the others is positive."""
    score = np.linspace(0.05, 0.95, 20)
    pred = (score > 1 - share).astype(int)
    pool = Pool.from_frame(pd.DataFrame({"score": score, "pred": pred}), score="score", pred="pred")
    return pool, Belief(pool.task, np.where(pred == 1, score, 0.0))


@pytest.mark.parametrize(
    ("name", "share", "positive", "negative"),
    [
        ("recall", 0.5, True, True),  # no missed positive is expected, so that those found do not move it yet
        ("precision", 0.5, True, False),
        ("f1", 0.5, True, True),
        ("f1", 0.0, True, True),  # 0 if there is a positive, otherwise undefined
        ("recall", 0.0, True, True),
        ("specificity", 1.0, True, True),
        ("precision", 0.0, False, False),
        ("fowlkes_mallows", 0.0, False, False),  # undefined whatever the labels are
    ],
)
def test_labels_matter_that_move_a_metric_elsewhere_or_decide_whether_it_is_defined(
    name: str, share: float, positive: bool, negative: bool
) -> None:
    pool, belief = decided(share)
    for metric in (METRICS[name], replace(METRICS[name], cells=None)):
        found = moments(metric, pool.items, belief).possible
        np.testing.assert_array_equal(found, np.where(pool.pred == 1, positive, negative))
