"""Static files: third-party assets derived from installed packages, and how all are published.

Nothing foreign lies in the repository. From the packages below the finder derives, once per
version, into VENDORED_DIR:

- `vendor/icons.svg`: one sprite of the icons in ICONS, from `lucide`.
  The icons are Lucide's (ISC licence; parts from Feather, MIT licence).
- `vendor/inter.woff2`: a Latin subset of Inter, from `fontpkg-inter` (SIL Open Font License 1.1).
- `vendor/mono.woff2`: a Latin subset of JetBrains Mono, from `fontpkg-jetbrains-mono` (same licence).
- `vendor/fonts.css`: the @font-face rules of both.

htmx (Zero-Clause BSD licence) needs no deriving: `django-htmx` (MIT licence) brings it as a static file.
"""

from __future__ import annotations

import hashlib
import io
import logging
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder, get_finders
from django.contrib.staticfiles.utils import get_files
from django.core.files.storage import FileSystemStorage
from django.core.management import call_command
from whitenoise.storage import (  # type: ignore[import-untyped]
    CompressedManifestStaticFilesStorage,
)

# Every icon that a page shows; a test holds this list and the templates together.
ICONS = (
    "alarm-clock",
    "arrow-left",
    "arrow-up-down",
    "arrow-up-right",
    "badge-check",
    "bookmark",
    "bot",
    "braces",
    "building-2",
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
    "file-text",
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
    "users",
    "webhook",
    "x",
    "zoom-in",
    "zoom-out",
)
# Latin and its accents, and the punctuation, arrows and signs that the pages use.
GLYPHS = (
    "U+0020-007E,U+00A0-024F,U+1E80-1E85,U+2002-200A,U+2010-2026,U+2030-203A,U+20A4,U+20AC,"
    "U+20B9,U+2122,U+2190-2193,U+21B5,U+21E7,U+2212,U+2248,U+2260-2265"
)


@dataclass(frozen=True)
class Font:
    family: str
    package: str
    source: str
    target: str
    features: tuple[str, ...]
    axes: dict[str, Any]


FONTS = (
    Font(
        family="Inter",
        package="fontpkg-inter",
        source="Inter[opsz,wght].ttf",
        target="inter.woff2",
        features=("kern", "ccmp", "locl", "tnum", "ss03", "cv05"),
        axes={"opsz": 14, "wght": (400, 700)},
    ),
    Font(
        family="JetBrains Mono",
        package="fontpkg-jetbrains-mono",
        source="JetBrainsMono[wght].ttf",
        target="mono.woff2",
        features=("ccmp", "locl", "mark", "zero"),
        axes={"wght": (400, 700)},
    ),
)


def sprite(names: Iterable[str]) -> str:
    """One SVG file that holds the named icons as symbols."""
    with (
        (files("lucide") / "lucide.zip").open("rb") as packed,
        zipfile.ZipFile(packed) as icons,
    ):
        symbols = [_symbol(name, icons.read(f"{name}.svg").decode()) for name in names]
    return f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(symbols)}</svg>'


def _symbol(name: str, svg: str) -> str:
    shapes = svg[svg.index(">", svg.index("<svg")) + 1 : svg.rindex("</svg>")]
    return f'<symbol id="{name}" viewBox="0 0 24 24">{" ".join(shapes.split())}</symbol>'


def subset(font: Font) -> bytes:
    """The font as WOFF2 with our glyphs, features and weights only."""
    # Imported here: slow to import, and needed once per installed version.
    subsets, fonts = import_module("fontTools.subset"), import_module("fontTools.ttLib")
    instancer = import_module("fontTools.varLib.instancer")
    logging.getLogger("fontTools").setLevel(logging.WARNING)

    module = font.package.replace("-", "_")
    full = fonts.TTFont(io.BytesIO((files(module) / "files" / font.source).read_bytes()))
    options = subsets.Options()
    options.layout_features = list(font.features)
    subsetter = subsets.Subsetter(options)
    subsetter.populate(unicodes=subsets.parse_unicodes(GLYPHS))
    subsetter.subset(full)
    # The instancer needs the tables as they are once saved.
    between = io.BytesIO()
    full.save(between)
    small = instancer.instantiateVariableFont(fonts.TTFont(between), font.axes)
    small.flavor = "woff2"
    packed = io.BytesIO()
    small.save(packed)
    return packed.getvalue()


def font_face(font: Font) -> str:
    low, high = font.axes["wght"]
    return (
        f'@font-face {{ font-family: "{font.family}"; src: url("{font.target}") format("woff2");'
        f" font-weight: {low} {high}; font-display: swap; }}\n"
    )


@lru_cache(maxsize=1)
def derived() -> Path:
    """The folder with the derived files, which are made if this version has none yet."""
    packages = ("lucide", "fonttools", *(font.package for font in FONTS))
    made_from = [Path(__file__).read_text(), *(f"{name} {version(name)}" for name in packages)]
    key = hashlib.sha256("\n".join(made_from).encode()).hexdigest()[:16]
    return made_once(key, lambda folder: _derive(folder / "vendor"))


def made_once(name: str, make: Callable[[Path], None]) -> Path:
    """The folder of that name in VENDORED_DIR, filled by `make` if it is not there yet."""
    folder: Path = settings.VENDORED_DIR / name
    if not folder.exists():
        settings.VENDORED_DIR.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=settings.VENDORED_DIR) as scratch:
            fresh = Path(scratch) / "files"
            fresh.mkdir()
            make(fresh)
            try:
                fresh.rename(folder)
            except OSError:
                # Another process was faster: then its files are the ones.
                if not folder.exists():
                    raise
    return folder


def _derive(target: Path) -> None:
    target.mkdir(parents=True)
    (target / "icons.svg").write_text(sprite(ICONS))
    (target / "fonts.css").write_text("".join(font_face(font) for font in FONTS))
    for font in FONTS:
        (target / font.target).write_bytes(subset(font))


class VendoredFinder(BaseFinder):
    """Finds the derived files, for `runserver`, tests and `collectstatic` alike."""

    def check(self, **_: Any) -> list[Any]:
        return []

    def find(self, path: str, find_all: bool = False, **_: Any) -> Any:  # noqa: FBT001, FBT002
        if path.startswith("vendor/"):
            found = derived() / path
            if ".." not in Path(path).parts and found.is_file():
                return [str(found)] if find_all else str(found)
        return []

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, Any]]:
        storage = FileSystemStorage(location=derived())
        for path in get_files(storage, list(ignore_patterns or [])):
            yield path, storage


class StaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Publishes each file under the hash of its content, also within ES module imports."""

    support_js_module_import_aggregation = True

    def create_compressor(self, **given: Any) -> Any:
        # Brotli's best takes seconds at the first start, and saves two kilobytes.
        return super().create_compressor(use_brotli=False, **given)


def publish() -> None:
    """`collectstatic`, unless the very same files were published before: starts stay quick."""
    mark = Path(settings.STATIC_ROOT) / ".published"
    present = _fingerprint()
    if not mark.exists() or mark.read_text() != present:
        call_command("collectstatic", verbosity=0, interactive=False, clear=True)
        mark.write_text(present)


def _fingerprint() -> str:
    found = hashlib.sha256(version("whitenoise").encode())
    for finder in get_finders():
        for path, storage in finder.list(None):
            stat = Path(storage.path(path)).stat()
            found.update(f"{path} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    return found.hexdigest()
