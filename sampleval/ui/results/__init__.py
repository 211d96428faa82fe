"""The Results page: one metric in detail, the rule for stopping, and the downloads."""
