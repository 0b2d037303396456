"""The tools ``fetch_url`` and ``web_search`` on a gateway, for any chat bot."""

from __future__ import annotations

import asyncio
import inspect
import secrets
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from webward.config import AnswerRules, ChatSettings
from webward.contracts.chat import refusals, replies
from webward.contracts.chat.tools import (
    FETCH_URL,
    WEB_SEARCH,
    FetchUrlInput,
    Style,
    Tool,
    WebSearchInput,
    arguments_of,
    definition,
)
from webward.engine.deadline import now
from webward.engine.excerpt import excerpt_of
from webward.engine.faults import reported
from webward.errors import BodyTooLarge, InvalidInput, UnsupportedContent, WebwardError
from webward.model import DEFAULT_RESULTS, Resource

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webward.contracts.chat.replies import ReplyImage, ToolReply
    from webward.engine.gateway import Gateway
    from webward.model import CachedImage, Page, PageImage, Preview, ProminentImage
    from webward.ports import ImageCache, Quota

BudgetGate = Callable[[str, str], bool | Awaitable[bool]]
"""Asked with user and channel before a call is counted; with False, the call is refused."""

RULES = AnswerRules(success=True)
BOUNDARY_BYTES = 16  # as many as nobody guesses
MAX_PREVIEW_SIDE = 1024  # in pixels; models look at no more

_Input = FetchUrlInput | WebSearchInput


