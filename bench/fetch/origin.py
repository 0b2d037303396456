"""The web server: nginx with one worker, a body of each size, slow ones, and pages of a corpus."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from string import Template
from typing import TYPE_CHECKING, Self

from bench.fetch.case import ADDRESS, KIB, NAME, SIZES

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from bench.fetch.certificate import Certificate

PATH = f"{os.environ.get('PATH', os.defpath)}:/usr/sbin"  # where nginx lives is not on the path of every user
START_SECONDS = 10
SLOW = "slow"  # a path: bodies of 30 KB at 1 KB a second

# Only the two hosts are answered, so that a counted answer shows that the client asked for the right one. Resumption
# is as a server has it by default: tickets are sent, and it is the client's choice to use them. A namespace of a user
# who is not root has no user but root.
CONFIGURATION = Template("""
worker_processes 1;
worker_rlimit_nofile 20000;
daemon off;
user root;
pid $folder/nginx.pid;
error_log $folder/error.log;
events { worker_connections 16000; }
http {
  access_log off;
  default_type text/html;
  charset utf-8;
  sendfile on;
  keepalive_requests 100000000;
  keepalive_timeout 300;
  client_body_temp_path $folder/body;
  proxy_temp_path $folder/proxy;
  fastcgi_temp_path $folder/fastcgi;
  uwsgi_temp_path $folder/uwsgi;
  scgi_temp_path $folder/scgi;
  ssl_certificate $chain;
  ssl_certificate_key $chain;
  server {
    listen 80 default_server backlog=4096;
    listen 443 ssl default_server backlog=4096;
    return 421;
  }
  server {
    listen 80;
    listen 443 ssl;
    server_name $hosts;
    root $folder/documents;
    location /$slow/ { limit_rate 1k; }
    location /pages/ { charset off; }
  }
}
""")


class Origin:
    """Serves until its context is left.

    Args:
        folder: For all that it needs.
        certificate: For https.
        pages: Of a corpus, served under ``/pages/`` by number.

    Raises:
        OSError: nginx is not installed, or does not start.
    """

    def __init__(self, folder: Path, certificate: Certificate, pages: Iterable[bytes] = ()) -> None:
        program = shutil.which("nginx", path=PATH)
        if program is None:
            raise OSError("nginx is not installed (Debian: nginx)")
        documents = folder / "documents"
        for name in (SLOW, "pages"):
            (documents / name).mkdir(parents=True)
        for kib in SIZES:
            (documents / str(kib)).write_bytes(document(kib * KIB))
        (documents / SLOW / "30").write_bytes(document(30 * KIB))
        for number, page in enumerate(pages):
            (documents / "pages" / str(number)).write_bytes(page)
        self._process = self._start(program, folder, certificate)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(START_SECONDS)

    def _start(self, program: str, folder: Path, certificate: Certificate) -> subprocess.Popen[bytes]:
        configuration = folder / "nginx.conf"
        words = {"folder": folder, "chain": certificate.chain, "hosts": f"{NAME} {ADDRESS}", "slow": SLOW}
        configuration.write_text(CONFIGURATION.substitute(words))
        process = subprocess.Popen([program, "-p", str(folder), "-c", str(configuration)])  # noqa: S603 (found above)
        for _ in range(START_SECONDS * 20):
            if process.poll() is not None:
                break
            if _listens(ADDRESS, 443):
                return process
            time.sleep(0.05)
        process.kill()
        log = folder / "error.log"
        raise OSError(f"nginx does not start: {log.read_text() if log.exists() else 'it told nothing'}")


def document(length: int) -> bytes:
    """HTML of so many bytes, in ASCII, with words of many kinds so that it is like a page."""
    words = " ".join(
        f"<p>Paragraph {number:x} of {number * 7919:x} tells {number * number:x}.</p>" for number in range(length // 32)
    )
    head, foot = "<!doctype html><html><head><title>A page</title></head><body>", "</body></html>"
    room = length - len(head) - len(foot)
    return f"{head}{words[:room].ljust(room)}{foot}".encode("ascii")


def _listens(host: str, port: int) -> bool:
    try:
        socket.create_connection((host, port), timeout=1).close()
    except OSError:
        return False
    return True
