"""Results."""

from sampleval.ui import shell

shell.page("Results")
