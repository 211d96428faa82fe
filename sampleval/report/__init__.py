"""A study's results as one self-contained page: no script, no network, every word of the user's escaped."""

from sampleval.report.methods import methods
from sampleval.report.page import html

__all__ = ["html", "methods"]
