"""The conclusions of a study in sentences: what is known, what is not, and how far to trust the intervals."""
