"""The package of pictures as a whole."""

from __future__ import annotations

import importlib
import sys

import pytest

pytest.importorskip("plotly", reason="needs Plotly: install the extra [notebook] or [app]")

from sampleval import plots


def test_without_plotly_an_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "plotly", None)
    with pytest.raises(ModuleNotFoundError, match=r'needs Plotly; .* "sampleval\[notebook\]"'):
        importlib.reload(plots)
