"""Forgetting through the page: exactly what was shown goes, everywhere, and stays away; nothing of others does."""

import re
from typing import Any

import pytest
from django.test import Client

from memory import jobs, keys, pipeline, scope
from memory.models import Candidate, Correction, Derivation, Episode, ErasureRequest, Fact, Receipt, Rule, Turn, User
from memory.models.ownership import Owned
from tests import factories
from tests.factories import make_believed
from tests.memory.forgetting.living import lives, send, tell
from tests.reviewer.reading import As, found, queries, text


def words(response: Any) -> list[str]:
    """What a list of what goes says."""
    return found(response, r"<bdi>(.*?)</bdi>")


def forget(client: Client, *facts: int, **fields: str) -> Any:
    """Looks at the preview and says yes."""
    seen = client.get("/mine/forget/preview/", {"fact": list(facts)})
    (seal,) = found(seen, r'name="seal" value="(\w+)"')
    return client.post("/mine/forget/erase/", {"fact": list(facts), "seal": seal} | fields, follow=True)


def dumped(user: User) -> dict[str, list[Any]]:
    """All rows that are theirs."""
    with scope.staff():
        return {
            model._meta.db_table: list(model._default_manager.filter(user=user).order_by("pk").values())
            for model in Owned.__subclasses__()
        }


def live(user: User) -> list[str]:
    with scope.user(user.pk):
        return sorted(Fact.objects.live().filter(user=user).values_list("text", flat=True))


def test_preview_names_what_goes_what_rests_on_it_and_what_was_before(as_: As, member: User):
    old = factories.make_fact(member, "Lives in Oslo", status="superseded")
    base = factories.make_fact(member, "Lives in Bergen", object="Bergen", object_key="bergen")
    with scope.user(member.pk):
        Fact.objects.filter(pk=old.pk).update(superseded_by=base)
    derived = factories.make_fact(member, "Likes rain", predicate="likes", object="rain", object_key="rain")
    with scope.user(member.pk):
        Derivation.objects.create(user=member, fact=derived, base=base)

    response = as_("member").get(f"/mine/{base.pk}/forget/")

    assert words(response) == ["Lives in Bergen", "Likes rain", "Lives in Oslo"]


def test_forgotten_is_gone_from_page_recall_search_and_staffs_pages(as_: As, member: User):
    tell(member, "I live in Oslo. I like tea.", claims=[lives("Oslo", quote="I live in Oslo.")])
    with scope.user(member.pk):
        fact = Fact.objects.get()
    client = as_("member")

    forget(client, fact.pk)

    _, token = keys.create("agent", scopes=[keys.Scope.RECALL])
    recalled = Client().post(
        "/api/v1/users/maya/recall",
        {"query": "Where do I live? Oslo?"},
        content_type="application/json",
        headers={"Authorization": f"Bearer {token}"},
    )
    pages = [client.get(path) for path in ("/mine/", "/mine/past/", "/mine/?q=Oslo", "/mine/conversations/")]
    pages += [as_("reviewer").get(path) for path in ("/people/maya/?status=all", "/people/maya/refused/", "/refused/")]
    assert recalled.json()["facts"] == []
    assert ["Oslo" in text(page).replace("“Oslo”", "") for page in pages] == [False] * 7


def test_forgotten_stays_away_when_the_conversation_is_read_again(as_: As, member: User):
    episode = tell(member, "I live in Oslo.", claims=[lives("Oslo")])
    with scope.user(member.pk):
        fact = Fact.objects.get()
    forget(as_("member"), fact.pk)

    with scope.user(member.pk):
        Episode.objects.filter(pk=episode.pk).update(state="pending", read_turns=0)
        said = Turn.objects.get(episode=episode).content
    tell(member, "I live in Oslo.", claims=[lives("Oslo")], day=3)

    assert (live(member), said) == ([], "[erased]")


