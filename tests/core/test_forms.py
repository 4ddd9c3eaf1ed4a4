"""Topics as readers are shown them."""

from __future__ import annotations

import pytest

from deep_research.core.forms import topic_title


@pytest.mark.parametrize(
    ("topic", "shown"),
    [
        ("Research “How high is the tower?” And say it.", "How high is the tower?"),
        ("「塔の高さは？」を調べてください。", "塔の高さは？"),
        ("Find out who wrote “The Mill”", "who wrote “The Mill”"),
    ],
)
def test_a_title_holds_no_half_of_a_quotation(topic: str, shown: str) -> None:
    assert topic_title(topic) == shown
