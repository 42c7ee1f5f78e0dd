"""Where the face models are, if they are installed (`requirements/face.txt`).

Nothing is loaded here, so that processes without such a check do not pay for it.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

LIBRARY, PACKAGE = "dlib", "face_recognition_models"
MISSING = "dlib or its models (requirements/face.txt) is not installed"
# The package also has a model of 68 landmarks, but the licence of its training data excludes
# commercial use. Its file is named nowhere, so that nothing can load it.
LANDMARKS = "shape_predictor_5_face_landmarks.dat"
CONFIRMING = "mmod_human_face_detector.dat"
MEASURING = "dlib_face_recognition_resnet_model_v1.dat"


def missing() -> str:
    """Return what is not installed, in words; empty if faces can be compared."""
    if find_spec(LIBRARY) is None:
        return MISSING
    for name in (LANDMARKS, CONFIRMING, MEASURING):
        if not path(name).is_file():
            return MISSING
    return ""


def path(name: str) -> Path:
    """Return where the file of a model would be. The package itself is not imported."""
    spec = find_spec(PACKAGE)
    folders: list[str] = []
    if spec and spec.submodule_search_locations:
        folders = list(spec.submodule_search_locations)
    package = Path(folders[0]) if folders else Path()
    return package / "models" / name
