"""The one way to call a model, a page or a search: through budget, call log, retries and trace.

`context.Context` is what every node and component gets; `chat` and `structured` call models; `calls.perform`
is the gate that every outbound call passes.
"""
