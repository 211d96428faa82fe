"""Frames and pictures of results in detail."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from plotly.colors import hex_to_rgb

import sampleval as sv
from sampleval import Pool, frames, plots
from sampleval.metrics import difference, minus, of_system, ratio, resolve, within
from tests.colours import contrast
from tests.pools import emotions, two_systems
from tests.studies import study_of


@pytest.fixture(scope="module")
def binary() -> sv.Study:
    pool, y = two_systems()
    return study_of(pool, y, "f1", 150)


@pytest.fixture(scope="module")
def labels() -> sv.Study:
    pool, y = emotions()
    return study_of(pool, y, "micro_f1", 100)


def test_a_curve_has_a_row_for_each_quantity_and_threshold(binary: sv.Study) -> None:
    rows = frames.curve(binary.curve("pr_curve"))
    assert list(rows.columns) == [
        *("quantity", "threshold", "value", "low", "high"),
        *("band_low", "band_high", "variance", "note"),
    ]
    assert rows.groupby("quantity")["threshold"].apply(list).tolist() == [[k / 100 for k in range(101)]] * 2
    missing = rows["value"].isna()
    assert missing.any()
    assert (rows.loc[missing, "note"] != "").all()
    assert (rows.loc[~missing, "note"] == "").all()


def test_a_table_is_no_curve(binary: sv.Study) -> None:
    with pytest.raises(sv.InputError, match="components"):
        frames.curve(binary.curve("class_f1"))


def test_the_class_table_agrees_with_the_estimates(labels: sv.Study) -> None:
    rows = frames.classes(labels)
    assert set(rows["measure"]) == {"items", "predicted", "precision", "recall", "f1"}
    assert set(rows["class"]) == set(labels.pool.task.classes)
    predicted = rows[rows["measure"] == "predicted"]
    exact = labels.pool.pred.sum(axis=0)
    assert predicted["value"].tolist() == predicted["low"].tolist() == exact.tolist()
    f1 = rows[rows["measure"] == "f1"]["value"].mean()
    macro = labels.estimate("macro_f1")  # from which a bias is taken off that is small beside the error
    assert f1 == pytest.approx(macro.value, abs=0.05 * macro.interval.width)


def test_a_class_whose_items_are_all_known_has_no_too_few_labels() -> None:
    """Once every item had its label, a class without any was said to have limits for what the labels can miss."""
    frame = pd.DataFrame({"pred": ["a", "b", "d"] * 20, "label": ["a", "b", "b"] * 20})
    pool = sv.Pool.from_frame(frame, classes=["a", "b", "c", "d"], task="multiclass")
    study = sv.create_study(pool, metric="accuracy", budget=60, preset="uniform", seed=1)
    known = sv.Labels.from_frame(frame, pool)
    study.answer(known, 40)
    rows = frames.classes(study)
    assert set(rows.loc[rows["few"], "class"]) == {"c", "d"}
    study.answer(known, 20)
    assert not frames.classes(study)["few"].any()


def test_the_confusion_matrix_sums_to_about_the_pool(binary: sv.Study) -> None:
    rows = frames.confusion(binary)
    assert len(rows) == 4
    assert rows["items"].sum() == pytest.approx(binary.pool.size)  # the constant 1 is weighted too
    assert (rows["low"] <= rows["items"]).all()


@pytest.mark.parametrize("preset", ["queue", "recommended"])
def test_systems_and_their_differences(binary: sv.Study, preset: str) -> None:
    study = sv.create_study(binary.pool, metric="f1", budget=60, seed=1, preset=preset)
    while items := study.ask(60):
        study.tell_all([(item, binary.known_labels().get(item.id, "0")) for item in items])
    rows = frames.systems(study, ["f1", "accuracy"])
    alike, other = (
        frames.systems(study, ["f1", "accuracy"], interval=key) for key in (study.method.fixed, "normal")
    )
    pd.testing.assert_frame_equal(alike, rows)
    assert (other["high"] != rows["high"]).any()
    assert len(rows) == 2 * (2 + 1)
    f1 = rows[rows["metric"] == "f1"].set_index(["system", "against"])["value"]
    off = 0.05 if preset == "recommended" else 1e-12  # medians need not agree
    assert f1["old", "new"] == pytest.approx(f1["old", ""] - f1["new", ""], abs=off)


@pytest.mark.parametrize(("first", "second"), [("old", "new"), ("new", "old")])
def test_a_difference_of_systems_is_told_the_same_wherever_it_stands(
    binary: sv.Study, first: str, second: str
) -> None:
    # A posterior said +.086 of a study's own question, and beside the systems +.040 with the same limits. And a study of
    # new − old was told old − new.
    study = sv.create_study(binary.pool, metric=f"f1[{first} - {second}]", budget=40, seed=1)
    while items := study.ask(40):
        study.tell_all([(item, binary.known_labels().get(item.id, "0")) for item in items])
    found, apart = study.estimate(), frames.systems(study, "f1").iloc[-1]
    assert found.method == "posterior"
    assert (apart["system"], apart["against"]) == (first, second)
    assert (apart["value"], apart["low"], apart["high"]) == (
        found.value,
        found.interval.low,
        found.interval.high,
    )


@pytest.mark.parametrize("seed", range(4))
def test_systems_agree_with_their_differences_also_where_few_positives_are_seen(seed: int) -> None:
    # What is seen bounded the difference and not the values: a lower one was said to be higher.
    pool, y = two_systems()
    study = sv.create_study(pool, metric="f1", budget=30, seed=seed, preset="queue")
    truth = dict(zip(pool.ids, y, strict=True))
    while items := study.ask(30):
        study.tell_all([(item, int(truth[item.id])) for item in items])
    for name in ("f1", "precision", "recall"):
        old, new, apart = frames.systems(study, name)["value"]
        assert apart == pytest.approx(old - new, nan_ok=True)


def test_one_metric_may_be_named_for_the_systems(binary: sv.Study) -> None:
    assert frames.systems(binary, "recall")["metric"].unique().tolist() == ["recall"]
    assert frames.systems(binary)["metric"].unique().tolist() == [binary.metric().name]


def test_a_study_of_a_difference_shows_each_system_too() -> None:
    """Both were given the difference as their value, and 0 as the difference between them."""
    pool, y = two_systems()
    study = study_of(pool, y, "f1[new - old]", 100)
    rows = frames.systems(study)
    assert rows["metric"].unique().tolist() == ["f1"]
    for name in ("f1", "f1[new]", study.metric()):
        pd.testing.assert_frame_equal(rows, frames.systems(study, name))


def test_a_difference_in_any_metric_shows_each_system() -> None:
    """Parts of a difference were their own values, a metric of one's own was not known, nor was "f1[new " of "new [v2]"."""
    pool, y = two_systems()
    study = study_of(pool, y, "f1", 60)
    own = ratio("cost", "Cost", lambda items, labels: (items.pred != labels, 1.0))
    members = np.arange(len(pool)) % 2 == 0
    part = within(resolve("f1"), members, "even")
    apart = within(resolve("f1[new - old]"), members, "even")
    for asked, alone in (
        (difference(own, "new", "old"), own),
        (apart, part),
        (difference(part, "new", "old"), part),
    ):
        pd.testing.assert_frame_equal(frames.systems(study, asked), frames.systems(study, alone))
    named = Pool.from_frame(pd.DataFrame({"old.score": [0.2, 0.7], "new [v2].score": [0.3, 0.1]}))
    rows = frames.systems(sv.create_study(named, metric="f1[new [v2] - old]", budget=2))
    assert rows["metric"].unique().tolist() == ["f1"]


