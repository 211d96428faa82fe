"""What the pages share: set-up, navigation, stores, wording, charts. The only part that imports Streamlit."""
