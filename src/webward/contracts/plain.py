"""Results as plain text, in the one form that the command line prints and that tools give a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webward.model import Checked, Hit, Reading, SearchResponse, Verdict

INDENT = "   "


def hits_text(response: SearchResponse) -> str:
    """What a search found: a numbered block a hit, with its title, its URL and its snippet."""
    return "\n\n".join(_hit(number, hit) for number, hit in enumerate(response.hits, start=1))


def verdicts_text(checked: Checked) -> str:
    """What the policy says about a URL: the answer, then the verdict of each rule on a line of its own."""
    lines = [f"{'allowed' if checked.allowed else 'refused'}  {checked.url}"]
    return "\n".join([*lines, *map(_verdict, checked.verdicts)])


def lists_text(reading: Reading) -> str:
    """Links and media that were asked for, as Markdown lists under headings; empty when none were."""
    links, media = reading.links, reading.media
    lines: list[str] = []
    if links is not None:
        found = [f"- [{link.text}]({link.href})" for link in (*links.internal, *links.external)]
        lines += ["## Links", "", *(found or ["none"])]
    if media is not None:
        found = [f"- {image.src} {image.alt or ''}".rstrip() for image in media.images]
        found += [f"- {source}" for source in (*media.videos, *media.audios)]
        lines += [*([""] if lines else []), "## Media", "", *(found or ["none"])]
    return "\n".join(lines)


def _hit(number: int, hit: Hit) -> str:
    lines = (f"{number}. {hit.title or hit.url}", hit.url, hit.snippet)
    return f"\n{INDENT}".join(line for line in lines if line)


def _verdict(verdict: Verdict) -> str:
    answer = "allowed" if verdict.allowed else f"refused ({verdict.code})"
    setting = f"; setting: {verdict.setting}" if verdict.setting else ""
    return f"  {verdict.rule:<12}{answer:<31}{verdict.reason}{setting}"
