"""Names of two classes whose meaning is known, such as no and yes: which of them is the negative class."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from sampleval.pool.spellings import unpadded, whole

SIGNED = ("-1", "1")
# Pairs of (negative, positive). First those that answer any question with no or yes:
BARE = (("0", "1"), ("false", "true"), ("no", "yes"), ("n", "y"), ("f", "t"))
# then those that say nothing about the subject either, like negative and positive.
PLAIN = (*BARE, ("negative", "positive"), ("neg", "pos"), SIGNED)
# The same in other languages, as people there answer and as their spreadsheets write what is true:
ABROAD = (
    *(("nein", "ja"), ("falsch", "wahr"), ("negativ", "positiv")),  # German
    *(("non", "oui"), ("faux", "vrai"), ("négatif", "positif")),  # French
    *(("no", "sí"), ("no", "si"), ("falso", "verdadero"), ("negativo", "positivo")),  # Spanish
    *(("no", "sì"), ("falso", "vero")),  # Italian
    *(("não", "sim"), ("nao", "sim"), ("falso", "verdadeiro")),  # Portuguese
    *(("nee", "ja"), ("onwaar", "waar")),  # Dutch
    *(("nej", "ja"), ("nei", "ja")),  # Swedish, Danish, Norwegian
    *(("nie", "tak"), ("fałsz", "prawda")),  # Polish
    *(("нет", "да"), ("ложь", "истина")),  # Russian
    *(("hayır", "evet"), ("yanlış", "doğru")),  # Turkish, in which the capital of ı is I:
    *(("hayir", "evet"), ("yanliş", "doğru")),
    *(("否", "是"), ("假", "真")),  # Chinese
    ("いいえ", "はい"),  # Japanese
    ("아니요", "예"),  # Korean
    ("لا", "نعم"),  # Arabic
)
POLAR = (*PLAIN, ("non-match", "match"), ("off", "on"), *ABROAD)
# Names that answer "is it the positive class?" for any two classes, and those that may also be class numbers from 0:
ANSWERS = {name for pair in BARE[:4] for name in pair}
ENCODED = {name for pair in BARE[:2] for name in pair}
# What says in the name of a score that it is about a class: prob_class_0, score_LABEL_0, probability_of_no.
_ABOUT = re.compile(r"^(?:of|is|class|label)(?:[\W_]+|(?=\d))|[\W_]+class$", re.IGNORECASE)
# A single −1 may be the negative class or mean "unknown". Only the class names or the whole column can show which.
_SENSE = {name: side for pair in POLAR if pair != SIGNED for side, name in enumerate(pair)}


def polar(names: Iterable[str]) -> tuple[str, str] | None:
    """The pair (negative, positive) that one or two names belong to; `None` if their meaning is not known.

    >>> polar(["Yes", "No"]), polar(["true"]), polar(["ham", "spam"]), polar(["VRAI", "FAUX"])
    (('No', 'Yes'), ('false', 'true'), None, ('FAUX', 'VRAI'))
    """
    found = {name.lower(): name for name in names}
    for negative, positive in POLAR:
        if found and set(found) <= {negative, positive}:
            return found.get(negative, negative), found.get(positive, positive)
    return None


def sense(name: str) -> int | None:
    """Which of two classes a name means whatever the classes are: 1 for yes, 0 for false, `None` for spam.

    >>> sense("YES"), sense("0.0"), sense("spam")
    (1, 0, None)
    """
    return _SENSE.get(whole(name).lower())


def meant(name: str, classes: Sequence[str]) -> int | None:
    """Which of two classes, (negative, positive), an answer means that is not a class name; `None` if it is uncertain.

    If the class names have a meaning, the answer goes by its own meaning; otherwise yes is the positive class. If the
    positive class is called no, 0 and 1 could mean positions or meanings, so they stay uncertain.

    >>> meant("yes", ("ham", "spam")), meant("n", ("yes", "no")), meant("1", ("yes", "no")), meant("t", ("f", "m"))
    (1, 1, None, None)
    """
    side, senses = sense(name), [sense(unpadded(known)) for known in classes]
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
    """Whether the classes, negative first, only say no and yes, so that such answers are understood without them.

    >>> is_bare(("N", "Y")), is_bare(("1", "0")), is_bare(("negative", "positive"))
    (True, False, False)
    """
    return _lower(classes) in BARE


def is_plain(classes: Iterable[str]) -> bool:
    """Whether the names of the classes, negative first, say no more about them than "negative" and "positive" do.

    >>> is_plain(("n", "y")), is_plain(("Negative", "Positive")), is_plain(("off", "on"))
    (True, True, False)
    """
    return _lower(classes) in PLAIN


def is_negative(name: str) -> bool:
    """Whether a name is that of a negative class. A single letter may be the initial of any class and does not count.

    >>> is_negative("No"), is_negative("0"), is_negative("f"), is_negative("spam")
    (True, True, False, False)
    >>> is_negative("LABEL_0"), is_negative("class_00"), is_negative("of no"), is_negative("class_1")
    (True, True, True, False)
    """
    own = unpadded(_ABOUT.sub("", name))
    pair = polar([own])
    return pair is not None and pair[0] == own and not (len(own) == 1 and own.isalpha())


def _lower(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(name.lower() for name in names)
