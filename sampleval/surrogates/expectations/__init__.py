"""What a belief leads one to expect of a metric: losses (Y eq 14), and the deviation h that a label may cause (Y eq 12).

Throughout, `items` are n items, N if they are the whole pool, and `belief` is π(y|n) of the same items. `risk` is the R at
which the metric is linearised, (d,), and `jacobian` its Dg there, or some rows of it, (m, d).
"""
