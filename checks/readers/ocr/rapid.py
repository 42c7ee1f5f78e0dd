"""A second reading by RapidOCR, if it is installed (`requirements/ocr-hq.txt`).

Its models are in its wheel. Each is given by path, because RapidOCR downloads models without a
path. The process that reads the document loads it on first use.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from checks.readers.ink import Grey
from checks.readers.ocr import tunables

ENGINE = "RapidOCR"
MODELS = {"Det": "PP-OCRv6_det_small.onnx", "Rec": "PP-OCRv6_rec_small.onnx"}
# Left, upper, right and lower edge in pixels.
Edges = tuple[int, int, int, int]


class SecondLookError(Exception):
    """The second engine failed; the first reading stays."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A word, its edges in the picture, and the confidence of the engine."""

    text: str
    edges: Edges
    confidence: float


def read_lines(picture: Grey) -> list[list[Piece]]:
    """Return the lines of an upright picture, from top to bottom. Raises SecondLookError."""
    try:
        output = _engine()(
            cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR), return_word_box=True
        )
        lines: list[list[Piece]] = []
        # For a picture without print RapidOCR still returns word results, but no texts.
        if getattr(output, "txts", None):
            for words in output.word_results:
                lines.append(list(_pieces(words)))
    except SecondLookError:
        raise
    except Exception as exc:  # if memory runs out, it raises whatever failed first
        raise SecondLookError(f"{ENGINE} failed on it ({type(exc).__name__})") from exc
    return [line for line in lines if line]


def _pieces(words: Sequence[tuple[str, float, object]]) -> Iterator[Piece]:
    for text, confidence, corners in words:
        # Below this confidence the engine reads stains as letters.
        if not text or confidence < tunables.MIN_SECOND_CONFIDENCE:
            continue
        points = np.asarray(corners, dtype=float).reshape(-1, 2)
        left, top = map(int, points.min(axis=0))
        right, bottom = map(int, points.max(axis=0))
        yield Piece(text, (left, top, right, bottom), float(confidence))


@cache
def _engine() -> Any:
    import rapidocr

    models = Path(rapidocr.__file__).parent / "models"
    model_paths: dict[str, str] = {}
    for part, name in MODELS.items():
        model_paths[f"{part}.model_path"] = str(models / name)
    engine: Any = rapidocr.RapidOCR(
        params={
            "Global.log_level": "critical",
            "Global.use_cls": False,
            "Global.max_side_len": tunables.READ_FROM,
            "Det.limit_type": "max",
            "Det.limit_side_len": tunables.SOUGHT_IN,
            "Det.max_candidates": tunables.MAX_LINES,
            "Rec.rec_batch_num": 1,
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
            "EngineConfig.onnxruntime.enable_cpu_mem_arena": False,
            **model_paths,
        }
    )
    recognise = engine.recognize_txt

    # RapidOCR first cuts out the lines and then reads them. The amount of work is known only
    # between these two steps, so its second step is replaced by one with a limit.
    def recognise_no_more_than_fits(pictures: list[Grey]) -> object:
        widths = 0.0
        for picture in pictures:
            height, width = picture.shape[:2]
            widths += width / height
        # The time depends on the total width of the lines in proportion to their height.
        if widths > tunables.MAX_WIDTHS:
            raise SecondLookError(f"{ENGINE} was not asked: there is too much to read")
        return recognise(pictures)

    engine.recognize_txt = recognise_no_more_than_fits
    return engine
