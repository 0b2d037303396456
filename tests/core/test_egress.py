# ruff: noqa: RUF001 - look-alike characters are what is tested

from __future__ import annotations

import itertools
from ipaddress import IPv4Address, ip_address

import pytest
from tests.core.judging import (
    DEVELOPMENT_EGRESS,
    NAME,
    OWN,
    PUBLIC,
    PUBLIC_EGRESS,
    PUBLIC_IPV6,
    STRICT_EGRESS,
    assert_tells_no_address,
    refused,
    routed,
)

from webward.config import EgressPolicy, Limits
from webward.core.bad_ports import BAD_PORTS
from webward.core.egress import INTERNAL_SUFFIXES, Egress, refusal
from webward.core.url import parse
from webward.errors import HostRefused, NameNotFound, Refused, WebwardError
from webward.model import AddressClass, JudgedAddress, Target

C = AddressClass

# What the names of ssrf.md 2c resolve to.
ANSWERS = {
    "pub.test": PUBLIC,
    "xn--bcher-kva.test": PUBLIC,
    "xn--fa-hia.test": PUBLIC,
    "127.0.0.1.nip.test": "127.0.0.1",
    "127-0-0-1.sslip.test": "127.0.0.1",
    "7f000001.nip.test": "127.0.0.1",
    "localhost": "127.0.0.1",
    "app.localhost": "::1",
    "x.invalid": PUBLIC,
    "x.example": PUBLIC,
    "home.test": PUBLIC,
    "mylocalhost.test": PUBLIC,
}

