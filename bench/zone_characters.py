"""Make the weights of the zone reader: `python -m bench.zone_characters FONTS… [--lines N]`.

Draws lines of a machine-readable zone in each font (OCR-B first: Debian's `fonts-ocr-b`, in the
public domain; typefaces of one width beside it, for specimens printed in them), spoils them as
photographs do, and trains the network of `checks/readers/ocr/zone_characters.py` with numpy alone.
Writes `checks/data/zone_characters.npz`. 9,000 lines take a quarter of an hour of CPU time.
"""

from __future__ import annotations

import argparse
import random
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from checks.readers.ocr import zone_characters
from checks.readers.ocr.zone_characters import CAPITAL, CHARACTERS, HEIGHT, PITCH
from checks.readers.ocr.zone_lines import evenly_inked

Values = Any
NONE = len(CHARACTERS)
SIZE = 64  # font size in points, before the line is degraded
HIDDEN = (160, 64)  # width of the network's layers
BATCH, EPOCHS, RATE, SMOOTHED = 512, 10, 2e-3, 0.02


class Drawn(NamedTuple):
    """A degraded line: image, text, centres of its cells, and its sizes in pixels."""

    picture: Values
    text: str
    middles: Values
    middle: float
    capital: float
    pitch: float


def text_of(pick: random.Random) -> str:
    """Random text: fillers, letters and digits in runs, as in machine-readable zones."""
    length = pick.choice((30, 36, 44))
    text = ""
    while len(text) < length:
        kind = pick.random()
        count = pick.randint(2, 9)
        if kind < 0.3:
            text += "<" * count
        elif kind < 0.65:
            text += "".join(pick.choices(CHARACTERS[10:36], k=count))
        else:
            text += "".join(pick.choices(CHARACTERS[:10], k=count))
    return text[:length]


@cache
def _font(path: str) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, SIZE)


def drawn(pick: random.Random, path: str) -> Drawn:
    """A line in a font: small or large, thin or thick, blurred, noisy, on patterned paper."""
    noise = np.random.default_rng(pick.randrange(2**32))
    font = _font(path)
    box = font.getbbox("H")
    top, capital = box[1], box[3] - box[1]
    advance = font.getlength("0")
    pitch = advance
    if pick.random() < 0.3:
        pitch *= pick.uniform(0.97, 1.12)
    text = text_of(pick)
    width, height = int(pitch * (len(text) + 6)), int(capital * 3)
    image = Image.new("L", (width, height), 0)
    canvas = ImageDraw.Draw(image)
    middles = []
    for place, character in enumerate(text):
        x = pitch * (3 + place)
        canvas.text((x, capital - top), character, fill=255, font=font)
        middles.append(x + advance / 2)
    # Parts of the lines above and below are visible, too.
    gap = pick.uniform(1.5, 2.1) * capital
    for offset in (-gap, gap):
        if pick.random() < 0.3:
            continue
        for place, character in enumerate(text_of(pick)):
            above = (pitch * (3 + place), capital - top + offset)
            canvas.text(above, character, fill=255, font=font)
    # Draw large and degrade step by step, in the order in which a photo does it.
    ink = _leaning(_thick(np.asarray(image), pick), pick, capital)
    # The height of a capital letter in pixels, drawn on a logarithmic scale.
    dots = np.exp(pick.uniform(np.log(7), np.log(32)))
    scale = float(dots) / capital
    spread = (0.35 + pick.choice((0, 0, pick.uniform(0, 0.9)))) / scale
    ink = cv2.GaussianBlur(ink, (0, 0), spread)
    small = cv2.resize(
        ink,
        (max(int(width * scale), 8), max(int(height * scale), 8)),
        interpolation=cv2.INTER_AREA,
    )
    picture = _photographed(small.astype(np.float32) / 255, pick, noise)
    across = small.shape[1] / width
    down = small.shape[0] / height
    return Drawn(
        picture,
        text,
        np.array(middles) * across,
        1.5 * capital * down,
        capital * down,
        pitch * across,
    )


def _thick(ink: Values, pick: random.Random) -> Values:
    kernel = np.ones((pick.choice((2, 3)),) * 2, np.uint8)
    kind = pick.random()
    if kind < 0.3:
        return cv2.dilate(ink, kernel)
    if kind < 0.5:
        return cv2.erode(ink, kernel)
    return ink


