"""Files that are uploaded or lie on the server: read in every form, kept by their content, refused in words."""

from __future__ import annotations

import gzip
import io
import re
from pathlib import Path

import pandas as pd
import pytest

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

from sampleval.ui.data import sources
from tests.app.steps import GOOD, begun, box, planned, said, upload
from tests.apps import start, unbroken

pytestmark = pytest.mark.usefixtures("folder")


@pytest.mark.parametrize(
    ("ending", "before", "places"),
    [(".csv", "", ("in line 5", "in line 3")), (".csv", "sep=,\n", ("in line 6", "in line 4")),
     (".parquet", "", ("at row 3", "at row 1"))],
)  # fmt: skip
def test_what_is_refused_in_a_table_is_told_by_its_line(
    folder: Path, ending: str, before: str, places: tuple[str, str]
) -> None:
    """With rows counted from 0, people looked two lines above the one to correct."""
    table = pd.DataFrame({"id": ["a", "b", "c", "b"], "score": [0.1, 0.2, 0.3, 0.4]})
    path = folder / f"twice{ending}"
    table.to_parquet(path) if ending == ".parquet" else path.write_text(before + table.to_csv(index=False))
    at = start("Data", source="server", server_path=str(path))
    for place in places:
        assert re.search(rf"\b{place}\b", at.error[0].value), at.error[0].value


def test_an_empty_cell_that_is_refused_is_not_called_nan(folder: Path) -> None:
    path = folder / "gap.csv"
    path.write_text("id,score\na,0.1\nb,\nc,0.3\n")
    at = start("Data", source="server", server_path=str(path))
    assert at.error[0].value.startswith("`score` must not be missing; see line 3")


def test_an_upload_is_kept_on_disk_by_its_content_and_let_go_of(folder: Path) -> None:
    at = upload("my data.csv", GOOD.encode())
    (kept,) = (folder / "uploads").iterdir()
    assert kept.read_text() == GOOD
    assert at.file_uploader[0].value is None
    assert {m.label: m.value for m in at.metric}["Items"] == "20"
    assert "Labels (M) 20" in said(planned(at))


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("Größe_2.csv", "größe-2"),
        ("gro\u0308ße.csv", "größe"),
        ("отзывы (1).csv", "отзывы-1"),
        ("--.csv", "study"),
    ],
)
def test_a_study_is_called_as_its_file_in_any_script(file: str, name: str) -> None:
    """A study of größe.csv was called gr-e, and every one of a Russian or Japanese file study."""
    assert begun(upload(file, GOOD.encode()), "sensible").name == name


def test_an_upload_that_cannot_be_kept_is_said_so(folder: Path) -> None:
    (folder / "uploads").write_text("in the way")
    at = unbroken(start("Data", source="upload"))
    at.file_uploader[0].set_value(("t.csv", GOOD.encode(), "text/csv"))
    [error] = unbroken(at.run()).error
    assert "Not a directory" in error.value
    assert not list(folder.glob("**/*.part"))


