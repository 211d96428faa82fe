"""Conclusions from an answered run: scalar and vector estimates, their limits, and notes.

`estimate` and `joint` take the same steps. `answerable` says whether the labels suffice, and `census` makes the inference from
them, exact or from the sample. `limits` and `joint_limits` follow from the `variances`, or from wagers (`anytime`), and are
widened by `class_means`, `rare_classes` and, for the pool's source, `future`. `settling` tells what unknown labels could still
change, `too_few` and `remarks` what to note.
"""
