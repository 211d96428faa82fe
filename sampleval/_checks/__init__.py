"""The only place where raw input is coerced or refused.

Every refusal is an `InputError` that names the argument, the rule, the value, the row (counted from 0) and its id, and
the remedy.
"""

from sampleval._checks.columns import (
    AS_TEXT,
    ERRORS,
    MISSING,
    cells,
    column,
    distinct_names,
    finite,
    frame,
    id_of,
    identifiers,
    in_percent,
    name_of,
    plain,
    rounded,
    says_missing,
    unique,
)
from sampleval._checks.commas import comma, decimal_commas, may_be_thousands
from sampleval._checks.directions import ISOLATES, isolated
from sampleval._checks.errors import (
    InputError,
    Text,
    alike,
    capitalised,
    existing,
    fail,
    listed,
    located,
    nearest,
    retold,
    shown,
    sound,
    undamaged,
)
from sampleval._checks.protocols import column_names, conforms, distinct, instance, listable, several
from sampleval._checks.shares import NEAR, RATED, may_be_percent, probabilities
from sampleval._checks.values import (
    LARGEST,
    as_array,
    budget,
    choice,
    count,
    defensive,
    flag,
    goal,
    holds_numbers,
    is_number,
    level,
    measured,
    nonnegative,
    path,
    positive,
    real,
    rule_of,
    shrinkage,
    sums_to_one,
    unit,
)
