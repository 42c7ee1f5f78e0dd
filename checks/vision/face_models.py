"""Where the models of faces lie, where they are installed (`requirements/face.txt`).

Nothing is loaded here: whoever runs no such check must not pay for it.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

LIBRARY, PACKAGE = "dlib", "face_recognition_models"
MISSING = "dlib or its models (requirements/face.txt) is not installed"
# The package holds landmarks of 68 points, too, whose training data exclude commercial use: they
# are named nowhere, so that nothing can load them.
LANDMARKS = "shape_predictor_5_face_landmarks.dat"
CONFIRMING = "mmod_human_face_detector.dat"
MEASURING = "dlib_face_recognition_resnet_model_v1.dat"


def missing() -> str:
    """What is not there, in words; empty where faces can be compared."""
    names = (LANDMARKS, CONFIRMING, MEASURING)
    there = find_spec(LIBRARY) and all(path(name).is_file() for name in names)
    return "" if there else MISSING


def path(name: str) -> Path:
    """Where the file of a model would lie. The package itself is not imported."""
    spec = find_spec(PACKAGE)
    folders = spec.submodule_search_locations if spec else None
    return Path(next(iter(folders or ()), "")) / "models" / name
