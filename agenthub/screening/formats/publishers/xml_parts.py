"""Elements of large XML files by their depth, so that copies of them deeper down are not taken for more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import iterparse

from agenthub.screening.formats.base import ListError


def at_depth(file: IO[bytes], depth: int, *, root: str) -> Iterator[Element]:
    """The root first, with its attributes alone; then each element so many levels below it, which is
    forgotten after its turn, with all below it.

    Names are without namespaces. Entities and document types are refused.
    """
    stack: list[Element] = []
    try:
        for event, element in iterparse(file, events=("start", "end"), forbid_dtd=True):
            if event == "start":
                element.tag = element.tag.rpartition("}")[2]
                if not stack and element.tag != root:
                    raise ListError(
                        f"The file is another one: <{element.tag}>, not <{root}>."
                    )
                stack.append(element)
                if len(stack) == 1:
                    yield element
                continue
            stack.pop()
            if len(stack) == depth:
                yield element
                stack[-1].remove(element)
    except ParseError as exc:
        line, column = exc.position
        raise ListError(
            f"The XML ends early or is damaged at line {line}, column {column}."
        ) from exc
    except DefusedXmlException as exc:
        raise ListError(
            "The XML declares a document type or entities, which is refused."
        ) from exc
