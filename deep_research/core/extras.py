"""Packages that only a part of the project needs: asked for by name, with the line that installs them."""

from __future__ import annotations

from importlib.util import find_spec

from .errors import UsageError


def is_installed(package: str) -> bool:
    """Whether a package could be imported. Nothing is imported, so the check costs next to nothing."""
    return find_spec(package) is not None


def install_line(extra: str) -> str:
    """The command that installs an extra of this project."""
    return f"pip install 'deep-research[{extra}]'"


def require_extra(package: str, extra: str, what: str) -> None:
    """Raise `UsageError` if a package is not installed; `extra` is the extra of this project that brings it.

    `what` says who needs it: "Paper search".
    """
    if not is_installed(package):
        fault = f"{what} needs the package '{package}', which is not installed."
        raise UsageError(fault, install_line(extra))
