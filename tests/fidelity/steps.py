"""What every step needs: the market, the witness before it, programs to run, and the lines that tell how it went."""

import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from witness import Witness

CLIENTS, MARKET, SPECS = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
KEY = "practice-key"
PUBLIC_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICN+lJwsONkwrdsSnQsu1ydUkIuIg5oOC+Eslvmtt60T somebody"
HERE = Path(__file__).parent
DESK = HERE.parent.parent / "target/debug/gpudesk"
OURS = "gpudesk"

witness = Witness(MARKET)
counts = {"ok": 0, "FAILED": 0, "skipped": 0}


def tell(how: str, what: str, why: str = "") -> None:
    counts[how] += 1
    print(f"{how:<8}{what}" + (f": {why}" if why else ""), flush=True)


def step(what: str, do: Callable[[], Any]) -> Any:
    """Runs a step; its answer, or None when it failed."""
    try:
        answer = do()
    except Exception as error:  # whatever a client makes of an answer is a finding
        tell("FAILED", what, " ".join(f"{type(error).__name__}: {error}".split())[:600])
        return None
    tell("ok", what)
    return answer


def expect(found: Any, wanted: Any) -> Any:
    if found != wanted:
        raise AssertionError(f"{found!r} instead of {wanted!r}")
    return found


def run(*command: str, **variables: str) -> str:
    """What a program prints. It sees the market's address and key, and a home of its own."""
    home = CLIENTS / "home"
    home.mkdir(exist_ok=True)
    done = subprocess.run(
        command,
        env={"PATH": os.environ["PATH"], "HOME": str(home), "COLUMNS": "400", "NO_COLOR": "1", **variables},
        capture_output=True,
        text=True,
        timeout=90,
    )
    if done.returncode != 0:
        raise AssertionError(f"ended with {done.returncode}: {(done.stderr or done.stdout)[-400:]}")
    return done.stdout


def ask(method: str, path: str, body: Any = None) -> Any:
    """The market itself, for what no client can do."""
    request = urllib.request.Request(f"http://{MARKET}{path}", method=method)
    request.add_header("authorization", f"Bearer {KEY}")
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("content-type", "application/json")
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


def until(look: Callable[[], Any], wanted: Any) -> Any:
    """Looks until what is wanted is seen, for ten seconds at most."""
    end = time.monotonic() + 10
    while (found := look()) != wanted:
        if time.monotonic() > end:
            raise AssertionError(f"still {found!r}, never {wanted!r}")
        time.sleep(0.1)
    return found


def machine(id: Any) -> str:
    """What the market itself knows of a machine."""
    return next(m["phase"] for m in ask("GET", "/_sim/machines") if m["id"] == str(id))
