"""Plan."""

from sampleval.ui import shell

shell.page("Plan")
