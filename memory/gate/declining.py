"""What the user asked not to remember, in this conversation or by a standing rule."""

from functools import cache, lru_cache
from itertools import chain

from memory import text
from memory.gate import lexing, markers, wordlists, words
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
    """Whether a topic's telling words are in the claim or around its quotes.

    All of them, or at least half of three and more, or one of a matter that has many names, or
    all that the claim's object says is the topic.
    """
    wanted = _telling(topic)
    claimed = words.telling(case.proposal.object)
    is_topic = bool(claimed) and all(any(_is_kin(word, other) for other in wanted) for word in claimed)
    said = _said(case)
    found = sum(any(_is_kin(word, other) for other in said) for word in wanted)
    is_matter = any(_matters(word) & _matters(other) for word in wanted for other in said)
    least = len(wanted) if len(wanted) < _MANY else (len(wanted) + 1) // 2
    return bool(wanted) and (is_topic or is_matter or found >= least)


_MANY = 3


def _said(case: Case) -> set[str]:
    proposal = case.proposal
    claim = f"{proposal.text} {proposal.subject} {proposal.predicate.replace('_', ' ')} {proposal.object}"
    texts = [claim, *(p.sentence.text for p in case.quoted)]
    return {word for part in texts for word in words.all_of(part)}


def _is_kin(one: str, other: str) -> bool:
    """Whether two words are one but for their endings, or of one matter."""
    return is_akin(one, other) or bool(_matters(one) & _matters(other))


@lru_cache(maxsize=4096)
def _matters(word: str) -> frozenset[str]:
    kin = wordlists.languages("declined", "kin")
    return frozenset(name for name, members in kin.items() if any(is_akin(word, member) for member in members))


def _telling(topic: str) -> list[str]:
    return [word for word in words.all_of(topic) if word not in _general()]


@cache
def _general() -> frozenset[str]:
    """Words that tell no topic: general ones, and those that requests are made of."""
    tables = (wordlists.languages("declined", table) for table in ("requests", "next"))
    requests = chain.from_iterable(chain.from_iterable(table.values()) for table in tables)
    asking = {
        word.strip("()*").casefold() for entry in requests for token in entry.split() for word in token.split("|")
    }
    return (
        wordlists.flat("declined", "general")
        | wordlists.flat("resting", "idle")
        | asking
        | wordlists.flat("vague", "small")
    )


def _by_request(case: Case) -> str:
    users = [turn for turn in case.ground.turns if turn.role is Role.USER]
    for place, turn in enumerate(users):
        for sentence in _requests(turn.content):
            if _covers(case, users, place, sentence):
                return f"the user asked so in turn {turn.n}"
    return ""


@lru_cache(maxsize=2048)
def _requests(content: str) -> tuple[Sentence, ...]:
    """The sentences of a turn that ask not to remember."""
    sentences = (lexing.read(content[start:end]) for start, end in text.sentences(content))
    return tuple(s for s in sentences if markers.has("declined", "requests", s))


def _covers(case: Case, users: list[Turn], place: int, request: Sentence) -> bool:
    """A request covers its topic; without one its turn, or a neighbouring turn if it stands alone."""
    topic = _topic(request)
    if topic and _is_about(case, topic):
        return True
    if _has_matter(request):
        start = users[place].content.find(request.text)
        return any(p.turn.n == users[place].n and p.span[1] > start for p in _grounds(case))
    if topic and not _points(request):
        return False
    covered = {users[place].n}
    if markers.has("declined", "next", request) or request.text.rstrip().endswith(":"):
        covered |= {turn.n for turn in users[place + 1 : place + 2]}
    elif _stands_alone(users[place]):
        covered |= {turn.n for turn in users[max(0, place - 1) : place]}
    return any(p.turn.n in covered for p in _grounds(case))


def _has_matter(request: Sentence) -> bool:
    """Whether the request itself says what it is about after a colon: "Don't save this: I love poker"."""
    _, part = _asking(request)
    return ":" in request.tokens[part.stop - 1 : part.stop + 1] and part.stop + 1 < len(request.tokens)


def _grounds(case: Case) -> tuple[Passage, ...]:
    return case.own or case.passages


def _stands_alone(turn: Turn) -> bool:
    """Whether a turn says nothing but the request, perhaps with a word of courtesy."""
    spans = text.sentences(turn.content)
    others = [s for s in spans if not markers.has("declined", "requests", lexing.read(turn.content[slice(*s)]))]
    return all(len(text.words(turn.content[slice(*s)])) <= _COURTESY for s in others)


_COURTESY = 3


def _topic(request: Sentence) -> str:
    """What a request names: after "about" and the like, else after the asking, else before it."""
    begin, part = _asking(request)
    starts = wordlists.flat("declined", "topics")
    after = next((i for i in range(begin, len(request.tokens)) if request.tokens[i] in starts), None)
    places = [range(after + 1, len(request.tokens))] if after is not None else []
    clause = request.tokens[part.stop : part.stop + 1]
    end = len(request.tokens) if set(clause) & wordlists.flat("declined", "that") else part.stop
    places += [range(begin, end), range(part.start, begin)]
    named = (_telling(" ".join(request.tokens[i] for i in place)) for place in places)
    return " ".join(next((found for found in named if found), []))


def _asking(request: Sentence) -> tuple[int, range]:
    """Where the asking begins, and the tokens of its part and of a clause that follows it."""
    finds = markers.find_all("declined", "requests", request)
    first = min(finds, key=lambda found: found.tokens[0]).tokens
    return first[0], request.part_around(first)


def _points(request: Sentence) -> bool:
    """Whether a request points at what was just said: "don't save that"."""
    _, part = _asking(request)
    pointers, last = (wordlists.flat("declined", table) for table in ("pointers", "last_pointers"))
    tokens = request.tokens
    for index in part:
        follows = tokens[index + 1] if index + 1 in part else ""
        leads = bool({*tokens[index + 1 : index + 3]} & wordlists.flat("declined", "that")) or follows in _LEADING
        if (tokens[index] in pointers and not leads) or (tokens[index] in last and follows in _ENDS):
            return True
    return False


_LEADING = frozenset({"de", "mit", "von"})
_ENDS = frozenset({"", ",", "!", "…", ".", "please", "ok", "either", "anywhere", "down", "again"})
