"""Run the command `sampleval` as `python -m sampleval`."""

import sys

from sampleval.cli import main

sys.exit(main())
