"""Names of two classes whose sense is known: which one is the negative, and whether they say of what."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

SIGNED = ("-1", "1")
# Pairs of (negative, positive). Those that only answer yes or no, whatever the question:
BARE = (("0", "1"), ("false", "true"), ("no", "yes"), ("n", "y"), ("f", "t"))
# and those that say no more of what than negative and positive do.
PLAIN = (*BARE, ("negative", "positive"), ("neg", "pos"), SIGNED)
POLAR = (*PLAIN, ("non-match", "match"), ("off", "on"))
# Answers to "is it?" for any two classes, which may also be the numbers of classes, counted from 0:
ANSWERS = {name for pair in BARE[:4] for name in pair}
ENCODED = {name for pair in BARE[:2] for name in pair}
# A single −1 is as often a mark for "unknown" as the negative class: only classes or a whole column can tell.
_WHOLE = re.compile(r"^(-?\d+)\.0+$")
_PADDED = re.compile(r"^(-?)0+(?=\d+$)")
_SENSE = {name: side for pair in POLAR if pair != SIGNED for side, name in enumerate(pair)}


def polar(names: Iterable[str]) -> tuple[str, str] | None:
    """The (negative, positive) pair behind one or two names, if their sense is known.

    >>> polar(["Yes", "No"]), polar(["true"]), polar(["ham", "spam"])
    (('No', 'Yes'), ('false', 'true'), None)
    """
    found = {name.lower(): name for name in names}
    for negative, positive in POLAR:
        if found and set(found) <= {negative, positive}:
            return found.get(negative, negative), found.get(positive, positive)
    return None


def sense(name: str) -> int | None:
    """Which of two classes a name means anywhere: 1 for yes, 0 for false, None for spam.

    >>> sense("YES"), sense("0.0"), sense("spam")
    (1, 0, None)
    """
    return _SENSE.get(whole(name).lower())


def whole(name: str) -> str:
    """1 for 1.0, which a half-filled column of numbers makes of it on its way through a file; any other name as it is.

    >>> whole("1.0"), whole("1.10"), whole("spam")
    ('1', '1.10', 'spam')
    """
    return _WHOLE.sub(r"\1", name)


def bare(name: str) -> str:
    """What a spreadsheet makes of 01, whose zeros it drops; any other name as it is.

    >>> bare("01"), bare("00"), bare("-007"), bare("01a")
    ('1', '0', '-7', '01a')
    """
    return _PADDED.sub(r"\1", whole(name))


def meant(name: str, classes: Sequence[str]) -> int | None:
    """Which of two classes, the negative one first, an answer with neither's name means; None if that is not certain.

    Words go by their meaning if the classes have one; otherwise yes is the positive class. If the positive class is a
    no, 0 and 1 could mean its place or its sense, so neither is taken.

    >>> meant("yes", ("ham", "spam")), meant("n", ("yes", "no")), meant("1", ("yes", "no")), meant("t", ("f", "m"))
    (1, 1, None, None)
    """
    side, senses = sense(name), [sense(bare(known)) for known in classes]
    if side is None or "-1" in classes:
        return None
    if senses == [0, 1]:
        return side
    if senses == [1, 0]:
        return None if name.lower() in ENCODED else 1 - side
    told = any(
        found == 1 - k for k, found in enumerate(senses) if len(classes[k]) > 1 or classes[k].isdecimal()
    )
    initial = len(name) == 1 and name.isalpha() and any(len(known) == 1 for known in classes)
    return None if told or initial or name.lower() not in ANSWERS else side


def is_bare(classes: Iterable[str]) -> bool:
    """Whether classes, the negative one first, are a bare no and yes: an answer of no or yes is understood as well.

    >>> is_bare(("N", "Y")), is_bare(("1", "0")), is_bare(("negative", "positive"))
    (True, False, False)
    """
    return _lower(classes) in BARE


def is_plain(classes: Iterable[str]) -> bool:
    """Whether classes, the negative one first, are called no more than negative and positive.

    >>> is_plain(("n", "y")), is_plain(("Negative", "Positive")), is_plain(("off", "on"))
    (True, True, False)
    """
    return _lower(classes) in PLAIN


def is_negative(name: str) -> bool:
    """Whether this is what a negative class is called; one letter is as often the initial of any class.

    >>> is_negative("No"), is_negative("0"), is_negative("f"), is_negative("spam")
    (True, True, False, False)
    """
    pair = polar([name])
    return pair is not None and pair[0] == name and not (len(name) == 1 and name.isalpha())


def _lower(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(name.lower() for name in names)
