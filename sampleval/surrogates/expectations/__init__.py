"""What a belief leads one to expect of a metric: losses (Y eq 14), and the deviation h that a label may cause (Y eq 12)."""
