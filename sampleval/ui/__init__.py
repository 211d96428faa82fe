"""The app: a package for each page but Studies, and what pages share. No other package of sampleval imports Streamlit."""

# On a fresh server two sessions may import at once. Waiting here for the whole package keeps each from seeing
# half of a module that the other has begun; so pages import `sampleval` or `sampleval.ui` before anything in it.
import sampleval  # noqa: F401
