"""The queue as lists are usually written: a ListView with a Paginator, and counts by GROUP BY."""

from __future__ import annotations

import os
from typing import Any

import django
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "compliance.settings")
django.setup()

from django.contrib.auth.mixins import LoginRequiredMixin  # noqa: E402
from django.db.models import Count  # noqa: E402
from django.http import HttpRequest, HttpResponse  # noqa: E402
from django.template import Context, Template  # noqa: E402
from django.urls import path  # noqa: E402
from django.views.generic import ListView  # noqa: E402

from compliance import urls  # noqa: E402
from reviews.models import Case  # noqa: E402

ROWS = """<!doctype html><ul>{% for count in counts %}<li>{{ count.status }} {{ count.n }}</li>{% endfor %}</ul>
<table>{% for case in object_list %}<tr><td>{{ case.due_at|date:"Y-m-d H:i" }}</td><td>{{ case.reference }}</td>
<td><a href="{% url 'case-detail' case.pk %}">{{ case.subject }}</a></td><td>{{ case.kind }} {{ case.country }}</td>
<td>{{ case.recommendation }}</td><td>{{ case.risk }}</td><td>{{ case.summary.finding }}</td>
<td>{{ case.analyst.username }}</td><td>{{ case.created_at|date:"Y-m-d H:i" }}</td></tr>{% endfor %}</table>
{{ page_obj.number }} of {{ paginator.num_pages }}"""


class Cases(LoginRequiredMixin, ListView[Case]):
    queryset = Case.objects.select_related("analyst").order_by("-pk")
    paginate_by = 50

    def render_to_response(self, context: dict[str, Any], **_: Any) -> HttpResponse:
        context["counts"] = list(
            Case.objects.order_by().values("status").annotate(n=Count("pk"))
        )
        return HttpResponse(Template(ROWS).render(Context(context)))


def hello(request: HttpRequest) -> HttpResponse:
    return HttpResponse("hello")


urls.urlpatterns += [path("bench/list/", Cases.as_view()), path("bench/hello/", hello)]
settings.DEBUG = False
# Import the application last: like the real server, it freezes the objects that exist by then.
from compliance.wsgi import application  # noqa: E402, F401