def test_forgetting_leaves_no_trace_anywhere(as_: As, member: User):
    fact = make_believed(member, "Lives in zebra-7731", value="zebra-7731")
    client = as_("member")
    client.post(f"/mine/{fact.pk}/reword/", {"said": "Lives in zebra-7732", "value": "zebra-7732"})
    with scope.user(member.pk):
        ids = list(Fact.objects.values_list("pk", flat=True))

    forget(client, *ids)

    with scope.user(member.pk):
        rows = [*Candidate.objects.values_list("text", flat=True), *Turn.objects.values_list("content", flat=True)]
        labels = list(Correction.objects.values_list("verdict", "fact"))
    assert ([row for row in rows if "zebra" in row], labels) == ([], [("incorrect", None)])


def test_forgetting_touches_nothing_of_others(as_: As, member: User, other_member: User):
    fact = make_believed(member)
    make_believed(other_member)
    before = dumped(other_member)

    forget(as_("member"), fact.pk)

    assert dumped(other_member) == before


@pytest.mark.parametrize(("because", "left"), [("private", []), ("wrong", ["Lives in Oslo"])])
def test_what_it_had_replaced_counts_again_only_if_it_was_wrong(because: str, left: list[str], as_: As, member: User):
    tell(member, "I live in Oslo.", claims=[lives("Oslo", text="Lives in Oslo", quote="I live in Oslo.")])
    moved = lives("Bergen", text="Lives in Bergen", quote="I moved to Bergen.", speech="changes")
    tell(member, "I moved to Bergen.", claims=[moved], day=30)
    with scope.user(member.pk):
        newer = Fact.objects.get(text="Lives in Bergen")

    forget(as_("member"), newer.pk, because=because)

    assert live(member) == left


def test_what_rests_on_it_alone_goes_too(as_: As, member: User):
    base = factories.make_fact(member, "Lives in Bergen", object="Bergen", object_key="bergen")
    derived = factories.make_fact(member, "Likes rain", predicate="likes", object="rain", object_key="rain")
    with scope.user(member.pk):
        Derivation.objects.create(user=member, fact=derived, base=base)

    forget(as_("member"), base.pk)

    assert live(member) == []


def test_receipt_says_how_much_and_not_what(as_: As, member: User):
    fact = make_believed(member, "Lives in zebra-7731", value="zebra-7731")

    response = forget(as_("member"), fact.pk)

    assert re.fullmatch(r"/mine/receipts/\d+/", response.redirect_chain[-1][0])
    assert ("It is forgotten" in text(response), "zebra" in response.content.decode()) == (True, False)


def test_forgetting_twice_says_so(as_: As, member: User):
    fact = make_believed(member)
    client = as_("member")
    forget(client, fact.pk)

    response = client.post("/mine/forget/erase/", {"fact": fact.pk, "seal": "x"}, follow=True)

    assert "It was forgotten already." in text(response)


def test_what_has_changed_since_is_shown_before_it_goes(as_: As, member: User):
    fact = make_believed(member)

    response = as_("member").post("/mine/forget/erase/", {"fact": fact.pk, "seal": "of another moment"})

    assert ("nothing is forgotten yet" in text(response), live(member)) == (True, ["Lives in Oslo"])


def test_things_of_another_cannot_be_previewed_or_forgotten(as_: As, member: User):
    fact = make_believed(member)
    client = as_("other_member")

    answers = [
        client.get(f"/mine/{fact.pk}/forget/").status_code,
        client.get(f"/mine/forget/preview/?fact={fact.pk}").status_code,
        client.post("/mine/forget/erase/", {"fact": fact.pk}).status_code,
    ]

    assert (answers, live(member)) == ([404, 404, 302], ["Lives in Oslo"])


