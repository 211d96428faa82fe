"""The meaning of columns: what the caller says, completed by guesses from names and values."""