def test_a_metric_that_compares_systems_in_its_own_way_has_no_value_for_each(binary: sv.Study) -> None:
    """Each system got the value of the comparison, and 0 as the difference."""
    mixed = minus(of_system(resolve("f1"), "old"), of_system(resolve("recall"), "new"))
    with pytest.raises(
        sv.InputError, match="must be metrics of one system, or of a difference in one metric"
    ):
        frames.systems(binary, mixed)


def test_systems_of_a_pool_with_one_are_refused() -> None:
    """The reason named an argument that `frames.systems` does not have."""
    study = sv.create_study(sv.Pool.from_frame(pd.DataFrame({"score": [0.2, 0.7]})), metric="f1", budget=2)
    with pytest.raises(sv.InputError, match="`study` must have a pool of several systems; this holds one"):
        frames.systems(study)


def test_a_metric_named_twice_for_the_systems_is_given_once() -> None:
    """Where values are not a posterior's, the pairs of its rows could not be told apart, and pandas gave up."""
    df = pd.DataFrame({"old.score": np.linspace(0, 1, 20), "new.score": np.linspace(0, 1, 20) ** 2})
    study = sv.create_study(sv.Pool.from_frame(df), metric="f1", budget=20, preset="uniform")
    study.tell_all([(item, 1) for item in study.ask(20)[:10]])
    pd.testing.assert_frame_equal(frames.systems(study, ["f1", "f1"]), frames.systems(study, "f1"))


