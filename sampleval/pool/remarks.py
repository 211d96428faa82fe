"""Remarks on a table's columns: what was read otherwise than it stands, and what may be a mistake."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from pandas.api import types

from sampleval import _checks
from sampleval.numerals import many
from sampleval.pool.answer_columns import encode_cells, unknown_labels
from sampleval.pool.building import Rules
from sampleval.pool.columns import Columns, in_code, short_code
from sampleval.pool.guessing.cells import (
    ENOUGH,
    FIRST,
    fractions,
    keys_in,
    labels_in,
    loose,
    names_in,
    nested,
)
from sampleval.pool.guessing.identity import nearly_long, possible_ids, repeats
from sampleval.pool.guessing.scales import doubtful
from sampleval.pool.naming import folded, says_decision, says_percent, suggesting
from sampleval.pool.polarity import polar
from sampleval.pool.spellings import place_of
from sampleval.pool.tables.notes import GUESS, LEFT, POINTS, RANKED, SHEET
from sampleval.pool.task import YES_NO

# In the spelling of `folded`, what the last row is called that a spreadsheet or a query adds below a table,
TOTALS = re.compile("(?:grand )?totals?|sum|mean|average|count|gesamt|summe|somme|suma|totale|итого")
# and columns that say how many items a row stands for.
WEIGHTS = re.compile(
    "(?:(?:sample|sampling|survey|design|case) )?weights?|w|n|counts?|freq|frequency|frequencies|occurrences|multiplicity"
    "|gewicht|anzahl|häufigkeit|poids|effectif|fréquence|peso|frecuencia|frequenza|вес"
)
# In that spelling, too: beside a height or a price, a weight is that of a person or a thing.
MASS = frozenset({"weight", "gewicht", "poids", "peso", "вес"})
MEASURE = re.compile(
    r"\b(?:height|width|depth|diameter|dimensions?|volume|bmi|price|sku|brand"
    r"|grösse|höhe|breite|preis|taille|hauteur|prix|altura|precio|preço|altezza|prezzo|рост|цена)\b"
)


def remarks(df: pd.DataFrame, columns: Columns, rules: Rules) -> list[str]:
    """Remarks on the raw columns, such as text read as numbers, a single class, or a field that gives the label away."""
    return [
        *_of_numbers(df, columns, rules),
        *(_of_decisions(df, columns, rules) if columns.kind == "binary" else []),
        *_of_classes(df, columns),
        *_of_file(df, columns),
        *_of_ids(df, columns),
        *(_empty_decisions(df, columns) if columns.kind == "multilabel" else []),
        *_of_labels(df, columns),
        *_of_records(df, columns),
        *_of_weights(df, columns),
    ]


def _of_decisions(df: pd.DataFrame, columns: Columns, rules: Rules) -> Iterator[str]:
    """Remarks on scores that may be those of the decisions, and on columns that may hold the decisions."""
    for own in columns.systems if rules.transform is None and len(df) >= ENOUGH else ():
        if own.score and (loose(df[own.score[0]]) >= 0.5).all():
            perhaps = f", perhaps {in_code(columns.label)}," if columns.label else ""
            named = "" if own.pred else f"name the decisions{perhaps} with pred, and "
            yield (
                f"`{own.score[0]}` is nowhere below 0.5: if it is the probability of what the model decided, "
                f'{named}pass transform="confidence"'
            )
    if not columns.preds:
        elsewhere = dict(_cut_elsewhere(df, columns, rules))
        yield from elsewhere.values()
        for name in columns.hidden:
            if name not in elsewhere and says_decision(name) and len(names_in(df[name])) <= 2:
                yield f"`{name}` sounds like the decisions: if it holds them, name it with pred"


def _cut_elsewhere(df: pd.DataFrame, columns: Columns, rules: Rules) -> Iterator[tuple[str, str]]:
    """Columns of no and yes that a threshold on the score makes, but not the one that decides here, with a remark each."""
    score = columns.systems[0].score[0]
    values = loose(df[score])
    reached = values >= np.asarray(rules.reached_by([df[score]])) * rules.whole
    # Margins are not what the threshold is for.
    comparable = len(df) >= ENOUGH and rules.transform in (None, "percent")
    for name in columns.hidden if comparable else ():
        if polar(names_in(df[name])) is None:
            continue
        positive, known = encode_cells(YES_NO, df[name])
        yes, no = values[known & (positive == 1)], values[known & (positive == 0)]
        if min(len(yes), len(no)) and yes.min() > no.max() and (reached != (positive == 1))[known].any():
            said = f"`{name}` says yes where `{score}` is {yes.min():g} or more and no below"
            yield name, f"{said}: if it holds the decisions, name it with pred"


def _of_classes(df: pd.DataFrame, columns: Columns) -> Iterator[str]:
    """A remark on decisions that name a class for most items of its own, as dates and sentences do."""
    own = columns.systems[0]
    if columns.kind != "multiclass" or own.score or len(df) < ENOUGH:
        return
    named = df[own.pred[0]].nunique()
    if 2 * named > len(df):
        yield f"`{own.pred[0]}` names {named:,} classes in {many(len(df), 'item')}: make sure that its cells name classes"


def _of_file(df: pd.DataFrame, columns: Columns) -> Iterator[str]:
    """Remarks on guesses about the file: its encoding, its sheet, its decimal points."""
    if word := df.attrs.get(GUESS):
        yield (
            f"The file is not UTF-8 and was read as Windows-1252, in which Excel saves CSV: {_checks.shown(word)}, for example. "
            'If letters look wrong, save it as "CSV UTF-8"'
        )
    if sheet := df.attrs.get(SHEET):
        name, why = sheet
        yield f"Of the workbook's sheets {_checks.shown(name)} was read, {why}"
    for name, keys in df.attrs.get(LEFT, {}).items():
        yield (
            f"`{name}` also holds {short_code(keys)}, neither read nor shown, since this may give away the answer or what "
            "the model says: if it is of use, give it a column of its own"
        )
    if ranked := df.attrs.get(RANKED):
        yield (
            f"{in_code(ranked, 6)} were taken for the best guesses of one model: if other ranks than the first are of use, "
            "give the score of each class a column of its own"
        )
    read = {*columns.model, *columns.label, *columns.fields}
    for name in filter(read.__contains__, df.attrs.get(POINTS, ())):
        yield (
            f"`{name}` was read with decimal points, but its points may separate thousands, as the rest of the file "
            "suggests: remove those that do"
        )


def _of_ids(df: pd.DataFrame, columns: Columns) -> Iterator[str]:
    """Remarks on columns that could be the id, or repeat values under its name, and on a last row that sums up the others."""
    if columns.id:
        last = str(df[columns.id].iloc[-1])
        if TOTALS.fullmatch(folded(last)):
            yield f"The last item is called {_checks.shown(last)}: if its row sums up the others, remove it"
        ids = map(str, df[columns.id].head(FIRST))
        long = [text for text in ids if text.isdecimal() and len(text) > 15]
        if long and all(map(_checks.rounded, long)):
            yield f"Ids of `{columns.id}` such as {_checks.shown(long[0])} may be rounded: {_checks.AS_TEXT}"
        for name in suggesting(df.columns, "id", {columns.id}):
            if repeats(df[name]):
                yield f"`{name}` has repeated values: the id is `{columns.id}`"
        return
    used = columns.used
    for name in suggesting(df.columns, "weak id", used):
        if repeats(df[name]) and not fractions(df[name]):  # caret writes scores to `No` and `Yes`
            yield f"`{name}` is not an id, because its values repeat"
    if len(possible := possible_ids(df, used)) > 1:
        yield f"{in_code(possible)} could each be the id: name one"
    if not columns.system and (pair := nearly_long(df, used)):
        item, system = pair
        yield (
            f"`{item}` repeats, but not beside the same `{system}`: if each row is what one system says of an item, "
            f'complete the table and pass id="{item}", system="{system}"'
        )


def _of_labels(df: pd.DataFrame, columns: Columns) -> Iterator[str]:
    """Remarks on known labels: unknown cells, missing classes, and fields that give the label away."""
    yield from unknown_labels(columns.task, df, columns.label)
    if not columns.task.classified or len(columns.label) != 1 or nested(df[columns.label[0]]):
        return
    label = columns.label[0]
    met = labels_in(df[label], columns.classes, columns.task.width)
    foreign = [_checks.shown(name) for name in met if place_of(name, columns.classes) is None]
    if foreign and columns.kind == "multiclass":
        yield f"`{label}` holds {_checks.listed(foreign, 3)}, which is no class: such labels are refused"
    if len(met) == 0:
        yield f"`{label}` is empty: no label is known"
    if len(met) == 1:
        yield f"`{label}` holds only {_checks.shown(met[0])}: no item of another class is known"
    for name in columns.fields:
        if len(met) > 1 and _tells_label(df[name], df[label]):
            yield f"`{name}` has one label for each of its values, so it gives the label away: leave it out"


def _of_records(df: pd.DataFrame, columns: Columns) -> Iterator[str]:
    """Remarks on columns of records that may hold the scores that a system lacks, as BigQuery's predicted_label_probs."""
    if columns.kind != "regression" and not columns.scores:
        for name in columns.hidden:
            if keys := keys_in(df[name]):
                held = f"`{name}` holds records with {short_code(keys)}"
                yield f"{held}: if these are scores, give that of each class a column of its own, prob_NAME"


