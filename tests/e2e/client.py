"""The world as the tests see it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from . import namespace

REFUSED = 3  # exit status
ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a program gave."""

    status: int
    stdout: str
    stderr: str

    @property
    def envelope(self) -> dict[str, Any]:
        """The one JSON object on standard output."""
        found: dict[str, Any] = json.loads(self.stdout)
        return found

    @property
    def envelopes(self) -> dict[str, dict[str, Any]]:
        """The JSON objects on standard output by their id, one a line."""
        return {found["id"]: found for found in map(json.loads, self.stdout.splitlines())}


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """An error of the kind `Refused`, and all that was printed about it."""

    code: str
    hop: int | None
    setting: str | None
    output: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request that reached the web server."""

    address: str
    port: int
    scheme: str
    host: str
    path: str
    head: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What reached the servers since the last `load`: addresses connected to, requests, and `name type` questions."""

    connections: tuple[str, ...]
    requests: tuple[Request, ...]
    questions: tuple[str, ...]

    @property
    def names(self) -> frozenset[str]:
        """The names that were asked for."""
        return frozenset(question.partition(" ")[0] for question in self.questions)


class World:
    """A network namespace with its servers, and the programs that run in it.

    Raises:
        OSError: The machine cannot have one.
    """

    def __init__(self) -> None:
        python_path = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
        self._process = subprocess.Popen(
            [*namespace.prefix(), sys.executable, "-m", "e2e.world"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT / "tests",
            env={**os.environ, "PYTHONPATH": python_path, "PATH": namespace.PATH},
        )
        try:
            self._answer()
        except OSError:
            self.__exit__()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate(timeout=20)

    def load(
        self,
        zone: dict[str, Any],
        pages: dict[str, Any] | None = None,
        certificates: dict[str, Any] | None = None,
    ) -> None:
        """Begin anew with these names, pages and certificate faults, and an empty record."""
        self._ask("load", zone=zone, pages=pages or {}, certificates=certificates or {})

    def run(self, *argv: str, environment: dict[str, str] | None = None, text: str = "") -> Outcome:
        """Run a program to its end."""
        return Outcome(**self._ask("run", argv=argv, environment=environment or {}, text=text))

    def webward(self, *arguments: str, environment: dict[str, str] | None = None, text: str = "") -> Outcome:
        """Run the command under test."""
        return self.run(sys.executable, "-m", "webward", *arguments, environment=environment, text=text)

    def refuse(self, url: str, *, environment: dict[str, str] | None = None) -> Refusal:
        """Fetch what must be refused, once for people and once for programs."""
        for_people = self.webward("fetch", url, environment=environment)
        for_programs = self.webward("fetch", "--envelope", url, environment=environment)
        assert (for_people.status, for_programs.status) == (REFUSED, REFUSED), for_people.stderr
        assert for_people.stdout == ""
        error = for_programs.envelope["error"]
        assert error["retryable"] is False
        assert error["message"] in for_people.stderr
        output = for_people.stderr + for_programs.stdout + for_programs.stderr
        return Refusal(code=error["code"], hop=error["hop"], setting=error.get("setting"), output=output)

    def fetch_all(
        self, *requests: dict[str, Any], environment: dict[str, str] | None = None
    ) -> dict[str, dict[str, Any]]:
        """The envelopes by id of one run of `webward fetch --jsonl`, one request after the other."""
        lines = "".join(json.dumps(request) + "\n" for request in requests)
        outcome = self.webward("fetch", "--jsonl", "--concurrency", "1", environment=environment, text=lines)
        assert outcome.status == 0, outcome.stderr
        return outcome.envelopes

    def seen(self) -> Seen:
        """What has reached the servers."""
        answer = self._ask("seen")
        requests = tuple(Request(**request) for request in answer["requests"])
        return Seen(connections=tuple(answer["connections"]), requests=requests, questions=tuple(answer["questions"]))

    def start(self, *argv: str, ready: str) -> int:
        """Start a program that runs on until `stop`; it is ready when a line of its output holds a word."""
        process: int = self._ask("start", argv=argv, ready=ready)["process"]
        return process

    def stop(self, process: int) -> str:
        """End a program, and give the rest of its output."""
        output: str = self._ask("stop", process=process)["output"]
        return output

    def _ask(self, command: str, **arguments: object) -> dict[str, Any]:
        assert self._process.stdin is not None
        print(json.dumps({"do": command, **arguments}), file=self._process.stdin, flush=True)
        return self._answer()

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise OSError("the world has ended; its standard error tells why")
        answer: dict[str, Any] = json.loads(line)
        if "problem" in answer:
            raise OSError(answer["problem"])
        return answer
