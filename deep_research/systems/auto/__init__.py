"""The router: a simple question to the shallow researcher, a hard one to Open Deep Research."""
