"""The rules for a claim that says something: the same again, finer, beside, past, newer, or against."""

from dataclasses import replace

from memory.confidence import rank
from memory.dates import first_day, last_day
from memory.resolver import judging, timeline
from memory.resolver.board import NEWER, Board, brief
from memory.resolver.relate import authority, is_coarser, is_finer, is_inferred, is_user, says_it_changed
from memory.resolver.rows import Arrival, Outcome, Row
from memory.resolver.timeline import Lane
from memory.types import Cardinality, Claim, Judged, Polarity, Relation, Status


def same(board: Board, arrival: Arrival) -> Row | None:
    """The live row that already says what the arrival says, or says it more finely."""
    claim, lanes = arrival.claim, _lanes(arrival)
    for lane in lanes:
        for row in board.by_slot[board.slot(claim)]:
            is_known = row.is_live and board.meets(row, replace(arrival, lane=lane))
            if is_known and not arrival.is_apart(row) and _is_one_occasion(board, row, claim):
                return row
    if not board.is_one_valued or claim.polarity == Polarity.DENIES:
        return None
    vocabulary = board.policy.vocabulary
    for row in board.peers(arrival):
        if row.polarity == claim.polarity and not arrival.is_apart(row) and is_coarser(claim, row.founder, vocabulary):
            return row
    return None


def _lanes(arrival: Arrival) -> tuple[Lane, ...]:
    """A passing restatement of what stands anyway supports it; a lasting one is no overlay's duplicate."""
    return (Lane.STANDING, Lane.OVERLAY) if arrival.lane == Lane.OVERLAY else (arrival.lane,)


def _is_one_occasion(board: Board, row: Row, claim: Claim) -> bool:
    """Two visits in different years are two, though the place is the same."""
    is_history = claim.predicate in board.policy.vocabulary.histories
    if not is_history or board.is_one_valued or claim.valid_from is None:
        return True
    dates = {said.valid_from for said in row.claims if said.valid_from}
    return not dates or claim.valid_from in dates


def past(board: Board, arrival: Arrival) -> Outcome | None:
    """What was over when it was said displaces nothing; it may close the live fact whose end it tells."""
    if arrival.lane != Lane.PAST:
        return None
    claim, until = arrival.claim, timeline.stated_end(arrival.claim)
    rows = [row for row in board.by_slot[board.slot(claim)] if not arrival.is_apart(row)]
    ended = [row for row in reversed(rows) if is_same_stay(row, claim)]
    over = next((row for row in rows if _is_end_of(row, claim)), None)
    if over is not None and not any(row.valid_to == until for row in ended):
        board.support(over, claim)
        board.end(over, valid_to=until, reason="past", by=authority(claim))
        return Outcome(Relation.PAST, f"Says that {brief(claim)} was over by {until}.", over)
    if ended:
        known = next((row for row in ended if row.valid_to == until), ended[0])
        board.support(known, claim)
        return Outcome(Relation.DUPLICATE, f"Known to have ended: {brief(claim)}.", known)
    row = board.found(claim, Lane.PAST)
    board.end(row, valid_to=until, reason="past", by="")
    return Outcome(Relation.PAST, f"Was over by {until} when it was said.", row)


def _is_end_of(row: Row, claim: Claim) -> bool:
    """Live, no more trusted than the claim, and begun before the end that it states."""
    ends = timeline.end(claim)
    is_surer = not row.is_backed and rank(claim.source) >= max(1, row.rank)
    return row.is_live and (is_user(claim) or is_surer) and ends is not None and ends >= row.begin


def is_same_stay(row: Row, claim: Claim) -> bool:
    """Whether `row` is known to have ended when the claim says so."""
    until = timeline.stated_end(claim)
    if row.status != Status.SUPERSEDED or row.valid_to is None or until is None:
        return False
    theirs, ours = ((first_day(when), last_day(when)) for when in (row.valid_to, until))
    return timeline.overlap(theirs, ours)


def duplicate(board: Board, arrival: Arrival) -> Outcome | None:
    """Adds the evidence. The user's later word for one side of a contradiction settles it."""
    row, claim = same(board, arrival), arrival.claim
    if row is None:
        return None
    board.support(row, claim)
    is_settled = settle_by_word(board, row, arrival) or settle_by_policy(board, row, claim)
    why = f"Says again {brief(row.founder)}" + (", and so settles the contradiction." if is_settled else ".")
    return Outcome(Relation.DUPLICATE, why, row)


