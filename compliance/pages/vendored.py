"""Static files: third-party assets from installed packages, and the publishing of all files.

The repository contains no third-party files. The finder creates these from installed packages, once
per version, in VENDORED_DIR:

- `vendor/icons.svg`: one sprite of the icons in ICONS, from `lucide`.
  The icons are Lucide's (ISC licence; parts from Feather, MIT licence).
- `vendor/inter.woff2`: a Latin subset of Inter, from `fontpkg-inter` (SIL Open Font License 1.1).
- `vendor/mono.woff2`: a Latin subset of JetBrains Mono, from `fontpkg-jetbrains-mono` (same
  licence).
- `vendor/fonts.css`: the @font-face rules of both.

htmx (Zero-Clause BSD licence) is a static file of `django-htmx` (MIT licence).
"""

from __future__ import annotations

import hashlib
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

import rcssmin  # type: ignore[import-untyped]
import rjsmin  # type: ignore[import-untyped]
from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder, get_finders
from django.contrib.staticfiles.utils import get_files
from django.core.checks import CheckMessage
from django.core.files.base import ContentFile, File
from django.core.files.storage import FileSystemStorage
from django.core.management import call_command
from whitenoise.storage import (  # type: ignore[import-untyped]
    CompressedManifestStaticFilesStorage,
)

from papers import cache, fonts

# All icons of the pages. A test compares this list with the templates.
ICONS = (
    "alarm-clock",
    "arrow-left",
    "arrow-up-down",
    "arrow-up-right",
    "badge-check",
    "bell",
    "bookmark",
    "bot",
    "braces",
    "building-2",
    "camera",
    "check",
    "chevron-left",
    "chevron-right",
    "circle-alert",
    "circle-check",
    "circle-dashed",
    "circle-dot",
    "circle-minus",
    "circle-x",
    "clock",
    "columns-2",
    "columns-3",
    "copy",
    "corner-up-left",
    "download",
    "equal",
    "equal-not",
    "eye",
    "file-text",
    "gauge",
    "gavel",
    "git-compare",
    "history",
    "hourglass",
    "id-card",
    "inbox",
    "info",
    "key-round",
    "keyboard",
    "layers",
    "layout-dashboard",
    "layout-template",
    "list-filter",
    "loader-circle",
    "lock",
    "log-out",
    "map-pin",
    "message-square",
    "minus",
    "moon",
    "move-horizontal",
    "package",
    "paperclip",
    "pencil",
    "play",
    "plus",
    "printer",
    "rotate-ccw",
    "rotate-cw",
    "scale",
    "scan-search",
    "search",
    "send",
    "settings",
    "shield-alert",
    "shield-check",
    "signature",
    "stamp",
    "tag",
    "timer",
    "triangle-alert",
    "upload",
    "user",
    "user-cog",
    "users",
    "webhook",
    "x",
    "zoom-in",
    "zoom-out",
)
# Latin letters with accents, and the punctuation, arrows and symbols that the pages use.
GLYPHS = (
    "U+0020-007E,U+00A0-024F,U+1E80-1E85,U+2002-200A,U+2010-2026,U+2030-203A,U+20A4,U+20AC,"
    "U+20B9,U+2122,U+2190-2193,U+21B5,U+21E7,U+2212,U+2248,U+2260-2265"
)


FONTS = (
    fonts.inter(
        "inter.woff2",
        weight=(400, 700),
        glyphs=GLYPHS,
        features=("kern", "ccmp", "locl", "tnum", "ss03", "cv05"),
    ),
    fonts.mono(
        "mono.woff2",
        family="JetBrains Mono",
        weight=(400, 700),
        glyphs=GLYPHS,
        features=("ccmp", "locl", "mark", "zero"),
    ),
)


def sprite(names: Iterable[str]) -> str:
    """One SVG file with the named icons as symbols."""
    with (
        (files("lucide") / "lucide.zip").open("rb") as packed,
        zipfile.ZipFile(packed) as icons,
    ):
        symbols = ""
        for name in names:
            svg = icons.read(f"{name}.svg").decode()
            symbols += _symbol(name, svg)
    return f'<svg xmlns="http://www.w3.org/2000/svg">{symbols}</svg>'


def _symbol(name: str, svg: str) -> str:
    """The content of a file's <svg> element as a symbol of the sprite."""
    tag = svg.index("<svg")
    start = svg.index(">", tag) + 1
    end = svg.rindex("</svg>")
    shapes = " ".join(svg[start:end].split())
    return f'<symbol id="{name}" viewBox="0 0 24 24">{shapes}</symbol>'


