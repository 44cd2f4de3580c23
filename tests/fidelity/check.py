"""The vendors' own clients at the practice market, each step one line; then all that was said against the services'
own descriptions.

    check.py CLIENTS MARKET SPECS      folder of the installed clients, HOST:PORT of the market, folder of the
                                       descriptions (may be missing)
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from steps import (
    CLIENTS,
    DESK,
    HERE,
    KEY,
    OURS,
    PUBLIC_KEY,
    SPECS,
    ask,
    counts,
    expect,
    machine,
    run,
    step,
    tell,
    until,
    witness,
)


def vast() -> None:
    def call(*words: str, raw: bool = True) -> Any:
        said = run(
            str(CLIENTS / "vastai/bin/vastai"),
            *words,
            *(["--raw"] if raw else []),
            VAST_URL=witness.url,
            VAST_API_KEY=KEY,
            VASTAI_NO_UPDATE_CHECK="1",
        )
        return json.loads(said) if raw else said

    def offers(kind: str) -> int:
        rows = call("search", "offers", "gpu_name=RTX_4090 num_gpus=1", kind, "--order", "dph", "--limit", "5")
        expect(len(rows), 5)
        expect({row["gpu_name"] for row in rows}, {"RTX 4090"})
        prices = [row["dph_total"] for row in rows]
        expect(prices, sorted(prices))
        return rows[0]["id"]

    def create(offer: int, *more: str) -> str:
        image = "vastai/base-image:@vastai-automatic-tag"
        given = ["--image", image, "--disk", "20", "--ssh", "--direct", "--label", "fidelity", *more]
        made = call("create", "instance", str(offer), *given)
        expect(made["success"], True)
        return str(made["new_contract"])

    def act(id: str, phase: str, says: str, *words: str) -> None:
        # What changes something is answered in words, also where JSON is asked for.
        expect(call(*words, raw=False).strip()[: len(says)], says)
        until(lambda: machine(id), phase)

    def listed(id: str) -> None:
        row = next(row for row in call("show", "instances") if str(row["id"]) == id)
        expect((row["actual_status"], row["label"]), ("running", "fidelity"))

    offer = step("vastai search offers", lambda: offers("--on-demand"))
    if offer is None:
        return
    id = step("vastai create instance", lambda: create(offer))
    if id is None:
        return
    until(lambda: machine(id), "running")
    step("vastai show instances", lambda: listed(id))
    step("vastai show instance", lambda: expect(str(call("show", "instance", id)["id"]), id))
    step("vastai ssh-url", lambda: expect(call("ssh-url", id, raw=False)[:11], "ssh://root@"))
    step("vastai stop instance", lambda: act(id, "stopped", "stopping instance", "stop", "instance", id))
    step("vastai start instance", lambda: act(id, "running", "starting instance", "start", "instance", id))
    step("vastai reboot instance", lambda: act(id, "running", "Rebooting instance", "reboot", "instance", id))
    step("vastai label instance", lambda: act(id, "running", "label for", "label", "instance", id, "other"))
    step("vastai destroy instance", lambda: act(id, "gone", "destroying instance", "destroy", "instance", id, "-y"))
    offer = step("vastai search offers --bid", lambda: offers("--bid"))
    if offer is not None:
        bid = step("vastai create instance --bid_price", lambda: create(offer, "--bid_price", "0.4"))
        if bid is not None:
            until(lambda: machine(bid), "running")
            step(
                "vastai change bid",
                lambda: act(bid, "running", "Per gpu bid price changed", "change", "bid", bid, "--price", "0.5"),
            )
            step(
                "vastai destroy instance (bid)",
                lambda: act(bid, "gone", "destroying instance", "destroy", "instance", bid, "-y"),
            )
    step("vastai show user", lambda: expect(call("show", "user")["email"], "practice@example.com"))
    step("vastai create ssh-key", lambda: call("create", "ssh-key", PUBLIC_KEY, "-y", raw=False))
    step("vastai show ssh-keys", lambda: expect(call("show", "ssh-keys")[0]["public_key"], PUBLIC_KEY))


def runpod() -> None:
    program = """
