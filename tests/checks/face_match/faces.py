"""Pictures of drawn faces: an ID that bears one, and what a camera may have seen."""

from __future__ import annotations

import io
from functools import cache

from PIL import Image, ImageDraw

from tests.checks.face_match import portraits


def encoded(picture: Image.Image, kind: str = "JPEG") -> bytes:
    out = io.BytesIO()
    picture.save(out, kind)
    return out.getvalue()


@cache
def card_of(*people: portraits.Features, turned: int = 0) -> bytes:
    """A card with lines of print and, at its left edge, one portrait under the other."""
    card = Image.new("RGB", (1000, 640), (226, 232, 224))
    pen = ImageDraw.Draw(card)
    for number, line in enumerate(("IDENTITY CARD", "OKONKWO", "AMARA", "1991-04-12")):
        pen.text((380, 90 + 80 * number), line, fill=(40, 50, 60), font_size=40)
    for number, person in enumerate(people):
        card.paste(portraits.draw_portrait(person, size=260), (60, 60 + 280 * number))
    return encoded(card.rotate(turned, expand=True))


@cache
def selfie_of(*people: portraits.Features) -> bytes:
    """In another size, in the mirror, and not upright."""
    wide = Image.new("RGB", (520 * max(1, len(people)), 520), portraits.BACKGROUND)
    for number, person in enumerate(people):
        face = portraits.draw_portrait(person, size=520).transpose(
            Image.Transpose.FLIP_LEFT_RIGHT
        )
        wide.paste(face.rotate(4, fillcolor=portraits.BACKGROUND), (520 * number, 0))
    return encoded(wide)
