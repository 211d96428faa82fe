"""The Results page: a closer look, when to stop, and what to take away."""
