"""Parsers and renderers for JSON bodies, shared by the interfaces of the hub and of the desk.

Parsing is strict: a value that the database cannot store is refused here. Rendering passes text
that is JSON already through unchanged.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import IO, Any

import orjson
from django.conf import settings
from rest_framework import exceptions
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

# Levels of nesting. Real schemas need far fewer, and Python's recursion limit while the body is
# stored as JSON allows far more.
DEEPEST = 64
# The end of a member's name.
_ENDS_OF_NAMES = re.compile(rb'"\s*:')
# Datetimes are rendered as ISO 8601 in UTC with Z, UUIDs with dashes.
DUMP_OPTIONS = orjson.OPT_UTC_Z | orjson.OPT_NAIVE_UTC


class LengthRequired(exceptions.APIException):
    status_code = 411
    default_detail = "The request body needs a Content-Length."


class TooLarge(exceptions.APIException):
    status_code = 413
    default_detail = "The request body is too large."


class Unreadable(exceptions.ValidationError):
    """The body as a whole is not a JSON object that can be kept."""

    def __init__(self, message: str, *, code: str) -> None:
        super().__init__(message, code=code)


class OnlyJSON(BaseContentNegotiation):
    """Always JSON: the Accept header is ignored, because there is no other format."""

    def select_parser(
        self, request: Request, parsers: Iterable[BaseParser]
    ) -> BaseParser:
        # Compare without parameters such as "; charset=utf-8".
        media_type = request.content_type.partition(";")[0].strip().lower()
        readable = []
        for parser in parsers:
            if parser.media_type == media_type:
                return parser
            readable.append(parser.media_type)
        words = f"The Content-Type must be {' or '.join(readable)}."
        raise exceptions.UnsupportedMediaType(media_type, words)

    def select_renderer(
        self,
        request: Request,
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,
    ) -> tuple[BaseRenderer, str]:
        renderer = next(iter(renderers))
        return renderer, renderer.media_type


def content(request: Request) -> object:
    """The body as the view's parser reads it."""
    if (
        "Transfer-Encoding" in request.headers
        and "Content-Length" not in request.headers
    ):
        # A chunked body has no Content-Length, and Django would read 0 bytes of it. Without this
        # error the body would seem to be empty.
        raise LengthRequired
    _refuse_encoding(request)
    return request.data


def _refuse_encoding(request: Request) -> None:
    """Refuse a body that is compressed. Raises UnsupportedMediaType.

    Its parser would say that the body is not valid JSON.
    """
    coding = request.headers.get("Content-Encoding", "").strip().lower()
    if coding not in {"", "identity"}:
        words = "A body with a Content-Encoding is not read. Send it uncompressed."
        raise exceptions.UnsupportedMediaType(request.content_type, words)


class StrictJSON(BaseParser):
    """Parses a JSON object in UTF-8.

    orjson refuses NaN, numbers beyond a double and lone surrogates. Repeated members are refused here.
    """

    media_type = "application/json"

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, object] | None = None,
    ) -> dict[str, object]:
        raw = _read(stream)
        try:
            body = orjson.loads(raw)
        except orjson.JSONDecodeError:
            raise Unreadable(
                "The body is not valid JSON.", code="json_invalid"
            ) from None
        if not isinstance(body, dict):
            raise Unreadable("The body is not a JSON object.", code="not_an_object")
        refuse_what_cannot_be_kept(body)
        refuse_repeated_members(raw, body)
        return body


class RawJSON(BaseParser):
    """Returns the raw bytes of a JSON body, for views that verify a signature over them."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, object] | None = None,
    ) -> Any:
        return _read(stream)


class ReadyJSON(BaseRenderer):
    """Renders values, datetimes, UUIDs and parts that are JSON text already (orjson.Fragment)."""

    media_type = "application/json"
    format = "json"
    charset = None
    render_style = "binary"

    def render(
        self,
        data: object,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, object] | None = None,
    ) -> bytes:
        return b"" if data is None else orjson.dumps(data, option=DUMP_OPTIONS)


def _read(stream: IO[bytes]) -> bytes:
    most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    # Check the declared length first, so that an oversized body is refused without reading it.
    declared = int(getattr(stream, "META", {}).get("CONTENT_LENGTH") or 0)
    # Then read one byte more than allowed: the declared length may be wrong.
    if declared > most or len(body := stream.read(most + 1)) > most:
        raise TooLarge(f"The request body is larger than {most} bytes.")
    return body


def refuse_what_cannot_be_kept(body: dict[str, object]) -> None:
    """Refuse a body with a value that could not be stored and sent again. Raises Unreadable.

    It walks the body level by level instead of recursively, so that a deeply nested body cannot
    exceed Python's recursion limit.
    """
    level: list[object] = [body]
    for _ in range(DEEPEST):
        below: list[object] = []
        for value in level:
            if isinstance(value, dict):
                # The keys are strings as well, and are checked like values.
                below += value
                below += value.values()
            elif isinstance(value, list):
                below += value
            else:
                _refuse_value(value)
        if not below:
            return
        level = below
    raise Unreadable(f"The body nests deeper than {DEEPEST} levels.", code="too_deep")


def refuse_repeated_members(raw: bytes, body: dict[str, object]) -> None:
    """Refuse a body in which an object has two members of one name. Raises Unreadable.

    Programs differ in which of them counts (RFC 8259, section 4), so two systems would read two cases.
    orjson keeps the last one. `raw` is what `body` was read from.
    """
    # Each member has a `":` of its own, and a text may have some more. So where there are as many
    # as members, none was dropped, and the slower parser is not needed.
    if len(_ENDS_OF_NAMES.findall(raw)) > _count_members(body):
        json.loads(raw, object_pairs_hook=_unrepeated, parse_int=str, parse_float=str)


def _count_members(body: dict[str, object]) -> int:
    count = 0
    rest: list[object] = [body]
    while rest:
        value = rest.pop()
        if isinstance(value, dict):
            count += len(value)
            rest += value.values()
        elif isinstance(value, list):
            rest += value
    return count


def _unrepeated(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise Unreadable(
            "An object of the body has two members of one name.", code="repeated_member"
        )
    return members


def _refuse_value(value: object) -> None:
    if isinstance(value, str) and "\0" in value:
        raise Unreadable("The body holds the character U+0000.", code="nul_character")
    # orjson has already parsed an integer beyond 64 bits as a float. PostgreSQL would return a
    # float of that size as an integer, which orjson cannot render.
    if isinstance(value, float) and not -(2.0**63) <= value < 2.0**64:
        raise Unreadable(
            "The body holds a number beyond 64 bits.", code="number_too_large"
        )
