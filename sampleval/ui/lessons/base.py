"""What a lesson is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sampleval.cli import app


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson of five minutes: a few sentences, one live picture, one question.

    Attributes:
        title: What it is about.
        text: Markdown with [[terms]] of the glossary.
        formulas: What is computed: words, LaTeX.
        live: Draws the sliders and the picture that answers to them.
        question: To try at the sliders.
        answer: What one finds, and why.
        notebook: Its file in `notebooks/`, beside the app.
    """

    title: str
    text: str
    formulas: tuple[tuple[str, str], ...]
    live: Callable[[], None]
    question: str
    answer: str
    notebook: str

    def read_notebook(self) -> bytes:
        """The content of its notebook, in a checkout or in an installed wheel."""
        return (app.script().parent / "notebooks" / self.notebook).read_bytes()
