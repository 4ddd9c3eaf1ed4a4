"""Packages that only a part of the project needs: asked for by name, with the line that installs them."""

from __future__ import annotations

from importlib.util import find_spec

from .errors import UsageError


def require(package: str, extra: str, what: str) -> None:
    """Raise `UsageError` if a package is not installed; `extra` is the extra of this project that brings it.

    Nothing is imported, so the check costs next to nothing. `what` says who needs it: "Paper search".
    """
    if find_spec(package) is None:
        raise UsageError(
            f"{what} needs the package '{package}', which is not installed.",
            f"pip install 'deep-research[{extra}]'",
        )
