"""The program inside the namespace: takes a command a line on stdin, gives an answer a line on stdout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, TextIO

from . import namespace
from .authority import Authority
from .nameserver import NameServer
from .origin import Origin

RUN_SECONDS_MAX = 60


class World:
    def __init__(self, folder: Path) -> None:
        namespace.configure(folder)
        self._folder = folder
        self._authority = Authority(folder)
        self._names = NameServer()
        self._origin = Origin(self._authority)
        self._started: list[subprocess.Popen[bytes]] = []
        kept = {name: os.environ[name] for name in ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE") if name in os.environ}
        self._environment = {
            **kept,
            "PATH": namespace.PATH,
            "HOME": str(folder),
            "LANG": "C.UTF-8",
            "SSL_CERT_FILE": str(self._authority.file),
        }

    def load(self, zone: dict[str, Any], pages: dict[str, Any], certificates: dict[str, Any]) -> dict[str, Any]:
        self._names.load(zone)
        self._origin.load(pages)
        self._authority.faults = certificates
        return {}

    def run(self, argv: list[str], environment: dict[str, str], text: str) -> dict[str, Any]:
        done = subprocess.run(
            argv,
            input=text.encode(),
            capture_output=True,
            cwd=self._folder,
            env={**self._environment, **environment},
            timeout=RUN_SECONDS_MAX,
            check=False,
        )
        return {"status": done.returncode, "stdout": done.stdout.decode(), "stderr": done.stderr.decode()}

    def seen(self) -> dict[str, Any]:
        self._origin.settle()
        self._names.settle()
        return {
            "connections": self._origin.connections,
            "requests": self._origin.requests,
            "questions": self._names.questions,
        }

    def start(self, argv: list[str], ready: str) -> dict[str, Any]:
        """Start a program that runs on, and return when it has printed a line with `ready`."""
        program = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=self._environment)
        self._started.append(program)
        output = b""
        for line in program.stdout or ():
            output += line
            if ready.encode() in line:
                return {"process": len(self._started) - 1}
        raise OSError(f"{argv[0]} has ended: {output.decode(errors='replace')}")

    def stop(self, process: int) -> dict[str, Any]:
        """End a program that was started, if it runs yet. Gives what it printed since it was ready."""
        program = self._started[process]
        output = b""
        if program.poll() is None:
            program.terminate()
            output, _ = program.communicate(timeout=10)
        return {"output": output.decode(errors="replace")}


def main(lines: TextIO, answers: TextIO) -> None:
    with tempfile.TemporaryDirectory() as folder:
        try:
            world = World(Path(folder))
        except OSError as error:
            print(json.dumps({"problem": str(error)}), file=answers)
            return
        print(json.dumps({}), file=answers, flush=True)
        for line in lines:
            command = json.loads(line)
            try:
                answer = getattr(world, command.pop("do"))(**command)
            except (OSError, subprocess.SubprocessError) as error:
                answer = {"problem": str(error)}
            print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main(sys.stdin, sys.stdout)