def _support_judged(board: Board, arrival: Arrival, row: Row) -> Outcome:
    """A judge found other words for the same."""
    board.support(row, arrival.claim)
    settle_by_word(board, row, arrival)
    return Outcome(Relation.DUPLICATE, f"Judged to say the same as {brief(row.founder)}.", row)


def settle_by_word(board: Board, row: Row, arrival: Arrival) -> bool:
    """Settles the open group for `row` if the user's claim would replace every other side."""
    conflict, claim = row.conflict, arrival.claim
    if conflict is None or not is_user(claim) or not _is_later(claim, row):
        return False
    others = [side for side in conflict.alive if side is not row]
    if not all(board.may_update(claim, side, support=arrival.support) for side in others):
        return False
    ends = {id(side): timeline.closing(claim, began=side.begin) for side in others}
    board.settle(conflict, row, by="user", ends=ends)
    return True


def _is_later(claim: Claim, row: Row) -> bool:
    """Whether it was said after all else for its side: the same breath twice answers nothing."""
    return all(claim.said_at > said.said_at for said in row.claims if said is not claim)


def settle_by_policy(board: Board, row: Row, claim: Claim) -> bool:
    """Where policy says so, the freshest side wins once enough episodes are behind it."""
    conflict, thresholds = row.conflict, board.policy.thresholds
    if conflict is None or not thresholds.auto_settle or len(row.episodes) < thresholds.min_support:
        return False
    others = [side for side in conflict.alive if side is not row]
    if any(side.is_backed or side.newest >= claim.said_at for side in others):
        return False
    ends = {id(side): timeline.closing(claim, began=side.begin) for side in others}
    board.settle(conflict, row, by="policy", ends=ends)
    return True


def refinement(board: Board, arrival: Arrival) -> Outcome | None:
    """Says more about the one value there is: takes its place, and its place in an open group."""
    claim, vocabulary = arrival.claim, board.policy.vocabulary
    if not board.is_one_valued or claim.polarity == Polarity.DENIES:
        return None
    rows = [r for r in board.peers(arrival) if r.polarity == claim.polarity and not arrival.is_apart(r)]
    old = next((row for row in rows if is_finer(row.founder, claim, vocabulary)), None)
    return None if old is None else refine(board, arrival, old)


def refine(board: Board, arrival: Arrival, old: Row) -> Outcome:
    """`old` gives way to the finer arrival; an inference only supports what was stated."""
    claim = arrival.claim
    if is_inferred(claim) and old.rank > 0:
        board.support(old, claim)
        return Outcome(Relation.DUPLICATE, f"Only inferred, and finer than {brief(old.founder)}: supports it.", old)
    row = board.found(claim, arrival.lane)
    row.is_shared = old.is_shared
    board.replace_side(old, row)
    valid_to = timeline.closing(claim, began=old.begin)
    board.end(old, valid_to=valid_to, reason="replaced by a finer value", by=authority(claim), successor=row)
    return Outcome(Relation.REFINEMENT, f"Says more than {brief(old.founder)}.", row, old)


def insisted(board: Board, arrival: Arrival) -> Outcome | None:
    """What a person said of it and a row that is believed stands above the rules that follow."""
    given: dict[Judged, list[Row]] = {}
    for row in board.rows if arrival.told else ():
        if row.is_live and id(row) in arrival.told:
            given.setdefault(arrival.told[id(row)], []).append(row)
    arrival.beside = list(dict.fromkeys([*arrival.beside, *given.get(Judged.COMPATIBLE, [])]))
    if Judged.DUPLICATE in given:
        return _support_judged(board, arrival, given[Judged.DUPLICATE][0])
    if Judged.REFINEMENT in given:
        return refine(board, arrival, given[Judged.REFINEMENT][0])
    if Judged.UPDATE in given:
        return _update_told(board, arrival, given[Judged.UPDATE])
    if Judged.CONFLICT in given:
        rivals = dict.fromkeys([*given[Judged.CONFLICT], *board.rivals(arrival)])
        return against(board, arrival, list(rivals), is_conflict=True)
    return None


def _update_told(board: Board, arrival: Arrival, replaced: list[Row]) -> Outcome:
    """It takes the place of these, whatever the rules ask of an update; against others it stands as it would."""
    outcome = _update(board, arrival, replaced)
    rivals = [row for row in board.rivals(arrival) if row is not outcome.row]
    if outcome.row is not None and rivals:
        board.oppose(outcome.row, rivals)
    return outcome


