"""The command line of a benchmark."""

from __future__ import annotations

import argparse


def new_parser(doc: str | None) -> argparse.ArgumentParser:
    """A parser whose help begins with a module's docstring as it is written."""
    return argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
