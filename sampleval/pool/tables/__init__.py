"""Read files into tables: find a file's format and turn its text into columns."""
