"""What the library tells programmers, in the words of the console."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# Words of the library's messages, meant for programmers → the command's options.
SPOKEN: Mapping[str, str] = MappingProxyType(
    {
        'transform="percent"': "--percent",
        "`transform` cannot be 'percent'": "`--percent` cannot be given",
        "`transform` needs scores": "`--sigmoid`, `--softmax` and `--percent` need scores",
        "`transform` must be 'softmax'": "`--sigmoid` must be --softmax",
        "`transform` can be 'softmax' only": "`--softmax` can be given only",
        "`transform` can be 'confidence' only": "`--confidence` can be given only",
        "name the decisions' column, pred=…": "name the decisions' column, --pred …",
        'transform="confidence"': "--confidence",
        'transform="sigmoid"': "--sigmoid",
        'transform="softmax"': "--softmax",
        'task="binary"': "--task binary",
        'task="multiclass"': "--task multiclass",
        'task="multilabel"': "--task multilabel",
        'task="regression"': "--task regression",
        "Name both with `classes`, the negative one first": "Name both with --classes, the negative one first",
        "name all with `classes`": "name all with --classes",
        "if it is, pass score=": "if it is, --score ",
        "make the pool with classes=(negative, positive)": "name them with --classes, the negative one first",
        "take `about`='pool'": "leave out --future",
        "fixed beforehand, `interval`=": "fixed beforehand, --interval ",
        "`column` is not a column of the frame": "`--parts` must be a column that is shown",
        "`column` ": "`--parts` ",
        "`target` must be a file that can be written": "`--study` must be a file that can be written",
        "name one, score=…": "name one, --score …",
        "name one, pred=…": "name one, --pred …",
        "name it, pred=…": "name it, --pred …",
        "with pred, and ": "with --pred, and ",
        "name it with pred": "name it with --pred",
        "name it with label": "name it with --label",
        "name it with score": "name it with --score",
        "name the column with pred.": "name the column with --pred.",
        "ask for them with Study.curve": "print them with --curve",
    }
)
