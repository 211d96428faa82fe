"""The demo pools: the topic of each and the names of its classes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Demo:
    """A demo set, its file in the demo folder, and names of (negative, positive) instead of 0 and 1; () for the file's own."""

    title: str
    about: str
    file: str
    classes: tuple[str, ...] = ()


DEMOS: Mapping[str, Demo] = {
    "digits": Demo(
        "Handwritten digits: is it an 8?",
        "1,797 pictures, one in ten is an 8. Real pictures, real model.",
        "digits_is8.parquet",
        ("not an 8", "an 8"),
    ),
    "linkage": Demo(
        "Record linkage: the same restaurant?",
        "101,568 pairs, one in a thousand matches. Invented directories, real model.",
        "linkage.parquet",
        ("different", "same"),
    ),
    "sentences": Demo(
        "Text: is the sentence about statistics?",
        "2,411 sentences of a manual, one in three is. Real text, real model.",
        "statistics_sentences.parquet",
        ("something else", "statistics"),
    ),
    "tickets": Demo(
        "Support tickets: several topics each",
        "5,000 tickets, seven topics. Invented tickets, real model.",
        "tickets_multilabel.parquet",
    ),
    "ten-digits": Demo(
        "Handwritten digits: which one?",
        "1,797 pictures, ten classes. Real pictures, real model.",
        "digits_10class.parquet",
    ),
    "diabetes": Demo(
        "Diabetes: how far has it progressed?",
        "442 patients, a number to predict. Real patients, real model.",
        "diabetes.parquet",
    ),
}
