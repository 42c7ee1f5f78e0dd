"""The check of the face on a government ID against a selfie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from checks import readers
from checks.base import (
    Box,
    Check,
    Evidence,
    Examined,
    Outcome,
    Tool,
    Verdict,
    boxes_to_wire,
)
from checks.data_check import (
    State,
    concluded,
    id_data,
    passed_of,
    row,
    text,
    verdict_of,
)
from checks.face_match import tunables
from checks.vision import face_models
from checks.wire import JsonObject, Wire
from papers.errors import UnreadableError

FRONT, SELFIE, VIDEO = "front_image_url", "face_match_image_url", "face_match_video_url"


class FaceComparison(Tool):
    """Finds the face on the ID and on the selfie, and tells how far apart they are.

    `distance` is 0 for the same picture, and null where nothing was compared; `faces_found` counts
    the faces of both pictures; `pictures` says where each face is. What was measured of a face to
    compare it is neither sent nor kept.
    """

    id = "kyc.face_match"
    payload_key = "face_match"

    def run(self, evidence: Evidence) -> Outcome:
        if evidence.beside is None:
            return self._undecided(
                "not_applicable", "There is no selfie to compare the ID with.", evidence
            )
        if lacking := face_models.missing():
            return self._undecided("inconclusive", f"Not checked: {lacking}.", evidence)
        for label, picture in (("The ID", evidence), ("The selfie", evidence.beside)):
            if picture.problem:
                explanation = (
                    f"{label} could not be opened. {picture.problem.explanation}"
                )
                return self._undecided("inconclusive", explanation, evidence)
        # The same file has the same face, which proves nothing.
        if evidence.file == evidence.beside.file:
            explanation = "Not compared: the ID and the selfie are the same file."
            return self._undecided("inconclusive", explanation, evidence)
        return self._compared(
            evidence, _picture("ID", evidence), _picture("selfie", evidence.beside)
        )

    def _undecided(
        self, verdict: Verdict, explanation: str, evidence: Evidence
    ) -> Outcome:
        payload = {
            self.payload_key: {"rows": []},
            "document": evidence.document_reference,
        }
        return Outcome(None, verdict, explanation, payload)

    def _compared(
        self, evidence: Evidence, front: _Picture, selfie: _Picture
    ) -> Outcome:
        rows = [_counted(front), _counted(selfie)]
        apart = None
        # Exactly one face of sufficient size is needed on each picture.
        if not (front.trouble or selfie.trouble):
            face_of_front = front.faces[0][0]
            face_of_selfie = selfie.faces[0][0]
            distance = _faces().distance(face_of_front, face_of_selfie)
            apart = round(distance, 3)
            rows.append(_judged(apart))
        verdict, explanation, alerts = verdict_of(
            rows, passed=_in_words(apart, "alike")
        )
        content = {
            "rows": rows,
            "distance": apart,
            "faces_found": {"front": len(front.faces), "selfie": len(selfie.faces)},
            "bounds": {"review": tunables.SAME, "fail": tunables.ANOTHER},
            "pictures": [_placed("ID, front", front), _placed("Selfie", selfie)],
            "versions": _faces().VERSIONS,
        }
        return Outcome(
            passed=passed_of(verdict),
            verdict=verdict,
            explanation=explanation,
            payload={
                self.payload_key: content,
                "document": evidence.document_reference,
            },
            alerts=alerts,
        )


class FaceMatch(Check):
    """Is the face on the ID that of the selfie beside it?

    Compares `front_image_url` of the government ID with `face_match_image_url`, on this machine, by
    dlib: the smaller the distance between two faces, the more alike they are.

    - a distance over 0.65: fail;
    - from 0.55 to 0.65: review;
    - below: pass;
    - no face, more than one, or one of fewer than 50 pixels, on either picture; a picture that
      could not be had or opened; both pictures the same file: inconclusive;
    - no front of the ID, or no selfie: not applicable.

    The bounds are those of this project about dlib's own of 0.6; they are not tuned to its cases.
    Nothing tells whether the person was before the camera, or only a picture of them: a photograph
    of the ID passes. The model errs more about some groups of people than about others. A video is
    not looked at. What was measured of a face is not kept.

    Needs `requirements/face.txt`. Where that is not installed, agents run it only if they name it,
    and it is inconclusive.
    """

    id = "kyc.face_match"
    title = "Face match"
    documents = "government_id_verification_data"
    tools = (FaceComparison(),)

    @property
    def lacks(self) -> str:
        return face_models.missing()

    def documents_of(self, attested: JsonObject) -> Sequence[JsonObject]:
        front = text(id_data(attested).get(FRONT))
        if front and selfie_of(attested):
            return [_wire(front)]
        return []

    def beside(self, document: JsonObject, attested: JsonObject) -> JsonObject | None:
        return selfie_of(attested)

    def conclude(self, examined: Sequence[Examined], attested: JsonObject) -> Outcome:
        if not examined:
            return Outcome(None, "not_applicable", _why_not(id_data(attested)))
        return concluded(examined[0], self.id)


def selfie_of(attested: JsonObject) -> JsonObject | None:
    """Return the Document of the selfie beside a government ID."""
    url = text(id_data(attested).get(SELFIE))
    if not url:
        return None
    return _wire(url)


@dataclass(frozen=True)
class _Picture:
    """The faces of one document, each with its place."""

    name: str
    document: JsonObject
    faces: Sequence[tuple[Any, Box]]
    unread: int  # pages that could not be drawn

    @property
    def trouble(self) -> str:
        """The reason, in words, why they cannot be compared; empty if they can."""
        if self.unread:
            return f"A page of the {self.name} could not be drawn."
        if not self.faces:
            return f"No face was found on the {self.name}."
        if len(self.faces) > 1:
            return (
                f"{len(self.faces)} faces were found on the {self.name}; one is needed."
            )
        width = self.faces[0][0].width
        if width < tunables.LEAST_WIDTH:
            return f"The face on the {self.name} is too small to be compared ({width} pixels wide)."
        return ""


def _picture(name: str, evidence: Evidence) -> _Picture:
    faces: list[tuple[object, Box]] = []
    unread = 0
    for number in range(1, min(evidence.page_count, tunables.MAX_PAGES) + 1):
        try:
            pixels = readers.draw_page(evidence.file, number, dpi=tunables.DPI)
        except UnreadableError:
            unread += 1
            continue
        edges = ((face, face.edges) for face in _faces().find(pixels))
        for face, sides in edges:
            faces.append((face, Box(number, *(round(e, 5) for e in sides))))
    return _Picture(name, evidence.document_reference, faces, unread)


def _faces() -> Any:
    return import_module(
        "checks.vision.faces"
    )  # with its models, where a picture is looked at


def _counted(picture: _Picture) -> Wire:
    state: State = "info"
    if picture.trouble:
        state = "unknown"
    details = row(
        f"Faces on the {picture.name}", len(picture.faces), state, picture.trouble
    )
    return details | {"source": str(picture.document.get("file_name") or "")}


def _judged(apart: float) -> Wire:
    if apart > tunables.ANOTHER:
        state: State = "fail"
    else:
        state = "review" if apart >= tunables.SAME else "pass"
    words = {
        "fail": "different",
        "review": "neither clearly alike nor clearly different",
        "pass": "alike",
    }[state]
    return row("Distance", f"{apart:.3f}", state, _in_words(apart, words)) | {
        "source": "dlib"
    }


def _in_words(apart: float | None, words: str) -> str:
    bound = {
        "alike": f"below {tunables.SAME}",
        "different": f"over {tunables.ANOTHER}",
    }.get(words)
    limits = bound or f"between {tunables.SAME} and {tunables.ANOTHER}"
    return f"The faces are {words} (distance {apart}, {limits})."


def _placed(label: str, picture: _Picture) -> Wire:
    boxes = boxes_to_wire([box for _, box in picture.faces])
    return {"label": label, "document": picture.document, "boxes": boxes}


def _wire(url: str) -> JsonObject:
    return {"type": "Document", "url": url, "file_name": None}


def _why_not(card: JsonObject) -> str:
    members = set()
    for member in (FRONT, SELFIE, VIDEO):
        if text(card.get(member)):
            members.add(member)
    if SELFIE in members:
        return "No front of an ID was submitted to compare with the selfie."
    if VIDEO in members:
        return "A video and no selfie was submitted: videos are not examined."
    if FRONT in members:
        return "No selfie was submitted to compare with the ID."
    return "Neither the front of an ID nor a selfie was submitted."