def _leaning(ink: Values, pick: random.Random, capital: float) -> Values:
    height, width = ink.shape
    lean = pick.gauss(0, 0.08)
    slope = 0.0
    if pick.random() < 0.5:
        slope = pick.gauss(0, 0.012)
    matrix = np.array(
        [[1, lean, -lean * 1.5 * capital], [slope, 1, -slope * width / 2]]
    )
    return cv2.warpAffine(ink, matrix, (width, height))


def _photographed(ink: Values, pick: random.Random, noise: Any) -> Values:
    """Ink (0 to 1) on patterned paper with uneven light and noise, compressed as JPEG."""
    height, width = ink.shape
    paper = pick.uniform(140, 250)
    black = pick.uniform(5, paper * 0.62)
    light = np.linspace(pick.uniform(0.75, 1), pick.uniform(0.75, 1), width)
    picture = (paper + _pattern(height, width, pick, noise)) * light
    picture = picture * (1 - ink) + black * ink
    if pick.random() < 0.1:
        glare = (np.arange(width) - pick.uniform(0, width)) / (width * 0.08)
        picture += pick.uniform(20, 90) * np.exp(-(glare**2))
    picture += noise.standard_normal(ink.shape) * pick.choice((0, 2, 5, 9, 14))
    dots = np.clip(picture, 0, 255).astype(np.uint8)
    if pick.random() < 0.6:
        quality = [cv2.IMWRITE_JPEG_QUALITY, pick.randint(25, 92)]
        _, encoded = cv2.imencode(".jpg", dots, quality)
        dots = cv2.imdecode(encoded, cv2.IMREAD_GRAYSCALE)
    if pick.random() < 0.25:
        dots = cv2.GaussianBlur(dots, (0, 0), pick.uniform(0.3, 1.1))
    return dots


