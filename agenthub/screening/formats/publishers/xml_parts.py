"""Reads large XML files by the depth of elements; equal elements at other depths are ignored."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO
from xml.etree.ElementTree import Element

from defusedxml.ElementTree import iterparse

from agenthub.screening.formats.base import ListError, faults_of_xml


def at_depth(file: IO[bytes], depth: int, *, root: str) -> Iterator[Element]:
    """Yield the root, with only its attributes, then each element `depth` levels below it.

    An element is dropped with its content after its turn, to save memory. Names have no namespaces.
    Raises ListError; document types and entities are refused.
    """
    stack: list[Element] = []
    with faults_of_xml():
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
