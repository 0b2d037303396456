from __future__ import annotations

import pytest

from webward.core.bad_ports import BAD_PORTS

# https://fetch.spec.whatwg.org/#port-blocking, written as the standard's table has it, and port 0.
STANDARD = """
    0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123
    135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993
    995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080
"""


def test_bad_ports_are_those_of_the_fetch_standard() -> None:
    assert frozenset(map(int, STANDARD.split())) == BAD_PORTS


@pytest.mark.parametrize("port", [80, 443, 8080, 8443, 3000, 5000, 8000, 8888, 9090, 65535])
def test_ports_of_the_web_are_not_bad(port: int) -> None:
    assert port not in BAD_PORTS