# Every row of ssrf.md 2c, with what this design wants: a code, or "ok" when the public address may be dialed.
URLS = [
    ("http://127.1/", "refused-address"),
    ("http://0/", "refused-address"),
    ("http://0x/", "refused-address"),
    ("http://2130706433/", "refused-address"),
    ("http://0x7f000001/", "refused-address"),
    ("http://0x7f.1/", "refused-address"),
    ("http://017700000001/", "refused-address"),
    ("http://0177.0.0.1/", "refused-address"),
    ("http://127.0.0.1./", "refused-address"),
    ("http://127.0.0.1/", "refused-address"),
    ("http://127%2e0%2e0%2e1/", "refused-address"),
    ("http://%31%32%37.0.0.1/", "refused-address"),
    ("http://127。0。0。1/", "refused-address"),
    ("http://①②⑦.⓪.⓪.①/", "refused-address"),
    ("http://①②⑦.0.0.1/", "refused-address"),
    ("http://[fe80::1%lo]/", "invalid-url"),
    ("http://[::1]/", "refused-address"),
    ("https://[::1]/", "refused-address"),
    ("http://[0:0:0:0:0:0:0:1]/", "refused-address"),
    ("http://[::ffff:7f00:1]/", "refused-address"),
    ("http://[::ffff:127.0.0.1]/", "refused-address"),
    ("http://[::127.0.0.1]/", "refused-address"),
    ("http://[::]/", "refused-address"),
    ("http://127.0.0.1#@pub.test/", "refused-address"),
    ("http://127.0.0.1?@pub.test/", "refused-address"),
    ("http:/127.0.0.1/", "refused-address"),
    ("http:///127.0.0.1/", "refused-address"),
    ("http:127.0.0.1/", "refused-address"),
    (" http://127.0.0.1/", "refused-address"),
    ("http://127.0.0.1.nip.test/", "refused-address"),
    ("http://127-0-0-1.sslip.test/", "refused-address"),
    ("http://7f000001.nip.test/", "refused-address"),
    ("http://localhost/", "refused-host"),
    ("http://LOCALHOST./", "refused-host"),
    ("http://foo.localhost/", "refused-host"),
    ("http://ⓛocalhost/", "refused-host"),
    ("http://loc\u00adalhost/", "refused-host"),
    ("http://localhost:8080/", "refused-host"),
    ("http://metadata.google.internal/", "refused-host"),
    ("http://metadata.google.internal./", "refused-host"),
    ("http://metadata/", "refused-host"),
    ("http://kubernetes.default.svc/", "refused-host"),
    ("http://kubernetes.default.svc.cluster.local/", "refused-host"),
    ("http://intranet/", "refused-host"),
    ("http://router.home.arpa/", "refused-host"),
    ("http://x.onion/", "refused-host"),
    (r"http://127.0.0.1\@pub.test/", "invalid-url"),
    (r"http://pub.test\@127.0.0.1/", "invalid-url"),
    (r"http://127.0.0.1:6666\@1.1.1.1/", "invalid-url"),
    (r"http://127.0.0.1:80\.pub.test/", "invalid-url"),
    (r"http:\\127.0.0.1/", "invalid-url"),
    ("http://a@127.0.0.1@pub.test/", "invalid-url"),
    ("http://pub.test/\r\nX-Injected: 1", "invalid-url"),
    ("http://pub.test\r\n@127.0.0.1/", "invalid-url"),
    ("//127.0.0.1/", "invalid-url"),
    ("http://\t127.0.0.1/", "invalid-url"),
    ("http://127.0\t.0.1/", "invalid-url"),
    ("ht\ntp://127.0.0.1/", "invalid-url"),
    ("\x00http://127.0.0.1/", "invalid-url"),
    ("http://127.0.0.1\x00.pub.test/", "invalid-url"),
    ("http://pub.test\x00.allowed.test/", "invalid-url"),
    ("http://[fe80::1%25eth0]/", "invalid-url"),
    ("http://[fe80::1%eth0]/", "invalid-url"),
    ("http://[::1%25lo]/", "invalid-url"),
    ("http://[fd00:ec2::254%251]/", "invalid-url"),
    ("http://[example.com]/", "invalid-url"),
    ("http://pub.test:80a/", "invalid-url"),
    ("http://pub.test:65536/", "invalid-url"),
    ("http://pub.test:\uff18\uff10/", "invalid-url"),
    ("http://", "invalid-url"),
    ("http://.", "invalid-url"),
    ("http://..", "invalid-url"),
    ("http://a..b/", "invalid-url"),
    ("http://xn--/", "invalid-url"),
    ("http://256.256.256.256/", "invalid-url"),
    ("http://1.2.3.4.5/", "invalid-url"),
    ("http://pub.test:22/", "refused-port"),
    ("http://pub.test:0/", "refused-port"),
    ("http://127.0.0.1:6379/", "refused-address"),
    ("http://user:pw@pub.test/", "refused-credentials"),
    ("http://pub.test@127.0.0.1/", "refused-credentials"),
    ("http://pub.test:80@127.0.0.1:80/", "refused-credentials"),
    ("http://pub.test;@127.0.0.1/", "refused-credentials"),
    ("http://known.host:x@evil.test/", "refused-credentials"),
    ("file:///etc/passwd", "refused-scheme"),
    ("gopher://127.0.0.1/", "refused-scheme"),
    ("ftp://pub.test/", "refused-scheme"),
    ("dict://127.0.0.1/", "refused-scheme"),
    ("data:text/html,x", "refused-scheme"),
    ("jar:http://pub.test!/", "refused-scheme"),
    ("http+unix://%2Ftmp%2Fx/", "refused-scheme"),
    ("http://pub.test#@127.0.0.1/", "ok"),
    ("http://b\xfccher.test/", "ok"),
    ("http://faß.test/", "ok"),
    ("http://pub.test/", "ok"),
    ("http://pub.test./", "ok"),
    ("http://pub.test:8080/", "ok"),
    ("http://x.invalid/", "ok"),
    ("http://x.example/", "ok"),
    ("http://home.test/", "ok"),
    ("http://mylocalhost.test/", "ok"),
    (f"http://{PUBLIC}/", "ok"),
    (f"http://[{PUBLIC_IPV6}]/", "ok"),
    (f"http://[::ffff:{PUBLIC}]/", "ok"),
]


def named(host: str, port: int = 443) -> Target:
    return parse(f"https://{host}:{port}/")


