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
import numpy.typing as npt

ENGINE = "RapidOCR"
MODELS = {"Det": "PP-OCRv6_det_small.onnx", "Rec": "PP-OCRv6_rec_small.onnx"}
# Lines are sought in a picture of this size at most, and read from one of that: what is sought in
# decides on the memory.
SOUGHT_IN, READ_FROM = 1280, 2000
# Lines, and their widths in heights, in one picture: each takes its time. A full page has a
# hundred of thirty.
MAX_LINES, MAX_WIDTHS = 300, 5000
MIN_CONFIDENCE = 0.5
Grey = npt.NDArray[Any]
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
        # Of a picture without print it tells the words of nothing.
        if getattr(output, "txts", None):
            words = output.word_results
        else:
            words = ()
        lines = [list(_pieces(line)) for line in words]
    except SecondLookError:
        raise
    except Exception as exc:  # out of memory it raises whatever failed first
        raise SecondLookError(f"{ENGINE} failed on it ({type(exc).__name__})") from exc
    return [line for line in lines if line]


def _pieces(words: Sequence[tuple[str, float, Any]]) -> Iterator[Piece]:
    for text, confidence, corners in words:
        if text and confidence >= MIN_CONFIDENCE:
            points = np.asarray(corners, dtype=float).reshape(-1, 2)
            (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
            yield Piece(
                text, (int(left), int(top), int(right), int(bottom)), float(confidence)
            )


@cache
def _engine() -> Any:
    import rapidocr

    models = Path(rapidocr.__file__).parent / "models"
    engine: Any = rapidocr.RapidOCR(
        params={
            "Global.log_level": "critical",
            "Global.use_cls": False,
            "Global.max_side_len": READ_FROM,
            "Det.limit_type": "max",
            "Det.limit_side_len": SOUGHT_IN,
            "Det.max_candidates": MAX_LINES,
            "Rec.rec_batch_num": 1,
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
            "EngineConfig.onnxruntime.enable_cpu_mem_arena": False,
            **{
                f"{part}.model_path": str(models / name)
                for part, name in MODELS.items()
            },
        }
    )
    read = engine.recognize_txt

    def read_no_more_than_fits(pictures: list[Any]) -> Any:
        if (
            sum(picture.shape[1] / picture.shape[0] for picture in pictures)
            > MAX_WIDTHS
        ):
            raise SecondLookError(f"{ENGINE} was not asked: there is too much to read")
        return read(pictures)

    engine.recognize_txt = read_no_more_than_fits
    return engine
