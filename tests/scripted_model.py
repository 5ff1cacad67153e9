"""A model that says what a test tells it to, behind the same Protocol as the real one."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from memory import llm
from memory.errors import ModelError

type Script = Callable[[llm.Call], Any] | Sequence[Any]

NOTHING: Mapping[str, Any] = {
    "extraction": {"candidates": []},
    "judgement": {"relation": "compatible", "why": "scripted"},
    "retrieval_plan": {"needs_episodes": False, "why": "scripted"},
    "answer": {"answer": "I do not know.", "facts": []},
}
"""The uneventful reply to each call."""


class ScriptedModel:
    """`reply` is a function of the call, or a list of replies that is used up and then says nothing.

    A reply is a JSON value, a string that goes through the real parser as it is, None for the
    uneventful one, or a ModelError to raise. `calls` keeps every call for looking at.
    """

    def __init__(self, reply: Script = (), *, name: str = "scripted") -> None:
        self.name = name
        self.calls: list[llm.Call] = []
        self._reply = reply

    @property
    def prompts(self) -> list[str]:
        """All that the model was ever given to read."""
        return [f"{call.system}\n{call.user}" for call in self.calls]

    def complete(self, call: llm.Call) -> llm.Reply:
        self.calls.append(call)
        reply = next_reply(self._reply, call, len(self.calls) - 1)
        if isinstance(reply, ModelError):
            raise reply
        content = as_content(reply, call.name)
        return llm.Reply(
            data=llm.parse(content, call.schema),
            tokens_in=len(call.user) // 4,
            tokens_out=len(content) // 4,
            latency_ms=1,
            model=self.name,
            prompt_version=call.prompt_version,
            raw_text=content,
        )


def next_reply(script: Any, asked: Any, place: int) -> Any:
    """What `script` says to the call at `place`; None once a list is used up."""
    if callable(script):
        return script(asked)
    return script[place] if place < len(script) else None


def as_content(reply: Any, name: str) -> str:
    """The text of a reply as it would stand in the message of a completion."""
    if isinstance(reply, str):
        return reply
    return json.dumps(NOTHING[name] if reply is None else reply, ensure_ascii=False)


def candidate(text: str, **fields: Any) -> dict[str, Any]:
    """A whole and sound candidate of an extraction, to be changed by `fields`. Its quote is its text, in turn 1."""
    plain = {
        "text": text,
        "subject": "user",
        "subject_note": None,
        "predicate": "lives_in",
        "object": text.rstrip(".").split(" ")[-1],
        "kind": "knowledge",
        "polarity": "affirms",
        "basis": "stated",
        "speech": "states",
        "valid_from": None,
        "valid_to": None,
        "expires_on": None,
        "about": None,
        "evidence": [{"turn": 1, "quote": text}],
    }
    return plain | fields
