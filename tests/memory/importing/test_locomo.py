from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from memory.importing import Broken, read
from tests.memory.importing.files import broken, episodes, said, write


def _turn(speaker: str, number: int, text: str, **fields: Any) -> dict[str, Any]:
    return {"speaker": speaker, "dia_id": f"D1:{number}", "text": text, **fields}


def _sample(**changes: Any) -> dict[str, Any]:
    conversation = {
        "speaker_a": "Ines",
        "speaker_b": "Paavo",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [_turn("Ines", 1, "I adopted a cat."), _turn("Paavo", 2, "I moved to Turku.")],
        "session_2_date_time": "12:09 am on 13 September, 2023",
        "session_2": [_turn("Paavo", 3, "I sold my boat.")],
        "session_3_date_time": "9:00 am on 1 October, 2023",
        **changes,
    }
    questions = [{"question": "What did Ines adopt?", "answer": "a cat", "evidence": ["D1:1"], "category": 4}]
    return {"qa": questions, "conversation": conversation, "session_summary": {}, "sample_id": "s-1"}


def test_sample_becomes_two_users_with_each_session_once(tmp_path: Path) -> None:
    found = episodes(write(tmp_path, [_sample()], "locomo.json"))

    assert [(episode.user, episode.session, episode.external_id) for episode in found] == [
        ("s-1:Ines", "session_1", "s-1:session_1"),
        ("s-1:Paavo", "session_1", "s-1:session_1"),
        ("s-1:Ines", "session_2", "s-1:session_2"),
        ("s-1:Paavo", "session_2", "s-1:session_2"),
    ]
    assert {episode.closed for episode in found} == {True}


def test_own_turns_are_the_users_and_the_others_the_assistants(tmp_path: Path) -> None:
    ines, paavo, *_ = episodes(write(tmp_path, [_sample()], "locomo.json"))

    assert [(turn.role, turn.name, turn.ref) for turn in ines.turns] == [
        ("user", "Ines", "D1:1"),
        ("assistant", "Paavo", "D1:2"),
    ]
    assert [turn.role for turn in paavo.turns] == ["assistant", "user"]


def test_times_are_the_sessions_in_order(tmp_path: Path) -> None:
    first, _, second, _ = episodes(write(tmp_path, [_sample()], "locomo.json"))

    start = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert [first.occurred_at, *(turn.at for turn in first.turns)] == [start, start, start + timedelta(seconds=1)]
    assert second.occurred_at == datetime(2023, 9, 13, 0, 9, tzinfo=UTC)


def test_sessions_go_by_number_not_by_letters(tmp_path: Path) -> None:
    later = {"session_10": [_turn("Ines", 9, "Hi")], "session_10_date_time": "1:00 pm on 8 December, 2023"}

    found = episodes(write(tmp_path, [_sample(**later)], "locomo.json"), user="s-1:Ines")

    assert [episode.session for episode in found] == ["session_1", "session_2", "session_10"]


def test_photo_is_told_by_its_caption(tmp_path: Path) -> None:
    turn = _turn("Ines", 1, "Look!", img_url=["http://example.org/a.jpg"], blip_caption="a photo of a cat", query="cat")

    first, *_ = episodes(write(tmp_path, [_sample(session_1=[turn])], "locomo.json"))

    assert said(first) == [("user", "Look!\n[photo: a photo of a cat]")]


def test_sample_without_id_is_named_by_its_place(tmp_path: Path) -> None:
    samples = [_sample(), _sample()]
    del samples[1]["sample_id"]

    found = episodes(write(tmp_path, samples, "locomo.json"))

    assert {episode.user for episode in found} == {"s-1:Ines", "s-1:Paavo", "sample-1:Ines", "sample-1:Paavo"}


def test_named_user_picks_one_speaker(tmp_path: Path) -> None:
    found = episodes(write(tmp_path, [_sample()], "locomo.json"), user="s-1:Paavo")

    assert {episode.user for episode in found} == {"s-1:Paavo"}


@pytest.mark.parametrize(
    "changes",
    [
        {"session_1_date_time": "some day"},
        {"session_1_date_time": None},
        {"session_1": ["x"]},
        {"session_1": [_turn("Ines", 1, "")]},
    ],
)
def test_unusable_session_is_reported_and_the_rest_goes_in(tmp_path: Path, changes: dict[str, Any]) -> None:
    path = write(tmp_path, [_sample(**changes)], "locomo.json")

    sessions = {record.session for record in read(path) if not isinstance(record, Broken)}

    assert sessions == {"session_2"}
    assert {position for position, _ in broken(path)} == {"locomo.json: record 1"}


def test_sample_without_speakers_is_reported(tmp_path: Path) -> None:
    path = write(tmp_path, [_sample(speaker_b=None)], "locomo.json")

    assert broken(path) == [("locomo.json: record 1", "conversation: must name speaker_a and speaker_b.")]
