"""A study's results as one self-contained page, in which all text of the user is escaped, and as files for a reanalysis."""

from sampleval.report.methods import methods
from sampleval.report.page import html
from sampleval.report.reanalysis import archive

__all__ = ["archive", "html", "methods"]
