"""The files for a colleague who has no sampleval."""

from __future__ import annotations

import io
import zipfile

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval import frames, report
from sampleval.estimators import ESTIMATORS
from sampleval.presets import PRESETS
from sampleval.report.reanalysis import CENSUS, COLUMNS, LEGEND, SAMPLE, UNCENTRED, VARIANCES
from sampleval.study import Study
from tests.pools import binary, multiclass

POOL, LABELS = binary(300)


def files(study: Study) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(report.archive(study))) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


@pytest.mark.parametrize("preset", PRESETS)
def test_every_column_and_the_formula_of_the_method_are_explained(preset: str) -> None:
    study = sv.create_study(POOL, metric="f1", budget=30, seed=7, preset=preset)
    study.answer(LABELS, 30)
    found = files(study)
    legend = " ".join(found.pop(LEGEND).decode().split())
    for name, content in found.items():
        table = pd.read_csv(io.BytesIO(content))
        same = set() if name == SAMPLE else {"place", "label", "status"}
        assert set(table.columns) - same <= set(COLUMNS[name]), name
        assert all(f"{column}: " in legend for column in COLUMNS[name])
    assert VARIANCES[study.method.estimator.key][:60] in legend
    said = report.methods(study, study.estimate())
    assert "".join(said.split()) in legend.replace(" ", "")
    assert (" ".join(UNCENTRED.split()) in legend) == preset.startswith(("marchant", "active"))


@pytest.mark.parametrize(("name", "first"), [("Spam in May", "Spam in May"), ("", "study")])
def test_the_legend_begins_with_the_study_s_name(name: str, first: str) -> None:
    study = sv.create_study(POOL, metric="f1", budget=30, seed=7, name=name)
    study.answer(LABELS, 10)
    assert files(study)[LEGEND].decode().splitlines()[0] == first


def test_means_over_classes_are_explained_where_there_are_some() -> None:
    numbers = sv.Pool.from_frame(pd.DataFrame({"pred": np.linspace(0, 1, 30)}))
    studies = [
        sv.create_study(pool, metric=metric, budget=10, preset="queue")
        for pool, metric in ((multiclass(30)[0], "macro_f1"), (numbers, "rmse"))
    ]
    assert [b"A mean over classes" in files(study)[LEGEND] for study in studies] == [True, False]


def test_every_estimator_of_a_preset_has_its_formula() -> None:
    used = {
        preset.method_for(kind).estimator.key
        for preset in PRESETS.values()
        for kind in ("binary", "regression")
    }
    assert used <= set(VARIANCES) <= set(ESTIMATORS)


@pytest.mark.parametrize("preset", ["queue", "yilmaz-is", "marchant-flat", "recommended"])
def test_a_census_is_told_as_one(preset: str) -> None:
    """By the formula of draws, weights of 1 had a variance."""
    pool, known = binary(30)
    study = sv.create_study(pool, metric="f1", budget=30, seed=7, preset=preset)
    study.answer(known, 29)
    assert CENSUS[:60] not in " ".join(files(study)[LEGEND].decode().split())
    study.answer(known, 1)
    legend = " ".join(files(study)[LEGEND].decode().split())
    assert CENSUS[:60] in legend
    assert "Variance: " not in legend


def test_numbers_are_written_in_full() -> None:
    study = sv.create_study(POOL, metric="f1", budget=30, seed=7, preset="yilmaz-is")
    study.answer(LABELS, 30)
    back = pd.read_csv(io.BytesIO(files(study)[SAMPLE]), dtype=str)
    for name in ("probability", "weight"):
        np.testing.assert_array_equal(back[name].astype(float), frames.sample(study)[name])
