"""Measuring answers: metrics against ground truth, one per file, and the benchmark over the sample questions.

Nothing here is judged by a model. The mini-web knows which pages state which facts, so every score can be
worked out by hand from a report and that web.
"""
