"""What axe finds on a page, in both of its themes."""

from __future__ import annotations

from typing import Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SETTLED = """() => Promise.all(document.getAnimations()
  .filter((moving) => moving instanceof CSSTransition).map((moving) => moving.finished))"""


def violations(page: Page) -> list[tuple[str, str, list[str]]]:
    """(theme, rule, elements) of each. The themes differ in nothing but colour, so the second is
    looked at for contrast alone."""
    rows: list[tuple[str, str, list[str]]] = []
    colours = set()
    page.evaluate(Axe().axe_script)
    for theme in THEMES:
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        colours.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        page.evaluate(SETTLED)  # the administration fades from colour to colour
        # The elements that obey a rule are many. Describing them takes longer than the rules.
        options: dict[str, list[str]] = {"resultTypes": ["violations"]}
        if theme != THEMES[0]:
            options["runOnly"] = ["color-contrast"]
        text = page.evaluate("options => axe.run(options)", options)["violations"]
        rows += [
            (theme, rule["id"], [node["html"] for node in rule["nodes"]])
            for rule in text
        ]
    assert len(colours) == len(THEMES), "the themes look alike"
    return rows
