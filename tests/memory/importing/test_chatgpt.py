from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from memory.importing import Broken, read
from memory.importing.branches import BRANCH, EDITED
from tests.memory.importing.files import NOON, broken, chatgpt, episodes, node, said, write

_NOON = datetime(2024, 3, 9, 12, tzinfo=UTC)
_BACK = ("system", "Back to an earlier point of this conversation.")


def _said(tmp_path: Path, *nodes: Any, **fields: Any) -> list[tuple[str, str]]:
    (episode,) = episodes(write(tmp_path, [chatgpt(*nodes, **fields)]))
    return said(episode)


def test_plain_conversation_becomes_one_open_episode(tmp_path: Path) -> None:
    conversation = chatgpt(node("m1", "root", "user", "I live in Oslo."), node("m2", "m1", "assistant", "Nice."))

    (episode,) = episodes(write(tmp_path, [conversation]))

    assert (episode.external_id, episode.session, episode.closed) == ("c-1", "c-1", False)
    assert episode.occurred_at == _NOON
    assert [(turn.role, turn.content, turn.at, turn.ref) for turn in episode.turns] == [
        ("user", "I live in Oslo.", _NOON + timedelta(seconds=1), "m1"),
        ("assistant", "Nice.", _NOON + timedelta(seconds=2), "m2"),
    ]


def test_messages_in_any_order_of_the_file_follow_the_path(tmp_path: Path) -> None:
    nodes = (
        node("m3", "m2", "user", "third"),
        node("m1", "root", "user", "first"),
        node("m2", "m1", "assistant", "second"),
    )

    turns = _said(tmp_path, *nodes, current="m3")

    assert turns == [("user", "first"), ("assistant", "second"), ("user", "third")]


def test_regenerated_answer_keeps_only_the_current_one(tmp_path: Path) -> None:
    turns = _said(
        tmp_path,
        node("m1", "root", "user", "Name a city."),
        node("m2", "m1", "assistant", "Oslo."),
        node("m3", "m1", "assistant", "Bergen."),
    )

    assert turns == [("user", "Name a city."), ("assistant", "Bergen.")]


def test_reworded_prompt_counts_in_its_last_wording(tmp_path: Path) -> None:
    conversation = chatgpt(
        node("m1", "root", "user", "I live in Oslo, plan a weekend."),
        node("m2", "m1", "assistant", "A plan for Oslo."),
        node("m3", "root", "user", "I live in Bergen, plan a weekend."),
        node("m4", "m3", "assistant", "A plan for Bergen."),
    )

    (episode,) = episodes(write(tmp_path, [conversation]))

    assert [(turn.role, turn.name, turn.content) for turn in episode.turns] == [
        ("user", "", "I live in Bergen, plan a weekend."),
        ("system", EDITED, "I live in Oslo, plan a weekend."),
        ("assistant", "", "A plan for Bergen."),
    ]


@pytest.mark.parametrize("current", ["m4", "m2"])
def test_reworded_prompt_whichever_is_current_is_evidence_once(tmp_path: Path, current: str) -> None:
    turns = _said(
        tmp_path,
        node("m1", "root", "user", "我住在奥斯陆，请给我推荐餐厅"),
        node("m2", "m1", "assistant", "好的"),
        node("m3", "root", "user", "我住在卑尔根，请给我推荐餐厅"),
        node("m4", "m3", "assistant", "可以"),
        current=current,
    )

    assert [role for role, _ in turns].count("user") == 1


@pytest.mark.parametrize(
    ("withdrawn", "meant"), [("No.", "Yes."), ("ja", "nein"), ("Not really", "Yes, for three years now")]
)
def test_bare_answer_that_was_edited_leaves_the_other_to_the_question(
    tmp_path: Path, withdrawn: str, meant: str
) -> None:
    turns = _said(
        tmp_path,
        node("m1", "root", "assistant", "Are you vegan?"),
        node("m2", "m1", "user", withdrawn),
        node("m3", "m2", "assistant", "I see."),
        node("m4", "m1", "user", meant),
    )

    assert turns == [("assistant", "Are you vegan?"), ("user", meant), ("system", withdrawn)]