def test_parts_are_told_by_a_column_and_small_ones_marked(binary: sv.Study) -> None:
    rows = frames.parts(binary, "part")
    assert rows["part"].tolist() == ["a", "b"]
    assert rows["items"].sum() == binary.pool.size
    assert rows["labels"].sum() == 150
    few = frames.parts(study_of(binary.pool, np.ones(400, int), "f1", 12), "part")
    assert few["small"].all()
    whole = study_of(fielded(part=["few"] * 9 + ["many"] * 51), np.ones(60, int), "f1", 60)
    assert not frames.parts(whole, "part")["small"].any()  # nine labels are all that nine items can have
    narrow = frames.parts(binary, "part", level=0.5)
    assert ((narrow["high"] - narrow["low"]) < (rows["high"] - rows["low"])).all()
    fresh = frames.parts(sv.create_study(binary.pool, metric="f1", budget=20), "part")
    assert fresh["labels"].tolist() == [0, 0]


def test_parts_of_what_a_study_is_for_are_those_of_its_metric_by_name() -> None:
    """Accuracy as 1 − Σ wrong / N of the whole pool made each of two equal parts half as wrong as it is."""
    study = study_of(*two_systems(), "accuracy[old]", 60, preset="active-testing")
    assert study.metric() is study.metric("accuracy[old]")
    pd.testing.assert_frame_equal(frames.parts(study, "part"), frames.parts(study, "part", "accuracy[old]"))


def test_columns_that_make_no_parts_are_refused_in_words(binary: sv.Study) -> None:
    assert frames.part_columns(binary.pool) == ["part"]
    with pytest.raises(sv.InputError, match="'part'"):
        frames.parts(binary, "nowhere")


def test_numbers_are_cut_at_their_quartiles() -> None:
    frame = pd.DataFrame(
        {"score": np.linspace(0.01, 0.99, 100), "age": np.arange(100), "name": map(str, range(100))}
    )
    pool = sv.Pool.from_frame(frame, fields=["age", "name"])
    assert [members.sum() for members in frames.parts_of(pool, "age").values()] == [25] * 4
    assert frames.part_columns(pool) == ["age"]
    with pytest.raises(sv.InputError, match="different values"):
        frames.parts_of(pool, "name")


def fielded(**fields: Any) -> sv.Pool:
    frame = pd.DataFrame({"score": np.linspace(0.01, 0.99, 60), **fields})
    return sv.Pool.from_frame(frame, score="score", fields=list(fields))


def test_parts_are_the_whole_pool_whatever_a_cell_says() -> None:
    """The items whose cell says "(missing)" had been lost if other cells are missing."""
    pool = fielded(said=["(missing)"] * 20 + [None] * 20 + ["b"] * 20)
    found = frames.parts_of(pool, "said")
    assert {name: members.sum() for name, members in found.items()} == {"(missing)": 40, "b": 20}


def test_years_are_whole_also_beside_missing_ones() -> None:
    assert list(frames.parts_of(fielded(year=[2020, None, 2021] * 20), "year")) == [
        "2020",
        "2021",
        "(missing)",
    ]


def test_infinite_numbers_fall_in_the_outer_quarters() -> None:
    pool = fielded(size=[np.inf, -np.inf, None, *range(57)])
    found = frames.parts_of(pool, "size")
    assert list(found) == ["up to 14", "14 to 28", "28 to 42", "above 42", "(missing)"]
    assert [members.sum() for members in found.values()] == [16, 14, 14, 15, 1]
    assert np.sum(list(found.values()), axis=0).tolist() == [1] * 60


