"""Endpoints for subscriptions to the desk's signed webhooks."""

from __future__ import annotations

from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from compliance.http.api.errors import Problem
from compliance.http.api.operations import operation
from reviews.access import roles
from reviews.api import paging, serialisation
from reviews.api.base import DeskView
from reviews.models import Connection, Scope, Subscription
from reviews.subscriptions import subscriptions
from reviews.wire import JsonObject

TAKEN = "Another subscription has this name."


class Subscriptions(DeskView):
    is_of_cases = False

    @operation(
        "The subscriptions",
        Scope.SUBSCRIPTIONS,
        answer="Subscriptions",
        query=paging.QUERY,
    )
    def get(self, request: Request) -> Response:
        roles.require(self.actor, roles.SUBSCRIBE)
        rows = subscriptions.visible(self.actor)
        return self.list_response(rows, serialisation.subscription)

    @operation(
        "Subscribes an address; the answer has the secret, this once", Scope.SUBSCRIPTIONS,
        status=201, answer="Subscription", body="NewSubscription", errors=(409,),
        more_answers={202: "Proposal"},
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        roles.require(self.actor, roles.SUBSCRIBE)
        body = self.body
        return self.change_settings(lambda: self._create(body))

    def _create(self, body: JsonObject) -> Response:
        slug = body.get("connection", "")
        connection = _connection(slug)
        try:
            subscription, secret = subscriptions.create(
                actor=self.actor,
                name=body["name"],
                url=body["url"],
                connection=connection,
                events=body.get("events"),
            )
        except subscriptions.NameInUseError as exc:
            raise Problem(409, TAKEN, code="name_taken") from exc
        location = {"Location": f"{self.request.path}/{subscription.pk}"}
        answer = serialisation.subscription(subscription, secret=secret)
        return Response(answer, status=201, headers=location)


class OneSubscription(DeskView):
    is_of_cases = False

    @operation(
        "One subscription", Scope.SUBSCRIPTIONS, answer="Subscription", errors=(404,)
    )
    def get(self, request: Request, pk: int) -> Response:
        subscription = self._subscription(pk)
        answer = serialisation.subscription(subscription)
        return Response(answer)

    @operation(
        "Changes a subscription", Scope.SUBSCRIPTIONS, answer="Subscription",
        body="SubscriptionChange", errors=(404, 409), more_answers={202: "Proposal"},
    )  # fmt: skip
    def patch(self, request: Request, pk: int) -> Response:
        subscription = self._subscription(pk)
        body = self.body
        return self.change_settings(lambda: self._change(subscription, body))

    def _change(self, subscription: Subscription, body: JsonObject) -> Response:
        try:
            subscriptions.change(subscription, body, actor=self.actor)
        except subscriptions.NameInUseError as exc:
            raise Problem(409, TAKEN, code="name_taken") from exc
        answer = serialisation.subscription(subscription)
        return Response(answer)

    @operation(
        "Removes a subscription that has sent nothing yet", Scope.SUBSCRIPTIONS, status=204,
        errors=(404, 409), more_answers={202: "Proposal"},
    )  # fmt: skip
    def delete(self, request: Request, pk: int) -> Response:
        subscription = self._subscription(pk)
        return self.change_settings(lambda: self._remove(subscription))

    def _remove(self, subscription: Subscription) -> Response:
        try:
            subscriptions.remove(subscription, actor=self.actor)
        except subscriptions.InUseError as exc:
            words = "Webhooks were sent by it, and their record stays: switch it off instead."
            raise Problem(409, words, code="in_use") from exc
        return Response(status=204)

    def _subscription(self, pk: int) -> Subscription:
        roles.require(self.actor, roles.SUBSCRIBE)
        return get_object_or_404(subscriptions.visible(self.actor), pk=pk)


def _connection(slug: str) -> Connection | None:
    # No connection: the subscription receives events of all cases.
    if not slug:
        return None
    connection = Connection.objects.filter(slug=slug).first()
    if connection is None:
        words = "There is no such connection."
        fault = {"pointer": "#/connection", "detail": words}
        raise Problem(422, words, faults=[fault])
    return connection
