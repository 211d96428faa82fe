"""The meaning of columns: what the caller says, completed by guesses from names and values.

`roles.resolve` takes these steps:

1. `by_role` sorts columns by the roles that names and values suggest, `told` by what the caller says; `identity` finds the ids.
2. `systems` tells whose the columns are. Of each system, `one_system` finds the output and the kind of task (`kinds`), or of
   numbers `forecasts`.
3. `classes` names the classes, if there are two by way of `two_classes`.
4. `hidden` finds the columns that annotators must not see: second labels (`likely_labels`), what is computed from labels
   (`misses`), what a model says. The rest is shown.
5. `no_output` says what to do about a table in which no system has an output.

`cells` looks at what a column holds, and `scales` at whether scores are probabilities.

In all modules `df` is the table, (N, …), `told` what the caller said about its columns, `by_role` those of one system as far
as they are sorted, `columns` the roles found, `taken` the columns that play one, and `names` those in question.
"""
