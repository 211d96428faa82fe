"""The meaning of columns: what the caller says, completed by guesses from names and values.

In all modules `df` is the table, (N, …), `told` what the caller said about its columns, `by_role` those of one system as far
as they are sorted, `columns` the roles found, `taken` the columns that play one, and `names` those in question.
"""
