"""What designs in rounds do before each round: update the belief, aim at the metric, and allocate the next labels."""
