"""The tools of the FrockBot package ``web`` for hosts in Python; docs/frockbot.md has an example."""

from webward.contracts.frockbot.classifier import classify
from webward.contracts.frockbot.fetch import strict_settings
from webward.contracts.frockbot.results import ToolResult
from webward.contracts.frockbot.tools import Admission, ToolDefinition, manifest
from webward.surfaces.frockbot.tools import WebTool, mounted, web_fetch_tool, web_search_tool

__all__ = [
    "Admission",
    "ToolDefinition",
    "ToolResult",
    "WebTool",
    "classify",
    "manifest",
    "mounted",
    "strict_settings",
    "web_fetch_tool",
    "web_search_tool",
]
