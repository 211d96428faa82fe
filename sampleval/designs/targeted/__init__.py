"""Targeted sampling of cells: the allocation of each round's labels to them, and the design that draws them."""
