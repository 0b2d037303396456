"""`webward mcp`: the tools for a host that speaks the Model Context Protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from webward.errors import InvalidConfiguration, ProviderNotConfigured
from webward.surfaces.cli import options
from webward.surfaces.cli.run import on_gateway, reporting
from webward.surfaces.tools import Toolbox

if TYPE_CHECKING:
    from webward.config import Settings
    from webward.engine.gateway import Gateway

TOOLS = ("read_page", "fetch", "web_search", "check_url")


@click.command("mcp")
@click.option("--allow-writes", is_flag=True, help="Let fetch use all methods, headers and bodies of the caller's own.")
@click.option("--tool", "only", type=click.Choice(TOOLS), multiple=True, help="Offer this tool only; may be repeated.")
@click.option(
    "--text-only", is_flag=True, help="Give no structuredContent, for hosts that show it to the model in place of text."
)
@options.policy_options
@click.pass_obj
def command(config_path: str | None, /, **given: Any) -> None:  # noqa: ANN401 - click hands over options
    """Serve the tools read_page, fetch, web_search and check_url to an MCP host.

    A host starts this itself, and speaks over standard input and output; docs/mcp.md says how. web_search is offered
    when a provider is set (docs/search.md). fetch is GET and HEAD without headers unless --allow-writes is given. It
    ends with standard input, or on SIGTERM.
    """
    with reporting():
        settings = options.settings_of(config_path, given["policy"], given["allow_cidr"])
        on_gateway(_with_workers(settings), lambda gateway: _session(gateway, given))


async def _session(gateway: Gateway, given: dict[str, Any]) -> None:
    try:
        from webward.surfaces.cli.mcp_stdio import serve_stdio  # noqa: PLC0415 - an extra
        from webward.surfaces.mcp.server import make_server  # noqa: PLC0415 - likewise
    except ModuleNotFoundError as error:
        raise InvalidConfiguration(f"webward mcp needs the extra: pip install 'webward[mcp]' ({error})") from None
    toolbox = Toolbox(gateway, allow_writes=given["allow_writes"], only=given["only"] or None)
    if "web_search" in given["only"] and not gateway.can_search:
        raise ProviderNotConfigured("web_search needs a search provider; docs/search.md says how to set one up")
    server = make_server(toolbox, structured=not given["text_only"])
    await serve_stdio(lambda taken, put: server.run(taken, put, server.create_initialization_options()))


def _with_workers(settings: Settings) -> Settings:
    """Pages are read apart, so that a slow one holds up no other call."""
    return replace(settings, content=replace(settings.content, workers=max(1, settings.content.workers)))
