"""The offline model knows no web: it imports nothing of the package, and none of the web's words is in it."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from pathlib import Path

import pytest

from deep_research_offline import model, web
from deep_research_offline.web import build_web

HOME = Path(model.__file__).parent
SOURCES = {path.name: path.read_text(encoding="utf-8") for path in sorted(HOME.glob("*.py"))}
DATA = {path.name: path.read_text(encoding="utf-8") for path in sorted(HOME.glob("*.toml"))}
WEB = Path(web.__file__).parent
GENERAL = frozenset(
    "author book boat bridge building captain court film founder inhabitants library line maker maps metres "
    "museum newspaper operator page pages person port ship station town workshop years hours seats flights "
    "crowns florins kilograms kilometres kilowatts percent incident injured members route slips stops "
    "people workers passengers accident law report company firm paper yard works "
    "engine school university member".split()
)
"""Kinds of things that everyday questions are about in any domain; words of the language, not of a web."""


def nouns_of(domain: str) -> set[str]:
    """What a web calls its kinds of things and what they count, in English, singular or plural."""
    table = tomllib.loads((WEB / domain / "words.toml").read_text(encoding="utf-8"))
    nouns = {word for kind in table["kinds"] for word in kind.split("_")}
    nouns |= {word for forms in table["units"].values() for form in forms[0] for word in form.split()}
    return {noun for noun in nouns if len(noun) > 4 and noun not in GENERAL}


def runs_of_six(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"[a-z]+", text.lower())
    return {tuple(words[i : i + 6]) for i in range(len(words) - 5)}


def test_it_imports_only_the_standard_library_plain_functions_on_text_and_itself():
    """Of the package only `deep_research.text`, which knows no prompt, no web and no index."""
    for name, source in SOURCES.items():
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Import):
                assert all(alias.name.split(".")[0] in sys.stdlib_module_names for alias in node.names), name
            elif isinstance(node, ast.ImportFrom):
                module = node.module or ""
                inside = node.level == 1 or module.startswith("deep_research.text.")
                assert inside or module.split(".")[0] in sys.stdlib_module_names, name


@pytest.mark.parametrize("domain", ["airships", "libraries"])
def test_no_noun_of_a_web_is_in_it(domain: str):
    written = set(re.findall(r"[a-z]+", "\n".join([*SOURCES.values(), *DATA.values()]).lower()))
    assert not sorted(nouns_of(domain) & written)


@pytest.mark.parametrize("domain", ["airships", "libraries"])
def test_no_six_words_of_a_page_are_in_it(domain: str):
    told = set().union(*(runs_of_six(page.text) for page in build_web(0, domain=domain).pages))
    assert not told & set().union(*map(runs_of_six, [*SOURCES.values(), *DATA.values()]))