@pytest.mark.parametrize("column", [["part"], 5, None, pd.Series(["part"])], ids=type)
def test_what_is_no_column_tells_no_parts(column: Any, binary: sv.Study) -> None:
    with pytest.raises(sv.InputError, match=r"`column` must be a column name; .*'part'"):
        frames.parts(binary, column)


def test_every_picture_of_results_in_detail_is_drawn_and_can_be_written(
    binary: sv.Study, labels: sv.Study
) -> None:
    pr, both = frames.curve(binary.curve("pr_curve")), binary.curve("precision_recall")
    pictures = [
        plots.precision_recall(pr),
        plots.roc(frames.curve(binary.curve("roc_curve"))),
        plots.against_threshold(pr, threshold=0.5, title="Precision and recall"),
        plots.confusion(frames.confusion(binary)),
        plots.calibration(frames.components(binary.curve("reliability"))),
        plots.region(both.ellipsoid().outline(), (both.value[0], both.value[1])),
        plots.dots(frames.parts(binary, "part"), "part", title="F1", x="F1"),
        plots.dots(frames.classes(labels).query("measure == 'f1'"), "class", title="F1", x="F1", span=(0, 1)),
    ]
    for figure in pictures:
        assert isinstance(figure, go.Figure)
        assert figure.data
        figure.to_json()


def test_a_curve_is_drawn_with_both_bands_from_the_highest_threshold_on(binary: sv.Study) -> None:
    rows = frames.curve(binary.curve("pr_curve"))
    precision, recall = (
        rows[rows["quantity"] == name].set_index("threshold")[::-1] for name in ("precision", "recall")
    )
    drawn, known = plots.precision_recall(rows).data, precision["value"].notna()
    for trace, name in zip(drawn, ("band_high", "band_low", "high", "low", "value"), strict=True):
        assert list(trace.x) == list(recall["value"][known])
        assert list(trace.y) == list(precision[name][known])
    at_pointer = [
        *precision.loc[known, ["low", "high"]].to_numpy().T,
        *recall.loc[known, ["low", "high"]].to_numpy().T,
    ]
    np.testing.assert_array_equal(drawn[-1].customdata.T[1:], at_pointer)


def test_calibration_is_drawn_in_the_middle_of_its_bins(binary: sv.Study) -> None:
    rows = frames.components(binary.curve("reliability"))
    drawn, known = plots.calibration(rows).data[-1], rows.dropna(subset="value")
    np.testing.assert_allclose(drawn.x, (np.arange(len(rows)) + 0.5)[known.index] / len(rows))
    assert list(drawn.y) == list(known["value"])
    np.testing.assert_allclose(drawn.y + drawn.error_y.array, known["high"])
    np.testing.assert_allclose(drawn.y - drawn.error_y.arrayminus, known["low"], atol=1e-12)


def test_a_region_is_drawn_with_recall_across(binary: sv.Study) -> None:
    both = binary.curve("precision_recall")
    outline = both.ellipsoid().outline()
    edge, centre = plots.region(outline, (both.value[0], both.value[1])).data
    assert [*zip(edge.y, edge.x, strict=True)] == [*map(tuple, outline)]
    assert (*centre.y, *centre.x) == tuple(both.value)
    drawn = frames.region(both).set_index("point")  # the download had held no point of the edge
    assert [*zip(drawn["recall"], drawn["precision"], strict=True)] == [
        *zip([*centre.x, *edge.x], [*centre.y, *edge.y], strict=True)
    ]


def test_cells_of_a_confusion_matrix_are_shaded_by_their_share_of_the_predicted_class(
    binary: sv.Study,
) -> None:
    rows = frames.confusion(binary)
    figure = plots.confusion(rows)
    [heat] = figure.data
    axes = [axis.title.text for axis in (figure.layout.xaxis, figure.layout.yaxis)]
    assert axes == ["true class", "predicted class"]
    share = rows["items"] / rows.groupby("predicted")["items"].transform("sum")
    np.testing.assert_allclose(np.ravel(heat.z), share)
    assert [text.split("<br>")[0] for text in np.ravel(heat.text)] == [f"{n:,.0f}" for n in rows["items"]]
    named = [f"predicted {one}, truly {other}" for one, other in rows[["predicted", "true"]].to_numpy()]
    assert [text.split(":")[0] for text in np.ravel(heat.customdata)] == named


