"""A study's results as one self-contained page, without scripts or network, in which all text of the user is escaped."""

from sampleval.report.methods import methods
from sampleval.report.page import html

__all__ = ["html", "methods"]
