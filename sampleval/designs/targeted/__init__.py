"""Targeted sampling of cells: the allocation of each round's labels to them, and the design that draws them."""

from sampleval.designs.targeted.targeted import CELLS, Targeted, cell_losses, foresight, model_of

__all__ = ["CELLS", "Targeted", "cell_losses", "foresight", "model_of"]