def test_topic_names_only_what_holds_its_words(as_: As, member: User):
    make_believed(member, "Lives in Oslo")
    make_believed(member, "Was divorced in Oslo", "divorced_in", "Oslo")
    make_believed(member, "Likes tea", "likes", "tea")

    response = as_("member").get("/mine/forget/topic/?topic=divorced")

    assert words(response) == ["Was divorced in Oslo"]


@pytest.mark.parametrize("topic", ["", "%00", "%27;--", "nothing-like-it", "%"])
def test_topic_that_names_nothing_takes_nothing(topic: str, as_: As, member: User):
    make_believed(member)

    response = as_("member").get(f"/mine/forget/topic/?topic={topic}")

    assert (response.status_code, words(response)) == (200, [])


def test_conversation_names_what_was_learnt_there_and_what_elsewhere_too(as_: As, member: User):
    here = factories.make_episode(member, "I live in Oslo. I like tea.")
    factories.make_fact(member, "I live in Oslo.", episode=here)
    tea = factories.make_fact(member, "I like tea.", episode=here)
    factories.add_evidence(tea, factories.make_episode(member, "I like tea."), "I like tea.")

    response = as_("member").get(f"/mine/forget/conversation/{here.pk}/")

    boxes = found(response, r'<label><input type="checkbox" name="fact" value="\d+"( checked)?>.*?<bdi>.*?</bdi>')
    assert (words(response), boxes) == (["I live in Oslo.", "I like tea."], ["checked", ""])


def test_choosing_nothing_forgets_nothing(as_: As, member: User):
    response = as_("member").get("/mine/forget/preview/", follow=True)

    assert "Nothing was chosen, so nothing is forgotten." in text(response)


@pytest.mark.parametrize("given", ["x", "-1", "99999999999999999999", "٣"])
def test_number_that_is_none_names_nothing(given: str, as_: As, member: User):
    assert as_("member").get("/mine/forget/preview/", {"fact": given}).status_code == 302


@pytest.fixture
def asked(member: User) -> ErasureRequest:
    """A request made in a chat."""
    tell(member, "I live in Oslo.", claims=[lives("Oslo", text="Lives in Oslo", quote="I live in Oslo.")])
    send(member, "Forget what I said about Oslo.", day=2)
    jobs.request([member.pk])
    while pipeline.process(member.pk, pipeline.Engine(model=None)):
        pass
    with scope.user(member.pk):
        return ErasureRequest.objects.get()


def test_request_of_a_chat_waits_with_its_preview(as_: As, asked: ErasureRequest):
    response = as_("member").get("/mine/forget/")

    assert words(response) == ["Lives in Oslo"]


def test_request_that_was_not_meant_is_kept(as_: As, member: User, asked: ErasureRequest):
    client = as_("member")

    for _ in range(2):
        client.post(f"/mine/forget/requests/{asked.pk}/keep/")

    assert (live(member), words(client.get("/mine/forget/"))) == (["Lives in Oslo"], [])


def test_request_of_another_is_missing(as_: As, asked: ErasureRequest):
    assert as_("other_member").post(f"/mine/forget/requests/{asked.pk}/keep/").status_code == 404


def test_lifting_lets_it_be_learnt_again(as_: As, member: User):
    tell(member, "I live in Oslo.", claims=[lives("Oslo", text="Lives in Oslo", quote="I live in Oslo.")])
    with scope.user(member.pk):
        fact = Fact.objects.get()
    client = as_("member")
    forget(client, fact.pk)

    client.post("/mine/forget/lift/")

    tell(member, "I live in Oslo.", claims=[lives("Oslo", text="Lives in Oslo", quote="I live in Oslo.")], day=9)
    assert live(member) == ["Lives in Oslo"]


def test_rule_tells_what_it_would_have_stopped(as_: As, member: User):
    make_believed(member, "Takes insulin for diabetes", "takes", "insulin")
    make_believed(member, "Likes tea", "likes", "tea")

    response = as_("member").get("/mine/never/?topic=diabetes")

    assert words(response) == ["Takes insulin for diabetes"]
    assert "This rule would have stopped 1 thing that is known:" in text(response)


