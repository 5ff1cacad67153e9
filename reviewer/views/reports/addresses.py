"""Where reports are shown."""

from django.urls import path

from reviewer.views.reports import contradictions, cost, decisions, files, gate, health, overview, reviewers

urlpatterns = [
    path("reports/", overview.overview, name="reports"),
    path("reports/contradictions/", contradictions.contradictions, name="report-contradictions"),
    path("reports/reviewers/", reviewers.reviewers, name="report-reviewers"),
    path("reports/gate/", gate.gate, name="report-gate"),
    path("reports/decisions/", decisions.decisions, name="report-decisions"),
    path("reports/cost/", cost.cost, name="report-cost"),
    path("health/", health.health, name="health"),
    path("reports/<int:report_id>/rebuild/", files.rebuild, name="report-rebuild"),
    path("reports/<int:report_id>/table.csv", files.table, name="report-csv"),
    path("reports/<int:report_id>/<slug:picture>.svg", files.svg, name="report-svg"),
    path("reports/<int:report_id>/<slug:picture>.png", files.png, name="report-png"),
]
