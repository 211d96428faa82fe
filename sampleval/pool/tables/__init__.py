"""Read files into tables: find a file's format and turn its text into columns.

In all modules `source` is the file, `told` what the caller said about its columns, `names` all of these, and `record` their
names as they are written. Of delimited text, `data` begins with the column names, in the file's line `line`, counted from 1,
and `separator` stands between the cells. Rows are counted from 0, which is that of the column names.
"""
