from __future__ import annotations

import ast
import gzip
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.core.management import call_command

from compliance.pages import vendored
from papers import fonts

ROOT = Path(__file__).resolve().parent.parent.parent.parent


def used_in_templates() -> set[str]:
    sources = [path.read_text() for path in (ROOT / "templates").rglob("*.html")]
    return {
        name for source in sources for name in re.findall(r'{% icon "([\w-]+)"', source)
    }


def constants_of_the_pages() -> set[str]:
    modules = [*(ROOT / "reviews").rglob("*.py")]
    modules.append(ROOT / "compliance" / "pages" / "settings_menu.py")
    trees = [ast.parse(path.read_text()) for path in modules]
    return {
        node.value
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def test_every_icon_of_a_template_is_in_the_sprite():
    assert used_in_templates() - set(vendored.ICONS) == set()


def test_every_icon_of_the_sprite_is_used():
    assert set(vendored.ICONS) - used_in_templates() - constants_of_the_pages() == set()


def test_the_icons_are_sorted_and_unique():
    assert list(vendored.ICONS) == sorted(set(vendored.ICONS))


def test_the_sprite_holds_shapes_only():
    sprite = vendored.sprite(vendored.ICONS)
    assert sprite.count("<symbol ") == len(vendored.ICONS)
    assert "<script" not in sprite
    assert "href" not in sprite


def test_a_name_that_is_no_icon_is_refused():
    with pytest.raises(KeyError, match=r"no-such-icon\.svg"):
        vendored.sprite(["no-such-icon"])


def test_the_finder_finds_what_was_derived_and_nothing_else():
    for name in ("icons.svg", "fonts.css", "inter.woff2", "mono.woff2"):
        assert Path(str(finders.find(f"vendor/{name}"))).stat().st_size > 100
    assert len(finders.find("vendor/icons.svg", find_all=True)) == 1
    for name in (
        "vendor/none.svg",
        "vendor/../vendor/icons.svg",
        "vendor/../../test.sqlite3",
        "vendor/",
    ):
        assert vendored.VendoredFinder().find(name) == []


def test_what_is_derived_stays_out_of_the_source(settings):
    """Other people's fonts once went into the repository, from a folder that nobody ignored."""
    folder = settings.VENDORED_DIR.resolve()
    ignored = settings.BASE_DIR / "var"
    assert folder.is_relative_to(ignored) or not folder.is_relative_to(
        settings.BASE_DIR
    )


def test_processes_that_start_at_once_derive_the_same(tmp_path, settings, monkeypatch):
    settings.VENDORED_DIR = tmp_path / "vendored"
    monkeypatch.setattr(fonts, "subset", lambda font: b"font")
    uncached = vendored.derived.__wrapped__
    with ThreadPoolExecutor(8) as pool:
        folders = set(pool.map(lambda _: uncached(), range(8)))
    assert len(folders) == 1
    assert [path.name for path in settings.VENDORED_DIR.iterdir()] == [
        folders.pop().name
    ]


def test_the_fonts_of_reports_are_made_before_the_first_report(
    tmp_path, settings, monkeypatch
):
    """They take seconds of the processor, which no request should."""
    settings.VENDORED_DIR = tmp_path / "vendored"
    settings.STATIC_ROOT = tmp_path / "static"
    monkeypatch.setattr(fonts, "subset", lambda font: font.target.encode())
    vendored.derived.cache_clear()
    try:
        call_command("collectstatic", verbosity=0, interactive=False)
    finally:
        vendored.derived.cache_clear()

    def subset(font):
        raise AssertionError(font.family)

    monkeypatch.setattr(fonts, "subset", subset)
    folder = fonts.printed_folder(settings.VENDORED_DIR)
    assert (folder / "bold.ttf").read_bytes() == b"bold.ttf"
    for font in fonts.SCRIPTS.values():
        path = fonts.script_file(settings.VENDORED_DIR, font)
        assert path.read_bytes() == font.target.encode()
    assert not list(settings.STATIC_ROOT.rglob("*.ttf"))


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """What a browser gets: hashed and compressed."""
    from django.test import override_settings

    root = tmp_path_factory.mktemp("static")
    storages = {"staticfiles": {"BACKEND": "compliance.pages.vendored.StaticStorage"}}
    with override_settings(STATIC_ROOT=root, STORAGES=storages):
        call_command(
            "collectstatic",
            verbosity=0,
            interactive=False,
            ignore_patterns=["rest_framework"],
        )
    return root


def compressed(root: Path, pattern: str) -> int:
    """Bytes on the wire of the hashed files that match."""
    rows = [
        path for path in root.glob(pattern) if re.search(r"\.[0-9a-f]{12}\.", path.name)
    ]
    assert rows, pattern
    return sum(len(gzip.compress(path.read_bytes(), 9)) for path in rows)


def scripts_of(template: Path) -> set[str]:
    """The scripts that a page names, and those that they import."""
    waiting = re.findall(r"{% static 'js/([a-z-]+)\.js' %}", template.read_text())
    scripts: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in scripts:
            scripts.add(name)
            source = (ROOT / f"static/js/{name}.js").read_text()
            waiting += re.findall(r'from "\./([a-z-]+)\.js"', source)
    return scripts


def test_the_scripts_of_every_page_stay_small(published):
    templates = ROOT / "templates"
    of_all = scripts_of(templates / "base.html")
    loaded = {
        path.name: of_all | scripts_of(path) for path in templates.rglob("*.html")
    }
    everywhere = compressed(published, "django_htmx/htmx-2.min.*.js")
    sizes = {
        name: everywhere
        + sum(compressed(published, f"js/{script}.*.js") for script in scripts)
        for name, scripts in loaded.items()
    }
    assert max(sizes.values()) <= 30 * 1024, sizes


def styles_of(template: Path) -> set[str]:
    """The style sheets that a page names, without their ending."""
    return set(
        re.findall(
            r"{% static '((?:css|vendor)/[a-z-]+)\.css' %}", template.read_text()
        )
    )


def test_the_styles_of_every_page_stay_small(published):
    templates = ROOT / "templates"
    of_all = styles_of(templates / "base.html")
    loaded = {path.name: of_all | styles_of(path) for path in templates.rglob("*.html")}
    sizes = {
        name: sum(compressed(published, f"{style}.*.css") for style in styles)
        for name, styles in loaded.items()
    }
    assert max(sizes.values()) <= 14 * 1024, sizes


def test_icons_and_fonts_stay_small(published):
    assert compressed(published, "vendor/*.svg") <= 8 * 1024
    assert (
        sum(path.stat().st_size for path in published.glob("vendor/*.*.woff2"))
        <= 80 * 1024
    )


def test_fonts_are_found_under_their_hashed_name(published):
    [css] = published.glob("vendor/fonts.*.css")
    assert re.search(r'url\("inter\.[0-9a-f]{12}\.woff2"\)', css.read_text())


def test_what_is_published_has_no_comments(published):
    for pattern in ("js/keys.*.js", "css/base.*.css"):
        [path] = [path for path in published.glob(pattern) if path.name.count(".") == 2]
        text = path.read_text()
        assert "/*" not in text
        assert "\n//" not in text


def test_what_is_published_is_not_empty(published):
    """A size that is small because nothing is there is no size."""
    files = [path for path in published.rglob("*.*") if path.suffix in {".css", ".js"}]
    assert files
    assert [path.name for path in files if not path.stat().st_size] == []


# ".a :is(b)" and ".a *:is(b)" mean the same. ".a:is(b)" does not.
AFTER_A_SPACE = re.compile(r"(?<=[\w)\]]) \*?(:[a-z-]+)")


def test_published_selectors_keep_their_spaces(published):
    rules = 0
    for source in sorted((ROOT / "static" / "css").glob("*.css")):
        name = rf"{source.stem}\.[0-9a-f]{{12}}\.css"
        files = (published / "css").iterdir()
        [copy] = [path for path in files if re.fullmatch(name, path.name)]
        written = re.sub(r"/\*.*?\*/", "", source.read_text(), flags=re.DOTALL)
        expected = AFTER_A_SPACE.findall(written)
        assert AFTER_A_SPACE.findall(copy.read_text()) == expected, source.name
        rules += len(expected)
    assert rules
