"""The version of this library, to be kept with its results."""

__version__ = "0.1.0"
