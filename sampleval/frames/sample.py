"""The sample behind the estimates, in the terms in which survey software takes it."""

from __future__ import annotations

import numpy as np
import pandas as pd

from sampleval.designs import Adaptive, CellSample, Draws, Inclusions, Strata
from sampleval.estimators import Run, inference
from sampleval.frames.answers import labels, said
from sampleval.study import Study, checked_study
from sampleval.study.conclusions.census import everyone, has_labels

# Column → type.
DRAWN = {
    "round": "int64",
    "stratum": "int64",
    "stratum_size": "int64",
    "population": "int64",
    "draws": "int64",
    "probability": "float64",
    "weight": "float64",
}


def sample(study: Study) -> pd.DataFrame:
    """The answers that the estimates rest on, with what a textbook's formulas for values and variances need.

    Every item has a row, in the order of the queue. An item drawn with replacement in several rounds has one for each
    of them, as its probability was another in each.

    Returns:
        Columns id, place, label and status as in `labels`; pred (the prediction; of several systems `name.pred`); round (from
        1; 0 for a label held beforehand); stratum (from 1; 0 for labels held); stratum_size (items in the stratum);
        population (items in the pool); draws (times drawn in the round, 1 without replacement); probability (with replacement
        that of each draw; of items drawn one at a time that of the draw, among the items left; otherwise of inclusion in the
        round, given the rounds before, at the present number of answers); weight (number of items that the row stands
        for; an item's rows add up to its weight in `labels`).

    Raises:
        InputError: `study` is no `Study`.
    """
    given, run = labels(checked_study(study)), study.run()
    held = len(study.state.problem.held)
    known = pd.DataFrame({"row": np.arange(held), "round": 0, "stratum": 0, "stratum_size": held})
    known = known.assign(draws=1, probability=1.0, weight=1.0)
    parts = (
        [known] if run is None else [known, _drawn(study, run).assign(row=lambda drawn: drawn["row"] + held)]
    )
    drawn = pd.concat([part for part in parts if len(part)] or [known]).sort_values(["row", "round"])
    drawn = drawn.assign(population=study.pool.size)
    table = given[["id", "place", "label", "status"]].iloc[drawn["row"].to_numpy(int)]
    items = study.pool.items.take(study.pool.positions(table["id"]))
    pred = {
        f"{system.name}.pred" if system.name else "pred": [said(items.task, y) for y in system.pred]
        for system in items.systems
    }
    chances = drawn[[*DRAWN]].astype(DRAWN).set_axis(table.index)
    return pd.concat(
        [table, pd.DataFrame(pred, index=table.index, dtype=object), chances], axis=1
    ).reset_index(drop=True)


def _drawn(study: Study, run: Run) -> pd.DataFrame:
    """Row of the run and what is known of its draw, for every row or, with replacement, every row of every round."""
    made = everyone(run).sample if has_labels(run, run.sample.population) else run.sample
    if isinstance(made, Draws):
        return _with_replacement(study, run, made)
    number = np.zeros(len(made.rows), np.intp)
    stratum, size = number, np.full(len(number), made.population)
    if isinstance(made, Strata):
        stratum, size = made.stratum, made.sizes[made.stratum]
    rounds = made.rounds if isinstance(made, CellSample) else made
    if isinstance(rounds, Inclusions | Strata):
        probability = 1 / rounds.weight
    else:
        number, probability = rounds.round, rounds.inclusion
    known = {"round": number + 1, "stratum": stratum + 1, "stratum_size": size, "draws": 1}
    weight = 1.0 if made is not run.sample else inference.weights(run, study.method.estimator)[made.rows]
    return pd.DataFrame({"row": made.rows, **known, "probability": probability, "weight": weight})


def _with_replacement(study: Study, run: Run, made: Draws) -> pd.DataFrame:
    """The draws, counted by row and round; 1/(J q) for each is the weight."""
    design = study.method.design
    if isinstance(design, Adaptive):
        by_round = design.by_round(run.past, len(run.items))
    else:  # one proposal: Σ 1/q = m/q and Σ 1/q² = m/q² tell m and q
        by_round = [(np.round(made.inverse**2 / made.square), made.current)]
    parts = []
    for number, (count, q) in enumerate(by_round, 1):
        drawn = np.flatnonzero(count)
        weight = count[drawn] / q[drawn] / made.draws
        told = {
            "row": drawn,
            "round": number,
            "draws": count[drawn],
            "probability": q[drawn],
            "weight": weight,
        }
        parts.append(pd.DataFrame(told))
    whole = {"stratum": 1, "stratum_size": made.population}
    return pd.concat(parts).assign(**whole)
