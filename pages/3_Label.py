"""Label."""

from sampleval.ui import shell

shell.page("Label")
