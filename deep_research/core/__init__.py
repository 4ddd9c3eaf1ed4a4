"""The words everything is said in: records, errors, gaps, the clock, safety."""
