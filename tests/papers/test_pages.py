"""Pages of foreign files: drawn as a viewer shows them, within limits, or refused in plain words."""

from __future__ import annotations

import io
import zlib
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from papers import errors, pages


def pdf(
    *, size: tuple[float, float] = (612, 792), pages: int = 1, word: str = "Northwind"
) -> bytes:
    """The word stands at the bottom left of every page."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=size)
    for _ in range(pages):
        canvas.setFont("Helvetica", 24)
        canvas.drawString(size[0] * 0.1, size[1] * 0.1, word)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def changed(content: bytes, **page: Any) -> bytes:
    buffer = io.BytesIO()
    with pikepdf.open(io.BytesIO(content)) as document:
        for name, value in page.items():
            document.pages[0][f"/{name}"] = value
        document.save(buffer)
    return buffer.getvalue()


def picture(
    format_: str = "PNG", *, size: tuple[int, int] = (300, 200), **saving: Any
) -> bytes:
    """White, with a black corner at the top left."""
    image = Image.new(saving.pop("mode", "RGB"), size, saving.pop("color", "white"))
    image.paste(Image.new(image.mode, (60, 60)), (0, 0))
    buffer = io.BytesIO()
    image.save(buffer, format_, **saving)
    return buffer.getvalue()


def first(content: bytes) -> pages.DrawnPage:
    return next(pages.draw(content))


def drawn(page: pages.DrawnPage) -> Image.Image:
    image = Image.open(io.BytesIO(page["image"]))
    assert (image.format, image.size) == ("WEBP", (page["width"], page["height"]))
    return image.convert("L")


def light(image: Image.Image, at: tuple[int, int]) -> float:
    result = image.getpixel(at)
    assert isinstance(result, int | float)
    return result


def darkest(image: Image.Image) -> float:
    value = image.getextrema()[0]
    assert isinstance(value, int | float)
    return value


def test_a_page_is_drawn_at_150_dpi_with_its_words():
    page = first(pdf())
    assert (page["number"], page["of"], page["width"], page["height"]) == (
        1,
        1,
        1275,
        1650,
    )
    ((text, x0, y0, x1, y1),) = page["words"]
    assert text == "Northwind"
    assert (x0, y1) == (pytest.approx(0.1, abs=0.005), pytest.approx(0.91, abs=0.01))
    assert y1 > y0 > 0.85
    assert 0.25 < x1 < 0.35


@pytest.mark.parametrize(
    ("turn", "corner"),
    [(90, (0.0, 0.0)), (180, (1.0, 0.0)), (270, (1.0, 1.0))],
)
def test_words_follow_the_rotation_of_the_page(turn, corner):
    page = first(changed(pdf(), Rotate=turn))
    assert page["width"] == (1275 if turn == 180 else 1650)
    ((_, x0, y0, x1, y1),) = page["words"]
    assert abs((x0 + x1) / 2 - corner[0]) < 0.3
    assert abs((y0 + y1) / 2 - corner[1]) < 0.3
    word = drawn(page).crop(
        (
            int(x0 * page["width"]),
            int(y0 * page["height"]),
            int(x1 * page["width"]),
            int(y1 * page["height"]),
        )
    )
    assert darkest(word) < 60


def test_words_follow_the_crop_box():
    page = first(changed(pdf(), CropBox=pikepdf.Array([0, 0, 306, 396])))
    assert (page["width"], page["height"]) == (638, 825)
    assert page["words"][0][1] == pytest.approx(0.2, abs=0.01)


def test_form_fields_are_drawn():
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(300, 200))
    canvas.acroForm.textfield(
        value="Filled in", x=50, y=50, width=200, height=60, borderWidth=0
    )
    canvas.showPage()
    canvas.save()
    with pikepdf.open(io.BytesIO(buffer.getvalue())) as document:
        for field in document.Root.AcroForm.Fields:
            del field["/AP"]  # then only the form environment can draw it
        document.save(buffer := io.BytesIO())
    assert darkest(drawn(first(buffer.getvalue()))) < 100


def test_a_huge_page_is_clamped():
    page = first(changed(pdf(), MediaBox=pikepdf.Array([0, 0, 200_000, 200_000])))
    assert (page["width"], page["height"]) == (2200, 2200)


@pytest.mark.parametrize("box", [(14_400, 20), (20, 14_400)])
def test_a_thin_page_keeps_within_the_limits(box):
    page = first(changed(pdf(), MediaBox=pikepdf.Array([0, 0, *box])))
    assert 1 <= page["width"] <= 2200
    assert 1 <= page["height"] <= 16_000


def test_the_first_fifty_pages_are_drawn():
    drawn_pages = list(pages.draw(pdf(size=(40, 40), pages=53, word="")))
    assert [page["number"] for page in drawn_pages] == list(range(1, 51))
    assert drawn_pages[0]["of"] == 53


def test_an_encrypted_file_is_refused():
    buffer = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf())) as document:
        document.save(
            buffer, encryption=pikepdf.Encryption(user="secret", owner="secret")
        )
    with pytest.raises(errors.EncryptedError):
        first(buffer.getvalue())


def test_a_file_that_only_its_owner_may_change_is_drawn():
    buffer = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf())) as document:
        document.save(buffer, encryption=pikepdf.Encryption(user="", owner="secret"))
    assert first(buffer.getvalue())["words"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<html>",
        b"\x00" * 64,
        b"GIF89a",
        b"MZ %PDF-1.7",
        b"PK\x03\x04",
        b"RIFFxxxxWEBP",
    ],
)
def test_an_unknown_format_is_refused(content):
    with pytest.raises(errors.UnknownFormatError, match="neither a PDF nor"):
        first(content)


@pytest.mark.parametrize(
    "content", [b"%PDF-1.7", pdf()[:300], picture()[:90], picture("JPEG")[:200]]
)
def test_a_broken_file_is_refused(content):
    with pytest.raises(errors.MalformedError):
        list(pages.draw(content))


@pytest.mark.parametrize("format_", ["PNG", "JPEG", "TIFF"])
def test_pictures_are_drawn_in_their_size(format_):
    page = first(picture(format_))
    assert (page["width"], page["height"], page["words"]) == (300, 200, [])
    assert light(drawn(page), (30, 30)) < 40
    assert light(drawn(page), (250, 150)) > 215


@pytest.mark.parametrize("format_", ["PNG", "JPEG"])
def test_the_exif_orientation_is_applied(format_):
    exif = Image.Exif()
    exif[0x0112] = 6  # turn clockwise by 90°
    page = first(picture(format_, exif=exif))
    assert (page["width"], page["height"]) == (200, 300)
    assert light(drawn(page), (170, 30)) < 40


def test_every_page_of_a_tiff_is_drawn():
    rest = [Image.new("1", (50 + number, 40)) for number in range(3)]
    drawn_pages = list(pages.draw(picture("TIFF", save_all=True, append_images=rest)))
    assert [(page["number"], page["of"], page["width"]) for page in drawn_pages] == [
        (1, 4, 300), (2, 4, 50), (3, 4, 51), (4, 4, 52),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("mode", "color", "expected"),
    [
        ("RGBA", (0, 0, 0, 0), 255),
        ("LA", (0, 0), 255),
        ("P", 0, 0),
        ("L", 128, 128),
        ("1", 1, 255),
        ("I;16", 65_535, 255),
    ],
)
def test_other_kinds_of_pixels_are_drawn_on_white_paper(mode, color, expected):
    buffer = io.BytesIO()
    Image.new(mode, (80, 60), color).save(buffer, "PNG")
    assert light(drawn(first(buffer.getvalue())), (40, 30)) == pytest.approx(
        expected, abs=3
    )


def test_cmyk_is_drawn():
    page = first(picture("JPEG", mode="CMYK", color=(0, 0, 0, 0)))
    assert light(drawn(page), (250, 150)) > 200


def test_a_large_picture_is_made_smaller():
    page = first(picture("JPEG", size=(4400, 3000)))
    assert (page["width"], page["height"]) == (2200, 1500)


def test_a_picture_beyond_all_limits_is_refused_before_it_is_decoded():
    content = bytearray(picture())
    content[16:24] = (60_000).to_bytes(4, "big") * 2
    content[29:33] = zlib.crc32(bytes(content[12:29])).to_bytes(4, "big")
    with pytest.raises(errors.TooLargeError, match="100 megapixels"):
        first(bytes(content))


def test_a_page_of_noise_stays_small():
    noise = Image.effect_noise((1240, 1754), 120).convert("RGB")
    buffer = io.BytesIO()
    noise.save(buffer, "JPEG")
    assert len(first(buffer.getvalue())["image"]) < 1_200_000


def test_the_photograph_of_a_telephone_is_drawn():
    content = (Path(__file__).parents[1] / "checks/readers/note.heic").read_bytes()
    page = first(content)
    assert (page["width"], page["height"]) == (1000, 220)
    assert darkest(drawn(page)) < 60
