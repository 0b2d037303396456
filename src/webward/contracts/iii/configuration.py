"""The configuration entry ``web``: its keys, its schema, and the settings of a gateway that keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from webward.config.egress import LOOPBACK_CIDR, LOOPBACK_HOSTS
from webward.errors import InvalidConfiguration

if TYPE_CHECKING:
    from webward.config import Settings

NAME = "web"
DEFAULT_USER_AGENT = "iii-harness/0.1 (+web::fetch)"
MIB = 1024 * 1024

# What the gateway and one message of the bus (64 MiB) can bear; a larger number counts as this one.
CEILINGS: Mapping[str, int] = {
    "default_timeout_ms": 3_600_000,
    "max_timeout_ms": 3_600_000,
    "default_response_bytes": 40 * MIB,
    "max_response_bytes": 40 * MIB,
    "max_redirects": 20,
}


class WebConfiguration(Struct, frozen=True, kw_only=True):
    """What an operator sets; a key that is missing or null has its default, one that is not known is passed over."""

    default_timeout_ms: Annotated[
        int, Meta(ge=1, description="Of a call that gives no timeout_ms, in milliseconds.")
    ] = 30_000
    max_timeout_ms: Annotated[
        int, Meta(ge=1, description="The most that a call's timeout_ms counts for, in milliseconds; at most an hour.")
    ] = 120_000
    default_response_bytes: Annotated[
        int, Meta(ge=1, description="Of a body in page-reading mode when a call gives no max_bytes.")
    ] = 256 * 1024
    max_response_bytes: Annotated[
        int,
        Meta(ge=1, description="The most that a call's max_bytes counts for, and its default otherwise; <= 40 MiB."),
    ] = 5 * MIB
    max_transform_bytes: Annotated[
        int, Meta(ge=0, description="HTML bodies up to this size are rendered; larger ones are given as they are.")
    ] = MIB
    max_redirects: Annotated[
        int, Meta(ge=0, description="Redirects that are followed; one more is too_many_redirects. At most 20.")
    ] = 5
    user_agent: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=256,
            pattern=r"^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?\Z",
            description="What sites are told: always in raw mode, after a Cloudflare challenge in page-reading mode.",
        ),
    ] = DEFAULT_USER_AGENT
    allow_loopback: Annotated[
        bool,
        Meta(description="Whether 127.0.0.0/8, ::1 and localhost may be requested; set it to false in production."),
    ] = True
    inject_guidance: Annotated[
        bool, Meta(description="Whether the harness adds a section on web::fetch to the system prompt.")
    ] = True


DEFAULTS = WebConfiguration()


def decode_configuration(value: object) -> WebConfiguration:
    """The configuration of a stored value, flat or under the key ``web``; None is one that sets nothing.

    Raises:
        InvalidConfiguration: It is no object, or a key has a bad value.
    """
    given = _unwrapped(value)
    if not isinstance(given, Mapping):
        raise InvalidConfiguration("the web configuration must be an object")
    try:
        decoded = msgspec.convert({key: entry for key, entry in given.items() if entry is not None}, WebConfiguration)
    except UnicodeEncodeError:
        raise InvalidConfiguration("a key of the web configuration holds a lone surrogate") from None
    except msgspec.ValidationError as error:
        problem, _, place = str(error).partition(" - at `$.")
        key = place.rstrip("`") or None
        message = f"{key or 'the web configuration'}: {problem}"
        raise InvalidConfiguration(message, setting=key) from None
    return replace(decoded, **{key: min(getattr(decoded, key), most) for key, most in CEILINGS.items()})


def kept(value: object, good: WebConfiguration) -> WebConfiguration:
    """What counts in place of a value that is bad: the last good one, but a ban on loopback is heard all the same."""
    given = _unwrapped(value)
    bans = isinstance(given, Mapping) and given.get("allow_loopback") is False
    return replace(good, allow_loopback=False) if bans else good


def stored_form(configuration: WebConfiguration) -> dict[str, Any]:
    """A configuration as the configuration worker keeps it."""
    return msgspec.structs.asdict(configuration)


def configuration_schema() -> dict[str, Any]:
    """JSON Schema of the entry."""
    _, components = msgspec.json.schema_components([WebConfiguration])
    properties = components["WebConfiguration"]["properties"]
    del properties["user_agent"][
        "pattern"
    ]  # the engine's own regular expressions have no \\Z, and $ allows a line feed
    return {"type": "object", "properties": properties, "additionalProperties": True}


def gateway_settings(settings: Settings, configuration: WebConfiguration) -> Settings:
    """An operator's settings under a configuration: public addresses, and loopback where that is allowed.

    What the operator refuses stays refused; what they opened with ``unsafe-allow`` is closed here. The name localhost
    may always be asked for, so that its addresses are what is judged.
    """
    egress = replace(
        settings.egress,
        url_credentials="authorization",
        unsafe_allow_hosts=LOOPBACK_HOSTS,
        unsafe_allow_cidr=LOOPBACK_CIDR if configuration.allow_loopback else (),
        unsafe_allow_own_addresses=False,
    )
    limits = replace(
        settings.limits,
        redirects=configuration.max_redirects,
        deadline_seconds=configuration.max_timeout_ms / 1000,
        max_deadline_seconds=configuration.max_timeout_ms / 1000,
        body_bytes=configuration.max_response_bytes,
        max_body_bytes=configuration.max_response_bytes,
    )
    network = replace(settings.network, user_agent=configuration.user_agent)
    content = replace(settings.content, workers=max(1, settings.content.workers))
    return replace(settings, egress=egress, limits=limits, network=network, content=content)


def _unwrapped(value: object) -> object:
    """The keys themselves; what may lie around them is the name of the entry."""
    if value is None:
        return {}
    if isinstance(value, Mapping) and isinstance(value.get(NAME), Mapping):
        return value[NAME]
    return value
