"""The Data page: where a table comes from, and what its columns mean."""