def test_reworded_prompt_that_the_talk_went_on_from_stays_before_it(tmp_path: Path) -> None:
    turns = _said(
        tmp_path,
        node("m1", "root", "user", "I live in Oslo, plan a weekend."),
        node("m2", "m1", "assistant", "By train?"),
        node("m3", "m2", "user", "Yes, I have no car."),
        node("m4", "root", "user", "I live in Bergen, plan a weekend."),
    )

    assert turns == [
        ("system", "I live in Oslo, plan a weekend."),
        ("assistant", "By train?"),
        ("user", "Yes, I have no car."),
        _BACK,
        ("user", "I live in Bergen, plan a weekend."),
    ]


def test_prompt_sent_twice_is_there_once(tmp_path: Path) -> None:
    turns = _said(
        tmp_path,
        node("m1", "root", "user", "I have a nut allergy."),
        node("m2", "root", "user", "I have a nut allergy."),
        node("m3", "m2", "assistant", "Noted."),
    )

    assert turns == [("user", "I have a nut allergy."), ("assistant", "Noted.")]


def test_other_branch_keeps_the_users_words_and_what_they_answer(tmp_path: Path) -> None:
    conversation = chatgpt(
        node("m1", "root", "user", "What should I cook?"),
        node("m2", "m1", "assistant", "Do you eat meat?"),
        node("m3", "m2", "user", "No, I am vegan."),
        node("m4", "m3", "assistant", "Then lentils."),
        node("m5", "m4", "user", "I have a nut allergy too."),
        node("m6", "m5", "assistant", "No nuts then."),
        node("m7", "m2", "user", "Forget it, tell me about trains."),
        node("m8", "m7", "assistant", "Trains run on rails."),
    )

    (episode,) = episodes(write(tmp_path, [conversation]))

    assert said(episode) == [
        ("user", "What should I cook?"),
        ("assistant", "Do you eat meat?"),
        ("user", "No, I am vegan."),
        ("assistant", "Then lentils."),
        ("user", "I have a nut allergy too."),
        _BACK,
        ("user", "Forget it, tell me about trains."),
        ("assistant", "Trains run on rails."),
    ]
    assert [turn.name for turn in episode.turns if turn.role == "system"] == [BRANCH]


def test_conversation_that_grew_keeps_its_earlier_turns_in_place(tmp_path: Path) -> None:
    nodes = [
        node("m1", "root", "user", "I am vegan."),
        node("m2", "m1", "assistant", "Good."),
        node("m3", "root", "user", "Tell me about trains."),
        node("m4", "m3", "assistant", "Rails."),
    ]
    later = [node("m5", "m4", "user", "I live in Oslo."), node("m6", "m5", "assistant", "Nice.")]

    before, after = _said(tmp_path, *nodes), _said(tmp_path, *nodes, *later)

    assert after == [*before, ("user", "I live in Oslo."), ("assistant", "Nice.")]


@pytest.mark.parametrize("current", ["gone", "root"])
def test_unusable_current_node_takes_the_newest(tmp_path: Path, current: str) -> None:
    turns = _said(tmp_path, node("m1", "root", "user", "One"), node("m2", "m1", "assistant", "Two"), current=current)

    assert turns == [("user", "One"), ("assistant", "Two")]


def test_missing_times_are_those_of_the_message_before(tmp_path: Path) -> None:
    conversation = chatgpt(
        node("m1", "root", "user", "One", create_time=None),
        node("m5", "m1", "assistant", "Two"),
        node("m6", "m5", "user", "Three", create_time=None),
    )

    (episode,) = episodes(write(tmp_path, [conversation]))

    assert [turn.at for turn in episode.turns] == [_NOON, _NOON + timedelta(seconds=5), _NOON + timedelta(seconds=5)]


