"""Faults that nobody foresaw, as the top handlers of the surfaces tell of them."""

from __future__ import annotations

import asyncio

from webward.errors import WebwardError


def reported(error: Exception) -> WebwardError:
    """The error of a fault that nobody foresaw; what it was is for the event loop's handler, and not for a model."""
    fault = WebwardError("a fault of webward itself; please report it")
    asyncio.get_running_loop().call_exception_handler({"message": fault.message, "exception": error})
    return fault
