"""The stage's verb with a scripted model, and once over real HTTP."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from memory import extraction, llm
from memory.errors import ModelError
from memory.extraction import extracting, schemas
from memory.types import Ground, Proposal, Quote, Role, Turn
from tests.scripted_model import ScriptedModel, candidate
from tests.scripted_server import Received, ScriptedServer

AT = datetime(2024, 3, 10, 12, tzinfo=UTC)


def ground(*contents: str, role: Role = Role.USER, **more: Any) -> Ground:
    return Ground(tuple(Turn(n, role, c, AT) for n, c in enumerate(contents, start=1)), **more)


def test_extract_sound_candidate_becomes_a_proposal_with_its_call() -> None:
    model = ScriptedModel([{"candidates": [candidate("I live in Oslo")]}])

    extracted = extraction.extract(ground("I live in Oslo"), [], model=model)

    assert [(p.text, p.object, p.flaw) for p in extracted.proposals] == [("I live in Oslo", "Oslo", "")]
    assert [(c.model, c.prompt_version) for c in extracted.calls] == [("scripted", "extraction-1")]
    assert extracted.extractor == "scripted/extraction-1"


def test_extract_asks_with_lines_schema_and_version() -> None:
    model = ScriptedModel()

    extraction.extract(ground("Hi"), ["Likes tea"], model=model)

    [call] = model.calls
    assert call.name == "extraction"
    assert call.user.splitlines() == [
        "Known facts:",
        "#1 Likes tea",
        "",
        "Turns:",
        "[1] user 2024-03-10T12:00:00+00:00: Hi",
    ]
    assert call.system == extracting.prompt("extraction-1")
    assert call.schema.model_json_schema()["required"] == ["candidates"]


def test_extract_schema_is_strict_throughout() -> None:
    schema = schemas.ExtractionReply.model_json_schema()
    candidates = schema["properties"]["candidates"]["items"]

    assert schema["additionalProperties"] is candidates["additionalProperties"] is False
    assert sorted(candidates["required"]) == sorted(candidate("x"))
    assert "description" not in json.dumps(schema)


def test_extract_one_broken_candidate_does_not_sink_the_others() -> None:
    model = ScriptedModel([{"candidates": [None, candidate("x", kind="?"), candidate("I live in Oslo"), "text"]}])

    extracted = extraction.extract(ground("I live in Oslo"), [], model=model)

    assert [bool(p.flaw) for p in extracted.proposals] == [True, True, False, True]


@pytest.mark.parametrize(("about", "is_flawed"), [(None, False), (1, False), (2, False), (3, True), (0, True)])
def test_extract_reference_to_a_fact_never_handed_out_is_a_flaw(about: int | None, is_flawed: bool) -> None:  # noqa: FBT001
    model = ScriptedModel([{"candidates": [candidate("I live in Oslo", about=about)]}])

    [proposal] = extraction.extract(ground("I live in Oslo"), ["a", "b"], model=model).proposals

    assert bool(proposal.flaw) is is_flawed


@pytest.mark.parametrize(
    "reply", ["", "null", "[]", "{}", '{"candidates": null}', '{"candidates": {}}', '{"candidates": [{"text": "I live']
)
def test_extract_reply_without_candidates_is_an_error_not_nothing(reply: str) -> None:
    with pytest.raises(ModelError):
        extraction.extract(ground("I live in Oslo"), [], model=ScriptedModel([reply]))


def test_extract_reply_with_no_end_of_candidates_is_an_error() -> None:
    model = ScriptedModel([{"candidates": [candidate("x")] * (extracting.MAX_CANDIDATES + 1)}])

    with pytest.raises(ModelError):
        extraction.extract(ground("x"), [], model=model)


def test_extract_error_of_the_model_passes_through() -> None:
    error = ModelError("busy", retry_after=3.0)

    with pytest.raises(ModelError) as caught:
        extraction.extract(ground("x"), [], model=ScriptedModel([error]))

    assert caught.value is error


def test_extract_turns_of_context_give_nothing_of_their_own() -> None:
    both = candidate("x", evidence=[{"turn": 1, "quote": "You live in Oslo?"}, {"turn": 2, "quote": "Yes"}])
    model = ScriptedModel([{"candidates": [candidate("old", evidence=[{"turn": 1, "quote": "a"}]), both]}])

    extracted = extraction.extract(ground("You live in Oslo?", "Yes"), [], model=model, context=1)

    assert [p.text for p in extracted.proposals] == ["x"]


def test_extract_without_a_model_is_the_patterns_and_says_so() -> None:
    extracted = extraction.extract(ground("I live in Oslo"), [], model=None)

    assert [(p.predicate, p.object) for p in extracted.proposals] == [("lives_in", "Oslo")]
    assert (extracted.extractor, extracted.calls) == ("patterns@1", ())


KEYLESS = Proposal("我住在东京", "user", "", "", evidence=(Quote(1, "我住在东京"),), is_keyless=True)


@pytest.mark.parametrize("given", [{"is_outright": True}, {"document": "mem0"}])
@pytest.mark.parametrize("model", [None, ScriptedModel()], ids=["patterns", "model"])
def test_extract_what_is_given_outright_is_kept_without_a_key(
    given: dict[str, Any], model: ScriptedModel | None
) -> None:
    extracted = extraction.extract(ground("我住在东京", **given), [], model=model)

    assert extracted.proposals == (KEYLESS,)


def test_extract_given_outright_and_understood_in_part_keeps_the_rest() -> None:
    content = "I live in Oslo. The standup is at 9:15 on Tuesdays."

    extracted = extraction.extract(ground(content, is_outright=True), [], model=None)

    assert [(p.text, p.is_keyless) for p in extracted.proposals] == [
        ("Lives in Oslo", False),
        ("The standup is at 9:15 on Tuesdays.", True),
    ]


def test_extract_conversation_flagged_to_be_remembered_is_not_kept_word_by_word() -> None:
    turns = (Turn(1, Role.USER, "what a lovely day it is", AT), Turn(2, Role.ASSISTANT, "Indeed", AT))

    assert extraction.extract(Ground(turns, is_outright=True), [], model=None).proposals == ()


def test_extract_conversation_in_which_nothing_is_said_is_nothing() -> None:
    assert extraction.extract(ground("我住在东京"), [], model=None).proposals == ()


def test_extract_model_that_echoes_its_prompt_names_no_turn() -> None:
    """Whatever of the instructions comes back as a claim has no quote that could stand in a turn."""
    system = extracting.prompt("extraction-1")
    reply = {"candidates": [candidate(line) for line in system.splitlines() if line.strip()]}

    extracted = extraction.extract(ground("Hello there"), [], model=ScriptedModel([reply]))

    assert extracted.proposals
    assert not [p for p in extracted.proposals for q in p.evidence if q.quote and q.quote in "Hello there"]


def test_extract_over_http_is_the_same() -> None:
    def reply(received: Received) -> dict[str, Any]:
        assert received.name == "extraction"
        return {"candidates": [candidate("I live in Oslo")]}

    with ScriptedServer(reply) as server:
        model = llm.Endpoint(llm.Settings(base_url=server.url, chat_model="tiny"))
        extracted = extraction.extract(ground("I live in Oslo"), ["Likes tea"], model=model)
        model.close()

    assert [p.object for p in extracted.proposals] == ["Oslo"]
    assert extracted.extractor == "tiny/extraction-1"
    assert "#1 Likes tea" in server.chats[0].user.splitlines()
