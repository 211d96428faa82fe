"""Pictures of items are pixels and nothing else, and tiny ones are enlarged by whole pixels."""

from __future__ import annotations

from base64 import b64decode
from io import BytesIO

import numpy as np
import pandas as pd
import pytest

import sampleval as sv

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

from PIL import Image

from sampleval.ui.labelling import desk, pictures
from tests.apps import start, unbroken


def test_pictures_are_pixels_and_nothing_else() -> None:
    pixels = np.arange(784, dtype=np.uint8).tobytes()
    uri = pictures.picture(pixels)
    assert uri is not None
    with Image.open(BytesIO(b64decode(uri.split(",")[1]))) as image:
        assert image.size == (28, 28)
        assert image.tobytes() == pixels
    assert pictures.picture(b"<svg onload=alert(1)></svg>") is None
    assert pictures.picture("data:image/svg+xml;base64,AAAA") is None
    assert desk.field_of("x", b"<svg>").kind == "text"
    assert [
        desk.field_of("x", x).value for x in (np.int64(2020), 1234567.5, 2020.0, 0.1 + 0.2, None, np.nan)
    ] == [
        "2020",
        "1234567.5",
        "2020",
        "0.3",
        "",
        "",
    ]
    # A column of these with a missing cell is one of decimal numbers; it showed 4.11111111111111e+15.
    assert desk.field_of("card", np.float64(4_111_111_111_111_111)).value == "4111111111111111"


def encoded(form: str, width: int, height: int) -> str:
    """A picture of one colour as a data URI."""
    body = BytesIO()
    Image.new("RGB", (width, height), "teal").save(body, form)
    found = pictures.picture(body.getvalue())
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("width", "height", "shown"), [(8, 8, 224), (28, 28, 224), (10, 50, 40), (112, 60, 224), (113, 9, 0)]
)
def test_a_tiny_picture_is_enlarged_by_whole_pixels(width: int, height: int, shown: int) -> None:
    assert pictures.enlarged(encoded("PNG", width, height)) == shown
    assert pictures.enlarged(encoded("JPEG", width, height)) == shown


def test_a_heavy_picture_is_not_opened_to_learn_its_size() -> None:
    assert pictures.enlarged(encoded("PNG", 8, 8) + "A" * pictures.HEAVY) == 0


def test_of_a_broken_picture_no_size_is_told() -> None:
    whole = encoded("PNG", 8, 8)
    for broken in (
        whole[:40],
        whole[:35] + "%%%",
        "data:image/png;base64,",
        "data:image/jpeg;base64,/9j/AAAA",
    ):
        assert pictures.enlarged(broken) == 0


def test_a_tiny_picture_is_not_blurred_beside_ordinary_buttons(storage: str) -> None:
    frame = pd.DataFrame({"score": np.linspace(0.1, 0.9, 20), "image": [bytes(64)] * 20})
    study = sv.create_study(sv.Pool.from_frame(frame), metric="f1", budget=9, storage=storage, name="digits")
    study.tell(study.ask(1)[0], 1)
    app = start("Label", study="digits", plain="true")
    unbroken(app.selectbox(key="correct_item").select_index(0).run())
    boxes = [block.proto.id for block in app.get("flex_container") if "pixels" in block.proto.id]
    assert len(boxes) == 2