def font_face(font: fonts.Font) -> str:
    """The @font-face rule of a font."""
    low, high = font.axes["wght"]
    return (
        f'@font-face {{ font-family: "{font.family}"; src: url("{font.target}") format("woff2");'
        f" font-weight: {low} {high}; font-display: swap; }}\n"
    )


@lru_cache(maxsize=1)
def derived() -> Path:
    """The folder with the derived files. They are created if this version has none yet."""
    packages = ("lucide", "fonttools", *(font.package for font in FONTS))
    name = cache.fingerprint([__file__, fonts.__file__], packages)
    return cache.folder(
        settings.VENDORED_DIR, name, lambda folder: _derive(folder / "vendor")
    )


def _derive(target: Path) -> None:
    target.mkdir(parents=True)
    (target / "icons.svg").write_text(sprite(ICONS))
    (target / "fonts.css").write_text("".join(font_face(font) for font in FONTS))
    for font in FONTS:
        (target / font.target).write_bytes(fonts.subset(font))


class VendoredFinder(BaseFinder):
    """Finds the derived files, for `runserver`, tests and `collectstatic`.

    `collectstatic` runs before an installation serves. So what is derived for reports is made by then, too.
    """

    def check(self, **_: object) -> list[CheckMessage]:
        return []

    def find(self, path: str, find_all: bool = False, **_: object) -> Any:  # noqa: FBT001, FBT002
        # ".." in the path of a request could lead to any file.
        if not path.startswith("vendor/") or ".." in Path(path).parts:
            return []
        file = derived() / path
        if not file.is_file():
            return []
        return [str(file)] if find_all else str(file)

    def list(
        self, ignore_patterns: Iterable[str] | None
    ) -> Iterator[tuple[str, object]]:
        fonts.make_all(settings.VENDORED_DIR)
        storage = FileSystemStorage(location=derived())
        for path in get_files(storage, list(ignore_patterns or [])):
            yield path, storage


# A space between two parts of a selector, where the second part is a pseudo-class: ".a :is(b)".
SPACE_BEFORE_PSEUDO_CLASS = re.compile(r"(?<=[\w)\]]) +:(?=[a-z])")


def minify_css(source: str) -> str:
    """The style sheet without comments and spaces.

    Inside of a block, rcssmin takes each " :" for the colon of a declaration and drops the
    space. ".a :is(b)" would become ".a:is(b)", which means something else. ".a *:is(b)" means
    the same as the first, and stays.
    """
    return str(rcssmin.cssmin(SPACE_BEFORE_PSEUDO_CLASS.sub(" *:", source)))


# Our own files are minified: comments stay in the source. Files of packages are published
# unchanged.
MINIFIERS: dict[str, Callable[[str], str]] = {
    "css/": minify_css,
    "js/": rjsmin.jsmin,
}


class StaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Publishes each file with its content's hash in the name, also in imports of JS modules."""

    support_js_module_import_aggregation = True

    def _save(self, name: str, content: File[bytes]) -> str:
        for folder, minify in MINIFIERS.items():
            if name.startswith(folder):
                # Computing the hash has read the file to its end.
                content.seek(0)
                source = content.read().decode()
                content = ContentFile(minify(source).encode())
        return str(super()._save(name, content))

    def create_compressor(self, **options: object) -> object:
        # Brotli takes seconds at the first start and saves only two kilobytes.
        return super().create_compressor(use_brotli=False, **options)


def publish() -> None:
    """Run `collectstatic` unless the same files were published before, to start fast."""
    mark = Path(settings.STATIC_ROOT) / ".published"
    fingerprint = _fingerprint()
    if mark.exists() and mark.read_text() == fingerprint:
        return
    call_command("collectstatic", verbosity=0, interactive=False, clear=True)
    mark.write_text(fingerprint)


def _fingerprint() -> str:
    """A hash that changes with any static file, and with the code that processes them."""
    packages = ("whitenoise", "rcssmin", "rjsmin")
    versions = " ".join(version(package) for package in packages)
    digest = hashlib.sha256(versions.encode())
    digest.update(Path(__file__).read_bytes())
    for finder in get_finders():
        for path, storage in finder.list(None):
            stat = Path(storage.path(path)).stat()
            line = f"{path} {stat.st_size} {stat.st_mtime_ns}\n"
            digest.update(line.encode())
    return digest.hexdigest()
