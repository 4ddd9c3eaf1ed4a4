"""Row v13: a saved run is held against today's pages, claim by claim."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deep_research.core.errors import RunError, SearchError
from deep_research.runs.recheck import Rechecked, change_counts, recheck_run
from deep_research_offline.wire.faults import Call, Fault
from tests.components.verifier.test_verifier import GULL, HERON, SKUA, cite, script
from tests.running import PAGES, Web, environment_of, run, settings_of, small_web, wire
from tests.scripted import Script

SAID = tuple(cite(source) for source in (GULL, HERON, SKUA))


async def saved(tmp_path: Path, *said: str, **chosen: Any) -> Path:
    report = await run(script(*said), options={"keep": True, "out": tmp_path}, **chosen)
    assert len(report.claims) == len(said)
    return tmp_path / report.run_id


async def today(
    folder: Path, web: Web, faults: Callable[[Call], Fault | None] | None = None
) -> list[Rechecked]:
    provider = wire(Script(), web=web, faults=faults)
    return await recheck_run(folder, environment_of(provider, settings_of()))


def changed(host: str, old: str, new: str) -> Web:
    """The small web with other words on one page; without the page if there are none left."""
    pages = [
        type(p)(**{**{k: getattr(p, k) for k in p.__dataclass_fields__}, "text": p.text.replace(old, new)})
        if host in p.url
        else p
        for p in PAGES
    ]
    return Web(0, "lighthouses", "2041-03-02", tuple(p for p in pages if p.text), {}, (), {}, frozenset())


async def test_v13_nothing_changed(tmp_path: Path) -> None:
    found = await today(await saved(tmp_path, *SAID, budget__searches=1), small_web())
    assert [one.status for one in found] == ["still_there"] * 3
    assert change_counts(found) == {"still_there": 3, "changed": 0, "gone": 0}
    assert all(one.quote == one.quote_now and one.verdict == "evidence_found" for one in found)


async def test_v13_another_number_has_changed_and_a_lost_page_is_gone(tmp_path: Path) -> None:
    folder = await saved(tmp_path, *SAID)
    found = await today(folder, changed("ormsund.example/gull", "41", "47"))
    assert [one.status for one in found] == ["changed", "still_there", "still_there"]
    assert (
        found[0].was == "evidence_found"
        and found[0].verdict == "flagged"
        and "47 metres" in (found[0].quote_now or "")
    )
    found = await today(folder, changed("ormsund.example/heron", PAGES[1].text, ""))
    assert [(one.status, one.quote_now) for one in found][1] == ("gone", None)
    found = await today(folder, changed("ormsund.example/skua", PAGES[2].text, "This address is for sale."))
    assert [one.status for one in found] == ["still_there", "still_there", "gone"]


async def test_v13_a_run_without_a_check_is_held_to_the_rules(tmp_path: Path) -> None:
    folder = await saved(tmp_path, *SAID, verifier__mode="off")
    assert {one.status for one in await today(folder, small_web())} == {"still_there"}
    found = await today(folder, changed("ormsund.example/gull", "41", "47"))
    assert [one.status for one in found] == ["changed", "still_there", "still_there"]


@pytest.mark.parametrize("status", [404, 410])
async def test_v13_a_page_that_the_server_knows_no_more_is_gone(status: int, tmp_path: Path) -> None:
    def heron(call: Call) -> Fault | None:
        return Fault(status=status) if b"heron" in call.body else None

    found = await today(await saved(tmp_path, *SAID), small_web(), heron)
    assert [one.status for one in found] == ["still_there", "gone", "still_there"]


async def test_v13_no_access_is_an_error_and_no_lost_page(tmp_path: Path) -> None:
    folder = await saved(tmp_path, *SAID)
    with pytest.raises(SearchError, match="key is wrong"):
        await today(folder, small_web(), lambda call: Fault(status=401))


async def test_v13_a_folder_without_a_finished_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunError):
        await recheck_run(tmp_path)
