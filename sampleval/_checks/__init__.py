"""The one place where raw input is coerced or refused.

Every refusal is an `InputError` that names the argument, the rule, the value, the row (counted
from 0) and its id, and the remedy.
"""

from sampleval._checks.columns import (
    cells,
    column,
    distinct_names,
    finite,
    frame,
    identifiers,
    name_of,
    plain,
    probabilities,
    unique,
)
from sampleval._checks.errors import (
    InputError,
    Text,
    comma,
    decimal_commas,
    fail,
    listed,
    located,
    nearest,
    shown,
    undamaged,
)
from sampleval._checks.protocols import conforms, instance, several
from sampleval._checks.values import (
    budget,
    choice,
    count,
    defensive,
    goal,
    level,
    nonnegative,
    positive,
    real,
    shrinkage,
    unit,
)

__all__ = [
    "InputError",
    "Text",
    "budget",
    "cells",
    "choice",
    "column",
    "comma",
    "conforms",
    "count",
    "decimal_commas",
    "defensive",
    "distinct_names",
    "fail",
    "finite",
    "frame",
    "goal",
    "identifiers",
    "instance",
    "level",
    "listed",
    "located",
    "name_of",
    "nearest",
    "nonnegative",
    "plain",
    "positive",
    "probabilities",
    "real",
    "several",
    "shown",
    "shrinkage",
    "undamaged",
    "unique",
    "unit",
]