def test_no_times_at_all_leaves_them_open(tmp_path: Path) -> None:
    nodes = node("m1", "root", "user", "One", create_time=None), node("m2", "m1", "user", "Two", create_time=None)

    (episode,) = episodes(write(tmp_path, [chatgpt(*nodes, create_time=None, update_time=None)]))

    assert (episode.occurred_at, [turn.at for turn in episode.turns]) == (None, [None, None])
    assert [turn.content for turn in episode.turns] == ["One", "Two"]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ({"content_type": "text", "parts": ["a", "", "b"]}, "a\nb"),
        ({"content_type": "code", "language": "python", "text": "print(1)"}, "print(1)"),
        ({"content_type": "execution_output", "text": "1"}, "1"),
        ({"content_type": "tether_quote", "url": "u", "title": "T", "text": "quoted"}, "T\nquoted"),
        (
            {
                "content_type": "multimodal_text",
                "parts": [{"content_type": "image_asset_pointer", "asset_pointer": "file-service://x"}, "My cat Pixel"],
            },
            "[image]\nMy cat Pixel",
        ),
        (
            {
                "content_type": "multimodal_text",
                "parts": [
                    {"content_type": "audio_transcription", "text": "I live in Oslo.", "direction": "in"},
                    {"content_type": "real_time_user_audio_video_asset_pointer", "audio_asset_pointer": {}},
                ],
            },
            "I live in Oslo.",
        ),
    ],
    ids=["text", "code", "output", "quote", "image", "voice"],
)
def test_content_of_any_type_becomes_its_text(tmp_path: Path, content: dict[str, Any], text: str) -> None:
    turns = _said(tmp_path, node("m1", "root", "user", content))

    assert turns == [("user", text)]


@pytest.mark.parametrize(
    "message",
    [
        {"role": "system", "content": ""},
        {"role": "system", "content": "You are ChatGPT.", "weight": 0.0},
        {"role": "user", "content": "hidden", "metadata": {"is_visually_hidden_from_conversation": True}},
        {"role": "assistant", "content": {"content_type": "thoughts", "thoughts": [{"content": "hm"}]}},
        {"role": "assistant", "content": {"content_type": "reasoning_recap", "content": "Thought for 2 s"}},
        {"role": "assistant", "content": None},
    ],
    ids=["empty system", "weight 0", "hidden", "thoughts", "recap", "null"],
)
def test_what_was_not_said_is_left_out(tmp_path: Path, message: dict[str, Any]) -> None:
    turns = _said(tmp_path, node("m1", "root", **message), node("m2", "m1", "user", "Hello"))

    assert turns == [("user", "Hello")]


def test_visible_system_prompt_stays_the_systems(tmp_path: Path) -> None:
    turns = _said(tmp_path, node("m1", "root", "system", "You are a chef."), node("m2", "m1", "user", "Hello"))

    assert turns == [("system", "You are a chef."), ("user", "Hello")]


def test_tool_keeps_its_name(tmp_path: Path) -> None:
    conversation = chatgpt(
        node("m1", "root", "user", "What is 1+1?"),
        node("m2", "m1", "assistant", {"content_type": "code", "text": "1+1"}, recipient="python"),
        node("m3", "m2", "tool", {"content_type": "execution_output", "text": "2"}, by="python"),
        node("m4", "m3", "assistant", "2"),
    )

    (episode,) = episodes(write(tmp_path, [conversation]))

    assert [(turn.role, turn.name) for turn in episode.turns] == [
        ("user", ""),
        ("assistant", ""),
        ("tool", "python"),
        ("assistant", ""),
    ]


@pytest.mark.parametrize(
    "message",
    [
        {
            "role": "user",
            "content": {
                "content_type": "user_editable_context",
                "user_profile": "The user provided this about themselves:\n```I am a nurse in Bergen.```",
                "user_instructions": "The user wants:\n```Be brief.```",
            },
            "metadata": {"is_visually_hidden_from_conversation": True},
        },
        {
            "role": "system",
            "content": "",
            "weight": 0.0,
            "metadata": {
                "is_user_system_message": True,
                "user_context_message_data": {
                    "about_user_message": "I am a nurse in Bergen.",
                    "about_model_message": "Be brief.",
                },
            },
        },
    ],
    ids=["2024", "2023"],
)
def test_custom_instructions_are_the_users_own_words(tmp_path: Path, message: dict[str, Any]) -> None:
    turns = _said(tmp_path, node("m1", "root", create_time=None, **message), node("m2", "m1", "user", "Hello"))

    assert turns == [("user", "I am a nurse in Bergen.\n\nBe brief."), ("user", "Hello")]


