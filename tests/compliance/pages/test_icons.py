"""Icons: the same markup, whether the name stands in the template or comes with the page."""

from __future__ import annotations

import pytest
from django.template import Context, Template, TemplateSyntaxError

from compliance.templatetags.shell import icon


@pytest.mark.parametrize("library", ["shell", "desk"])
def test_a_fixed_name_and_a_variable_draw_the_same(library):
    fixed = Template(f'{{% load {library} %}}{{% icon "check" "small" %}}')
    variable = Template(f"{{% load {library} %}}{{% icon name size %}}")
    result = variable.render(Context({"name": "check", "size": "small"}))
    assert fixed.render(Context()) == result == icon("check", "small")


def test_a_template_is_read_where_no_static_files_are(settings):
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {
            "BACKEND": "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"
        },
    }
    Template('{% load shell %}{% icon "drawn-by-nobody-else" %}')


def test_a_variable_cannot_add_markup():
    template = Template("{% load shell %}{% icon name %}")
    result = template.render(Context({"name": '"><script>'}))
    assert "<script>" not in result


@pytest.mark.parametrize("arguments", ["", '"a" "b" "c"'])
def test_a_tag_without_a_name_or_with_too_much_is_refused(arguments):
    with pytest.raises(TemplateSyntaxError):
        Template(f"{{% load shell %}}{{% icon {arguments} %}}")
