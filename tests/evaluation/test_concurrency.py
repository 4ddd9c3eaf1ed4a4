"""Same question, same bytes, whatever number of calls is in flight."""

from deep_research import aresearch
from deep_research.environment import build_environment
from deep_research.evaluation.fingerprint import fingerprint
from deep_research.evaluation.samples import sample
from deep_research.offline.web import build_web
from deep_research.settings import load_settings


async def test_must2_same_bytes_at_any_concurrency():
    for question in sample(build_web(), 1):
        prints = set()
        for concurrency in (1, 5):
            settings = load_settings({"concurrency": concurrency})
            report = await aresearch(
                question.text, settings=settings, keep=False, environment=build_environment(settings)
            )
            prints.add(fingerprint(report))
        assert len(prints) == 1, question.id
