"""How much an item's unknown label can change a metric under a belief: the expected deviation h (Y eq 12, M eq 5)."""