def judgement(board: Board, arrival: Arrival) -> Outcome | None:
    """What a judge said of the pairs that no rule decides; without an answer the next rules do."""
    given = judging.answers(board, arrival)
    if Judged.DUPLICATE in given:
        return _support_judged(board, arrival, given[Judged.DUPLICATE][0])
    if Judged.REFINEMENT in given:
        return refine(board, arrival, given[Judged.REFINEMENT][0])
    if Judged.CONFLICT in given or Judged.UPDATE in given:
        rivals = [*given.get(Judged.UPDATE, []), *given.get(Judged.CONFLICT, []), *board.rivals(arrival)]
        return against(board, arrival, list(dict.fromkeys(rivals)), is_conflict=Judged.CONFLICT in given)
    return None


def contradiction(board: Board, arrival: Arrival) -> Outcome | None:
    """Newer, trusted and sure enough: an update. Anything else against a live value: a conflict."""
    rivals = board.rivals(arrival)
    return against(board, arrival, rivals) if rivals else None


def against(board: Board, arrival: Arrival, rivals: list[Row], *, is_conflict: bool = False) -> Outcome:
    """An update if every rival may be replaced and none is disputed or shared; else a conflict."""
    claim = arrival.claim
    is_plain = not is_conflict and not any(
        row.conflict or (row.is_shared and row.polarity == claim.polarity) for row in rivals
    )
    if is_plain and all(board.may_update(claim, row, support=arrival.support) for row in rivals):
        return _update(board, arrival, rivals)
    backed = next((row for row in rivals if row.is_backed), None)
    new = _laid(board, arrival)
    conflict = board.oppose(new, rivals)
    if backed is not None and is_inferred(claim) and conflict.alive == [backed, new]:
        return _overrule(board, new, backed)
    settle_by_policy(board, new, claim)
    return Outcome(Relation.CONFLICT, f"Cannot be true together with {brief(rivals[0].founder)}.", new, rivals[0])


def _update(board: Board, arrival: Arrival, rivals: list[Row]) -> Outcome:
    claim = arrival.claim
    row = _laid(board, arrival)
    for old in rivals:
        valid_to = timeline.closing(claim, began=old.begin)
        board.end(old, valid_to=valid_to, reason=NEWER, by=authority(claim), successor=row)
    said = "said to have changed" if says_it_changed(claim) else "newer"
    return Outcome(Relation.UPDATE, f"Takes the place of {brief(rivals[0].founder)}: {said}.", row, rivals[0])


def _overrule(board: Board, new: Row, backed: Row) -> Outcome:
    """A person's decision stands above any inference."""
    by = "member" if "member" in backed.confirmed else backed.upheld_by or "reviewer"
    if backed.conflict is not None:
        until = timeline.closing(new.founder, began=new.begin)
        board.settle(backed.conflict, backed, by=by, ends={id(new): until})
    why = f"Only inferred, against {brief(backed.founder)}, which a {by} has confirmed."
    return Outcome(Relation.CONFLICT, why, new, backed)


def standing(board: Board, arrival: Arrival) -> Outcome:
    """Against nothing: laid over, beside, or first."""
    claim = arrival.claim
    other = next((row for row in reversed(board.live.values()) if row.lane == Lane.STANDING), None)
    row = _laid(board, arrival)
    if arrival.lane == Lane.OVERLAY and not _is_many(board):
        return Outcome(Relation.OVERLAY, f"Holds until {timeline.stated_end(claim)}, over what stands.", row, other)
    if other is None or not claim.predicate:
        return Outcome(Relation.NEW, "Nothing like it was known.", row)
    if arrival.unasked:
        why = "May stand beside what is known: nobody has judged it."
        return Outcome(Relation.COMPATIBLE, why, row, arrival.unasked[0])
    return Outcome(Relation.COMPATIBLE, "May stand beside what is known.", row, other)


def _laid(board: Board, arrival: Arrival) -> Row:
    """A new row, marked where it stands beside others because a judge said so, or because none did."""
    row = board.found(arrival.claim, arrival.lane)
    if board.is_one_valued and arrival.beside:
        for other in (row, *arrival.beside):
            other.is_shared = True
    if board.cardinality == Cardinality.UNKNOWN and board.predicate:
        for other in arrival.unasked:
            row.doubts.append(other)
            other.doubts.append(row)
    return row


def _is_many(board: Board) -> bool:
    return board.cardinality in (Cardinality.MANY, Cardinality.READING)
