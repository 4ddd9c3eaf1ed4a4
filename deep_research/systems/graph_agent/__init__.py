"""The graph agent (Loki); the whole design stands in `graph.py`."""
