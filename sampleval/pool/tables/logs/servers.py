"""Replies of model servers, KServe's and Triton's, in which each output is a list of numbers for all items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sampleval.pool.naming import role_of
from sampleval.pool.tables.logs.common import Record, Rows, refuse


def of_outputs(records: Sequence[Record], name: str) -> Rows:
    """A row per item of tensors: of one number each, or of the scores of all classes."""
    outputs = records[0]["outputs"]
    columns: dict[str, list[Any]] = {}
    for one in outputs:
        called, cells = str(one["name"]), _tensor(one, name)
        if cells.ndim == 2:
            called = "scores" if "scores" not in columns else called
        elif role_of(called)[0] == "label" or (len(outputs) == 1 and cells.dtype.kind != "f"):
            called = "prediction"  # a server knows no labels
        columns[called] = cells.tolist()
    if len({*map(len, columns.values())}) != 1:
        refuse(name, "must hold as many items in each output", "leave out those of another length")
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _tensor(output: Record, name: str) -> NDArray[Any]:
    """What a server gives for all items: a number of each, (n,), or several, (n, C)."""
    of, kind = f"`{output['name']}`", object if output["datatype"] == "BYTES" else None
    try:
        cells = np.array(output["data"], dtype=kind).reshape(output["shape"])
    except (TypeError, ValueError):
        refuse(name, f"must hold as many numbers as its shape says; {of} does not", "ask for it again")
    if cells.ndim == 2 and cells.shape[1] == 1:
        cells = cells[:, 0]
    if cells.ndim not in (1, 2):
        rule = f"must hold one answer for each item; {of} has the shape {output['shape']}"
        refuse(name, rule, "leave it out")
    return cells


def of_predictions(records: Sequence[Record], name: str) -> Rows:
    """A row per decision; numbers with decimals may be probabilities or what is predicted."""
    cells = records[0]["predictions"]
    if any(isinstance(cell, float) for cell in cells):
        rule = "must say what its numbers are: probabilities, or amounts that are predicted"
        remedy = 'write a record for each, {"score": 0.5} or {"prediction": 12.5}, with the text of the item'
        refuse(name, rule, remedy)
    return [{"prediction": cell} for cell in cells]
