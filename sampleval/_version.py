"""The version of this library, for whatever its results are kept with."""

__version__ = "0.1.0"