def _pattern(height: int, width: int, pick: random.Random, noise: Any) -> Values:
    """A background with guilloche lines and stains."""
    rows, columns = np.mgrid[:height, :width].astype(np.float32)
    pattern = np.zeros((height, width), np.float32)
    for _ in range(pick.randint(0, 4)):
        across, down = pick.uniform(-0.4, 0.4), pick.uniform(-0.4, 0.4)
        bent = 3 * np.sin(rows * pick.uniform(0.01, 0.1))
        pattern += pick.uniform(2, 14) * np.sin(across * columns + down * rows + bent)
    coarse = noise.standard_normal((max(height // 8, 2), max(width // 8, 2)))
    stains = coarse.astype(np.float32) * pick.uniform(0, 12)
    return pattern + cv2.resize(stains, (width, height), interpolation=cv2.INTER_CUBIC)


def examples(pick: random.Random, fonts: list[str]) -> tuple[Values, Values]:
    """Features at the centres of the cells of a line and between them, with their classes.

    The size of the line is slightly wrong, as when a line is located in a real picture.
    """
    favoured = []
    for path in fonts:
        favoured.append(6.0 if "OCRB" in path else 1.0)
    line = drawn(pick, pick.choices(fonts, favoured)[0])
    # Scale the line to the size that the network expects, with a small random error.
    wider = PITCH / (line.pitch * np.exp(pick.gauss(0, 0.04)))
    higher = CAPITAL / (line.capital * np.exp(pick.gauss(0, 0.06)))
    middle = line.middle + pick.gauss(0, 0.05) * line.capital
    matrix = np.array([[wider, 0, 0], [0, higher, HEIGHT / 2 - middle * higher]])
    size = (int(line.picture.shape[1] * wider), HEIGHT)
    method = cv2.INTER_CUBIC if wider > 1 else cv2.INTER_LINEAR
    sized = cv2.warpAffine(
        line.picture, matrix, size, flags=method, borderMode=cv2.BORDER_REPLICATE
    )
    values = zone_characters.features(evenly_inked(sized))
    places: list[float] = []
    classes: list[int] = []
    for character, x in zip(line.text, line.middles, strict=True):
        places.append(x * wider + pick.gauss(0, 0.7))
        classes.append(CHARACTERS.index(character))
        # A place between two cells must be recognised as no character.
        if pick.random() < 0.7:
            beside = pick.choice((-1, 1)) * pick.uniform(0.3, 0.5)
            places.append((x + beside * line.pitch) * wider)
            classes.append(NONE)
    # So must the places before the first and after the last character.
    for cells in (1, 2):
        for end in (
            line.middles[0] - cells * line.pitch,
            line.middles[-1] + cells * line.pitch,
        ):
            places.append(end * wider)
            classes.append(NONE)
    columns = np.clip(np.round(places).astype(int), 0, len(values) - 1)
    return values[columns].astype(np.float16), np.array(classes)


def train(values: Values, classes: Values) -> list[Values]:
    """Train by Adam with label smoothing. Returns weights and biases, alternating, layer by
    layer.
    """
    noise = np.random.default_rng(0)
    sizes = (values.shape[1], *HIDDEN, NONE + 1)
    parameters: list[Values] = []
    for before, after in pairwise(sizes):
        weights = noise.standard_normal((before, after)) * np.sqrt(2 / before)
        parameters += [weights.astype(np.float32), np.zeros(after, np.float32)]
    first = [np.zeros_like(one) for one in parameters]
    second = [np.zeros_like(one) for one in parameters]
    batches = len(values) // BATCH
    step = 0
    # The learning rate falls linearly to almost zero.
    for epoch in range(EPOCHS):
        order = noise.permutation(len(values))
        right = 0
        for number in range(batches):
            value = order[number * BATCH : (number + 1) * BATCH]
            gradients, hits = _gradients(
                parameters, values[value].astype(np.float32), classes[value], noise
            )
            right += hits
            step += 1
            rate = RATE * (1 - step / (EPOCHS * batches)) + 1e-5
            # Adam: running means of the gradient and of its square, corrected for their start at
            # zero.
            for place, gradient in enumerate(gradients):
                first[place] = 0.9 * first[place] + 0.1 * gradient
                second[place] = 0.999 * second[place] + 0.001 * gradient**2
                mean = first[place] / (1 - 0.9**step)
                spread = np.sqrt(second[place] / (1 - 0.999**step))
                parameters[place] -= rate * mean / (spread + 1e-8)
        print(f"epoch {epoch + 1}: {right / (batches * BATCH):.4f} right", flush=True)
    return parameters


def _gradients(
    parameters: list[Values], values: Values, classes: Values, noise: Any
) -> tuple[list[Values], int]:
    # Forward pass: ReLU between the layers, dropout of 15 % after the first one.
    inputs = [values]
    layers = len(parameters) // 2
    for layer in range(layers):
        output = inputs[-1] @ parameters[2 * layer] + parameters[2 * layer + 1]
        if layer < layers - 1:
            output = np.maximum(output, 0)
        if layer == 0:
            is_right = noise.random(output.shape, dtype=np.float32) > 0.15
            output = output * is_right / np.float32(0.85)
        inputs.append(output)
    scores = inputs.pop()
    # Softmax; the maximum is subtracted to avoid an overflow.
    scores = np.exp(scores - scores.max(axis=1, keepdims=True))
    scores /= scores.sum(axis=1, keepdims=True)
    rows = np.arange(len(classes))
    # Label smoothing: a small share for each class, the rest for the right one.
    wanted = np.full(scores.shape, SMOOTHED / scores.shape[1], np.float32)
    wanted[rows, classes] += 1 - SMOOTHED
    error = (scores - wanted) / len(classes)
    # Backward pass, from the last layer to the first.
    gradients: list[Values] = []
    for layer in reversed(range(layers)):
        gradients[:0] = [inputs[layer].T @ error, error.sum(axis=0)]
        error = error @ parameters[2 * layer].T
        error = error * (inputs[layer] > 0)
        if layer == 1:
            error /= np.float32(0.85)
    return gradients, int((scores.argmax(axis=1) == classes).sum())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("fonts", nargs="+", metavar="FONT")
    parser.add_argument("--lines", type=int, default=9000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    pick = random.Random(arguments.seed)  # noqa: S311
    values, classes = [], []
    for _ in range(arguments.lines):
        line_values, line_classes = examples(pick, arguments.fonts)
        values.append(line_values)
        classes.append(line_classes)
    parameters = train(np.concatenate(values), np.concatenate(classes))
    stored = {}
    for place, numbers in enumerate(parameters):
        kind = ("weights", "bias")[place % 2]
        stored[f"{kind}{place // 2}"] = numbers.astype(np.float16)
    np.savez_compressed(zone_characters.WEIGHTS, **stored)


if __name__ == "__main__":
    main()
