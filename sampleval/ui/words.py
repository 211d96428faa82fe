"""Numbers and user text in the form in which people read them. User text is never treated as markup."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime

from sampleval import numerals
from sampleval._checks import capitalised, isolated, retold
from sampleval.events import Answered
from sampleval.metrics import resolve
from sampleval.pool import Kind, Task
from sampleval.study import Estimate, Progress, in_text

_MARKUP = re.compile(r"([\\`*_{}\[\]()#+!|<>~$:&-])")
# What becomes a picture or a link after the Markdown was read, when a backslash is gone.
_REPLACED = re.compile(
    r"(?<=:)(?=(?:material/\w+|streamlit):|//)|(?<=@)(?=[-\w]+\.)|(?<=www)(?=\.)", re.IGNORECASE
)
_CLASSES = re.compile(r", classes=\(.*\)(?=\.$)")  # how a programmer makes a class positive
LONGEST = 60
# What the library tells a programmer → how the page has it.
SPOKEN = {
    "`storage` ": "the database of studies ",
    "`transform` cannot be 'percent' where all scores": "the scores cannot be percentages where all",
    "`path` must be a file that can be written": "your data cannot be stored",
    'for percentages pass transform="percent", else': "if these are percentages, say so; else",
    "leave it out; if they are percentages, none above 1%, divide the scores by 100 beforehand": (
        "say that these are probabilities; if they are percentages, none above 1%, divide them by 100 in the table"
    ),
    "clip the column to [0, 1]": "clip the column to [0, 1] in the table",
    "map a probability column": "choose a column of probabilities",
    "name the positive class's, or pass classes=(negative, positive)": (
        "choose the positive class's, or another answer to “What is predicted?”"
    ),
    'for two systems name the scores of each, system={"old": {"score": …}, "new": {"score": …}}': (
        "for two systems choose the second one's score beside the first"
    ),
    "if it is, pass score=": "if it is, choose ",
    "if they mean the same, make the pool with classes=(negative, positive)": "write no and yes, or 0 and 1",
    "one column in a binary task": "one column where there are two classes",
    ' (transform="sigmoid")': "",
    ' (transform="softmax")': "",
    ' (transform="sigmoid"; if each item has one class, task="multiclass", transform="softmax")': (
        "; if each item has one class, choose “one of several classes”"
    ),
    'pass task="multilabel", for margins transform="softmax"': "choose “any of several labels”, for margins say so",
    'choose two classes (task="binary")': "choose “one of two classes”",
    'choose several classes (task="multiclass")': "choose “one of several classes”",
    'name the task (task="multiclass")': "choose “one of several classes”",
    'pass task="multiclass"': "choose “one of several classes”",
    'else task="multilabel"': "else choose “any of several labels”",
    'with pred, and pass transform="confidence"': (
        "at “Decision”, and say that the scores are confidence in the decision"
    ),
    'pass transform="confidence"': "say that the scores are confidence in the decision",
    "if it holds them, name it with pred": "if it holds them, name it at “Decision”",
    "name one, score=…": "choose it here",
    "name one, pred=…": "choose it here",
    "name it, pred=…": "choose it here",
    "with scores, pred=() lets the threshold decide": "with scores, choose no decision: the threshold then decides",
    "`label` must be 0 or 1": "the answer must be no or yes, or 0 or 1",
    "`answer` must be 0 or 1": "the answer must be no or yes, or 0 or 1",
}
# What parts of a method say of scores → what stands there where numbers are predicted.
OF_NUMBERS = {
    "Shrunk scores": "Predictions, their errors shrunk",
    "Recalibrated scores": "Recalibrated predictions",
    "The system's own probabilities, trusted": "The predictions and the errors expected of them, trusted",
    "The system's probabilities, corrected with the labels so far where they prove too high or too low": (
        "The predictions and the errors expected of them, corrected with the labels so far"
    ),
    "whatever its score": "whatever is predicted of it",
    "range of scores": "range of predictions",
    "anges of similar score": "anges of similar predictions",
}
# How the library writes numbers, so that a page needs one module for all it says.
count, many, number = numerals.count, numerals.many, numerals.number
share, sure = numerals.share, numerals.sure
limits, possible = numerals.limits, numerals.possible
within = numerals.within
as_typed, legible, fixed, brief = numerals.as_typed, numerals.legible, numerals.fixed, numerals.brief
money, duration = numerals.money, numerals.duration
span, rounded = numerals.span, numerals.rounded


def plain(text: object) -> str:
    r"""User text for a place that renders Markdown, with every sign of markup escaped.

    >>> print(plain("<b>50% *off*</b>"))
    \<b\>50% \*off\*\</b\>
    """
    apart = _REPLACED.sub("\N{WORD JOINER}", _in_one_line(str(text)))
    return _MARKUP.sub(r"\\\1", apart)


def name(text: object) -> str:
    """The same for a name, whose script may be read from right to left; in a sentence it stays in its place."""
    return plain(isolated(str(text)))


def unbroken(sentence: str) -> str:
    """The same for a sentence in which no line is to end after "±"."""
    return plain(sentence).replace("± ", "±\N{NO-BREAK SPACE}")


def _in_one_line(text: str) -> str:
    """The text without its ends of lines: two of them end a paragraph, and with it what was begun as code."""
    return re.sub(r"[\r\n]", " ", text)


def short(text: object, longest: int = LONGEST) -> str:
    """The text, cut to a length with an ellipsis."""
    shown = str(text)
    return shown if len(shown) <= longest else shown[: longest - 1] + "…"


def of_labels(told: str, kind: Kind) -> str:
    """A sentence of a method about scores, in words that fit labels of this kind.

    >>> of_labels("Every range of scores gets labels.", "regression")
    'Every range of predictions gets labels.'
    """
    return retold(told, OF_NUMBERS) if kind == "regression" else told


def sentence(message: str | Exception) -> str:
    """A message of the library or of an error as an escaped sentence, with argument names kept as code.

    >>> sentence("`label` must be 0 or 1; got 2")
    'The answer must be no or yes, or 0 or 1; got 2.'
    >>> sentence("if `y_pred` holds the decision, name it, pred=…")
    'If `y_pred` holds the decision, choose it here.'
    """
    said = coded(retold(str(message), SPOKEN))
    return capitalised(said) + ("" if said.endswith((".", "!", "?")) else ".")


def coded(text: str) -> str:
    """The text, escaped except for parts in backticks, which stay code."""
    parts = re.split(r"`([^`]*)`", _in_one_line(text))
    return "".join(f"`{part}`" if k % 2 and part else plain(part) for k, part in enumerate(parts))


def report(lines: Sequence[str]) -> str:
    """The lines of a report as a Markdown list."""
    return "\n".join(f"- {coded(retold(_CLASSES.sub('', line), SPOKEN))}" for line in lines)


def value(estimate: Estimate, *, whole: bool = False) -> str:
    """The value, with as many decimals as its limits deserve; `whole` as in `numerals.within`."""
    return within(estimate.value, estimate.interval.low, estimate.interval.high, whole=whole)


def between(estimate: Estimate, *, whole: bool = False) -> str:
    """The interval with its level, or the words that the value is known exactly; `whole` as in `numerals.between`."""
    interval = estimate.interval
    return numerals.between(interval.low, interval.high, interval.level, whole=whole)


def answer(task: Task, what: Answered) -> str:
    """An answer in words: an empty set of labels is "none", and a number has thousands separators.

    >>> answer(Task("regression"), Answered(0, "a", "label", 1234.5)), answer(Task("regression"), Answered(0, "a", "skip"))
    ('1,234.5', 'skip')
    """
    if task.kind == "regression" and what.kind == "label":
        return as_typed(float(what.label))
    said = in_text(task, what)
    return "none" if task.kind == "multilabel" and said == "[]" else said


def answered(at: Progress) -> str:
    """How much of the budget is used, and how many of these answers are no labels.

    >>> print(answered(Progress(labels=7, budget=300, skipped=2, unsure=0, round=1, seconds=5.0)))
    7 of 300 answered (2 skipped)
    """
    silent = [f"{count(n)} {how}" for n, how in ((at.skipped, "skipped"), (at.unsure, "unsure")) if n]
    return f"{count(at.labels)} of {count(at.budget)} answered" + (
        f" ({', '.join(silent)})" if silent else ""
    )


def held(labels: int, size: int) -> str:
    """What happens to labels that are known before a study.

    >>> held(200, 5000)
    'Known labels (200) count, each for its own item, and are not asked again. The sample is drawn from the rest (4,800 items), so the known labels need not be a random sample.'
    """
    return (
        f"Known labels ({count(labels)}) count, each for its own item, and are not asked again. The "
        f"sample is drawn from the rest ({many(size - labels, 'item')}), so the known labels need not be "
        f"a random sample."
    )


def roughly(hours: float) -> str:
    """A working time that is only estimated.

    >>> roughly(0.25), roughly(0.001)
    ('about 15 min', 'less than a minute')
    """
    return "less than a minute" if hours < 1 / 60 else f"about {duration(hours)}"


def ago(moment: str, now: datetime | None = None) -> str:
    """A time of the log in words, relative to now.

    >>> ago("2026-01-01T10:00:00+00:00", datetime(2026, 1, 1, 12, 5, tzinfo=UTC))
    '2 hours ago'
    >>> ago("2025-11-30T10:00:00+00:00", datetime(2026, 1, 1, tzinfo=UTC))
    '30 November 2025'
    """
    then = datetime.fromisoformat(moment)
    seconds = ((now or datetime.now(UTC)) - then).total_seconds()
    if seconds < 90:
        return "just now"
    for unit, size, most in (("minute", 60, 90), ("hour", 3600, 36), ("day", 86400, 14)):
        if seconds < most * size:
            return f"{many(seconds // size, unit)} ago"
    return f"{then.day} {then:%B %Y}"


def entitled(metric: str) -> str:
    """A metric's title, by its name."""
    return resolve(metric).title
