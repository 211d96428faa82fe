"""Names in scripts that are read from right to left, within sentences that are read from left to right."""

from __future__ import annotations

import unicodedata

# Letters and digits of such scripts, and signs that turn what follows them; see Unicode Standard Annex 9.
TURNING = frozenset({"R", "AL", "AN", "LRE", "RLE", "LRO", "RLO", "LRI", "RLI", "FSI", "PDF", "PDI"})
ISOLATES = "\u2068\u2069"  # the first begins what keeps its own direction, the second ends it


def isolated(name: str) -> str:
    """The name, between signs without width if its direction would mingle with that of the words around it.

    >>> isolated("spam!"), len("שלום!"), len(isolated("שלום!"))
    ('spam!', 5, 7)
    """
    if not any(unicodedata.bidirectional(letter) in TURNING for letter in name):
        return name
    return f"{ISOLATES[0]}{name}{ISOLATES[1]}"
