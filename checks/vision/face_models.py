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
    if find_spec(LIBRARY) is None:
        return MISSING
    for name in (LANDMARKS, CONFIRMING, MEASURING):
        if not path(name).is_file():
            return MISSING
    return ""


def path(name: str) -> Path:
    """Where the file of a model would lie. The package itself is not imported."""
    spec = find_spec(PACKAGE)
    folders: list[str] = []
    if spec and spec.submodule_search_locations:
        folders = list(spec.submodule_search_locations)
    package = Path(folders[0]) if folders else Path()
    return package / "models" / name
