"""The statements that count strata and draw from them, one of each for each thing that can be drawn."""

import math
from uuid import UUID

from memory.review.population import COMPLAINT, FOUNDED, OUTLASTING
from memory.types import SampleSubject

SHUFFLED = "md5(%(seed)s || ':' || thing.id)::uuid"
"""A random order that the seed and the numbers alone decide."""

QUEUED = "md5(thing.id || ':' || %(seed)s)::uuid"
"""Another one, to label by: in the first, items of strata of which few are drawn would all stand in front."""

RISK = f"(({COMPLAINT})::int * -2 - (thing.status = 'conflicted')::int + {{effective}})"
"""What its person complained of first, then what is contradicted, then what is least sure."""

NEAR = f"{SHUFFLED} <= share.until"
"""Only what can be among the first is put in order: of a million that are shuffled, the first three thousand are near."""

SLACK = 8.0
"""By how many times what chance strays by more are looked at than are wanted."""
_FARTHEST = 2**128 - 1


def until(share: int, there: int, *, slack: float) -> UUID:
    """Before where, in the random order, the first `share` of so many stand, but for a chance that `slack` makes small."""
    reach = (share + slack * math.sqrt(share) + 2 * slack) / there
    return UUID(int=min(_FARTHEST, int(_FARTHEST * min(1.0, reach))))


_NEW = {
    SampleSubject.FACTS: """NOT EXISTS (
        SELECT FROM memory_sampleitem item
        WHERE item.sample_id = %(sample)s AND item.user_id = thing.user_id AND item.fact_id = thing.id)""",
    **dict.fromkeys(
        (SampleSubject.REFUSALS, SampleSubject.RESOLUTIONS),
        """NOT EXISTS (
        SELECT FROM memory_sampleitem item
        WHERE item.sample_id = %(sample)s AND item.user_id = thing.user_id AND item.candidate_id = thing.id)""",
    ),
}

STRATA = {
    subject: f"SELECT {{stratum}} AS stratum, count(*) FROM {{tables}} WHERE {{where}} AND {new} GROUP BY 1"  # noqa: S608
    for subject, new in _NEW.items()
}

# Each that was picked is looked up by its number (OFFSET 0), not met among all. `place` is random whatever the strata;
# an overlap of a tenth takes each tenth place, and one of the rest.
_DRAW = """
    WITH share AS (
        SELECT * FROM unnest(%(strata)s::text[], %(shares)s::int[], %(until)s::uuid[]) AS share (stratum, n, until)
    ), ranked AS (
        SELECT thing.id, share.stratum, share.n, {{queue}} AS turn,
            row_number() OVER (PARTITION BY share.stratum ORDER BY {{order}}, thing.id) AS rank
        FROM {{tables}} JOIN share ON share.stratum = {{stratum}} WHERE {{where}} AND {new} AND {{near}}
    ), picked AS (
        SELECT id, stratum, row_number() OVER (ORDER BY turn, id) AS nth FROM ranked WHERE rank <= n
    ), whole AS (
        SELECT thing.user_id, {fact} AS fact_id, {candidate} AS candidate_id, picked.stratum,
            nth + (SELECT coalesce(max(place), 0) FROM memory_sampleitem WHERE sample_id = %(sample)s) AS place,
            CASE WHEN ceil(nth * %(overlap)s) > ceil((nth - 1) * %(overlap)s) THEN 2 ELSE 1 END AS wanted,
            thing.text, thing.subject, thing.object, thing.polarity, thing.valid_from, thing.valid_to,
            {detail} AS detail, thing.kind, {source} AS source, thing.basis, {predicate} AS predicate,
            {{language}} AS language, {{extractor}} AS extractor, coalesce(call.prompt_version, '') AS prompt_version,
            thing.policy_version, {{outcome}} AS outcome, {{said_at}} AS said_at, {{confidence}} AS confidence,
            {episode} AS first_episode
        FROM picked, LATERAL (SELECT * FROM {table} WHERE id = picked.id OFFSET 0) thing
        JOIN memory_user owner ON owner.id = thing.user_id {beside} {founded}
    ), words AS (
        INSERT INTO memory_sampletext
            (user_id, fact_id, candidate_id, text, subject, object, polarity, valid_from, valid_to, detail)
        SELECT user_id, fact_id, candidate_id, text, subject, object, polarity, valid_from, valid_to, detail
        FROM whole RETURNING id, fact_id, candidate_id
    )
    INSERT INTO memory_sampleitem
        (sample_id, place, user_id, owner, fact_id, candidate_id, words_id, wanted, lacking, gold, stratum,
        first_episode, kind, source, basis, predicate, language, extractor, prompt_version, policy_version,
        outcome, said_at, confidence)
    SELECT %(sample)s, place, user_id, user_id, whole.fact_id, whole.candidate_id, words.id, wanted, wanted, '', stratum,
        first_episode, kind, source, basis, predicate, language, extractor, prompt_version, policy_version,
        outcome, said_at, confidence
    FROM whole JOIN words ON {same}
    RETURNING stratum
"""

_OF_CANDIDATES = {
    "candidate": "thing.id",
    "episode": "thing.episode_id",
    "same": "words.candidate_id = whole.candidate_id",
}

DRAW = {
    SampleSubject.FACTS: _DRAW.format(
        new=_NEW[SampleSubject.FACTS],
        table="memory_fact",
        beside="",
        fact="thing.id",
        candidate="NULL::bigint",
        detail="''",
        episode="founder.episode_id",
        founded=FOUNDED[SampleSubject.FACTS],
        same="words.fact_id = whole.fact_id",
        **OUTLASTING,
    ),
    SampleSubject.REFUSALS: _DRAW.format(
        new=_NEW[SampleSubject.REFUSALS],
        table="memory_candidate",
        beside="",
        fact="NULL::bigint",
        detail="thing.detail",
        founded=FOUNDED[SampleSubject.REFUSALS],
        **_OF_CANDIDATES,
        **OUTLASTING,
    ),
    SampleSubject.RESOLUTIONS: _DRAW.format(
        new=_NEW[SampleSubject.RESOLUTIONS],
        table="memory_candidate",
        beside="JOIN memory_resolution resolution"
        " ON resolution.user_id = thing.user_id AND resolution.candidate_id = thing.id",
        fact="resolution.fact_id",
        detail="resolution.why",
        founded=FOUNDED[SampleSubject.RESOLUTIONS],
        **_OF_CANDIDATES,
        **OUTLASTING,
    ),
}
