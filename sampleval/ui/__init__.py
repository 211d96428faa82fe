"""What the pages share: set-up, navigation, stores, wording, charts. The only part that imports Streamlit."""

# On a fresh server two sessions may import at once. Waiting here for the whole package keeps each from seeing
# half of a module that the other has begun; so pages import `sampleval` or `sampleval.ui` before anything in it.
import sampleval  # noqa: F401
