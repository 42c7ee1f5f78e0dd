from __future__ import annotations

from django.urls import path, re_path

from compliance.identity.scim import views

urlpatterns = [
    path("ServiceProviderConfig", views.ServiceProviderConfig.as_view()),
    path("ResourceTypes", views.ResourceTypes.as_view()),
    path("ResourceTypes/<str:key>", views.ResourceTypes.as_view()),
    path("Schemas", views.Schemas.as_view()),
    path("Schemas/<str:key>", views.Schemas.as_view()),
    path("Users", views.Users.as_view()),
    path("Users/.search", views.SearchUsers.as_view()),
    path("Users/<str:key>", views.OneUser.as_view()),
    path("Groups", views.Groups.as_view()),
    path("Groups/.search", views.SearchGroups.as_view()),
    path("Groups/<str:key>", views.OneGroup.as_view()),
    re_path("", views.NoEndpoint.as_view()),
]
