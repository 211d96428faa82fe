"""A model's best guesses in columns by rank, as `label_1`, `score_1`, `label_2` and `score_2`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from sampleval.pool.columns import Told, strings
from sampleval.pool.naming import SCORES, role_of, says_scores
from sampleval.pool.tables.nested import NEAR, Found

_RANK = re.compile(r"[\W_]*\d+[\W_]*")
ByRank = Sequence[NDArray[Any]]  # the cells of columns by rank
STEMS = ("score", "prob", "probability")  # of the names of columns with the scores of classes
FEW = 2  # rows in which each label stands at least, on average: texts that were found differ


def best_guesses(names: Sequence[str], cells: Callable[[str], pd.Series[Any]], told: Told) -> Found | None:
    """The best guess of each row and its score, or if all classes have a rank, the scores by class; `None` if there are none.

    Guesses that differ within a row, with scores that fall from rank to rank and sum to 1 at most, are those of one model.

    Output that the caller names is kept as it is.
    """
    groups = [*_by_rank(names)]
    pairs = [(one, other) for one in groups for other in groups if len(one) == len(other)]
    found = list[Found]()
    for labels, scores in pairs:
        if _say_scores(labels) or not _say_scores(scores):
            continue
        guesses, shares = ([cells(name).to_numpy() for name in group] for group in (labels, scores))
        if _are_ranked(guesses, shares):
            ranked = (*labels, *scores)
            others = {role_of(name)[0] for name in names if name not in ranked}
            if others.isdisjoint(SCORES):
                found.append(_found(guesses, shares, ranked, {*names}, decided="pred" in others))
    if len(found) != 1 or not found[0].hidden.isdisjoint(strings([told.id, told.label, told.fields])):
        return None
    named = strings([told.score, told.pred]) & {*names}
    return replace(found[0], columns={}, hidden=found[0].hidden - named) if named else found[0]


def _found(
    guesses: ByRank, shares: ByRank, ranked: tuple[str, ...], taken: set[str], *, decided: bool
) -> Found:
    """What to put in place of the ranked columns; the best guess only where no other column holds the decisions.

    No name is taken, since with the classes 1, 2 and 3 the scores of ranks would be called as those of classes.
    """
    best = {} if decided else {"decision": guesses[0], "confidence": shares[0]}
    by_class = _by_class(guesses, shares)
    stem = next((one for one in STEMS if taken.isdisjoint(f"{one}_{name}" for name in by_class)), STEMS[0])
    columns = {f"{stem}_{name}": cells for name, cells in by_class.items()} or best
    arrays = {name: pa.chunked_array([pa.array(part)]) for name, part in columns.items()}
    return Found(arrays, {*ranked}, ranked=ranked)


def _by_rank(names: Sequence[str]) -> Iterator[list[str]]:
    """Columns whose names differ in a number alone, which counts from 0 or 1, in its order."""
    groups: dict[str, dict[int, str]] = {}
    for name in names:
        if len(numbers := re.findall(r"\d+", name)) == 1 and len(numbers[0]) < 4:
            groups.setdefault(re.sub(r"\d+", "#", name), {})[int(numbers[0])] = name
    for group in groups.values():
        ranks = sorted(group)
        if len(ranks) > 1 and ranks[0] in (0, 1) and ranks == [*range(ranks[0], ranks[-1] + 1)]:
            yield [group[rank] for rank in ranks]


def _say_scores(names: Sequence[str]) -> bool:
    """Whether columns by rank are called scores."""
    return says_scores(_RANK.sub("_", names[0]).strip("_"))


def _are_ranked(labels: ByRank, scores: ByRank) -> bool:
    """Whether these are guesses and their scores, from the best one on, (N,) each."""
    if any(part.dtype.kind != "f" for part in scores) or any(part.dtype.kind not in "OUi" for part in labels):
        return False
    falling = all((one >= other).all() for one, other in pairwise(scores)) and (scores[0] > scores[-1]).any()
    if not falling or scores[-1].min() < 0.0 or np.sum(scores, axis=0).max() > 1.0 + NEAR:
        return False
    cells = np.concatenate([part.astype(object) for part in labels])
    if not (all(isinstance(cell, str) for cell in cells) or all(isinstance(cell, int) for cell in cells)):
        return False
    return not any((a == b).any() for a, b in combinations(labels, 2)) and FEW * len({*cells}) <= len(cells)


def _by_class(labels: ByRank, scores: ByRank) -> dict[str, NDArray[Any]]:
    """Class → its scores, if every row ranks all classes; else {}."""
    classes = sorted({*np.concatenate(labels)})
    if len(classes) != len(labels) or np.abs(np.sum(scores, axis=0) - 1.0).max() > NEAR:
        return {}
    return {str(one): np.select([part == one for part in labels], scores) for one in classes}
