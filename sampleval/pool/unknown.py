"""Words that stand for an unknown answer, each kind by how surely it is no class.

`says_missing` of `_checks` knows what programs write for a missing value in any column. Many of these words are short names
too, and a class may be called NA or None.
"""

from __future__ import annotations

from sampleval._checks import ERRORS

# What people, pandas and databases write for a missing value, so that no class has such a name.
NAMELESS = frozenset({"", "nan", "<na>", r"\n", *map(str.lower, ERRORS)})
# What annotators answer: it names neither of two classes, but perhaps one of several.
UNSURE = frozenset({"?", "unknown", "unsure", "unclear", "skip", "skipped"})
# What surveys write: they say nothing against a column of answers, if one or two of them stand beside these.
CODES = frozenset({"-1", "-9", "-99", "-999", "9", "99", "999", "9999", ".", "-"})
# What people write: only they know whether it is one of several classes, so they are asked.
SIGNS = frozenset("?-–—.…")


def says_unsure(cell: str) -> bool:
    """Whether a word says that the annotator was unsure or skipped the item, so that it names neither of two classes.

    >>> says_unsure("?"), says_unsure("Unsure"), says_unsure("no")
    (True, True, False)
    """
    return cell.strip().lower() in UNSURE
