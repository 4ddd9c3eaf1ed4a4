"""The shallow researcher (NVIDIA AI-Q); the whole design stands in `graph.py`."""