class ChatTools:
    """The tools that a chat bot offers to its model; they may be called any number of times, also at once.

    Args:
        gateway: An open one.
        settings: Which tools are offered, and their limits: ``load_settings().chat``.
        quota: Counts the calls of each user.
        images: Keeps the images of pages for each channel.
        budget_gate: The host's own say before each call: what ``gate(user, channel)`` gives, or what awaiting that
            gives, must be true.

    Raises:
        InvalidInput: The settings are no `ChatSettings`.
    """

    def __init__(
        self,
        gateway: Gateway,
        settings: ChatSettings,
        quota: Quota,
        images: ImageCache,
        budget_gate: BudgetGate | None = None,
    ) -> None:
        if not isinstance(settings, ChatSettings):
            raise InvalidInput("settings must be webward.chat.ChatSettings, as load_settings().chat is")
        self._gateway = gateway
        self._settings = settings
        self._quota = quota
        self._images = images
        self._budget_gate = budget_gate

    def definitions(self, style: Style = "chat", *, strict: bool = True) -> list[dict[str, Any]]:
        """The tools that are offered, as a request to a model lists them.

        Args:
            style: ``chat`` for Chat Completions, ``responses`` for Responses.
            strict: Whether the server is to hold the model to the schemas.

        Raises:
            InvalidInput: There is no such style.
        """
        return [definition(tool, style, strict=strict) for tool in self._offered().values()]

    async def call(self, name: str, arguments: object, *, user: str | int, channel: str | int) -> ToolReply:
        """Do what a model asks for; whatever goes wrong is a reply, but for the cancellation of the task that calls.

        In this order: the tool is offered, the arguments are right, the budget gate says yes, the user has calls
        left, the URL may be requested. A call that comes to the fourth is counted.

        Args:
            name: Of the tool.
            arguments: JSON text, or a mapping.
            user: Whose call it is, in the host's own words.
            channel: Who sees the images.
        """
        try:
            return await self._called(name, arguments, str(user), str(channel))
        except WebwardError as error:
            return replies.refused(refusals.refusal_of(error))
        except Exception as error:  # noqa: BLE001 - the top handler of a call: a fault of ours must not stop the host
            return replies.refused(refusals.refusal_of(reported(error)))

    async def previews(self, images: Iterable[ReplyImage], *, channel: str | int) -> list[tuple[str, Preview]]:
        """Images of a channel drawn anew for a model or a person, each after its id; one that is gone is left out."""
        found: list[tuple[str, Preview]] = []
        for image in images:
            try:
                preview = await self._images.preview(image.id, channel=str(channel), max_side=MAX_PREVIEW_SIDE)
            except WebwardError:
                continue
            if preview is not None:
                found.append((image.id, preview))
        return found

    def resource(self, name: str) -> Resource:
        """What a call of a tool takes of a user's quota: ``quota.take(user, tools.resource(name), 0)`` tells how many.

        Args:
            name: ``fetch_url`` or ``web_search``.
        """
        settings = self._settings
        limit = settings.search_daily_per_user if name == WEB_SEARCH.name else settings.url_daily_per_user
        return Resource(name.replace("_", "-"), limit, settings.url_day_timezone)

    def _offered(self) -> dict[str, Tool[Any]]:
        can_search = self._settings.enable_web_search and self._gateway.can_search
        switches = ((FETCH_URL, self._settings.enable_url_reading), (WEB_SEARCH, can_search))
        return {tool.name: tool for tool, is_offered in switches if is_offered}

    async def _called(self, name: str, arguments: object, user: str, channel: str) -> ToolReply:
        offered = self._offered()
        tool = offered.get(str(name))
        if tool is None:
            return replies.refused(refusals.unknown_tool(list(offered)))
        try:
            given: _Input = arguments_of(tool, arguments)
        except InvalidInput as error:
            return replies.refused(refusals.invalid_arguments(error))
        if not await self._has_budget(user, channel):
            return replies.refused(refusals.OVER_BUDGET)
        decision = await self._quota.take(user, self.resource(tool.name))
        if not decision.allowed:
            return replies.refused(refusals.quota_exceeded(tool.name, decision))
        return await (self._search(given) if isinstance(given, WebSearchInput) else self._fetch_url(given, channel))

    async def _has_budget(self, user: str, channel: str) -> bool:
        if self._budget_gate is None:
            return True
        allowed = self._budget_gate(user, channel)
        return bool(await allowed if inspect.isawaitable(allowed) else allowed)

    async def _search(self, given: WebSearchInput) -> ToolReply:
        most = DEFAULT_RESULTS if given.max_results is None else given.max_results
        response = await self._gateway.search(given.query, most)
        return replies.found(response, boundary=_boundary())

    async def _fetch_url(self, given: FetchUrlInput, channel: str) -> ToolReply:
        settings = self._settings
        ends = now() + settings.url_timeout_seconds
        page = await self._gateway.read(
            given.url,
            timeout_ms=_ms(settings.url_timeout_seconds),
            max_bytes=settings.url_max_bytes,
            rules=RULES,
            format="text",
            content_filter={"type": "pruning"} if settings.url_main_content else None,
            include_media=settings.url_max_images > 0,
        )
        if page.reading.image is not None:
            return await self._image_itself(page, page.reading.image, channel)
        async with asyncio.TaskGroup() as group:
            reading = group.create_task(excerpt_of(page, max_chars=settings.url_max_chars))
            looking = group.create_task(self._images_of(page, channel, ends - now()))
        excerpt = reading.result()
        images, failed = looking.result()
        return replies.read(
            page,
            excerpt.text,
            truncated=excerpt.truncated or page.truncated or page.truncated_text,
            total_chars=excerpt.total_chars,
            boundary=_boundary(),
            images=images,
            failed_images=failed,
        )

    async def _image_itself(self, page: Page, image: PageImage, channel: str) -> ToolReply:
        if page.truncated:
            raise BodyTooLarge("the image is larger than a page may be", setting="chat.url-max-bytes")
        if self._settings.url_max_images == 0:
            raise _of(image, UnsupportedContent("images are not kept here", setting="chat.url-max-images"))
        try:
            kept = await self._images.put(channel, image.data, page.final_url)
        except UnsupportedContent as error:
            raise _of(image, error) from None
        shown = replies.reply_image(kept, None)
        return replies.read(page, "", truncated=False, total_chars=0, boundary=_boundary(), images=(shown,))

    async def _images_of(self, page: Page, channel: str, seconds: float) -> tuple[tuple[ReplyImage, ...], int]:
        most = self._settings.url_max_images
        kept: dict[str, CachedImage] = {}

        async def keep(image: ProminentImage) -> None:
            kept[image.src] = await self._images.put(channel, image.image.data, image.src)

        found = await self._gateway.prominent_images(page, most, timeout_ms=_ms(seconds), keep=keep)
        return tuple(replies.reply_image(kept[image.src], image.alt) for image in found.images), found.failed


def _of(image: PageImage, error: UnsupportedContent) -> UnsupportedContent:
    error.media_type = image.media_type
    return error


def _boundary() -> str:
    return secrets.token_hex(BOUNDARY_BYTES)


def _ms(seconds: float) -> int:
    return max(1, round(seconds * 1000))
