"""Data."""

from sampleval.ui import shell

shell.page("Data")
