"""Where the policy is shown and changed."""

from django.urls import path

from reviewer.views.policy import page, previews, versions

urlpatterns = [
    path("policy/", page.policy, name="policy"),
    path("policy/carry/", page.carry, name="policy-carry"),
    path("policy/preview/", page.propose, name="policy-propose"),
    path("policy/preview/<slug:about>/", previews.preview, name="policy-preview"),
    path("policy/preview/<slug:about>/again/", previews.again, name="policy-again"),
    path("policy/preview/<slug:about>/apply/", previews.apply, name="policy-apply"),
    path("policy/versions/<int:version>/", versions.version, name="policy-version"),
    path("policy/versions/<int:version>/back/", versions.back, name="policy-back"),
]