import json, sys, runpod
runpod.api_key = sys.argv[1]
cards = runpod.get_gpus()
one = runpod.get_gpu("NVIDIA H200")
json.dump({"cards": len(cards), "one": one, "user": runpod.get_user(), "pods": runpod.get_pods()}, sys.stdout)
"""
    python = str(CLIENTS / "runpod/bin/python")
    said = step(
        "runpod get_gpus, get_gpu, get_user, get_pods",
        lambda: run(python, "-c", program, KEY, RUNPOD_API_BASE_URL=witness.url),
    )
    if said is not None:
        found = json.loads(said)
        step("runpod's cards", lambda: expect((found["cards"] > 5, found["one"]["id"]), (True, "NVIDIA H200")))
        step("runpod's user and pods", lambda: expect((found["user"]["id"], found["pods"]), ("user_4711", [])))


def mcp() -> None:
    process = subprocess.Popen(
        ["node", str(HERE / "mcp.mjs"), str(CLIENTS / "npm/node_modules/@runpod/mcp-server/dist/stdio.mjs")],
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(CLIENTS / "home"),
            "RUNPOD_API_KEY": KEY,
            "RUNPOD_API_BASE_URL": witness.url,
            "RUNPOD_PUBLIC_GRAPHQL_URL": f"{witness.url}/graphql",
            "RUNPOD_AUTHED_GRAPHQL_URL": f"{witness.url}/graphql",
        },
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )

    def call(tool: str, **arguments: Any) -> Any:
        process.stdin.write(json.dumps({"tool": tool, "arguments": arguments}) + "\n")
        process.stdin.flush()
        answer = json.loads(process.stdout.readline() or '{"error": "the server ended"}')
        if "error" in answer or answer.get("isError"):
            raise AssertionError(str(answer)[:400])
        text = answer["content"][0]["text"]
        try:
            return json.loads(text)
        except ValueError:
            return text

    def act(id: str, action: str, phase: str) -> None:
        call("pod-action", id=id, body={"action": action})
        until(lambda: machine(id), phase)

    card = "NVIDIA GeForce RTX 4090"
    body = {
        "name": "fidelity",
        "image": "runpod/pytorch:1.0.2-cu1281-torch280-ubuntu2404",
        "gpu": {"id": card, "count": 1},
        "cloud": "SECURE",
        "dataCenterIds": ["EU-SE-1"],
        "disk": 20,
        "mounts": {"persistent": {"size": 20, "path": "/workspace"}},
        "ports": ["22/tcp", "8888/http"],
        "env": {"PUBLIC_KEY": PUBLIC_KEY},
        "startSsh": True,
    }
    step("mcp list-pods", lambda: expect(call("list-pods")["pods"], []))
    step(
        "mcp list-gpu-types",
        lambda: call("list-gpu-types", include=["AVAILABILITY"], product=["POD"])["gpus"][0]["availability"],
    )
    step("mcp get-gpu-type", lambda: expect(call("get-gpu-type", id=card)["id"], card))
    step(
        "mcp list-data-centers", lambda: call("list-data-centers", include=["GPU_AVAILABILITY"])["dataCenters"][0]["id"]
    )
    made = step("mcp create-pod", lambda: call("create-pod", body=body))
    if made is not None:
        id = made["id"]
        until(lambda: machine(id), "running")
        step("mcp get-pod", lambda: expect(call("get-pod", id=id)["status"], "RUNNING"))
        step(
            "mcp list-pods with one",
            lambda: expect([pod["id"] for pod in call("list-pods", includeClusterPods=True)["pods"]], [id]),
        )
        step("mcp update-pod", lambda: expect(call("update-pod", id=id, body={"name": "other"})["name"], "other"))
        step("mcp pod-action stop", lambda: act(id, "stop", "stopped"))
        step("mcp pod-action start", lambda: act(id, "start", "running"))
        step("mcp pod-action restart", lambda: act(id, "restart", "running"))
        step(
            "mcp list-pod-billing",
            lambda: expect([r["podId"] for r in call("list-pod-billing", podId=id)["records"]], [id]),
        )
        step("mcp list-billing", lambda: call("list-billing")["records"][0])
        step("mcp delete-pod", lambda: (call("delete-pod", id=id), until(lambda: machine(id), "gone")))
    step("mcp update-ssh-keys", lambda: call("update-ssh-keys", body={"keys": [PUBLIC_KEY]}))
    step("mcp get-ssh-keys", lambda: expect(call("get-ssh-keys")["keys"], [PUBLIC_KEY]))
    volume = {"name": "fidelity", "size": 20, "dataCenter": "EU-SE-1"}
    kept = step("mcp create-network-volume", lambda: call("create-network-volume", body=volume))
    step("mcp list-network-volumes", lambda: expect(len(call("list-network-volumes")["networkVolumes"]), 1))
    if kept is not None:
        step("mcp delete-network-volume", lambda: call("delete-network-volume", id=kept["id"]))
    process.stdin.close()
    process.terminate()
    process.wait(timeout=10)


def lai() -> None:
    def call(*words: str) -> Any:
        said = run(
            str(CLIENTS / "lambda-ai-cloud-api-client/bin/lai"),
            *words,
            LAMBDA_CLOUD_BASE_URL=witness.url,
            LAMBDA_CLOUD_API_TOKEN=KEY,
        )
        return json.loads(said, strict=False)

    def types() -> None:
        rows = {row["instance_type"]["name"]: row for row in call("types", "--json")}
        expect(rows["gpu_1x_a10"]["instance_type"]["price_cents_per_hour"], 129)

    def launch() -> str:
        given = ["--instance-type", "gpu_1x_a10", "--region", "us-east-1", "--ssh-key", "fidelity"]
        return call("start", *given, "--name", "fidelity", "--tag", "gpudesk=7f3c", "--json")["id"]

    def listed(id: str) -> None:
        row = next(row for row in call("ls", "--json") if row["id"] == id)
        expect((row["status"], row["name"]), ("active", "fidelity"))

    step("lai types", types)
    step("lai images", lambda: call("images", "--json")[0]["family"])
    # The client can only list keys.
    ask("POST", "/api/v1/ssh-keys", {"name": "fidelity", "public_key": PUBLIC_KEY})
    step("lai keys", lambda: expect([key["name"] for key in call("keys", "--json")], ["fidelity"]))
    # It looks the new instance up in the list at once, and fails on a service that lists it a moment later.
    ask("POST", "/_sim/pace", {"made": 0})
    id = step("lai start", launch)
    ask("POST", "/_sim/pace", {"made": 500})
    if id is not None:
        until(lambda: machine(id), "running")
        step("lai ls", lambda: listed(id))
        step("lai get", lambda: expect(call("get", id)["id"], id))
        step("lai rename", lambda: call("rename", id, "other"))
        step("lai restart", lambda: expect(call("restart", id)[0]["id"], id))
        step(
            "lai stop",
            lambda: (expect(call("stop", id)[0]["status"], "terminating"), until(lambda: machine(id), "gone")),
        )


def desk() -> None:
    """Our own adapters: what they send is compared with the descriptions."""
    home = Path(tempfile.mkdtemp(prefix="fidelity-", dir=CLIENTS))
    key = home / "key.pub"
    run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "fidelity", "-f", str(home / "key"))
    names = ["VAST", "RUNPOD", "RUNPOD_GRAPHQL", "LAMBDA", "CATALOGUE", "ECB", "CBR"]
    variables = {f"GPUDESK_{name}_URL": witness.url for name in names}
    variables |= {f"GPUDESK_{name}_KEY": KEY for name in ["VAST", "RUNPOD", "LAMBDA"]}
    variables["GPUDESK_HOME"] = str(home / "desk")

    def call(*words: str) -> Any:
        return json.loads(run(str(DESK), "--json", *words, **variables))

    def offer(cloud: str) -> str:
        return call("offers", f"cloud:{cloud}", "gpus:1", "instock", "--limit", "1")["offers"][0]["id"]

    def rent(cloud: str) -> str:
        call("rent", offer(cloud), "--name", cloud, "--ssh-key", str(key), "--yes")
        return call("show", cloud)["remote_id"]

    def end(cloud: str, id: str) -> None:
        # It looks again half a minute later, for which nobody waits here.
        ending = subprocess.Popen(
            [str(DESK), "end", cloud, "--yes"],
            env={"PATH": os.environ["PATH"], "HOME": str(home), **variables},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            until(lambda: machine(id), "gone")
        finally:
            ending.kill()
            ending.wait()

    step("gpudesk refresh", lambda: run(str(DESK), "refresh", "vast", "runpod", "lambda", **variables))
    rented = {cloud: step(f"gpudesk rent at {cloud}", lambda: rent(cloud)) for cloud in ["vast", "runpod", "lambda"]}
    for cloud, id in rented.items():
        if id is None:
            continue
        until(lambda: machine(id), "running")
        if cloud != "lambda":
            step(
                f"gpudesk stop at {cloud}",
                lambda: (run(str(DESK), "stop", cloud, **variables), until(lambda: machine(id), "stopped")),
            )
        step(f"gpudesk end at {cloud}", lambda: end(cloud, id))
    shutil.rmtree(home)


def refused() -> None:
    """What no client sends on purpose: refusals, through the witness, so that their form is looked at too."""
    rows = [
        ("GET", "/api/v0/instances/", "wrong", None, 404),
        ("PUT", "/api/v0/asks/1/", KEY, {"client_id": "me", "image": "x", "disk": 10}, 404),
        ("PUT", "/api/v0/instances/1/", KEY, {"state": "stopped"}, 404),
        ("GET", "/v2/pods", "wrong", None, 401),
        ("GET", "/v2/pods/none", KEY, None, 404),
        ("POST", "/v2/pods", "practice-key-read-only", {}, 403),
        ("POST", "/v2/pods", KEY, {"name": "x", "nonsense": 1}, 422),
        ("POST", "/v2/pods", KEY, {"name": "x", "image": "x", "gpu": {"id": "none", "count": 1}}, 400),
        ("GET", "/api/v1/instances", "wrong", None, 401),
        ("GET", "/api/v1/instances/none", KEY, None, 404),
        ("POST", "/api/v1/instance-operations/launch", KEY, {"region_name": "us-east-1"}, 400),
        ("POST", "/api/v1/instance-operations/terminate", KEY, {"instance_ids": ["none"]}, 404),
    ]
    for method, path, key, body, status in rows:

        def send() -> None:
            request = urllib.request.Request(f"{witness.url}{path}", method=method)
            request.add_header("authorization", f"Bearer {key}")
            if body is not None:
                request.data = json.dumps(body).encode()
                request.add_header("content-type", "application/json")
            try:
                urllib.request.urlopen(request, timeout=10)
            except urllib.error.HTTPError as answer:
                expect(answer.code, status)
                return
            raise AssertionError("not refused")

        step(f"{method} {path} is refused with {status}", send)


def shapes() -> None:
    files = {"vast": "vast.yaml", "runpod": "runpod.json", "lambda": "lambda.json"}
    missing = [name for name in files.values() if not (SPECS / name).is_file()]
    if missing:
        tell("skipped", "descriptions of the services", "needs ../shared/specs")
        return
    from shapes import Description

    descriptions = [Description(name, SPECS / file, OURS) for name, file in files.items()]
    checked: dict[tuple[str, str, str], set[str]] = {}
    for exchange in witness.seen:
        for description in descriptions:
            found = description.faults(exchange)
            # Vast's and Lambda's list of instances differ in the slash at the end alone.
            ours = exchange.path == "/api/v1/instances/"
            if (
                found is None
                or (ours and description.name == "lambda")
                or (exchange.path == "/api/v1/instances" and description.name == "vast")
            ):
                continue
            path, faults = found
            checked.setdefault((description.name, exchange.method, path), set()).update(
                f"{exchange.who}: {f}" for f in faults
            )
    for (name, method, path), faults in sorted(checked.items()):
        tell("FAILED" if faults else "ok", f"{name} {method} {path} as described", " | ".join(sorted(faults)))


STEPS = {
    "vastai": (CLIENTS / "vastai/bin/vastai", vast),
    "runpod": (CLIENTS / "runpod/bin/python", runpod),
    "@runpod/mcp-server": (CLIENTS / "npm/node_modules/@runpod/mcp-server/dist/stdio.mjs", mcp),
    "lai": (CLIENTS / "lambda-ai-cloud-api-client/bin/lai", lai),
}
for name, (program, steps) in STEPS.items():
    witness.who = name
    if program.exists():
        steps()
    else:
        tell("skipped", name, "it could not be installed")
witness.who = OURS
desk()
witness.who = "refusals"
refused()
shapes()
print(f"{counts['ok']} passed, {counts['FAILED']} failed, {counts['skipped']} skipped")
sys.exit(counts["FAILED"] > 0)
