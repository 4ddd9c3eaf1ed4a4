"""Same question, same bytes, whatever number of calls is in flight."""

from deep_research import aresearch
from deep_research.evaluation.fingerprint import fingerprint
from deep_research.evaluation.samples import sample
from deep_research.offline.web import build_web


async def test_must2_same_bytes_at_any_concurrency():
    for question in sample(build_web(), 1):
        prints = set()
        for concurrency in (1, 5):
            report = await aresearch(question.text, settings={"concurrency": concurrency}, keep=False)
            prints.add(fingerprint(report))
        assert len(prints) == 1, question.id
