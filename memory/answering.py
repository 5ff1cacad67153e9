"""Answering a question from memory alone, by the model: with the facts it rests on, or that it is not known."""

from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from memory import judging, llm, scope, text
from memory.errors import Unconfigured
from memory.models import User
from memory.recollecting import Question, Recollection, recollect

PROMPT = "answer-1"
FACTS = 10
_PROMPTS = Path(__file__).parent / "prompts"


class AnswerReply(BaseModel):
    """The wire format of `answer`."""

    model_config = ConfigDict(strict=True, extra="forbid")

    answer: str
    facts: list[int]


def answer(
    user: User, question: str, *, model: llm.Model | None, embedder: llm.Embedder | None, actor: str
) -> dict[str, Any]:
    """The answer, the ids of the facts it rests on with their texts, and how they were looked up.

    Raises Unconfigured without a model, and ModelError.
    """
    if model is None:
        raise Unconfigured("Answering needs a model: set OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own.")
    recalled = recollect(user, Question(question, FACTS), model=model, embedder=embedder, actor=actor)
    reply = model.complete(_call(question, recalled))
    with scope.user(user.pk):
        judging.log(user.pk, reply)
    named = list(dict.fromkeys(k for k in reply.data.facts if 1 <= k <= len(recalled.facts)))
    basis = [recalled.document["facts"][k - 1] for k in named]
    return {
        "answer": text.clean(reply.data.answer).text.strip(),
        "facts": [fact["id"] for fact in basis],
        "based_on": [{"id": fact["id"], "text": fact["text"]} for fact in basis],
        "episodes": recalled.document["episodes"],
        "retrieval": recalled.document["retrieval"],
    }


def _call(question: str, recalled: Recollection) -> llm.Call:
    asked = " ".join(text.clean(question).text.split())
    return llm.Call(
        name="answer",
        system=(_PROMPTS / f"{PROMPT}.md").read_text(encoding="utf-8").strip(),
        user=f"{recalled.numbered}\n\nQuestion: {asked}",
        schema=AnswerReply,
        prompt_version=PROMPT,
    )
