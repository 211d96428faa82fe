"""What the library tells programmers, in the words of the console."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import get_args

from sampleval.pool import Kind
from sampleval.pool.guessing.scales import Transform

# Words of the library's messages, meant for programmers → the command's options.
SPOKEN: Mapping[str, str] = MappingProxyType(
    {f'transform="{way}"': f"--{way}" for way in get_args(Transform)}
    | {f'task="{kind}"': f"--task {kind}" for kind in get_args(Kind)}
    | {
        "`transform` cannot be 'percent'": "`--percent` cannot be given",
        "`transform` needs scores": "`--sigmoid`, `--softmax` and `--percent` need scores",
        "`transform` must be 'softmax'": "`--sigmoid` must be --softmax",
        "`transform` must be 'sigmoid'": "`--softmax` must be --sigmoid",
        "`transform` can be 'confidence' only": "`--confidence` can be given only",
        "Name both with `classes`, the negative one first": "Name both with --classes, the negative one first",
        "name all with `classes`": "name all with --classes",
        "if it is, pass score=": "if it is, --score ",
        "make the pool with classes=(negative, positive)": "name them with --classes, the negative one first",
        "take `about`='pool'": "leave out --future",
        "fixed beforehand, `interval`=": "fixed beforehand, --interval ",
        "`column` is not a column of the frame": "`--parts` must be a column that is shown",
        "`column` ": "`--parts` ",
        "`target` must be a file that can be written": "`--study` must be a file that can be written",
        ", score=…": ", --score …",
        ", pred=…": ", --pred …",
        "with pred, and ": "with --pred, and ",
        "name it with pred": "name it with --pred",
        "name it with label": "name it with --label",
        "name it with score": "name it with --score",
        "name the column with pred.": "name the column with --pred.",
        "ask for them with Study.curve": "print them with --curve",
    }
)