def test_memory_of_chatgpt_is_no_ones_words(tmp_path: Path) -> None:
    memory = {"content_type": "model_editable_context", "model_set_context": "1. User is vegan."}

    turns = _said(tmp_path, node("m1", "root", "assistant", memory), node("m2", "m1", "user", "Hello"))

    assert turns == [("system", "1. User is vegan."), ("user", "Hello")]


@pytest.mark.parametrize(
    "conversation",
    [
        {**chatgpt(node("m1", "root", "user", "x")), "mapping": {}},
        chatgpt(node("m1", "root", "assistant", "")),
        chatgpt(node("m1", "root", "user", "Do not keep this."), is_do_not_remember=True),
    ],
    ids=["deleted", "silent", "not to be remembered"],
)
def test_conversation_with_nothing_to_keep_gives_nothing(tmp_path: Path, conversation: dict[str, Any]) -> None:
    kept = chatgpt(node("m1", "root", "user", "Hello"))

    found = episodes(write(tmp_path, [conversation, kept]), format="chatgpt")

    assert [said(episode) for episode in found] == [[("user", "Hello")]]


def test_conversation_without_id_is_named_by_its_root(tmp_path: Path) -> None:
    conversation = chatgpt(node("m1", "root", "user", "Hello"))
    del conversation["id"], conversation["conversation_id"]

    (episode,) = episodes(write(tmp_path, [conversation]))

    assert episode.external_id == "root"


def test_circle_of_parents_loses_nothing(tmp_path: Path) -> None:
    turns = _said(tmp_path, node("m1", "m2", "user", "One"), node("m2", "m1", "user", "Two"), current="m2")

    assert {content for role, content in turns if role == "user"} == {"One", "Two"}


@pytest.mark.parametrize("junk", [None, 5, "text", [], {"mapping": []}])
def test_broken_record_in_the_middle_costs_only_itself(tmp_path: Path, junk: object) -> None:
    sound = chatgpt(node("m1", "root", "user", "Hello"))
    path = write(tmp_path, [sound, junk, {**sound, "conversation_id": "c-2"}])

    names = [record.external_id for record in read(path) if not isinstance(record, Broken)]

    assert names == ["c-1", "c-2"]
    assert [position for position, _ in broken(path)] == ["conversations.json: record 2"]


@pytest.mark.parametrize(
    ("record", "why"),
    [
        ({"mapping": "nope"}, "mapping: is not an object that holds the messages by their ids"),
        ({"title": "Tea"}, "mapping: is missing"),
    ],
)
def test_record_without_messages_says_what_is_wrong_with_them(tmp_path: Path, record: dict[str, Any], why: str) -> None:
    path = write(tmp_path, [chatgpt(node("m1", "root", "user", "Hello")), record])

    assert [told for _, told in broken(path)] == [f"{why}, so this is no conversation of ChatGPT."]


@pytest.mark.parametrize("nodes", [{"a": 5}, {"a": {"message": []}}, {"a": {"message": {"content": 5, "author": 1}}}])
def test_nodes_of_the_wrong_type_say_nothing(tmp_path: Path, nodes: dict[str, Any]) -> None:
    assert episodes(write(tmp_path, [{"mapping": nodes, "id": ["x"]}])) == []


def test_time_of_day_survives_the_number_format(tmp_path: Path) -> None:
    conversation = chatgpt(node("m1", "root", "user", "Hello", create_time=NOON + 0.25))

    (episode,) = episodes(write(tmp_path, [conversation]))

    assert episode.turns[0].at == _NOON + timedelta(milliseconds=250)
