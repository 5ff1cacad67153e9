"""A conversation kept as a tree of messages, told as one list of turns.

docs/decisions/0020-imports.md says why. In short: the path to the current message is the
conversation; what the user said on other branches was said as well and stays, with the messages
it answers; answers that nobody went on from are left out; a prompt that was reworded counts in
its last wording, and the earlier ones are kept as evidence for nothing.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from difflib import SequenceMatcher
from itertools import pairwise

from memory import moments, text
from memory.types import Role

EDITED = "edited"
BRANCH = "branch"
_BACK = "Back to an earlier point of this conversation."
_ALIKE = 0.5
_COMPARED = 300
_BARE = 2


@dataclass(frozen=True, slots=True)
class Message:
    """A node of the tree. One without content only links others. `at` is aware."""

    id: str
    parent: str | None
    role: str
    content: str = ""
    at: datetime | None = None
    name: str = ""


type _Tree = dict[str, Message]


def turns(messages: Iterable[Message], *, current: str | None, start: datetime | None) -> list[dict[str, object]]:
    """The turns in order of time, raw. A message without a time has that of the one it answers, the first `start`."""
    every = {message.id: message for message in messages}
    tree = _in_order(_dated(_rooted(_visible(every)), start))
    if not tree:
        return []
    main = _up(_nearest(current, every) or next(reversed(tree)), tree)
    reworded = _reworded(tree, main)
    return list(_told(tree, _kept(tree, main, reworded), reworded))


def _visible(every: Mapping[str, Message]) -> _Tree:
    """The messages that say something, each below the nearest one above that does."""
    return {m.id: replace(m, parent=_nearest(m.parent, every)) for m in every.values() if m.content.strip()}


def _nearest(message_id: str | None, every: Mapping[str, Message]) -> str | None:
    seen = set()
    while message_id is not None and message_id in every and message_id not in seen:
        if every[message_id].content.strip():
            return message_id
        seen.add(message_id)
        message_id = every[message_id].parent
    return None


def _rooted(tree: _Tree) -> _Tree:
    """Depth first, so that each message stands after the one it answers; a circle is cut open where it is met."""
    children: dict[str | None, list[Message]] = defaultdict(list)
    for message in tree.values():
        children[message.parent].append(message)
    rooted: _Tree = {}
    for root in [*children[None], *tree.values()]:
        waiting = [root]
        while waiting:
            message = waiting.pop()
            if message.id not in rooted:
                rooted[message.id] = message if message.parent in rooted else replace(message, parent=None)
                waiting.extend(reversed(children[message.id]))
    return rooted


def _dated(tree: _Tree, start: datetime | None) -> _Tree:
    """No message is older than the one it answers."""
    dated: _Tree = {}
    for message in tree.values():
        above = dated[message.parent].at if message.parent else start
        known = [at for at in (message.at, above) if at]
        dated[message.id] = replace(message, at=max(known, default=None))
    return dated


def _in_order(tree: _Tree) -> _Tree:
    ordered = sorted(tree.values(), key=lambda message: message.at or moments.EARLIEST)
    return {message.id: message for message in ordered}


def _up(message_id: str | None, tree: _Tree, *, until: frozenset[str] = frozenset()) -> frozenset[str]:
    """A message and all above it, as far as they are not known yet."""
    path = set()
    while message_id and message_id not in until:
        path.add(message_id)
        message_id = tree[message_id].parent
    return frozenset(path)


def _kept(tree: _Tree, main: frozenset[str], reworded: Mapping[str, bool]) -> frozenset[str]:
    """The conversation, all the user said, and what that answers. A prompt merely sent twice is there once."""
    kept = set(main)
    for message in tree.values():
        if message.role == Role.USER and not reworded.get(message.id):
            kept |= _up(message.id, tree, until=frozenset(kept))
    return frozenset(kept - {message_id for message_id, is_same in reworded.items() if is_same})


def _reworded(tree: _Tree, main: frozenset[str]) -> dict[str, bool]:
    """The prompts off the main path that another took the place of, and whether it says the very same."""
    found: dict[str, bool] = {}
    for versions in _versions(tree):
        last = next((message for message in versions if message.id in main), versions[-1])
        for message, after in [*pairwise(versions), *((message, last) for message in versions)]:
            if message.id not in main and message is not after and _is_alike(message.content, after.content):
                found[message.id] = found.get(message.id, False) or message.content == after.content
    return found


def _versions(tree: _Tree) -> Iterator[list[Message]]:
    """What the user said at one point of the conversation, oldest first."""
    prompts = defaultdict(list)
    for message in tree.values():
        if message.role == Role.USER:
            prompts[message.parent].append(message)
    return (versions for versions in prompts.values() if len(versions) > 1)


def _is_alike(one: str, other: str) -> bool:
    """Whether half of the words are the same, in the same order, or there are too few to stand alone."""
    words = text.words(one)[:_COMPARED], text.words(other)[:_COMPARED]
    is_bare = len(words[0]) <= _BARE and not text.is_spaceless(one)
    return is_bare or SequenceMatcher(None, *words, autojunk=False).ratio() >= _ALIKE


def _told(tree: _Tree, kept: frozenset[str], reworded: Mapping[str, bool]) -> Iterator[dict[str, object]]:
    """A mark stands wherever the conversation does not go on from the turn before it.

    A withdrawn wording that nothing went on from stands behind what comes next, so that the
    wording that counts follows what it answers.
    """
    before: str | None = None
    withdrawn: list[dict[str, object]] = []
    answered = {tree[message_id].parent for message_id in kept}
    for message in (message for message in tree.values() if message.id in kept):
        told = replace(message, role=Role.SYSTEM, name=EDITED) if message.id in reworded else message
        if told is not message and message.id not in answered:
            withdrawn.append(_turn(told))
            continue
        if message.parent != before:
            yield _turn(Message(f"{message.id}:{BRANCH}", None, Role.SYSTEM, _BACK, message.at, BRANCH))
        yield _turn(told)
        yield from withdrawn
        before, withdrawn = message.id, []
    yield from withdrawn


def _turn(message: Message) -> dict[str, object]:
    return {
        "role": message.role,
        "name": message.name,
        "content": message.content,
        "at": message.at,
        "ref": message.id,
    }
