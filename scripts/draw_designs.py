"""Draw every registered design from its compiled graph: docs/designs/<system>.md and .png.

    python scripts/draw_designs.py

The page holds the graph as Mermaid, which GitHub and JupyterLab draw, the picture, and the graph in words.
The picture carries the same words as its description, so that a test can tell whether it is of this graph.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from deep_research.notebook.graphs import draw
from deep_research.systems import SYSTEMS, System

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "designs"

PAGE = """# {name}

{description} (after {origin}).

This page is made by `make designs` from the compiled graph of
[`systems/{name}/graph.py`](../../deep_research/systems/{name}/graph.py).
Dashed lines are choices; frames are sub-graphs.

![The graph of {name}]({name}.png)

```mermaid
{mermaid}
```

The same in words; `?` marks a choice:

```
{text}
```
"""


def page(system: System) -> tuple[str, bytes]:
    """A design's page and its picture, whose description is the graph in words."""
    drawn = draw(system.module().graph, title=system.name)
    description = system.description[0].upper() + system.description[1:]
    text = PAGE.format(
        name=system.name, description=description, origin=system.origin, mermaid=drawn.mermaid.strip(),
        text=drawn.text,
    )  # fmt: skip
    return text, described(drawn.png or b"", drawn.text)


def described(png: bytes, text: str) -> bytes:
    """The picture with a description in it, for readers that speak pictures."""
    info, out = PngInfo(), io.BytesIO()
    info.add_itxt("Description", text)
    Image.open(io.BytesIO(png)).save(out, "PNG", optimize=True, pnginfo=info)
    return out.getvalue()


def main() -> int:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for system in SYSTEMS.values():
        text, png = page(system)
        (FOLDER / f"{system.name}.md").write_text(text, encoding="utf-8")
        (FOLDER / f"{system.name}.png").write_bytes(png)
    print(f"{len(SYSTEMS)} designs drawn in {FOLDER.parent.name}/{FOLDER.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
