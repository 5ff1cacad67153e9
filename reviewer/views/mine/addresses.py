"""The addresses of the member's room."""

from django.urls import path

from reviewer.views.mine import conversations, departing, forgetting, known, language, resting, righting

urlpatterns = [
    path("", known.known, name="mine"),
    path("past/", known.past, name="mine-past"),
    path("<int:fact_id>/", righting.entry, name="mine-entry"),
    path("<int:fact_id>/right/", righting.right, name="mine-right"),
    path("<int:fact_id>/wrong/", righting.wrong, name="mine-wrong"),
    path("<int:fact_id>/over/", righting.over, name="mine-over"),
    path("<int:fact_id>/reword/", righting.reword, name="mine-reword"),
    path("undo/<int:correction_id>/", righting.undo, name="mine-undo"),
    path("conversations/", conversations.listing, name="mine-conversations"),
    path("conversations/<int:episode_id>/", conversations.conversation, name="mine-conversation"),
    path("<int:fact_id>/forget/", forgetting.one, name="mine-forget-one"),
    path("forget/", forgetting.overview, name="mine-forget"),
    path("forget/topic/", forgetting.topic, name="mine-forget-topic"),
    path("forget/conversation/<int:episode_id>/", forgetting.conversation, name="mine-forget-conversation"),
    path("forget/preview/", forgetting.preview, name="mine-forget-preview"),
    path("forget/erase/", forgetting.erase, name="mine-erase"),
    path("forget/requests/<int:request_id>/keep/", forgetting.keep, name="mine-keep"),
    path("forget/everything/", departing.everything, name="mine-everything"),
    path("forget/lift/", forgetting.lift, name="mine-lift"),
    path("receipts/<int:receipt_id>/", forgetting.receipt, name="mine-receipt"),
    path("gone/<str:token>/", departing.gone, name="mine-gone"),
    path("never/", resting.rule, name="mine-rule"),
    path("never/add/", resting.decline, name="mine-decline"),
    path("never/<int:rule_id>/remove/", resting.undecline, name="mine-undecline"),
    path("pause/", resting.pause, name="mine-pause"),
    path("language/", language.language, name="mine-language"),
]
