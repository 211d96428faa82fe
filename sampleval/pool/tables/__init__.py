"""Read files into tables: find a file's format and turn its text into columns.

`reading` takes these steps:

1. `sources` finds the file's format, and `bounds` refuses what would fill the memory (`memory`).
2. `delimited` (`encoding`, `quotes`) and `workbooks` read cells of text, which `grid` turns into columns of numbers and of
   names (`spelling`). Arrow reads Parquet, and JSON after `records` has written it as a record per line, `logs` if another
   program's records are no items yet.
3. `spread` gives a system's output columns of its own, if it stands in lists and records (`nested`, `arrow`; in text,
   `written`) or in columns by rank (`ranks`).

`notes` tell the rest of the program how a file was read, and `lines` the reader of a message which line is meant.

In all modules `source` is the file, `told` what the caller said about its columns, `names` all of these, and `record` their
names as they are written. Of delimited text, `data` begins with the column names, in the file's line `line`, counted from 1,
and `separator` stands between the cells. Rows are counted from 0, which is that of the column names.
"""
