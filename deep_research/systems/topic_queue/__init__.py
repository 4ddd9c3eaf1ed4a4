"""The topic queue (DeepTutor); the whole design stands in `graph.py`."""
