"""The Results page: one metric in detail, a closer look, and the downloads."""
