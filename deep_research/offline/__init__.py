"""The keyless provider: an invented web, an offline chat model, and the ways to reach them.

`handlers.OfflineProvider` is the service; `transports` puts the real clients in front of it, `server` a port.
"""