def outcome(egress: Egress, text: str) -> str:
    """What becomes of a URL: a code, or "ok"; a name without an answer in the table fails the test."""
    try:
        target = parse(text)
        egress.admit(target)
        egress.route(target, (target.address or ip_address(ANSWERS[target.host]),), OWN)
    except WebwardError as error:
        return error.code
    return "ok"


@pytest.mark.parametrize(("text", "code"), URLS)
def test_what_becomes_of_a_url(text: str, code: str) -> None:
    assert outcome(PUBLIC_EGRESS, text) == code


@pytest.mark.parametrize("suffix", INTERNAL_SUFFIXES)
def test_internal_names_are_refused_before_dns(suffix: str) -> None:
    for host in (suffix, f"x.{suffix}", f"a.b.{suffix}."):
        with pytest.raises(HostRefused) as caught:
            PUBLIC_EGRESS.admit(named(host))
        assert caught.value.setting == "egress.unsafe-allow-hosts"
    PUBLIC_EGRESS.admit(named(f"x{suffix.replace('.', '-')}.test"))
    PUBLIC_EGRESS.admit(named(f"{suffix}.test"))


@pytest.mark.parametrize("port", sorted(BAD_PORTS))
def test_bad_ports_are_refused(port: int) -> None:
    with pytest.raises(Refused) as caught:
        PUBLIC_EGRESS.admit(named("pub.test", port))
    assert caught.value.code == "refused-port"
    assert caught.value.setting == (None if port == 0 else "egress.ports")


@pytest.mark.parametrize("port", [2, 80, 81, 443, 3000, 8000, 8080, 8443, 6379, 9200, 65535])
def test_other_ports_are_allowed(port: int) -> None:
    PUBLIC_EGRESS.admit(named("pub.test", port))


@pytest.mark.parametrize(
    ("text", "code", "setting"),
    [
        ("http://pub.test/", "refused-scheme", "egress.schemes"),
        ("https://pub.test:8443/", "refused-port", "egress.ports"),
        ("https://user@pub.test/", "refused-credentials", "egress.url-credentials"),
        ("https://localhost/", "refused-host", "egress.unsafe-allow-hosts"),
    ],
)
def test_strict_takes_https_on_its_port_alone(text: str, code: str, setting: str) -> None:
    with pytest.raises(Refused) as caught:
        STRICT_EGRESS.admit(parse(text))
    assert (caught.value.code, caught.value.setting, caught.value.retryable) == (code, setting, False)
    STRICT_EGRESS.admit(NAME)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("http://localhost:8000/", "ok"),
        ("http://app.localhost/", "ok"),
        ("http://127.0.0.1/", "ok"),
        ("http://127.9.9.9/", "ok"),
        ("http://[::1]/", "ok"),
        ("http://[::ffff:127.0.0.1]/", "ok"),
        ("http://10.0.0.1/", "refused-address"),
        ("http://0.0.0.0/", "refused-address"),
        ("http://[::]/", "refused-address"),
        ("http://[::127.0.0.1]/", "refused-address"),
        ("http://169.254.169.254/", "refused-address"),
        ("http://metadata.google.internal/", "refused-host"),
        ("http://localhost:22/", "refused-port"),
    ],
)
def test_development_opens_loopback_and_nothing_else(text: str, code: str) -> None:
    assert outcome(DEVELOPMENT_EGRESS, text) == code


