"""Whom a name means, as a person says: aliases put on and taken off, likeness dismissed. All of it can be undone.

Names are never joined by themselves. An alias brings what is said of the bare name to its entity, and taking it
off brings it back: both times every claim under the name is attributed and folded anew.
"""

from memory import attributing, believing, policies, text
from memory.believing import Key
from memory.errors import NotFound, Refused
from memory.forgetting.outdating import lock
from memory.models import Alias, Dismissal, Entity, History, User

LONGEST = 200


def alias(user_id: int, entity_id: int, name: str, *, actor: User) -> Alias:
    """Says that the name means this entity; the same again changes nothing. Inside the user's scope.

    Raises Refused for a name that is none, or that means something else already.
    """
    user = lock(user_id)
    entity = _entity(user_id, entity_id)
    words = " ".join(text.clean(name).text.split())
    key = text.name_key(words)
    _refuse(user_id, entity, words, key)
    row, is_new = Alias.objects.get_or_create(user=user, alias_key=key, defaults={"entity": entity, "alias": words})
    if is_new:
        _attribute(user, key)
        _note(user_id, row.entity_id, actor, "alias")
    return row


def unalias(user_id: int, alias_id: int, *, actor: User) -> Alias:
    """Takes the name off again: what is said under it is about whoever is called so. Returns what stood, for undoing."""
    user = lock(user_id)
    row = Alias.objects.filter(user=user_id, pk=alias_id).select_related("entity").first()
    if row is None:
        raise NotFound("There is no such name. It may have been taken off already.")
    Alias.objects.filter(pk=row.pk).delete()
    _attribute(user, row.alias_key)
    _note(user_id, row.entity_id, actor, "unalias")
    return row


def join(user_id: int, entity_id: int, other_id: int, *, actor: User) -> Alias:
    """Says that the two are the same: the other's name becomes an alias of the first. Inside the user's scope."""
    other = _entity(user_id, other_id)
    if other.note_key or other.is_owner:
        raise Refused("That one was told apart from others of its name. Give the first one an alias instead.")
    return alias(user_id, entity_id, other.name, actor=actor)


def dismiss(user_id: int, entity_id: int, other_id: int, *, actor: User) -> Dismissal:
    """Says that the two are not the same: nobody is asked again. Inside the user's scope."""
    lock(user_id)
    pair = sorted([_entity(user_id, entity_id).pk, _entity(user_id, other_id).pk])
    row, is_new = Dismissal.objects.get_or_create(user_id=user_id, entity_id=pair[0], other_id=pair[1])
    if is_new:
        _note(user_id, pair[0], actor, "dismiss")
    return row


def reconsider(user_id: int, dismissal_id: int, *, actor: User) -> None:
    """Takes a dismissal back; once is enough. Inside the user's scope."""
    lock(user_id)
    row = Dismissal.objects.filter(user=user_id, pk=dismissal_id).first()
    if row is not None:
        row.delete()
        _note(user_id, row.entity_id, actor, "reconsider")


def _entity(user_id: int, entity_id: int) -> Entity:
    found = Entity.objects.filter(user=user_id, pk=entity_id).first()
    if found is None:
        raise NotFound("There is no such person or thing. It may have been joined with another.")
    return found


def _refuse(user_id: int, entity: Entity, words: str, key: str) -> None:
    if not key or len(words) > LONGEST:
        raise Refused(f"A name is a few words, at most {LONGEST} characters.")
    if key == entity.name_key:
        raise Refused("That is its name already.")
    if text.is_self(words) or text.is_you(words):
        raise Refused("That word means whoever speaks; it cannot be a name.")
    taken = Alias.objects.filter(user=user_id, alias_key=key).exclude(entity=entity).select_related("entity").first()
    if taken is not None:
        raise Refused(f"“{words}” already means {taken.entity}. Take it off there first.")
    named = Entity.objects.filter(user=user_id, name_key=key, note_key="")
    if named.filter(is_owner=True).exists():
        raise Refused("That is the name of the person themselves.")
    if Alias.objects.filter(user=user_id, entity__in=named).exists():
        raise Refused("Whoever is called so has other names too. Take those off first.")


def _attribute(user: User, key: str) -> None:
    """Attributes and folds anew what is said under the name; facts left by all their claims go with them."""
    keys = {Key(*moved) for moved in attributing.attribute_names(user.pk, {key})}
    if keys:
        believing.refold(user.pk, keys, policy=policies.current(), language=user.language)


def _note(user_id: int, entity_id: int, actor: User, action: str) -> None:
    History.objects.create(user_id=user_id, actor=str(actor.pk), action=action, table="entity", row=entity_id)