def test_a_part_without_finite_limits_has_no_dot() -> None:
    """A dot without its interval had made a part without labels, of unbounded numbers, look exactly known."""
    ends = {"value": [0.5, 0.4, np.nan], "low": [0.4, 0, 0], "high": [0.6, np.inf, 1]}
    dots = plots.dots(pd.DataFrame({"part": ["a", "b", "c"]} | ends), "part", title="RMSE by part", x="RMSE")
    assert tuple(dots.data[0].y) == ("a",)


def test_names_of_classes_and_columns_are_no_markup() -> None:
    """A class called <b>bold</b> would be drawn in bold, since Plotly reads tags and entities."""
    name, shown = "<b>R&D</b>", "&lt;b&gt;R&amp;D&lt;/b&gt;"
    rows = pd.DataFrame({"name": [name], "value": [0.5], "low": [0.4], "high": [0.6], "metric": ["f1"]})
    dots = plots.dots(rows, "name", title=f"F1 by {name}", x=name)
    assert (dots.data[0].y, dots.layout.title.text) == ((shown,), f"F1 by {shown}")
    assert dots.layout.xaxis.title.text == shown
    assert plots.whiskers(rows, titles={"f1": name}).data[0].y == (shown,)
    cells = [{"predicted": one, "true": other} for one in (name, "b") for other in (name, "b")]
    [heat] = plots.confusion(pd.DataFrame(cells).assign(items=5, low=2, high=7, labels=9, few=False)).data
    assert (tuple(heat.x), tuple(heat.y)) == ((shown, "b"), (shown, "b"))
    crossed = pd.DataFrame(
        {"pre": ["f1"], "post": ["f1"], "ratio": [1.0], "ratio_low": 1.0, "ratio_high": 1.0}
    )
    assert plots.matrix(crossed, titles={"f1": name}).data[0].y == (shown,)


def test_a_larger_chart_has_the_same_title() -> None:
    pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")
    from sampleval.ui.charts import enlarged

    rows = pd.DataFrame({"name": ["a"], "value": [0.5], "low": [0.4], "high": [0.6]})
    figure = plots.dots(rows, "name", title="F1 by <b>", x="F1")
    assert enlarged(figure).layout.title.text == figure.layout.title.text == "F1 by &lt;b&gt;"


def test_numbers_contrast_with_every_shade_of_a_table(binary: sv.Study) -> None:
    swapped = pd.DataFrame(
        {"pre": ["f1"] * 2, "post": ["f1", "recall"], "ratio": [1, 1.4], "coverage": [0.9, 0.8]}
    )
    ends = [f"{name}_{end}" for name in ("ratio", "coverage") for end in ("low", "high")]
    swapped = swapped.assign(**dict.fromkeys(ends, 1.0))
    confusion = plots.confusion(frames.confusion(binary))
    for figure in (confusion, plots.matrix(swapped), plots.matrix(swapped, value="coverage")):
        [cells] = figure.data
        ink = hex_to_rgb(cells.textfont.color)
        for _, shade in cells.colorscale:  # the darkest of a scale are among its ends
            assert contrast(hex_to_rgb(shade), ink) >= 4.5


def housed(n: int = 1500) -> tuple[pd.DataFrame, sv.Pool]:
    """Predicted numbers whose errors differ between three towns, and their pool without the truth."""
    rng = np.random.default_rng(5)
    town = rng.choice(["a", "b", "c"], n, p=[0.5, 0.3, 0.2])
    pred = rng.normal(100, 30, n)
    truth = pred + rng.normal(0, 8, n) * np.where(town == "c", 2, 1)
    frame = pd.DataFrame({"id": [f"h{k}" for k in range(n)], "pred": pred, "town": town})
    return frame.assign(truth=truth), sv.Pool.from_frame(frame, fields=["town"], task="regression")