@pytest.mark.parametrize(
    ("policy", "text", "code", "setting"),
    [
        (EgressPolicy(ports=frozenset((22,))), "http://pub.test:22/", "ok", None),
        (EgressPolicy(ports=frozenset((22,))), "http://pub.test/", "refused-port", "egress.ports"),
        (EgressPolicy(url_credentials="authorization"), "http://user:pw@pub.test/", "ok", None),
        (EgressPolicy(schemes=frozenset(("http",))), "https://pub.test/", "refused-scheme", "egress.schemes"),
        (EgressPolicy(deny_hosts=("evil.com",)), "http://evil.com/", "refused-host", "egress.deny-hosts"),
        (EgressPolicy(deny_hosts=("EVIL.com.",)), "http://evil。com./", "refused-host", "egress.deny-hosts"),
        (EgressPolicy(deny_hosts=("evil.com",)), "http://ｅｖｉｌ.com/", "refused-host", "egress.deny-hosts"),
        (EgressPolicy(deny_hosts=("bücher.test",)), "http://xn--bcher-kva.test/", "refused-host", "egress.deny-hosts"),
        (EgressPolicy(deny_hosts=("evil.com",)), "http://www.evil.com/", "ok", None),
        (EgressPolicy(deny_hosts=("*.evil.com",)), "http://www.evil.com/", "refused-host", "egress.deny-hosts"),
        (EgressPolicy(deny_hosts=("*.evil.com",)), "http://evil.com/", "ok", None),
        (EgressPolicy(deny_hosts=("*.evil.com",)), "http://notevil.com/", "ok", None),
        (EgressPolicy(deny_hosts=("1.1.1.1",)), "http://0x1.1.257/", "refused-host", "egress.deny-hosts"),
        (EgressPolicy(deny_hosts=("1.257",)), "http://1.0.1.1/", "refused-host", "egress.deny-hosts"),
        (EgressPolicy(only_hosts=("good.test",)), "http://good.test/", "ok", None),
        (EgressPolicy(only_hosts=("good.test",)), "http://good.test.evil.com/", "refused-host", "egress.only-hosts"),
        (EgressPolicy(only_hosts=("good.test",)), "http://1.1.1.1/", "refused-host", "egress.only-hosts"),
        (EgressPolicy(only_hosts=("good.test",)), "http://[2606:4700::1111]/", "refused-host", "egress.only-hosts"),
        (EgressPolicy(only_hosts=("*.test",), deny_hosts=("x.test",)), "http://x.test/", "refused-host", None),
        (EgressPolicy(only_hosts=("intranet",)), "http://intranet/", "refused-host", "egress.unsafe-allow-hosts"),
        (EgressPolicy(unsafe_allow_hosts=("wiki.corp",)), "http://wiki.corp/", "ok", None),
        (EgressPolicy(unsafe_allow_hosts=("wiki.corp",)), "http://x.corp/", "refused-host", None),
        (EgressPolicy(unsafe_allow_hosts=("a.corp",), deny_hosts=("a.corp",)), "http://a.corp/", "refused-host", None),
    ],
)
def test_rules_about_the_name(policy: EgressPolicy, text: str, code: str, setting: str | None) -> None:
    verdicts = list(Egress(policy, Limits()).judge_target(parse(text)))
    assert (verdicts[-1].code or "ok") == code
    assert setting in {None, verdicts[-1].setting}
    assert [verdict.allowed for verdict in verdicts] == [True] * (len(verdicts) - 1) + [code == "ok"]


def test_an_opened_internal_name_is_still_judged_by_its_address() -> None:
    egress = Egress(EgressPolicy(unsafe_allow_hosts=("wiki.corp",)), Limits())
    egress.admit(named("wiki.corp"))
    assert refused(egress, "10.0.0.1").address_class == C.PRIVATE


BAD_ONES = ["10.0.0.5", "fd00::5", "127.0.0.1", "::ffff:127.0.0.1", "169.254.169.254", "2002:7f00:1::1"]


@pytest.mark.parametrize("bad", BAD_ONES)
@pytest.mark.parametrize("good", [(PUBLIC,), (PUBLIC_IPV6,), (PUBLIC, PUBLIC_IPV6, "1.1.1.1")])
def test_one_bad_answer_refuses_the_name_in_every_order(bad: str, good: tuple[str, ...]) -> None:
    for answers in itertools.permutations((bad, *good)):
        assert_tells_no_address(refused(PUBLIC_EGRESS, *answers))


def test_a_bad_answer_beyond_those_that_are_dialed_refuses_the_name() -> None:
    answers = [f"93.184.216.{number}" for number in range(Limits().answers - 1)]
    assert len(routed(PUBLIC_EGRESS, *answers)) == Limits().dialed_addresses
    refused(PUBLIC_EGRESS, *answers, "10.0.0.5")


