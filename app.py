"""The app: `streamlit run app.py`, or `sampleval app`."""

from sampleval.ui import shell

shell.run()