def test_parts_of_numbers_are_told_as_well_as_the_whole() -> None:
    # With one ratio for all parts some were undefined after half of the labels, and others off by half.
    frame, pool = housed()
    truth = dict(zip(frame["id"], frame["truth"], strict=True))
    error = (frame["truth"] - frame["pred"]) ** 2
    right = np.sqrt(error.groupby(frame["town"]).mean().to_numpy())
    found = []
    for seed in range(4):
        study = sv.create_study(pool, metric="rmse", budget=150, seed=seed)
        while items := study.ask(150):
            study.tell_all([(item, truth[item.id]) for item in items])
        found.append(frames.parts(study, "town")["value"].to_numpy() / right)
    assert np.abs(np.array(found) - 1).max() < 0.5
    assert np.sqrt(np.mean((np.array(found) - 1) ** 2)) < 0.2


def test_one_label_alone_tells_no_width() -> None:
    # A part with one new label beside many known beforehand had F1 within .0001.
    rng = np.random.default_rng(2)
    score = rng.beta(0.5, 0.9, 600)
    truth = (rng.random(600) < score).astype(int)
    frame = pd.DataFrame({"id": [f"i{k}" for k in range(600)], "score": score, "part": np.arange(600) % 30})
    pool = sv.Pool.from_frame(frame.assign(part=frame["part"].astype(str)), fields=["part"])
    answers = dict(zip(frame["id"], truth, strict=True))
    held = {f"i{k}": int(truth[k]) for k in range(300)}
    study = sv.create_study(pool, metric="f1", budget=40, held=held)
    while items := study.ask(40):
        study.tell_all([(item, answers[item.id]) for item in items])
    rows = frames.parts(study, "part").query("labels == 1")
    assert len(rows) > 2
    assert (rows["high"] - rows["low"]).min() > 0.3


@pytest.mark.parametrize("off", [1.0, 24.0])
def test_one_label_of_numbers_alone_tells_no_width(off: float) -> None:
    # Its distance from the mean of all labels is no more a variance than its distance from 0.
    frame, pool = housed(400)
    few = pd.Series(np.where(np.arange(400) < 12, "few", "many"))
    pool = sv.Pool.from_frame(
        frame.drop(columns="truth").assign(part=few), fields=["part"], task="regression"
    )
    for seed in range(30):
        study = sv.create_study(pool, metric="mae", budget=50, seed=seed)
        items = study.ask(50)
        if sum(item.fields["part"] == "few" for item in items) == 1:
            break
    near = dict(zip(frame["id"], frame["truth"], strict=True)) | {
        item.id: float(frame["pred"][int(item.id[1:])] + off)
        for item in items
        if item.fields["part"] == "few"
    }
    study.tell_all([(item, near[item.id]) for item in items])
    row = frames.parts(study, "part").set_index("part").loc["few"]
    assert row["high"] > 3 * row["low"]


def test_no_more_items_are_of_a_class_than_are_predicted_so() -> None:
    rng = np.random.default_rng(0)
    scores = rng.dirichlet([0.4, 0.4, 0.4], 600)
    frame = pd.DataFrame(scores, columns=["p_a", "p_b", "p_c"]).assign(id=[f"i{k}" for k in range(600)])
    pool = sv.Pool.from_frame(frame, score=["p_a", "p_b", "p_c"], classes=("a", "b", "c"))
    rows = frames.confusion(study_of(pool, scores.argmax(axis=1), "accuracy", 30))
    most = rows["predicted"].map(pd.Series(np.array(["a", "b", "c"])[pool.pred]).value_counts())
    assert (rows[["items", "low", "high"]].max(axis=1) <= most).all()
    assert (rows["high"] == most).any()


