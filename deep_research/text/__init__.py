"""Plain functions on text. Nothing here knows of runs, models or sources."""
