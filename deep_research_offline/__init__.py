"""The keyless provider: an invented web, an offline chat model, and the ways to reach them.

`provider.OfflineProvider` is the service; `wire.transports` puts the real clients in front of it,
`wire.server` a port.
"""
