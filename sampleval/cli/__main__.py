"""`python -m sampleval.cli` is `sampleval`."""

import sys

from sampleval.cli import main

sys.exit(main())
