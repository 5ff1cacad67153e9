"""Every address of the site. tests/reviewer/test_access.py says who may open which."""

from django.contrib.auth import views as auth
from django.urls import include, path, register_converter

from reviewer.api import api
from reviewer.converters import PersonConverter
from reviewer.views import (
    account,
    conflicts,
    episodes,
    health,
    home,
    invited,
    login,
    logins,
    metrics,
    people,
    person,
    portal,
    reads,
    refused,
    work,
    wrong,
)

register_converter(PersonConverter, "person")

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("metrics", metrics.metrics, name="metrics"),
    path("api/v1/", api.urls),
    path("portal/<str:token>", portal.portal, name="portal"),
    path("", home.home, name="home"),
    path("favicon.ico", home.icon, name="icon"),
    path("login/", login.login, name="account_login"),
    path("login/", login.login, name="login"),
    path("login/code/", login.code, name="mfa_authenticate"),
    path("login/again/", login.again, name="account_reauthenticate"),
    path("login/again/code/", login.again_by_code, name="mfa_reauthenticate"),
    path("login/oidc/", login.provider, {"provider_id": "oidc"}, name="openid_connect_login"),
    path("login/oidc/callback/", login.provider_callback, {"provider_id": "oidc"}, name="openid_connect_callback"),
    path("logout/", auth.LogoutView.as_view(), name="logout"),
    path("account/", account.account, name="mfa_index"),
    path("account/", account.account, name="account"),
    path("account/password/", account.password, name="account_change_password"),
    path("account/second-factor/on/", account.factor_on, name="mfa_activate_totp"),
    path("account/second-factor/off/", account.factor_off, name="mfa_deactivate_totp"),
    path("account/second-factor/codes/", account.codes, name="mfa_view_recovery_codes"),
    path("account/second-factor/codes/new/", account.new_codes, name="mfa_generate_recovery_codes"),
    path("mine/", include("reviewer.views.mine.addresses")),
    path("people/", people.people, name="people"),
    path("people/<person:external_id>/", person.person, name="person"),
    path("", include("reviewer.views.addresses")),
    path("people/<person:external_id>/refused/", refused.of_person, name="person-refused"),
    path("people/<person:external_id>/conflicts/", conflicts.of_person, name="person-conflicts"),
    path("", include("reviewer.views.settling_addresses")),
    path("people/<person:external_id>/episodes/", episodes.listing, name="episodes"),
    path("people/<person:external_id>/episodes/<int:episode_id>/", episodes.episode, name="episode"),
    path("refused/", refused.of_everyone, name="refused"),
    path("conflicts/", conflicts.of_everyone, name="conflicts"),
    path("", include("reviewer.views.queue_addresses")),
    path("", include("reviewer.views.reports.addresses")),
    path("", include("reviewer.views.policy.addresses")),
    path("jobs/", work.jobs, name="jobs"),
    path("invited/<str:token>", invited.invited, name="invited"),
    path("logins/", logins.listing, name="logins"),
    path("logins/invite/", logins.invite, name="invite"),
    path("logins/invitations/<int:invitation_id>/revoke/", logins.revoke, name="revoke"),
    path("logins/<int:login_id>/role/", logins.role, name="login-role"),
    path("logins/<int:login_id>/shut/", logins.shut, name="login-shut"),
    path("logins/<int:login_id>/reopen/", logins.reopen, name="login-reopen"),
    path("logins/<int:login_id>/unlock/", logins.unlock, name="login-unlock"),
    path("logins/<int:login_id>/factor/", logins.factor, name="login-factor"),
    path("logins/<int:login_id>/renew/", logins.renew, name="login-renew"),
    path("reads/", reads.reads, name="reads"),
    path("reads/log.csv", reads.table, name="reads-csv"),
    path("jobs/<int:job_id>/rerun/", work.rerun, name="rerun"),
]

# What did not work; Django, and allauth for the last, look for these names.
handler403 = wrong.refused
handler404 = wrong.missing
handler500 = wrong.failed
handler429 = wrong.hurried