def test_a_predicted_class_with_few_labels_is_marked_in_the_confusion_matrix() -> None:
    rng = np.random.default_rng(0)
    scores = rng.dirichlet([3.0, 1.0, 0.05], 600)
    frame = pd.DataFrame(scores, columns=["p_a", "p_b", "p_c"])
    pool = sv.Pool.from_frame(frame, score=["p_a", "p_b", "p_c"], classes=("a", "b", "c"))
    study = study_of(pool, scores.argmax(axis=1), "accuracy", 40)
    rows, run = frames.confusion(study), study.run()
    assert run is not None
    seen = np.bincount(pool.pred[run.items.index], minlength=3)
    assert seen[0] >= 10 > seen[2]
    assert rows["labels"].tolist() == np.repeat(seen, 3).tolist()
    assert rows["few"].tolist() == np.repeat(seen < 10, 3).tolist()
    [heat] = plots.confusion(rows).data
    assert list(heat.x) == ["a", "b", "c"]
    assert [name.endswith(" *") for name in heat.y] == list(seen < 10)
    assert ["from only" in said for said in heat.customdata[:, 0]] == list(seen < 10)
    whole = frames.confusion(study_of(pool, scores.argmax(axis=1), "accuracy", 600))
    assert not whole["few"].any()  # four labels are all that the four items can have


@pytest.mark.parametrize(
    ("preset", "sizes", "budget"),
    [*(("queue", [3.0, 2.0, 1.0], budget) for budget in (15, 60, 300)), ("recommended", [0.3] * 10, 60)],
)
def test_rows_of_a_confusion_matrix_add_up_to_what_is_known_to_be_predicted(
    preset: str, sizes: list[float], budget: int
) -> None:
    """From 15 labels, a row of 81 items had shown 8 + 81, and rows of ten classes up to a quarter more than all items."""
    rng = np.random.default_rng(3)
    scores = rng.dirichlet(sizes, 300)
    truth = (scores.cumsum(axis=1) > rng.random((300, 1))).argmax(axis=1)
    columns = [f"score_{name}" for name in "abcdefghij"[: len(sizes)]]
    pool = sv.Pool.from_frame(pd.DataFrame(scores, columns=columns))
    rows = frames.confusion(study_of(pool, truth, "accuracy", budget, preset=preset))
    assert rows.groupby("predicted")["items"].sum().tolist() == pytest.approx(
        np.bincount(scores.argmax(axis=1)).tolist()
    )
    assert ((rows["low"] <= rows["items"]) & (rows["items"] <= rows["high"])).all()


@pytest.mark.parametrize("preset", ["queue", "uniform", "recommended"])
def test_cells_of_a_confusion_matrix_have_the_limits_of_their_shares(preset: str) -> None:
    """Values added up to the known number, but limits were those of numbers that do not: 160 items with limits 154 and 215."""
    rng = np.random.default_rng(3)
    scores = rng.dirichlet([0.8, 0.6, 0.3], 900)
    truth = (scores.cumsum(axis=1) > rng.random((900, 1))).argmax(axis=1)
    pool = sv.Pool.from_frame(pd.DataFrame(scores, columns=["score_a", "score_b", "score_c"]))
    study = study_of(pool, truth, "accuracy", 100, preset=preset)
    rows, precision = frames.confusion(study), study.curve("class_precision")
    right = rows[rows["predicted"] == rows["true"]]
    for column, of_class in (("items", precision.value), ("low", precision.low), ("high", precision.high)):
        np.testing.assert_allclose(right[column], of_class * np.bincount(pool.pred), rtol=1e-9)


def test_a_row_of_a_confusion_matrix_without_a_label_is_unknown() -> None:
    """It had shown 0 items in each cell of a row of eight."""
    scores = np.repeat([[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]], [300, 300, 8], axis=0)
    pool = sv.Pool.from_frame(pd.DataFrame(scores, columns=["score_a", "score_b", "score_c"]))
    rows = frames.confusion(study_of(pool, scores.argmax(axis=1), "accuracy", 10, preset="uniform"))
    last = rows[rows["labels"] == 0]
    assert last["items"].isna().all()
    assert set(zip(last["low"], last["high"], strict=True)) == {(0, 8)}
    [heat] = plots.confusion(rows).data
    assert "–<br>0–8" in heat.text
    assert heat.customdata[2, 0] == "predicted c, truly a: unknown<br>0 to 8<br>from only 0 labels"


