"""The Plan page: a method, a budget, and what they buy."""
