"""Runs asynchronous code in tests."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any


def run(coroutine: Coroutine[Any, Any, Any]) -> None:
    """As asyncio.run(), also where a browser of an earlier test keeps its own loop in this thread.

    Playwright leaves that loop marked as running, and another one cannot begin then.
    """
    other = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    try:
        asyncio.run(coroutine)
    finally:
        asyncio._set_running_loop(other)
