"""What a prompt says about each tool that a role is offered, in the prompt's language: one line a tool.

The prompt lists what is offered and nothing else, so it never names a tool that the role does not have.
"""

# ruff: noqa: E501 - one line a tool, so that three languages can be compared

from __future__ import annotations

from collections.abc import Sequence

from . import Tool

_LINES = {
    "en": {
        "search": "takes several queries in one call and returns sources, each with an id such as S1.3.",
        "search_documents": "does the same in the user's own documents.",
        "search_papers": "does the same in scientific papers; write its queries in English.",
        "look_up_item": "finds a labelled part (theorem, table, section …) in the documents and sources that you have.",
        "calculate": "calculates with numbers that sources state, and returns the result as a source. Never do sums in your head; name every number with the id of its source.",
        "think": "is your notebook. Use it after each search: what did I learn, what is missing, do I have enough?",
        "ResearchComplete": "ends your work.",
    },
    "zh": {
        "search": "一次接受多个查询，返回若干来源，每个来源带有编号，例如 S1.3。",
        "search_documents": "在用户自己的文件中做同样的事。",
        "search_papers": "在学术论文中做同样的事；查询要用英文写。",
        "look_up_item": "在你已有的文件和来源中查找带标号的部分（定理、表格、章节等）。",
        "calculate": "用来源中写明的数字进行计算，并把结果作为一个来源返回。不要心算；每个数字都要注明其来源的编号。",
        "think": "是你的笔记本。每次搜索之后用它想一想：知道了什么，还缺什么，够不够？",
        "ResearchComplete": "结束你的工作。",
    },
    "ja": {
        "search": "は、一度に複数の検索語を受け取り、情報源を返します。それぞれに S1.3 のような番号が付いています。",
        "search_documents": "は、利用者自身の文書で同じことをします。",
        "search_papers": "は、学術論文で同じことをします。検索語は英語で書きます。",
        "look_up_item": "は、手元の文書や情報源から、番号の付いた部分（定理、表、節など）を探します。",
        "calculate": "は、情報源が述べている数値で計算し、結果を情報源として返します。暗算はせず、どの数値にもその情報源の番号を付けます。",
        "think": "は、あなたのノートです。検索のたびに使い、何が分かったか、何が足りないか、もう十分かを考えます。",
        "ResearchComplete": "は、あなたの仕事を終えます。",
    },
}


def tool_lines(offered: Sequence[Tool], language: str) -> str:
    """A list with a line for each tool; one without words of its own here is told by its description."""
    known = _LINES[language]
    return "\n".join(f"- `{tool.name}` {known.get(tool.name, f'— {tool.description}')}" for tool in offered)