@pytest.mark.parametrize("answered", [0, 20])
def test_a_class_that_is_never_predicted_has_no_items_in_its_row(answered: int) -> None:
    scores = np.repeat([[0.8, 0.1, 0.1], [0.1, 0.8, 0.1]], 50, axis=0)
    frame = pd.DataFrame(scores, columns=["score_a", "score_b", "score_c"])
    pool = sv.Pool.from_frame(frame)
    labels = sv.Labels.from_frame(frame.assign(label=["a"] * 50 + ["b"] * 50), pool)
    study = sv.create_study(pool, metric="accuracy", budget=40, preset="queue")
    study.answer(labels, answered)
    rows = frames.confusion(study)
    never = rows[rows["predicted"] == "c"]
    assert not never[["items", "low", "high", "labels", "few"]].to_numpy(float).any()


def test_a_confusion_matrix_of_some_classes_takes_the_others_as_one() -> None:
    rng = np.random.default_rng(1)
    names = [*"abcd", "other classes"]
    scores = rng.dirichlet([2.0, 1.0, 1.0, 0.5, 0.5], 300)
    frame = pd.DataFrame(scores, columns=names)
    pool = sv.Pool.from_frame(frame, score={name: name for name in names}, task="multiclass")
    truth = (scores.cumsum(axis=1) > rng.random((300, 1))).argmax(axis=1)
    for budget in (120, 300):
        study = study_of(pool, truth, "accuracy", budget)
        whole = frames.confusion(study).set_index(["predicted", "true"])
        some = frames.confusion(study, classes=["d", "b", "b"]).set_index(["predicted", "true"])
        rest = "(other classes)"  # one of the classes has that name already
        assert set(some.index.get_level_values("true")) == {"b", "d", rest}
        both = pd.MultiIndex.from_product([["b", "d"], ["b", "d"]])
        told, meant = (rows[["items", "low", "high"]].reindex(both) for rows in (some, whole))
        np.testing.assert_allclose(told, meant, rtol=0.05, atol=0.5)
        assert some["items"].sum() == pytest.approx(whole["items"].sum())
    pd.testing.assert_frame_equal(frames.confusion(study, classes=names[::-1]), frames.confusion(study))
    with pytest.raises(sv.InputError, match="`classes`"):
        frames.confusion(study, classes=["z"])
    right = int(((pool.pred == 1) & (truth == 1)).sum())
    assert some["items"].to_dict()["b", "b"] == pytest.approx(right)


def test_the_classes_confused_most_come_first() -> None:
    scores = np.eye(5)[np.arange(200) % 5] * 0.8 + 0.04
    pool = sv.Pool.from_frame(
        pd.DataFrame(scores, columns=list("abcde")), score={c: c for c in "abcde"}, task="multiclass"
    )
    truth = scores.argmax(axis=1)
    truth[truth == 3] = 1
    study = study_of(pool, truth, "accuracy", 200)
    assert frames.confused(study, 2) == ("b", "d")
    assert frames.confused(study, 9) == tuple("abcde")
    assert frames.confused(sv.create_study(pool, metric="accuracy", budget=5), 2) == ("a", "b")


def test_what_is_believed_counts_the_labels_it_was_learned_from() -> None:
    pool, y = two_systems()
    held = {str(pool.ids[k]): int(y[k]) for k in range(100)}
    study = sv.create_study(pool, metric="f1", budget=20, held=held)
    items = study.ask(20)
    study.tell_all([(item, 1) for item in items])
    assert frames.believed(study)["labels"].sum() == len(items)


def test_long_names_leave_room_for_the_picture_and_are_whole_at_the_pointer() -> None:
    names = [f"customers complaining about {what} and more" for what in ("parcels", "refunds", "letters")]
    rows = pd.DataFrame({"class": names, "value": 0.5, "low": 0.4, "high": 0.6})
    [dots] = plots.dots(rows, "class", title="F1 by class", x="F1").data
    cells = pd.MultiIndex.from_product([names, names], names=["predicted", "true"]).to_frame(index=False)
    [heat] = plots.confusion(cells.assign(items=5, low=2, high=7, labels=9, few=False)).data
    for shown in (dots.y, heat.x, heat.y):
        assert len(set(shown)) == 3, "Plotly draws equal names in one place"
        assert max(map(len, shown)) <= 30
    assert list(dots.hovertext) == names
    assert names[0] in heat.customdata[0][1]
    assert names[1] in heat.customdata[0][1]
