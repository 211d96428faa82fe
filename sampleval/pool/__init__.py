"""The pool: scored items without their labels, so that nothing can leak into a design.

`tables` reads files into frames, `guessing` finds what their columns mean, and `building` makes of these the `Pool` in `core`.
`Labels` are kept apart. `reporting` and `remarks` tell the user how all of it was understood.
"""

from sampleval.pool.answers import blanks, decode_label, encode_label, label_text
from sampleval.pool.claims import at_odds
from sampleval.pool.columns import Columns
from sampleval.pool.core import Pool, checked
from sampleval.pool.guessing.roles import guess_columns
from sampleval.pool.labels import Labels, all_of, belonging
from sampleval.pool.outputs import deciding_threshold, predicted, scored, told_errors
from sampleval.pool.task import (
    SEVERAL,
    SINGLE,
    YES_NO,
    Flags,
    Floats,
    Integers,
    Items,
    Kind,
    System,
    Task,
    of_class,
)

__all__ = [
    "SEVERAL",
    "SINGLE",
    "YES_NO",
    "Columns",
    "Flags",
    "Floats",
    "Integers",
    "Items",
    "Kind",
    "Labels",
    "Pool",
    "System",
    "Task",
    "all_of",
    "at_odds",
    "belonging",
    "blanks",
    "checked",
    "deciding_threshold",
    "decode_label",
    "encode_label",
    "guess_columns",
    "label_text",
    "of_class",
    "predicted",
    "scored",
    "told_errors",
]
