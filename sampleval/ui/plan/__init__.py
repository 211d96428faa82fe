"""The Plan page: a method, a budget, and the precision to expect from them."""
