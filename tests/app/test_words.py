"""Words for users: messages without their way in Python, and names that stay names."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

import sampleval as sv
from sampleval import offline, sheets
from sampleval._checks import InputError, retold
from sampleval.plots.style import escaped
from sampleval.pool import Task, encode_label, guess_columns
from sampleval.pool.files import aside
from sampleval.pool.reporting import kind_in_words
from sampleval.ui import words
from sampleval.ui.data import mapping
from sampleval.ui.results import tables


def scored(**columns: object) -> sv.Pool:
    return sv.Pool.from_frame(pd.DataFrame(columns))


def write_to(path: Path) -> None:
    with aside(path) as part:
        part.write_bytes(b"")


REFUSED: list[Callable[[], object]] = [
    lambda: sv.Storage.at("sqlite:///no folder/studies.db"),
    lambda: write_to(Path("no folder/pool.parquet")),
    lambda: scored(score=[12.0, 80.0]),
    lambda: scored(score=[-3.0, 2.0]),
    lambda: scored(score_a=[-3.0, 2.0], score_b=[1.0, 4.0]),
    lambda: sv.Pool.from_frame(pd.DataFrame({"score_a": [-3.0], "score_b": [1.0]}), task="multiclass"),
    lambda: sv.Pool.from_frame(pd.DataFrame({"score": [0.2, 0.7]}), transform="percent"),
    lambda: scored(score=[0.2, 1.0005]),
    lambda: sv.Pool.from_frame(
        pd.DataFrame({"score_a": [0.9, 0.8], "score_b": [0.9, 0.1], "score_c": [0.4, 0.3]}), task="multiclass"
    ),
    lambda: encode_label(Task(), "perhaps"),
    lambda: sv.Pool.from_frame(
        pd.DataFrame({"score_a": [0.9], "score_b": [0.0], "score_c": [0.1]}), task="binary"
    ),
    lambda: sv.Pool.from_frame(pd.DataFrame({"score": [0.2, 0.7, 0.9], "label": list("abc")}), label="label"),
    lambda: scored(prob_no=[0.2, 0.7]),
    lambda: sv.Labels.from_frame(pd.DataFrame({"label": ["ham", "spam"]}), scored(score=[0.2, 0.7])),
    lambda: scored(pred=["€ 1,214.65", "€ 90.00"]),
    lambda: scored(score=[0.2, 0.7], pred=[1, None]),
]
CONFIDENT: dict[str, object] = {"score": np.linspace(0.5, 1, 30)}
REPORTED: tuple[dict[str, object], ...] = (
    CONFIDENT,
    CONFIDENT | {"pred": [0, 1] * 15},
    {"churn_score": [0.9, 0.6, 0.1], "churn_prediction": [1, 0, 0]},
)
GUESSED = (
    {"score_a": [0.9, 0.8], "score_b": [0.9, 0.1]},
    {"pred": ["news", "art|design", "sport"]},
    {"pred": ["news", "art|design", "art"]},
    {"old_score": [0.9, 0.8], "new_score": [0.9, 0.1]},
    {"old_pred": [0, 1], "new_pred": [1, 1]},
    {"label_pred": [0, 1]},
)


def not_used(answer: str) -> str:
    """Why an answer in a sheet is not used."""
    study = sv.create_study(scored(score=[0.2, 0.7]), metric="f1", budget=2)
    sheet = sheets.from_file(offline.write(study, 1)).assign(answer=answer)
    (line,) = offline.read(study, sheet.to_csv(index=False).encode()).rejected
    return line.reason


def test_what_pages_put_in_other_words_is_what_the_library_says() -> None:
    """If a message changes, its replacement no longer fits, and people would read `transform="percent"`."""
    messages = [not_used("perhaps")]
    for refused in REFUSED:
        with pytest.raises(InputError) as caught:
            refused()
        messages.append(str(caught.value))
    messages += [guess_columns(pd.DataFrame(columns)).explanation for columns in GUESSED]
    messages += [line for columns in REPORTED for line in scored(**columns).report]
    for told in words.SPOKEN:
        assert any(told in message for message in messages), told
    retellings = [retold(message, words.SPOKEN) for message in messages]
    assert not any(
        code in said for said in retellings for code in ("transform=", "task=", "={", "pred=", "with pred")
    )
    assert not any(words.report([message]).count("task=") for message in messages)
    assert set(re.findall("choose “(.+?)”", " ".join(retellings))) <= set(mapping.KINDS.values())


def test_another_class_is_made_positive_without_python() -> None:
    scores = np.linspace(0, 1, 40)
    pool = sv.Pool.from_frame(
        pd.DataFrame({"score": scores, "pred": np.where(scores < 0.5, "b)", "a)")}), classes=["a)", "b)"]
    )
    [line] = [line for line in pool.report if "wrong way round" in line]
    assert line.endswith("or make 'a)' the positive class, classes=('b)', 'a)').")
    assert words.report([line]).endswith(r"or make 'a\)' the positive class.")


def test_a_name_stands_as_it_was_typed() -> None:
    assert words.plain("R&amp;D") == r"R\&amp;D"


@pytest.mark.parametrize("name", [":material/home:", "is :streamlit: it"])
def test_no_name_becomes_a_picture(name: str) -> None:
    """Streamlit looks for these in the text that Markdown has left, in which an escaped colon is a colon."""
    read = words.plain(name).replace("\\", "")
    assert re.search(r":(material/\w+|streamlit):", read) is None
    assert read.replace("\N{WORD JOINER}", "") == name


@pytest.mark.parametrize("name", ["see http://a.org", "HTTPS://a.org", "www.a.org", "me@a.org"])
def test_no_name_becomes_a_link(name: str) -> None:
    """As with pictures: the frontend looks for addresses in what Markdown has left."""
    read = words.plain(name).replace("\\", "")
    assert re.search(r"https?://|www\.|@\w", read, re.IGNORECASE) is None
    assert read.replace("\N{WORD JOINER}", "") == name


@pytest.mark.parametrize("name", ["إيجابي!", "שירות (VIP)", "txt\u202egpj"])
def test_a_name_read_from_the_right_turns_nothing_around_it(name: str) -> None:
    """A chart showed the last of these as "txt)slebal 2( jpg", and the first with its exclamation mark in front."""
    alone = f"\u2068{name}\u2069"
    assert words.name(name) == words.plain(alone)
    few = pd.DataFrame({"class": [name, "spam"], "labels": [2, 9], "few": [True, False]})
    assert list(tables.marked(few)) == [f"{alone} (2 labels)", "spam"]
    assert escaped(name) == alone
    assert kind_in_words(Task("multiclass", ("إيجابي!", "سلبي"))).endswith(
        "(\u2068إيجابي!\u2069, \u2068سلبي\u2069)"
    )


@pytest.mark.parametrize("end", ["\n\n", "\r\r", "\r\n\r\n"])
def test_no_name_ends_the_code_in_which_it_stands(end: str) -> None:
    """Beyond the end of a paragraph, a backquote of a class name is no code: a picture there was fetched from its server."""
    name = f"a`{end}![](http://a.org/b.png){end}`"
    assert "\n" not in words.report([f"one of 3 classes ({name}, b, c)"])
    assert not set("\r\n") & set(words.coded(f"`{name}` is a column"))
    assert not set("\r\n") & set(words.plain(name))