def _of_weights(df: pd.DataFrame, columns: Columns) -> Iterator[str]:
    """Remarks on columns that may say how many items a row stands for, since no estimate weighs rows."""
    used = columns.used
    physical = MASS if any(MEASURE.search(folded(name)) for name in df.columns) else ()
    for name in df.columns:
        said = folded(name)
        if name in used or said in physical or not WEIGHTS.fullmatch(said):
            continue
        values = loose(df[name])  # all nan if some cell is no number
        known = values[np.isfinite(values)]
        numbered = (np.diff(known) == 1).all()  # as a column n may do with the rows
        if len(known) and 0 <= known.min() < known.max() and not numbered:
            renamed = f", each time with another `{columns.id}`" if columns.id else ""
            remedy = f"if a row stands for several items, repeat it that often{renamed}"
            yield f"Each row counts once, whatever `{name}` says: {remedy}"


def _of_numbers(df: pd.DataFrame, columns: Columns, rules: Rules) -> list[str]:
    """Remarks on a system's columns of numbers that were not read as they stand."""
    if columns.kind == "regression":
        return _from_text(df, columns.model)
    notes = _from_text(df, columns.scores) + doubtful(df, columns, rules.transform)
    if rules.transform in (None, "percent", "confidence"):
        notes += [said for name in columns.scores for said in _clipped(df[name], rules.whole)]
    if rules.transform is None:
        shares = [name for name in columns.scores if says_percent(name) and not _checks.in_percent(df[name])]
        said = "says percent and was read as shares of 1: divide percentages by 100 beforehand"
        notes += [f"`{name}` {said}" for name in shares]
    return notes


