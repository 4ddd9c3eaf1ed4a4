"""Execute notebooks in place, from a clean kernel, and store outputs that do not depend on the machine.

    python scripts/run_notebooks.py [NOTEBOOK ...]      (default: every notebook under notebooks/)

Notable: times, widget state and the interpreter's patch version are left out of the stored file, so running
a notebook again changes nothing unless its code or its results changed.
"""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def run(path: Path) -> None:
    """Execute one notebook and write it back only when every cell ran."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=120,
        kernel_name="python3",
        record_timing=False,
        coalesce_streams=True,  # how many pieces a print arrives in depends on the machine
        store_widget_state=False,
        resources={"metadata": {"path": str(path.parent)}},
    )
    client.execute()
    notebook.metadata = nbformat.from_dict(METADATA)
    nbformat.write(notebook, path)


def main(arguments: list[str]) -> int:
    paths = [Path(a) for a in arguments] or sorted(NOTEBOOKS.rglob("*.ipynb"))
    for path in paths:
        print(f"running {path.name}", flush=True)
        run(path)
    print(f"{len(paths)} notebooks ran")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
