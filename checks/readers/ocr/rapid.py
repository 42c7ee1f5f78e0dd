"""A second look at pictures of words, by RapidOCR where it is installed (`requirements/ocr-hq.txt`).

Its models lie in its wheel and are named one by one, since it fetches what nobody names. It is
loaded by the process that reads the document, when it is first asked for.
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
    """The second engine did not come to an end; what the first read stands."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A word, where it stands in the picture, and how sure the engine is."""

    text: str
    edges: Edges
    confidence: float


def read_lines(picture: Grey) -> list[list[Piece]]:
    """The lines of a picture that stands upright, from top to bottom."""
    try:
        output = _engine()(
            cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR), return_word_box=True
        )
        lines: list[list[Piece]] = []
        # Of a picture without print it tells the words of nothing.
        if getattr(output, "txts", None):
            for words in output.word_results:
                lines.append(list(_pieces(words)))
    except SecondLookError:
        raise
    except Exception as exc:  # out of memory it raises whatever failed first
        raise SecondLookError(f"{ENGINE} failed on it ({type(exc).__name__})") from exc
    return [line for line in lines if line]


def _pieces(words: Sequence[tuple[str, float, object]]) -> Iterator[Piece]:
    for text, confidence, corners in words:
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

    # It cuts the lines out itself: only between its two steps is it known how much there is.
    def recognise_no_more_than_fits(pictures: list[Grey]) -> object:
        widths = 0.0
        for picture in pictures:
            height, width = picture.shape[:2]
            widths += width / height
        if widths > tunables.MAX_WIDTHS:
            raise SecondLookError(f"{ENGINE} was not asked: there is too much to read")
        return recognise(pictures)

    engine.recognize_txt = recognise_no_more_than_fits
    return engine
