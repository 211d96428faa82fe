"""The pages of the app and the question that each answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PageInfo:
    """A page's script, relative to `app.py`, the question it answers in a user's words, and a tooltip for the navigation."""

    file: str
    question: str
    about: str


PAGES: Mapping[str, PageInfo] = {
    "Data": PageInfo(
        "pages/1_Data.py",
        "Which scored items do you want to evaluate?",
        "Choose a demo set or bring a table with your model's scores.",
    ),
    "Plan": PageInfo(
        "pages/2_Plan.py",
        "How many labels do you need?",
        "See what a labelling budget buys before the first label, and start a study.",
    ),
    "Label": PageInfo(
        "pages/3_Label.py",
        "What is the true label of this item?",
        "Answer one item at a time, by keyboard or finger; every answer is saved at once.",
    ),
    "Results": PageInfo(
        "pages/4_Results.py",
        "How good is the model, and how sure can you be?",
        "Every metric from the same labels, with its interval.",
    ),
    "Studies": PageInfo(
        "pages/5_Studies.py",
        "Which study do you want to work on?",
        "Resume, rename, duplicate, delete, export or import a study.",
    ),
    "Simulate": PageInfo(
        "pages/6_Simulate.py",
        "Which method can you trust?",
        "Repeat whole studies with known labels: error, coverage and width of every method.",
    ),
    "Learn": PageInfo(
        "pages/7_Learn.py",
        "Why does it work?",
        "Five lessons, each with one live picture and a question to try.",
    ),
}
