"""Who may sign in and as what: changed by admins, never so that none of them is left."""

from django.db.models import QuerySet

from memory import scope
from memory.errors import NotFound, Unanswerable
from memory.models import Access, History, User

LAST = "This is the last admin who can sign in. Make someone else an admin first."
OWN = "You cannot shut your own login. Another admin can."


def refusal(login: User, *, by: int, access: str, is_active: bool, other_admins: int) -> str:
    """Why a login may not become this, "" when it may. `other_admins` are the active ones besides it."""
    was_admin = login.access == Access.ADMIN and login.is_active
    if login.pk == by and not is_active:
        return OWN
    if was_admin and not (access == Access.ADMIN and is_active) and not other_admins:
        return LAST
    return ""


def change(login_id: int, *, by: User, access: str | None = None, is_active: bool | None = None) -> User:
    """Gives a login another role, or shuts or opens it; what is None stays.

    Raises NotFound, and Unanswerable with what to do instead. What it is already it may become again.
    """
    with scope.staff():
        admins = list(_admins().select_for_update(no_key=True).order_by("pk"))
        login = User.objects.select_for_update(no_key=True).filter(pk=login_id).first()
        if login is None:
            raise NotFound("There is no such login.")
        wanted = {
            "access": login.access if access is None else access,
            "is_active": login.is_active if is_active is None else is_active,
        }
        why = refusal(login, by=by.pk, other_admins=sum(admin.pk != login_id for admin in admins), **wanted)  # type: ignore[arg-type]
        if why:
            raise Unanswerable(why)
        _become(login, wanted, by=by)
        return login


def _admins() -> QuerySet[User]:
    return User.objects.filter(access=Access.ADMIN, is_active=True)


def _become(login: User, wanted: dict[str, object], *, by: User) -> None:
    changed = [name for name, value in wanted.items() if getattr(login, name) != value]
    if not changed:
        return
    for name in changed:
        setattr(login, name, wanted[name])
    login.save(update_fields=changed)
    History.objects.create(
        user=login, actor=str(by.pk), action="login", table="user", row=login.pk, fields=sorted(changed)
    )