def _from_text(df: pd.DataFrame, names: Sequence[str]) -> list[str]:
    """A remark for each of these columns of numbers that was text."""
    return [f"`{name}` was text and was read as {_read_as(df[name])}" for name in names if _is_text(df[name])]


def _clipped(scores: pd.Series[Any], whole: float) -> list[str]:
    """A remark if accepted scores lie outside [0, 1], or in percent outside [0, 100], and were clipped."""
    if nested(scores) or _checks.in_percent(scores):
        return []
    shares = loose(scores) / whole
    beyond = max(float(shares.max()) - 1.0, -float(shares.min()))
    return [f"`{scores.name}` leaves [0, {whole:g}] by rounding and was clipped"] if beyond > 0.0 else []


def _empty_decisions(df: pd.DataFrame, columns: Columns) -> Iterator[str]:
    """Remarks on decisions that should be sets of labels but are empty or a word such as NA: no label is predicted."""
    for name in (own.pred[0] for own in columns.systems if len(own.pred) == 1):
        known = encode_cells(columns.task, df[name])[1]
        if not known.all():
            yield f"`{name}` names no label in {many((~known).sum(), 'cell')}: none is predicted there"


def _tells_label(series: pd.Series[Any], label: pd.Series[Any]) -> bool:
    """Whether the column has few values in the first rows and each of them occurs with one label only."""
    known = label.iloc[:FIRST].notna().to_numpy(dtype=bool)
    try:
        values, _ = pd.factorize(_checks.plain(series.iloc[:FIRST][known]))
        labels, names = pd.factorize(_checks.plain(label.iloc[:FIRST][known]))
    except TypeError:
        return False
    distinct = int(values.max(initial=-1)) + 1
    if len(names) < 2 or not 1 < distinct <= len(values) / 20:
        return False
    pairs = np.unique(values.astype(np.int64) * len(names) + labels)
    return len(pairs) == len(np.unique(values))


def _is_text(series: pd.Series[Any]) -> bool:
    known = _checks.plain(series)
    texts = types.is_object_dtype(known.dtype) or types.is_string_dtype(known.dtype)
    return texts and any(isinstance(cell, str) for cell in known)


def _read_as(series: pd.Series[Any]) -> str:
    # Every cell of an accepted column is a number, and all or none have a percent sign, so the first cell is enough.
    return "percentages, divided by 100" if _checks.in_percent(series.head(1)) else "numbers"
