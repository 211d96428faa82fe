"""The meaning of columns: what the caller says, completed by guesses from names and values."""

from sampleval.pool.guessing.amounts import fractions, loose
from sampleval.pool.guessing.classes import keys_in, positive_name
from sampleval.pool.guessing.identity import nearly_long, possible_ids, repeats, unused_ids
from sampleval.pool.guessing.names import labels_in, names_in, nested
from sampleval.pool.guessing.roles import guess_columns, named_labels, resolve
from sampleval.pool.guessing.scales import Transform, doubtful, one_unit, plausible_transforms, scale
from sampleval.pool.guessing.telling import possible_labels

__all__ = [
    "Transform",
    "doubtful",
    "fractions",
    "guess_columns",
    "keys_in",
    "labels_in",
    "loose",
    "named_labels",
    "names_in",
    "nearly_long",
    "nested",
    "one_unit",
    "plausible_transforms",
    "positive_name",
    "possible_ids",
    "possible_labels",
    "repeats",
    "resolve",
    "scale",
    "unused_ids",
]