def test_too_many_answers_refuse_the_name() -> None:
    answers = [IPv4Address("93.184.0.0") + number for number in range(Limits().answers + 1)]
    assert len(PUBLIC_EGRESS.route(NAME, answers[:-1], ()).addresses) == Limits().dialed_addresses
    with pytest.raises(HostRefused, match="more than 256 addresses") as caught:
        PUBLIC_EGRESS.route(NAME, answers, ())
    assert caught.value.setting == "limits.answers"
    assert [verdict.rule for verdict in PUBLIC_EGRESS.judge_addresses(NAME, answers, ())] == ["answers"]


def test_no_answer_is_no_route() -> None:
    with pytest.raises(NameNotFound):
        PUBLIC_EGRESS.route(NAME, (), ())


@pytest.mark.parametrize(
    ("answers", "dialed"),
    [
        (("1.1.1.1", "1.1.1.2", "1.1.1.3", "2606:4700::1"), ["1.1.1.1", "2606:4700::1", "1.1.1.2", "1.1.1.3"]),
        (("2606:4700::1", "2606:4700::2", "1.1.1.1"), ["2606:4700::1", "1.1.1.1", "2606:4700::2"]),
        (("1.1.1.1", "1.1.1.1", "::ffff:1.1.1.1"), ["1.1.1.1"]),
        (("::ffff:1.1.1.1", "2606:4700::1", "1.1.1.2"), ["1.1.1.1", "2606:4700::1", "1.1.1.2"]),
        (("2606:4700::1",), ["2606:4700::1"]),
    ],
)
def test_families_take_turns(answers: tuple[str, ...], dialed: list[str]) -> None:
    assert routed(PUBLIC_EGRESS, *answers) == dialed


def test_what_is_dialed_is_cut_after_the_families_are_mixed() -> None:
    answers = [f"1.1.1.{number}" for number in range(30)] + [f"2606:4700::1:{number}" for number in range(30)]
    dialed = routed(PUBLIC_EGRESS, *answers)
    assert len(dialed) == 16
    assert dialed[:4] == ["1.1.1.0", "2606:4700::1:0", "1.1.1.1", "2606:4700::1:1"]
    assert sum(":" in address for address in dialed) == 8


def test_a_route_holds_target_policy_and_classes() -> None:
    route = DEVELOPMENT_EGRESS.route(NAME, (ip_address("::ffff:127.0.0.1"), ip_address(PUBLIC)), ())
    assert (route.target, route.policy) == (NAME, DEVELOPMENT_EGRESS.policy)
    assert route.addresses == (
        JudgedAddress(IPv4Address("127.0.0.1"), C.LOOPBACK),
        JudgedAddress(IPv4Address(PUBLIC), C.GLOBAL),
    )


def test_verdicts_end_with_the_first_refusal() -> None:
    addresses = tuple(map(ip_address, (PUBLIC, "10.0.0.1", "127.0.0.1")))
    verdicts = list(PUBLIC_EGRESS.judge_addresses(NAME, addresses, ()))
    assert [(verdict.allowed, verdict.address_class) for verdict in verdicts] == [(True, C.GLOBAL), (False, C.PRIVATE)]
    rules = [verdict.rule for verdict in PUBLIC_EGRESS.judge_target(NAME)]
    assert rules == ["scheme", "credentials", "port", "host"]


@pytest.mark.parametrize("text", ["ftp", "http://u@x.test/", "http://x.test:22/", "http://intranet/"])
def test_a_refusal_names_rule_and_setting(text: str) -> None:
    policy = EgressPolicy(schemes=frozenset(("http",)))
    target = NAME if text == "ftp" else parse(text)
    verdict = list(Egress(policy, Limits()).judge_target(target))[-1]
    error = refusal(verdict)
    assert error.code == verdict.code
    assert error.setting == verdict.setting
    assert f"{verdict.rule} rule" in error.message
    assert f"(setting: {verdict.setting})" in error.message
