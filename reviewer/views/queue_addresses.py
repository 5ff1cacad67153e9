"""Where samples are drawn and labelled."""

from django.urls import path

from reviewer.views import queue, samples

urlpatterns = [
    path("review/", queue.queue, name="queue"),
    path("review/<int:sample_id>/", queue.item, name="queue-item"),
    path("review/<int:sample_id>/stop/", queue.stop, name="queue-stop"),
    path("review/<int:sample_id>/undo/<int:label_id>/", queue.undo, name="queue-undo"),
    path("review/<int:sample_id>/<int:item_id>/label/", queue.label, name="queue-label"),
    path("review/<int:sample_id>/<int:item_id>/skip/", queue.skip, name="queue-skip"),
    path("review/<int:sample_id>/<int:item_id>/hold/", queue.hold, name="queue-hold"),
    path("samples/", samples.samples, name="samples"),
    path("samples/new/", samples.draw, name="sample-new"),
    path("samples/<int:sample_id>/", samples.sample, name="sample"),
    path("samples/<int:sample_id>/close/", samples.close, name="sample-close"),
    path("samples/<int:sample_id>/extend/", samples.extend, name="sample-extend"),
    path("samples/<int:sample_id>/assign/", samples.assign, name="sample-assign"),
    path("samples/<int:sample_id>/gold/", samples.add_gold, name="sample-gold"),
]
