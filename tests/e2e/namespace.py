"""Turns a new network namespace into a world where every address is this machine, so that no packet can leave."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

WAYS = (
    ("unshare", "--net", "--mount"),
    ("unshare", "--user", "--map-root-user", "--net", "--mount"),
)

OWN_ADDRESSES = ("198.41.0.4/32", "2001:503:ba3e::2:30/128")
"""Public addresses that the machine's own interface bears; without one, resolvers would skip a family."""

UNREACHABLE = ("93.184.216.250/32", "2606:2800:220:dead::/64")
"""A connection to these fails at once: no route to host."""

FILES = {
    "/etc/resolv.conf": "nameserver 127.0.0.1\nsearch corp.example\noptions timeout:2 attempts:2\n",
    "/etc/hosts": "127.0.0.1 localhost\n::1 localhost\n10.8.8.8 hosts-file.test\n",
    "/etc/nsswitch.conf": "hosts: files dns\n",
}

PATH = f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin"
"""Where `ip` lives is not on the path of every user."""


def prefix() -> tuple[str, ...]:
    """The command that starts another one in a new namespace.

    Raises:
        OSError: The machine has not what is needed, or its kernel forbids it.
    """
    for tool in ("unshare", "ip", "mount"):
        if shutil.which(tool, path=PATH) is None:
            raise OSError(f"{tool} is not installed (Debian: util-linux, iproute2, mount)")
    for way in WAYS:
        if call(*way, "true").returncode == 0:
            return way
    raise OSError("the kernel lets this user make no network namespace")


def configure(folder: Path) -> None:
    """Set up the namespace of this process. `folder` takes the files that stand for the system's own."""
    if len(_must("ip -o link").splitlines()) != 1:
        raise OSError("this is no fresh network namespace")
    _must("ip link set lo up")
    for address in OWN_ADDRESSES:
        _must(f"ip addr add {address} dev lo")
    _must("ip route add local 0.0.0.0/0 dev lo")
    _must("ip -6 route add local ::/0 dev lo")
    for network in UNREACHABLE:
        _must(f"ip {'-6' if ':' in network else '-4'} route add unreachable {network} table local")
    for name, text in FILES.items():
        source = folder / Path(name).name
        source.write_text(text)
        _must(f"mount --bind {source} {Path(name).resolve()}")
    if Path("/var/run/nscd").is_dir():  # a name cache would answer from outside
        _must("mount -t tmpfs none /var/run/nscd")


def call(*argv: str) -> subprocess.CompletedProcess[str]:
    """Run a program of the system."""
    environment = {"PATH": PATH}
    return subprocess.run(argv, capture_output=True, text=True, env=environment, check=False)


def _must(words: str) -> str:
    done = call(*words.split())
    if done.returncode != 0:
        raise OSError(f"{words}: {done.stderr.strip()}")
    return done.stdout
