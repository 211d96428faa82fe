"""Targeted sampling of cells: the design, its allocation of labels, and what the calibration curve tells of the cells."""

from sampleval.designs.targeted.curve import cell_losses, foresight, model_of
from sampleval.designs.targeted.targeted import CELLS, Targeted

__all__ = ["CELLS", "Targeted", "cell_losses", "foresight", "model_of"]
