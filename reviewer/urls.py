from django.urls import path

from reviewer.views import health

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
]
