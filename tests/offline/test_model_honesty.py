"""The offline model knows no web: it imports nothing of the package, and none of the web's words is in it."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

from deep_research.offline import model
from deep_research.offline.web import build_web

HOME = Path(model.__file__).parent
SOURCES = {path.name: path.read_text(encoding="utf-8") for path in sorted(HOME.glob("*.py"))}
DOMAIN_NOUNS = (
    "airship harbour harbor captain shipyard flagship mooring gondola helium refit zeppelin dirigible "
    "飞艇 船厂 旗舰 系留 飛行船 造船所 旗艦 係留 港長 港务"
).split()


def runs_of_four(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"[a-z]+", text.lower())
    return {tuple(words[i : i + 4]) for i in range(len(words) - 3)}


def test_it_imports_only_the_standard_library_and_itself():
    for name, source in SOURCES.items():
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Import):
                assert all(alias.name.split(".")[0] in sys.stdlib_module_names for alias in node.names), name
            elif isinstance(node, ast.ImportFrom):
                inside = node.level == 1
                assert inside or (node.module or "").split(".")[0] in sys.stdlib_module_names, name


def test_no_four_words_of_the_web_and_none_of_its_nouns_are_in_it():
    whole = "\n".join(SOURCES.values())
    web = build_web(0)
    texts = [*(page.text for page in web.pages), *(question.text for question in web.questions)]
    told = set().union(*map(runs_of_four, texts))
    assert not told & runs_of_four(whole)
    assert not [noun for noun in DOMAIN_NOUNS if noun in whole.lower()]
