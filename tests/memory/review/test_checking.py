"""What the checks of memory's health say of counted values."""

import pytest

from memory.review import checking
from memory.review.checking import Counted, Level

GOOD, WATCH, BAD, EARLY = Level.GOOD, Level.WATCH, Level.BAD, Level.EARLY


@pytest.mark.parametrize(
    ("name", "level", "counted"),
    [
        ("gate", EARLY, {"turns": 49}),
        ("gate", BAD, {"turns": 50}),
        ("gate", GOOD, {"turns": 50, "refused": 1}),
        ("gate", WATCH, {"turns": 51, "refused": 1}),
        ("gate", WATCH, {"turns": 50, "refused": 9, "unrefused": 1}),
        ("few", EARLY, {"turns": 49, "born": 49}),
        ("few", GOOD, {"turns": 50, "born": 10}),
        ("few", WATCH, {"turns": 50, "born": 11}),
        ("few", WATCH, {"turns": 50, "born": 20}),
        ("few", BAD, {"turns": 50, "born": 21}),
        ("calls", EARLY, {"turns": 49, "calls": 49}),
        ("calls", GOOD, {"turns": 100, "calls": 20}),
        ("calls", WATCH, {"turns": 100, "calls": 50}),
        ("calls", BAD, {"turns": 100, "calls": 51}),
        ("conflicts", EARLY, {"facts": 199, "weeks": 9}),
        ("conflicts", EARLY, {"facts": 9000, "weeks": 3.9}),
        ("conflicts", BAD, {"facts": 200, "weeks": 4}),
        ("conflicts", GOOD, {"facts": 1000, "weeks": 4, "conflicts": 1}),
        ("conflicts", WATCH, {"facts": 1001, "weeks": 4, "conflicts": 1}),
        ("laundering", GOOD, {"live": 9}),
        ("laundering", WATCH, {"live": 100, "hollow": 1}),
        ("laundering", BAD, {"live": 100, "hollow": 1, "surer": 1}),
        ("names", EARLY, {"entities": 19, "alike": 19}),
        ("names", GOOD, {"entities": 100, "alike": 5}),
        ("names", WATCH, {"entities": 100, "alike": 15}),
        ("names", BAD, {"entities": 100, "alike": 16}),
        ("undated", GOOD, {"live": 100, "undated": 5}),
        ("undated", WATCH, {"live": 100, "undated": 20}),
        ("undated", BAD, {"live": 100, "undated": 21}),
        ("lineage", GOOD, {"superseded": 100}),
        ("lineage", WATCH, {"superseded": 100, "unexplained": 1}),
        ("lineage", BAD, {"superseded": 100, "unexplained": 2}),
        ("decoration", EARLY, {"uses": 49, "live": 9, "unused": 9}),
        ("decoration", EARLY, {"uses": 50}),
        ("decoration", GOOD, {"uses": 50, "live": 10, "unused": 5}),
        ("decoration", WATCH, {"uses": 50, "live": 10, "unused": 8}),
        ("decoration", BAD, {"uses": 50, "live": 10, "unused": 9}),
        ("backlog", GOOD, {"due": 9, "oldest_minutes": 15}),
        ("backlog", WATCH, {"oldest_minutes": 16}),
        ("backlog", WATCH, {"failed_jobs": 1}),
        ("backlog", BAD, {"oldest_minutes": 361}),
        ("backlog", BAD, {"failed_jobs": 4, "failed_episodes": 6}),
        ("short", EARLY, {}),
        ("short", GOOD, {"people": 10, "short": 5}),
        ("short", WATCH, {"people": 10, "short": 6}),
        ("short", BAD, {"people": 10, "short": 10}),
    ],
)
def test_check_stands_where_its_thresholds_put_it(name: str, level: Level, counted: dict[str, float]):
    assert checking.judge(Counted(**counted))[name] == level
