from __future__ import annotations

from ipaddress import ip_address

import pytest

from webward.errors import NameNotFound, ResolverFailed
from webward.testing import FakeResolver


async def test_the_last_answer_stays() -> None:
    resolver = FakeResolver()
    resolver.answer("site.test", ["93.184.216.34"], ["127.0.0.1", "::1"])
    assert await resolver.resolve("site.test") == (ip_address("93.184.216.34"),)
    for _ in range(2):
        assert await resolver.resolve("site.test") == (ip_address("127.0.0.1"), ip_address("::1"))


async def test_an_answer_may_be_an_error() -> None:
    resolver = FakeResolver()
    resolver.answer("site.test", ResolverFailed("down"), ["93.184.216.34"])
    with pytest.raises(ResolverFailed, match="down"):
        await resolver.resolve("site.test")
    assert await resolver.resolve("site.test") == (ip_address("93.184.216.34"),)


async def test_an_unknown_name_does_not_exist() -> None:
    resolver = FakeResolver()
    assert not resolver.knows("site.test")
    with pytest.raises(NameNotFound):
        await resolver.resolve("site.test")
    resolver.answer("site.test", [])
    assert resolver.knows("site.test")
    assert await resolver.resolve("site.test") == ()


async def test_questions_are_remembered_in_order() -> None:
    resolver = FakeResolver()
    resolver.answer("a.test", ["93.184.216.34"])
    await resolver.resolve("a.test")
    with pytest.raises(NameNotFound):
        await resolver.resolve("b.test")
    await resolver.resolve("a.test")
    assert resolver.questions == ["a.test", "b.test", "a.test"]


async def test_a_new_answer_replaces_the_old_ones() -> None:
    resolver = FakeResolver()
    resolver.answer("a.test", ["93.184.216.34"], ["93.184.216.35"])
    resolver.answer("a.test", ["93.184.216.36"])
    assert await resolver.resolve("a.test") == (ip_address("93.184.216.36"),)
