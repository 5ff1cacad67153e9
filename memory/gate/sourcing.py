"""Whether a claim stands on what was said, and on whose words."""

from itertools import chain

from memory import text
from memory.gate import markers, naming, polarity, wordlists, words
from memory.gate.cases import Case, Passage
from memory.types import Basis, Kind, Polarity, Role


def unsourced(case: Case) -> str:
    """Which part of the claim nothing said supports."""
    if case.missing:
        return case.missing
    return _not_in_quotes(case) or _unheard_subject(case) or _of_another(case) or polarity.denied(case, affirmed(case))


def assistant_only(case: Case) -> str:
    """Why the evidence is not the user's or a tool's, if so."""
    if affirmed(case):
        return ""
    if not case.spoken:
        recalled = any(p.is_recalled for p in case.passages)
        return "it is recalled memory handed back" if recalled else _whose(case)
    if _is_named_in(case, " ".join(p.quote for p in case.spoken)):
        return ""
    return f"{_whose(case)}, and the user does not plainly say yes to it"


def source(case: Case) -> str:
    """Where an accepted claim comes from, by the best of its evidence."""
    if case.proposal.basis is Basis.INFERRED:
        return "inferred"
    if case.ground.document:
        return f"imported:{case.ground.document}"
    if case.own:
        return "user"
    return f"tool:{case.spoken[0].turn.name or 'unnamed'}"


def _whose(case: Case) -> str:
    roles = sorted({p.turn.role.value for p in case.passages} - {Role.USER.value, Role.TOOL.value})
    return f"only the {' and '.join(roles) or 'other side'} says it"


# The object in the quotes -------------------------------------------------------------------


def _not_in_quotes(case: Case) -> str:
    quotes = " ".join(p.quote for p in case.quoted)
    if not _is_named_in(case, quotes):
        return f"nothing of “{case.proposal.object or case.proposal.text}” is in the quote"
    return naming.unheard(case)


def _is_named_in(case: Case, quotes: str) -> bool:
    """Whether a content word of the object, or most of a keyless claim, is quoted."""
    said = words.index(words.all_of(quotes))
    if case.proposal.is_keyless:
        wanted = words.content(case.proposal.text)
        return sum(bool(words.found(word, said)) for word in wanted) * 2 >= len(wanted)
    if telling := words.telling(case.proposal.object):
        whole = any(words.found(word, said) for word in telling)
        return whole or any(words.found_within(token, telling) for token in words.all_of(quotes))
    folded = text.fold_quote(case.proposal.object).casefold()
    return folded in text.fold_quote(quotes).casefold() or any(
        words.found(word, said) for word in words.content(case.proposal.object)
    )


def _unheard_subject(case: Case) -> str:
    """A named subject that no turn knows; any other in a sentence where the user speaks of themself alone."""
    subject = case.proposal.subject
    if case.proposal.is_keyless or case.proposal.about is not None or _is_owner(case, subject):
        return ""
    texts = chain(case.ground.owner_names, *((turn.name, turn.content) for turn in case.ground.turns))
    heard = (words.index_of(plain) for plain in texts)
    if not case.own or any(words.found(word, said) for said in heard for word in words.all_of(subject)):
        return ""
    alone = all(_is_of_self(p) for p in case.own)
    return f"nobody spoke of “{subject}”" if alone or naming.is_invented(case, subject) else ""


def _of_another(case: Case) -> str:
    """Who a sentence is about if not the speaker, of whom it is claimed: "My sister is vegan" says nothing of oneself.

    Of whom someone has, "my wife's name is Ruth", the claim is a relationship or names them.
    """
    proposal = case.proposal
    is_of_owner = not proposal.subject_note and _is_owner(case, proposal.subject)
    if not is_of_owner or proposal.kind is Kind.RELATIONSHIP or proposal.is_keyless:
        return ""
    others = [_other_subject(passage, case) for passage in case.own]
    return f"the sentence is about “{others[0]}”" if others and all(others) and not affirmed(case) else ""


def _other_subject(passage: Passage, case: Case) -> str:
    """The person that the part with the object begins with, "" if the speaker is in it too, or the claim names them."""
    sentence = passage.sentence
    places = sentence.part_around(passage.target or passage.tokens)
    persons = wordlists.flat("subjects", "persons")
    place = next((i for i in places[:_SUBJECT] if sentence.tokens[i] in persons), None)
    if place is None or _is_their_name(passage, place) or any(markers.has("hearsay", t, sentence) for t in _SAYING):
        return ""
    said = {sentence.tokens[i] for i in places}
    if said & wordlists.flat("subjects", "speaker") or said & wordlists.flat("subjects", "naming"):
        return ""
    other = sentence.tokens[place]
    claimed = words.index_of(f"{case.proposal.text} {case.proposal.predicate.replace('_', ' ')} {case.proposal.object}")
    return "" if words.found(other, claimed) else other


def _is_their_name(passage: Passage, place: int) -> bool:
    """Whether the object is a name right after who has it: "my brother Tom"."""
    after = passage.target is not None and passage.target[0] == place + 1
    return after and passage.sentence.text[passage.sentence.spans[place + 1][0]].isupper()


_SUBJECT = 3
_SAYING = ("opinions", "reports", "rumours")
"""What another says has a reason of its own."""


def _is_owner(case: Case, subject: str) -> bool:
    names = {text.name_key(name) for name in (case.ground.owner, *case.ground.owner_names)}
    return text.is_self(subject) or text.name_key(subject) in names


def is_of_speaker(case: Case) -> bool:
    """Whether the claim's subject is whoever speaks in the quotes."""
    speakers = {text.name_key(p.turn.name) for p in case.own if p.turn.name}
    return _is_owner(case, case.proposal.subject) or text.name_key(case.proposal.subject) in speakers


def _is_of_self(passage: Passage) -> bool:
    first = wordlists.flat("subjects", "first")
    others = wordlists.flat("subjects", "others")
    tokens = set(passage.sentence.tokens)
    return bool(tokens & first) and not tokens & others


# Questions affirmed -------------------------------------------------------------------------


def affirmed(case: Case) -> tuple[Passage, ...]:
    """The quoted questions of the assistant that the user's quoted next turn plainly answers."""
    asked = (p for p in case.passages if p.turn.role is Role.ASSISTANT and _is_question(p))
    return tuple(p for p in asked if any(_answers(case, a, p) for a in case.heard if a.turn.role is Role.USER))


def _is_question(passage: Passage) -> bool:
    sentence = passage.sentence
    ends = sentence.text.rstrip(" \"'”»)*_").endswith(("?", "？", "؟"))
    return ends and not markers.has("answers", "offers", sentence)


def _answers(case: Case, answer: Passage, question: Passage) -> bool:
    numbers = [turn.n for turn in case.ground.turns]
    if numbers.index(answer.turn.n) != numbers.index(question.turn.n) + 1:
        return False
    wanted = "no" if case.proposal.polarity is Polarity.DENIES else "yes"
    return _is_plain(answer, wanted)


def _is_plain(answer: Passage, wanted: str) -> bool:
    """Whether the whole turn begins with the wanted word and nothing takes it back."""
    sentence = answer.sentence
    starts = any(found.tokens[0] == 0 for found in markers.find_all("answers", wanted, sentence))
    if not starts or answer.offset > len(answer.turn.content) - len(answer.turn.content.lstrip()):
        return False
    return wanted == "no" or not markers.has("answers", "unsure", sentence)
