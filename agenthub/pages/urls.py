"""URLs of the pages on which administrators manage the hub."""

from __future__ import annotations

from django.urls import path

from agenthub.pages import accounts, deliveries, jobs, lists, quarantine

urlpatterns = [
    path("", accounts.home, name="hub"),
    path("accounts/<int:pk>/", accounts.account, name="hub-account"),
    path("accounts/<int:pk>/switch/", accounts.switch, name="hub-account-switch"),
    path("accounts/<int:pk>/limits/", accounts.limits, name="hub-account-limits"),
    path("accounts/<int:pk>/keys/", accounts.make_key, name="hub-key-make"),
    path("accounts/<int:pk>/secrets/", accounts.rotate, name="hub-secret-rotate"),
    path(
        "accounts/<int:pk>/agents/<str:kind>/", accounts.agent_new, name="hub-agent-new"
    ),
    path(
        "accounts/<int:pk>/new-secret/<str:name>/",
        accounts.reveal,
        name="hub-new-secret",
    ),
    path("keys/<int:pk>/revoke/", accounts.revoke, name="hub-key-revoke"),
    path("secrets/<int:pk>/sign-now/", accounts.sign_now, name="hub-secret-sign-now"),
    path("secrets/<int:pk>/end/", accounts.end, name="hub-secret-end"),
    path("agents/<int:pk>/", accounts.agent, name="hub-agent"),
    path("jobs/", jobs.job_list, name="hub-jobs"),
    path("jobs/<int:pk>/", jobs.job, name="hub-job"),
    path("deliveries/", deliveries.delivery_list, name="hub-deliveries"),
    path("deliveries/<uuid:pk>/", deliveries.delivery, name="hub-delivery"),
    path(
        "deliveries/send-again/",
        deliveries.send_dead_again,
        name="hub-deliveries-again",
    ),
    path(
        "deliveries/<uuid:pk>/send-again/",
        deliveries.send_again,
        name="hub-delivery-again",
    ),
    path("quarantine/", quarantine.overview, name="hub-quarantine"),
    path("quarantine/<int:pk>/", quarantine.act, name="hub-quarantine-act"),
    path("lists/", lists.list_of_lists, name="hub-lists"),
    path("lists/<slug:slug>/", lists.list_page, name="hub-list"),
    path("lists/<slug:slug>/canaries/", lists.canaries, name="hub-list-canaries"),
    path("lists/<slug:slug>/release/<int:pk>/", lists.release, name="hub-list-release"),
    path("lists/<slug:slug>/fetch/", lists.fetch, name="hub-list-fetch"),
]