def test_rule_is_made_once_and_removed(as_: As, member: User):
    client = as_("member")

    for _ in range(2):
        client.post("/mine/never/add/", {"topic": "my health"})
    with scope.user(member.pk):
        made = list(Rule.objects.values_list("pk", "topic"))
    answers = [client.post(f"/mine/never/{made[0][0]}/remove/", follow=True) for _ in range(2)]

    assert [topic for _, topic in made] == ["my health"]
    assert ["The rule is gone." in text(answers[0]), "no such rule any more" in text(answers[1])] == [True, True]


def test_rule_of_another_is_not_removed(as_: As, member: User):
    as_("member").post("/mine/never/add/", {"topic": "my health"})
    with scope.user(member.pk):
        rule = Rule.objects.get()

    as_("other_member").post(f"/mine/never/{rule.pk}/remove/")

    with scope.user(member.pk):
        assert Rule.objects.count() == 1


@pytest.mark.parametrize("topic", ["", "   ", "…", "x" * 300])
def test_rule_that_names_nothing_is_refused(topic: str, as_: As, member: User):
    response = as_("member").post("/mine/never/add/", {"topic": topic}, follow=True)

    assert "Say in a few words what shall never be remembered." in text(response)


@pytest.mark.parametrize(("paused", "is_paused"), [("1", True), ("0", False)])
def test_pause_is_set_however_often_it_is_said(paused: str, is_paused: Any, as_: As, member: User):
    client = as_("member")

    for _ in range(2):
        client.post("/mine/pause/", {"paused": paused})

    with scope.user(member.pk):
        assert User.objects.values_list("is_paused", flat=True).get() is is_paused


@pytest.mark.parametrize("said", ["", "forget", "forget nothing"])
def test_everything_stays_without_the_words(said: str, as_: As, member: User):
    make_believed(member)

    response = as_("member").post("/mine/forget/everything/", {"words": said})

    assert ("Nothing was forgotten." in text(response), live(member)) == (True, ["Lives in Oslo"])


def test_everything_goes_with_the_words_and_leaves_a_receipt(as_: As, member: User, other_member: User):
    make_believed(member)
    make_believed(other_member)
    before = dumped(other_member)
    client = as_("member")

    response = client.post("/mine/forget/everything/", {"words": " Forget  EVERYTHING "}, follow=True)

    with scope.staff():
        left = User.objects.filter(external_id="maya").exists(), Receipt.objects.filter(act="forget").count()
    assert (left, dumped(other_member)) == ((False, 1), before)
    assert ("Everything is forgotten" in text(response), "Oslo" in response.content.decode()) == (True, False)
    assert client.get("/mine/").status_code == 302


def test_login_of_staff_is_not_forgotten(as_: As, staff: dict[str, User]):
    response = as_("admin").post("/mine/forget/everything/", {"words": "forget everything"})

    with scope.staff():
        assert (response.status_code, User.objects.filter(external_id="ada").exists()) == (200, True)


@pytest.mark.parametrize("token", ["x", "1:2:3", "%00"])
def test_receipt_of_nobody_is_missing(token: str, db: None):
    assert Client().get(f"/mine/gone/{token}/").status_code == 404


@pytest.mark.parametrize("path", ["/mine/forget/topic/?topic=oslo", "/mine/forget/conversation/{episode}/"])
def test_choice_takes_as_many_statements_for_thirty_as_for_one(path: str, as_: As, member: User):
    episode = factories.make_episode(member, "Oslo.")
    factories.make_fact(member, "Oslo.", episode=episode)
    client, path = as_("member"), path.format(episode=episode.pk)
    client.get(path)
    one = queries(client, path)
    for n in range(29):
        factories.make_fact(member, f"Oslo. {n}", episode=episode)

    assert queries(client, path) == one
