"""Conclusions from an answered run: scalar and vector estimates, their limits, and notes.

`estimate` and `joint` ask `answerable` whether the labels suffice and take the value of a `census` as it is. Otherwise `limits`
and `joint_limits` follow from the `variances`, or from wagers (`anytime`), and are widened by `class_means`, `rare_classes` and,
for the pool's source, `future`. `settling` tells what unknown labels could still change, `too_few` and `remarks` what to note.
"""
