"""Open Deep Research (LangChain); the whole design stands in `graph.py`."""
