"""Logs of evaluations, exports of labelling tools and replies of servers, whose records are no rows of a table yet."""
