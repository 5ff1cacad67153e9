"""What the user asked not to remember, in this conversation or by a standing rule."""

from collections.abc import Iterator

from memory import text
from memory.gate import lexing, markers, wordlists
from memory.gate.cases import Case, Passage
from memory.gate.lexing import Sentence
from memory.gate.words import is_akin
from memory.types import Role, Turn


def declined(case: Case) -> str:
    """Which wish covers the claim, "" if none. Never the claim's own words."""
    return _by_topic(case) or _by_request(case)


def _by_topic(case: Case) -> str:
    return next((f"standing rule: {topic}" for topic in case.ground.declined if _is_about(case, topic)), "")


def _is_about(case: Case, topic: str) -> bool:
    """Whether every telling word of a topic is in the claim or in the sentences around its quotes."""
    wanted = _telling(topic)
    proposal = case.proposal
    claim = f"{proposal.text} {proposal.subject} {proposal.predicate.replace('_', ' ')} {proposal.object}"
    texts = [claim, *(p.sentence.text for p in case.quoted)]
    said = {word for part in texts for word in text.words(part)}
    return bool(wanted) and all(any(is_akin(word, other) for other in said) for word in wanted)


def _telling(topic: str) -> list[str]:
    general = wordlists.flat("declined", "general")
    return [word for word in text.words(topic) if word not in general]


def _by_request(case: Case) -> str:
    users = [turn for turn in case.ground.turns if turn.role is Role.USER]
    for place, turn in enumerate(users):
        for sentence in _requests(turn):
            if _covers(case, users, place, sentence):
                return f"the user asked so in turn {turn.n}"
    return ""


def _requests(turn: Turn) -> Iterator[Sentence]:
    """The sentences of a turn that ask not to remember."""
    for start, end in text.sentences(turn.content):
        sentence = lexing.read(turn.content[start:end])
        if markers.has("declined", "requests", sentence):
            yield sentence


def _covers(case: Case, users: list[Turn], place: int, request: Sentence) -> bool:
    """A request covers its topic; without one its turn, or a neighbouring turn if it stands alone."""
    topic = _topic(request)
    if topic:
        return _is_about(case, topic)
    covered = {users[place].n}
    if markers.has("declined", "next", request) or request.text.rstrip().endswith(":"):
        covered |= {turn.n for turn in users[place + 1 : place + 2]}
    elif _stands_alone(users[place]):
        covered |= {turn.n for turn in users[max(0, place - 1) : place]}
    return any(p.turn.n in covered for p in _grounds(case))


def _grounds(case: Case) -> tuple[Passage, ...]:
    return case.own or case.passages


def _stands_alone(turn: Turn) -> bool:
    """Whether a turn says nothing but the request, perhaps with a word of courtesy."""
    spans = text.sentences(turn.content)
    others = [s for s in spans if not markers.has("declined", "requests", lexing.read(turn.content[slice(*s)]))]
    return all(len(text.words(turn.content[slice(*s)])) <= _COURTESY for s in others)


_COURTESY = 3


def _topic(request: Sentence) -> str:
    """The words after "about" and the like, if they tell anything."""
    starts = wordlists.flat("declined", "topics")
    finds = markers.find_all("declined", "requests", request)
    begin = min((f.tokens[0] for f in finds), default=0)
    after = next((i for i in range(begin, len(request.tokens)) if request.tokens[i] in starts), None)
    if after is None:
        return ""
    topic = request.text[request.spans[after][1] :]
    return " ".join(_telling(topic))
