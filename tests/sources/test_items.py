"""Promises of the item look-up: labels in three languages, the passage alone, and a clear no."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from deep_research.components.researcher import LoopProgress, run_tools
from deep_research.core.errors import ToolError
from deep_research.runs.environment import build_environment
from deep_research.settings import load_settings
from deep_research.sources.items import Label, look_up_item, read_label
from deep_research.sources.ledger import Ledger

NOTES = """# Notes on lights

As Theorem 3.1 shows, the range grows slowly. Table 2 lists heights.

## 3 Range

**Theorem 3.1** (Range). The range in miles is 2.1 times the root of the height.

Proof. By the curve of the earth.

Lemma 3.2. The root is monotone.

## 4. Heights

Heights were measured from the rock.

### 4.1 Method

With a tape.

| light | metres |
|---|---|
| Gull | 41 |

Table 2: Heights of the lights.

## 5 Outlook

定理6.1：光程与高度的平方根成正比。

第7節 灯台の高さ
"""


@pytest.fixture
def ctx(tmp_path: Path) -> Any:
    (tmp_path / "notes.md").write_text(NOTES, encoding="utf-8")
    (tmp_path / "other.md").write_text("# Other\n\nNothing is numbered here.\n", encoding="utf-8")
    tools = ["search", "look_up_item", "ResearchComplete"]
    settings = load_settings({"search.docs": str(tmp_path), "tools.researcher": tools})
    return build_environment(settings).context(settings).on("1", "lights")


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Theorem 3.1", Label("theorem", "3.1")),
        ("thm. 3.1", Label("theorem", "3.1")),
        ("定理 3.1", Label("theorem", "3.1")),
        ("§ 4", Label("section", "4")),
        ("第4节", Label("section", "4")),
        ("第 2 章", Label("chapter", "2")),
        ("Fig. 2a", Label("figure", "2A")),
        ("表2", Label("table", "2")),
        ("Appendix B", Label("appendix", "B")),
        ("the third theorem", None),
        ("Section about lights", None),
    ],
)
def test_q12_labels_are_read_by_kind_and_number(text: str, label: Label | None) -> None:
    assert read_label(text) == label


@pytest.mark.parametrize(
    ("label", "starts", "ends"),
    [
        ("Theorem 3.1", "**Theorem 3.1** (Range)", "curve of the earth."),
        ("Section 4", "## 4. Heights", "Table 2: Heights of the lights."),
        ("§ 4.1", "### 4.1 Method", "Table 2: Heights of the lights."),
        ("Table 2", "| light | metres |", "Table 2: Heights of the lights."),
        ("Theorem 6.1", "定理6.1：", "平方根成正比。"),
        ("第7节", "第7節", "灯台の高さ"),
    ],
)
async def test_q12_an_item_is_the_labelled_passage_and_no_mention_of_it(
    label: str, starts: str, ends: str, ctx: Any
) -> None:
    [hit] = await look_up_item(label, [], ctx)
    assert hit.citation_key == "notes.md"
    assert hit.passage.startswith(starts) and hit.passage.endswith(ends)


async def test_q12_a_label_that_is_nowhere_is_answered_with_those_that_are(ctx: Any) -> None:
    with pytest.raises(ToolError, match=r"holds theorem 9\.9. Labels there: theorem 3\.1, theorem 6\.1, sec"):
        await look_up_item("Theorem 9.9", [], ctx)
    with pytest.raises(ToolError, match="is no label"):
        await look_up_item("heights", [], ctx)


async def test_q12_an_item_of_a_source_that_is_known_is_a_reading_of_that_source(ctx: Any) -> None:
    ledger, progress = Ledger("1"), LoopProgress()
    await run_tools(_message("search", {"queries": ["heights of lights"]}), progress, ledger, ctx)
    known = [source.id for source in ledger.sources]
    [told], _ = await run_tools(_message("look_up_item", {"label": "Lemma 3.2"}), progress, ledger, ctx)
    assert [source.id for source in ledger.sources] == known
    lemma = next(source for source in ledger.sources if source.citation_key == "notes.md")
    assert f'<source id="{lemma.id}"' in told.content
    assert ctx.store.pages.get(lemma.readings[-1]) == "Lemma 3.2. The root is monotone."
    assert progress.searches == 1 and progress.tool_calls == 2
    [no], gaps = await run_tools(_message("look_up_item", {"label": "Figure 1"}), progress, ledger, ctx)
    assert no.content.startswith("Not done: No document") and not gaps


def _message(name: str, arguments: dict[str, Any]) -> Any:
    from langchain_core.messages import AIMessage

    return AIMessage("", tool_calls=[{"id": name, "name": name, "args": arguments}])
