"""The gateway: each call is checked, then handed to the parts that do it."""
# ruff: noqa: PLC0415 - what only some calls need is imported when they come, so that `webward check` starts sooner

from __future__ import annotations

from typing import TYPE_CHECKING, Self, Unpack

from webward.config import ReadKeywords, Settings, checked_settings, load_settings
from webward.engine.call import HeaderInput, checked_call, checked_options
from webward.engine.check import check
from webward.engine.deadline import deadline, now
from webward.engine.parts import Parts
from webward.errors import InvalidInput
from webward.model import DEFAULT_RESULTS, Fetched

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from http.cookiejar import CookieJar
    from types import TracebackType, UnionType

    from webward.config import AnswerRules
    from webward.engine.images import Keep
    from webward.engine.search import SearchFilters
    from webward.model import Checked, Page, ProminentImages, SearchResponse
    from webward.net.cookies import TaskCookies
    from webward.ports import Clock, Credential, ImageCache, Interfaces, Quota, Resolver, SearchProvider, Transport

NO_URL = "about:blank"  # against which no relative link resolves


class Gateway:
    """Reads the public web, and nothing but judged addresses is ever dialed.

    Use it as an asynchronous context manager, and for many calls: it keeps connections and answers of name servers.

    Args:
        settings: By default those of the settings file and the environment (`webward.Settings`).
        resolver, interfaces, clock: Parts to use instead of the real ones; `webward.testing` has some.
        transport: Likewise; it is closed with the gateway.
        search_providers: Search providers of the host's own, found by their names before webward's; the first of them
            is asked unless the settings or the call choose another.
        credentials: What leases the keys of webward's providers, by their names, in place of the keys in the settings.

    Raises:
        InvalidConfiguration: A setting is unknown or bad.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        resolver: Resolver | None = None,
        transport: Transport | None = None,
        interfaces: Interfaces | None = None,
        clock: Clock | None = None,
        search_providers: Iterable[SearchProvider] = (),
        credentials: Mapping[str, Credential] | None = None,
    ) -> None:
        self.settings = load_settings() if settings is None else checked_settings(settings)
        self._parts = Parts(
            self.settings,
            resolver=resolver,
            transport=transport,
            interfaces=interfaces,
            clock=clock,
            search_providers=search_providers,
            credentials=credentials or {},
        )
        self._is_open = self._was_opened = False

    async def __aenter__(self) -> Self:
        if self._was_opened:
            raise InvalidInput("a gateway can be opened once; make another one")
        self._was_opened = self._is_open = True
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_open = False
        await self._parts.close()

    async def fetch(
        self,
        url: str,
        *,
        method: str | None = None,
        headers: HeaderInput | None = None,
        json: object = None,
        body: bytes | str | None = None,
        timeout_ms: int | None = None,
        max_bytes: int | None = None,
        follow_redirects: bool = True,
        cookies: CookieJar | None = None,
        rules: AnswerRules | None = None,
    ) -> Fetched:
        """Make one HTTP request and follow where it leads.

        HTTP/1.1 as RFC 9110 and 9112 have it; redirects, methods and ports as the Fetch standard has them.

        Args:
            url: An absolute http or https URL.
            method: GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS; by default GET, or POST when there is a body.
            headers: Request headers, as a mapping or as pairs.
            json: A value to send as JSON.
            body: Bytes to send, or text to send as UTF-8.
            timeout_ms: The one deadline over names, dial, TLS, head, body and all hops, in milliseconds.
            max_bytes: Of the decoded body, in bytes; a longer one is cut, and ``truncated`` says so.
            follow_redirects: Whether a redirect is followed or is itself the answer.
            cookies: A jar of this task's own; without one no cookie is kept or sent.
            rules: What the answer must be (`webward.config.AnswerRules`); by default any is taken.

        Returns:
            The answer, whatever its status, unless the rules say otherwise.

        Raises:
            InvalidInput: The URL, a header or another argument is wrong.
            Refused: The egress policy says no.
            LimitExceeded: The deadline or the number of redirects is passed.
            TransportError: The network or the server failed.
            ContentUndecodable: The body has more content codings than are undone.
        """
        self._require_open()
        call = checked_call(
            self.settings.limits,
            method=method,
            headers=headers,
            json=json,
            body=body,
            timeout_ms=timeout_ms,
            max_bytes=max_bytes,
            follow_redirects=follow_redirects,
            rules=rules,
        )
        return await self._parts.fetcher.fetch(url, call, cookies=_task_cookies(cookies))

    async def read(
        self,
        url: str,
        *,
        headers: HeaderInput | None = None,
        timeout_ms: int | None = None,
        max_bytes: int | None = None,
        cookies: CookieJar | None = None,
        rules: AnswerRules | None = None,
        **options: Unpack[ReadKeywords],
    ) -> Page:
        """Fetch a page and give it in a form for a reader; charsets as the Encoding standard has them.

        Args:
            url: An absolute http or https URL.
            headers: Request headers, as a mapping or as pairs.
            timeout_ms: The one deadline over the fetch and the reading, in milliseconds. Without workers it is asked
                for after each step of the reading, and may be passed by as much as one takes.
            max_bytes: Of the decoded body, in bytes.
            cookies: A jar of this task's own; without one no cookie is kept or sent.
            rules: What the answer must be (`webward.config.AnswerRules`); by default any is taken.
            options: As `ReadOptions` has them: ``format``, ``start``, ``max_chars``, ``target_elements``,
                ``excluded_tags``, ``content_filter``, ``include_links``, ``include_media``, ``sanitize``.

        Returns:
            The page, whatever its status, unless the rules say otherwise.

        Raises:
            InvalidInput: An option is wrong, or a selector is no CSS selector.
            UnsupportedContent: There is no rendition of the answer's media type.
            ContentTooCostly: A worker came to its limit on the content.
            WebwardError: As `fetch`.
        """
        from webward.engine.read import ACCEPT, page_of

        self._require_open()
        chosen = checked_options(options)
        call = checked_call(
            self.settings.limits, headers=headers, timeout_ms=timeout_ms, max_bytes=max_bytes, rules=rules
        )
        began = now()
        fetched = await self._parts.fetcher.fetch(url, call, accept=ACCEPT, cookies=_task_cookies(cookies))
        async with deadline(call.deadline_seconds, since=began):
            return await page_of(fetched, chosen, self._parts.work)

    async def render(
        self,
        body: bytes | Fetched,
        *,
        url: str | None = None,
        media_type: str | None = None,
        **options: Unpack[ReadKeywords],
    ) -> Page:
        """Give what is here already in the form that `read` would give; nothing is requested.

        Args:
            body: The document: bytes such as a file's, or what `fetch` gave, which knows the other two itself.
            url: Where the bytes came from: their links are resolved against it.
            media_type: Of the bytes, as a Content-Type header would declare it; by default they are asked.
            options: As for `read`.

        Raises:
            InvalidInput: An argument or option is wrong, or a selector is no CSS selector.
            UnsupportedContent, ContentUndecodable, ContentTooCostly: As for `read`.
        """
        from webward.core.url import parse
        from webward.engine.fetch import from_bytes
        from webward.engine.read import page_of

        self._require_open()
        chosen = checked_options(options)
        if isinstance(body, Fetched):
            if url is not None or media_type is not None:
                raise InvalidInput("what was fetched has its own URL and media type")
            return await page_of(body, chosen, self._parts.work)
        _require(body, bytes, "body must be bytes, or what was fetched")
        _require(media_type, str | None, "media_type must be text")
        source = parse(url).url if url else NO_URL
        fetched = from_bytes(body, url=source, media_type=media_type, clock=self._parts.clock)
        return await page_of(fetched, chosen, self._parts.work)

    async def prominent_images(
        self,
        page: Page,
        most: int,
        *,
        timeout_ms: int | None = None,
        max_bytes: int | None = None,
        keep: Keep | None = None,
    ) -> ProminentImages:
        """Fetch the images that stand for a page: the one that it names (``og:image``), then large ones, all at once.

        Large are those that declare 200 pixels or more both ways, and in the content of the page those that do not
        declare their size. Images in data URLs and SVG are passed over.

        Args:
            page: As `read` gave it with ``include_media``.
            most: How many are wanted.
            timeout_ms: The one deadline over all of them, in milliseconds.
            max_bytes: Of one image, in bytes; by default 5 MB. A longer one fails.
            keep: Awaited with each image as it comes, while others are on their way; one for which it raises a
                `WebwardError` fails.

        Returns:
            Those that came. One that fails, whatever the reason, is counted; another may be asked for in its place.

        Raises:
            InvalidInput: An argument is wrong.
        """
        from webward.engine.images import MAX_IMAGE_BYTES, RULES, prominent_images

        self._require_open()
        _require(most, int, "most must be a whole number")
        max_bytes = MAX_IMAGE_BYTES if max_bytes is None else max_bytes
        call = checked_call(self.settings.limits, timeout_ms=timeout_ms, max_bytes=max_bytes, rules=RULES)
        return await prominent_images(page, most, fetcher=self._parts.fetcher, call=call, keep=keep)

    async def search(
        self,
        query: str,
        max_results: int = DEFAULT_RESULTS,
        *,
        provider: str | None = None,
        effect_id: str | None = None,
        timeout_ms: int | None = None,
        **filters: Unpack[SearchFilters],
    ) -> SearchResponse:
        """Search the web through the provider that the settings choose, or another one.

        Args:
            query: 1 to 400 characters, after trimming.
            max_results: 1 to 10; ``search.max-results`` may allow less.
            provider: Name of the provider to ask.
            effect_id: The caller's name for this call; a leased key is settled under it.
            timeout_ms: The one deadline, in milliseconds.
            filters: ``allowed_domains`` and ``blocked_domains``, hosts that stand for all below them, too;
                ``published_after`` and ``published_before``, first and last day, as YYYY-MM-DD.

        Returns:
            The hits, sanitized; ``notes`` tells what the provider could not do.

        Raises:
            InvalidInput: An argument is wrong.
            ProviderNotConfigured: No provider is chosen, or it lacks a setting.
            ProviderUnauthorized, ProviderFailed: The provider gave no results.
            DeadlineExceeded: The time is over.
        """
        from webward.engine.search import checked_effect_id, checked_request, search

        self._require_open()
        request = checked_request(query, max_results, **filters)
        call = checked_call(self.settings.limits, timeout_ms=timeout_ms)
        effect_id = checked_effect_id(effect_id)
        ceiling = self.settings.search.max_results
        asked = self._parts.providers.named(provider)  # last: a call that is wrong is told so before what it would need
        return await search(request, asked, effect_id=effect_id, call=call, ceiling=ceiling)

    @property
    def can_search(self) -> bool:
        """Whether `search` has a provider to ask: one is chosen, and it lacks no setting."""
        return self._parts.providers.can_ask()

    @property
    def quota(self) -> Quota:
        """The counters for each user and day, in the store of the settings.

        Raises:
            InvalidConfiguration: The settings name no folder for it.
        """
        self._require_open()
        return self._parts.quota

    @property
    def images(self) -> ImageCache:
        """The images kept for each channel, in the store of the settings.

        Raises:
            InvalidConfiguration: The settings name no folder for it.
        """
        self._require_open()
        return self._parts.images

    async def check(self, url: str) -> Checked:
        """Judge a URL as `fetch` would, resolve its name, and request nothing.

        The addresses are classed by the special-purpose registries of IANA (RFC 6890).

        Args:
            url: An absolute http or https URL.

        Returns:
            The verdicts in order, up to the first refusal.

        Raises:
            InvalidUrl, SchemeRefused: It is no URL that may be requested.
            TransportError, LimitExceeded: Its name cannot be resolved.
        """
        self._require_open()
        return await check(
            url,
            egress=self._parts.egress,
            resolve=self._parts.resolve,
            interfaces=self._parts.interfaces,
            deadline_seconds=self.settings.limits.deadline_seconds,
        )

    def _require_open(self) -> None:
        if not self._is_open:
            raise InvalidInput("the gateway is not open; use it inside `async with Gateway() as gateway`")


def _require(value: object, kind: type | UnionType, problem: str) -> None:
    if not isinstance(value, kind):
        raise InvalidInput(problem)


def _task_cookies(jar: CookieJar | None) -> TaskCookies | None:
    if jar is None:
        return None
    from http.cookiejar import CookieJar

    if not isinstance(jar, CookieJar):
        raise InvalidInput("cookies must be an http.cookiejar.CookieJar")
    from webward.net.cookies import TaskCookies

    return TaskCookies(jar)
