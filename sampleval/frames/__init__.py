"""Results as tidy frames. Their column names are public, since charts, downloads and notebooks rely on them."""

from sampleval.frames.adaptation import believed, divergence, moved
from sampleval.frames.answers import labels, notes
from sampleval.frames.by_class import classes, confused, confusion, legible_classes
from sampleval.frames.detail import (
    FEW_IN_PART,
    components,
    curve,
    part_columns,
    parts,
    parts_of,
    region,
    systems,
)
from sampleval.frames.plans import advice, costs, inclusion, plans, sorted_inclusion
from sampleval.frames.pools import histogram, predicted_positive, prediction_error, reliability
from sampleval.frames.results import density, density_of_limits, estimates, has_scale, late, to_json
from sampleval.frames.sample import sample

__all__ = [
    "FEW_IN_PART",
    "advice",
    "believed",
    "classes",
    "components",
    "confused",
    "confusion",
    "costs",
    "curve",
    "density",
    "density_of_limits",
    "divergence",
    "estimates",
    "has_scale",
    "histogram",
    "inclusion",
    "labels",
    "late",
    "legible_classes",
    "moved",
    "notes",
    "part_columns",
    "parts",
    "parts_of",
    "plans",
    "predicted_positive",
    "prediction_error",
    "region",
    "reliability",
    "sample",
    "sorted_inclusion",
    "systems",
    "to_json",
]
