"""Studies."""

from sampleval.ui import shell

shell.page("Studies")
