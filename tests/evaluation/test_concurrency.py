"""Same question, same bytes, whatever number of calls is in flight."""

from deep_research.evaluation.fingerprint import fingerprint
from deep_research.runs import aresearch
from deep_research.runs.offline import sample_questions
from deep_research_offline.web import build_web


async def test_must2_same_bytes_at_any_concurrency():
    for question in sample_questions(build_web(), limit=1):
        prints = set()
        for concurrency in (1, 5):
            settings = {"concurrency": concurrency, "preset": "quick"}
            report = await aresearch(question.text, settings=settings, keep=False)
            prints.add(fingerprint(report))
        assert len(prints) == 1, question.id
