"""The drawn designs in docs/designs are those of the graphs that run."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from deep_research.notebook.graphs import draw
from deep_research.systems import SYSTEMS

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "designs"


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_page_of_a_design_is_up_to_date(name: str) -> None:
    drawn = draw(SYSTEMS[name].module().graph, title=name)
    page = FOLDER / f"{name}.md"
    assert page.exists(), "run `make designs`"
    text = page.read_text(encoding="utf-8")
    assert drawn.mermaid.strip() in text and drawn.text in text, "run `make designs`"
    assert SYSTEMS[name].origin in text
    with Image.open(page.with_suffix(".png")) as picture:
        assert picture.info["Description"] == drawn.text, "run `make designs`"


def test_there_is_no_page_of_a_design_that_is_gone() -> None:
    assert {path.stem for path in FOLDER.glob("*.md")} <= {*SYSTEMS, "README"}
