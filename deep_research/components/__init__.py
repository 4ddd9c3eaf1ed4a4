"""The seven components of a deep research agent, and three `others`.

A component has a function with the work. Where the model returns an object, its schema stands above it; a
node stands below it if more than one graph uses the same one, else it stands in the design's `graph.py`.

| component | asks or does | prompt | lesson |
|---|---|---|---|
| `clarifier` | asks the user when the question is too vague | `clarifier` | 2 |
| `brief_writer` | turns the conversation into a research brief | `brief_writer` | 2 |
| `supervisor` | splits the brief into topics, one researcher each | `supervisor` | 4 |
| `researcher` | searches and reads for one topic under a budget | `researcher` | 3 |
| `compressor` | condenses what was read into a finding that cites sources | `compressor` | 4 |
| `writer` | writes the report from the findings | `writer` | 5 |
| `verifier` | checks every citation and every cited sentence | `verifier` | 8 |
"""