def test_no_view_of_an_upload_outlives_an_error(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When both were collected in turn, Python 3.12.1 crashed and 3.13 complained."""
    (folder / "uploads").write_text("in the way")
    views, kept = [], sources._to_disk

    def watched(data: memoryview, name: str) -> str:
        views.append(data)
        return kept(data, name)

    monkeypatch.setattr(sources, "_to_disk", watched)
    upload("t.csv", GOOD.encode())
    with pytest.raises(ValueError, match="released"):
        bytes(views[0])


def test_gzipped_json_lines_parquet_and_excel_are_read() -> None:
    frame = pd.read_csv(io.StringIO(GOOD))
    parquet = io.BytesIO()
    frame.to_parquet(parquet)
    lines = frame.to_json(orient="records", lines=True).encode()
    book = io.BytesIO()
    frame.to_excel(book, index=False)
    files = (
        ("a.parquet", parquet.getvalue()),
        ("a.xlsx", book.getvalue()),
        ("a.jsonl.gz", gzip.compress(lines)),
        ("a.json", frame.to_json(orient="records").encode()),
    )
    for name, content in files:
        assert {m.label: m.value for m in upload(name, content).metric}["Items"] == "20"


BAD: dict[str, tuple[str, bytes, tuple[str, ...]]] = {
    "empty": ("empty.csv", b"", ("empty",)),
    "header only": ("bare.csv", b"id,score\n", ("row",)),
    "not what its name says": ("t.parquet", GOOD.encode(), ("CSV",)),
    "Excel": ("t.csv", b"PK\x03\x04" + bytes(100), ("Excel",)),
    "unknown ending": ("table.docx", GOOD.encode(), ("csv",)),
    "out of range": (
        "t.csv",
        GOOD.replace("0.5,", "1.7,", 1).encode(),
        ("score", "line 12", "say that these are margins"),
    ),
    "missing score": ("t.csv", GOOD.replace("10,0.5,", "10,,", 1).encode(), ("missing", "line 12")),
    "infinite": ("t.csv", GOOD.replace("10,0.5,", "10,inf,", 1).encode(), ("finite", "line 12")),
    "text in the score": (
        "t.csv",
        GOOD.replace("10,0.5,", "10,high,", 1).encode(),
        ("number", "high", "line 12"),
    ),
    "duplicate ids": ("t.csv", GOOD.replace("\n3,", "\n2,").encode(), ("different", "line 5")),
    "missing id": ("t.csv", GOOD.replace("\n3,", "\n,").encode(), ("id", "line 5")),
    "percentages": (
        "t.csv",
        GOOD.replace("0.5,", "50,").encode(),
        ("score", "if these are percentages, say so"),
    ),
    "ragged": ("t.csv", GOOD.replace("item 1", "item, 1", 1).encode(), ("line 3",)),
    "binary rubbish": ("t.csv", bytes(range(256)) * 20, ()),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_uploads_are_refused_in_words(case: str, folder: Path) -> None:
    name, content, words = BAD[case]
    at = upload(name, content)
    shown = " ".join([*(e.value for e in at.error), *(w.value for w in at.warning)])
    assert shown, "nothing was said"
    assert "Traceback" not in shown
    assert [word for word in words if word not in shown.replace("\\", "")] == []
    assert not re.search("[0-9a-f]{20}", shown), "the name on disk"
    assert "`path`" not in shown, "nobody typed a path"
    assert "transform=" not in shown, "nobody writes Python here"
    assert not (folder / "pools").exists() or list((folder / "pools").iterdir()) == []


def test_text_of_the_upload_is_shown_as_text() -> None:
    name = "<img src=x onerror=alert(1)> **b**"
    frame = pd.DataFrame({"score": [0.1, 0.9], name: ["=cmd()", "<script>"]})
    at = upload("**x**<b>.csv", frame.to_csv(index=False).encode())
    shown = "\n".join(e.value for e in [*at.markdown, *at.caption])
    assert f"`{name}`" in shown
    assert r"\*\*x\*\*\<b\>.csv" in shown
    outside = re.sub(r"`[^`\n]*`|\\.", "", shown)
    assert not re.search(r"<(img|b|script)\b|\*\*x", outside), outside
    marked_up = [e.value for e in [*at.markdown, *at.caption] if getattr(e.proto, "allow_html", False)]
    assert marked_up == ['<strong role="heading" aria-level="2">What we understood</strong>']


def test_a_file_on_the_server_is_read_where_it_lies(folder: Path) -> None:
    path = folder / "scored.csv"
    path.write_text(GOOD)
    at = unbroken(start("Data").segmented_control(key="source").set_value("server").run())
    unbroken(at.text_input(key="server_path").set_value(str(path)).run())
    assert {m.label: m.value for m in at.metric}["Items"] == "20"
    assert not (folder / "uploads").exists()
    path.write_text(GOOD + "\n20,0.5,1,item 20")
    unbroken(at.run())
    assert {m.label: m.value for m in at.metric}["Items"] == "21"
    unbroken(at.text_input(key="server_path").set_value(str(folder / "nowhere.csv")).run())
    assert "does not exist" in at.error[0].value
    at.text_input(key="server_path").set_value("/no/such/d.xlsx").run()
    assert "got '/no/such/d.xlsx'" in at.error[0].value  # it read /no/such//no/such/d.xlsx


MAILS = "id,p_spam,flagged,text\n" + "".join(
    f"{k},{k / 20},{'no' if k < 5 else 'yes'},mail {k}\n" for k in range(21)
)


def test_choices_for_the_file_before_are_not_forgotten_without_a_word() -> None:
    """A merged table was evaluated at the threshold, although the decisions of the same table had been chosen."""
    merged = MAILS.replace("mail ", "letter ")
    at = upload("merged.csv", merged.encode())  # seen already, but nothing was chosen

    def then(content: str) -> list[str]:
        at.file_uploader[0].set_value(("mails.csv", content.encode(), "text/csv"))
        return [line.value for line in unbroken(at.run()).info]

    assert not then(MAILS)
    unbroken(box(at, "Decision").set_value("flagged").run())
    unbroken(box(at, "The scores are").set_value("percent").run())
    [told] = then(merged)
    assert told.startswith("For the file before, `flagged` was the decision, the scores were percentages. ")
    unbroken(box(at, "Decision").set_value("flagged").run())
    assert "`flagged`" not in at.info[0].value
    unbroken(box(at, "The scores are").set_value("percent").run())
    assert not at.info
    [told] = then(MAILS.replace("yes", "no").replace("text", "subject"))  # what is new is no choice of before
    assert "shown" not in told
    assert not then(MAILS)  # its own choices are found again
    assert not then(GOOD)  # another table


def test_what_was_not_shown_and_which_class_was_positive_is_told_of_the_file_before() -> None:
    rows = "".join(f"{k},{k / 20},{'ham' if k % 2 else 'spam'},mail {k},Ada {k}\n" for k in range(21))
    at = upload("mails.csv", f"id,score,label,text,author\n{rows}".encode())
    unbroken(box(at, "Which class is positive").set_value("spam").run())
    [shown] = [box for box in at.multiselect if box.label.startswith("Shown")]
    unbroken(shown.set_value(["text"]).run())
    at.file_uploader[0].set_value(
        ("more.csv", f"id,score,label,text,author\n21,0.1,ham,m,A\n{rows}".encode(), "text/csv")
    )
    unbroken(at.run())
    unbroken(box(at, "Which class is positive").set_value("ham").run())
    assert at.info[0].value.startswith("For the file before, `author` was not shown, 'spam' was positive. ")


def test_the_threshold_of_the_file_before_is_told() -> None:
    at = upload("mails.csv", GOOD.encode())
    [slider] = [slider for slider in at.slider if slider.label.startswith("Threshold")]
    unbroken(slider.set_value(0.8).run())
    at.file_uploader[0].set_value(("more.csv", GOOD.replace("0.5", "0.55").encode(), "text/csv"))
    [told] = [line.value for line in unbroken(at.run()).info]
    assert told.startswith("For the file before, the threshold was 0.8. ")


def test_nothing_is_told_of_a_file_before_that_had_labels_alone() -> None:
    at = upload("labels.csv", b"id,label,text\n1,0,a\n2,1,b\n")
    assert "labels known already" in at.warning[0].value
    at.file_uploader[0].set_value(("scored.csv", GOOD.encode(), "text/csv"))
    assert not unbroken(at.run()).info


def test_nothing_is_told_of_a_column_that_nobody_chose_to_hide() -> None:
    """Without a value in the file before, it was left out by the guess."""
    before, after = (
        "id,p_spam,text,note\n" + "".join(f"{k},{k / 20},m {k},{note}\n" for k in range(21))
        for note in ("", "read")
    )
    at = upload("empty.csv", before.encode())
    at.file_uploader[0].set_value(("filled.csv", after.replace("read", "seen", 9).encode(), "text/csv"))
    assert not unbroken(at.run()).info
