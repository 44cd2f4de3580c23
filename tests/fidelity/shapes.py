"""Requests and answers against the services' own descriptions (OpenAPI 3.1)."""

import json
import re
from pathlib import Path
from typing import Any, Iterator

import jsonschema
import yaml
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from witness import Exchange

# Where a description is known to differ from the service itself: path, side, and the beginning of the finding. Each
# with its reason.
KNOWN = [
    # The vendor's own client sends an object; the description wants Docker's flags as one text.
    ("vast", "/api/v0/asks/{id}", "request", "env: "),
    # The client sends `on-demand` and pairs of a field and a direction; the description spells the one `ondemand` and
    # wants longer lists for the other.
    ("vast", "/api/v0/bundles", "request", "type: 'on-demand'"),
    ("vast", "/api/v0/bundles", "request", "order: "),
    # The description has the map of ports in one place and a list of numbers in this; clients read the map.
    ("vast", "/api/v0/instances/{id}", "answer", "instances.ports: "),
    # Pairs in the description of the list and in what the vendor's client reads.
    ("vast", "/api/v0/instances/{id}", "answer", "instances.extra_env.[]: "),
    # Null: of an instance that is gone, and of a figure that is not known yet; the description has neither.
    ("vast", "/api/v0/instances/{id}", "answer", "instances: None"),
    ("vast", "/api/v0/instances/{id}", "answer", "instances.disk_usage: None"),
    ("vast", "/api/v1/instances", "answer", "instances.[].disk_usage: None"),
    # Null in the description of one instance, text in that of the list.
    ("vast", "/api/v1/instances", "answer", "instances.[].onstart: None"),
]


class Description:
    """One service's description. Of requests it judges those of `ours`: the vendors' own clients send what they like,
    and the services take it."""

    def __init__(self, name: str, path: Path, ours: str) -> None:
        self.name, self.ours = name, ours
        text = path.read_text()
        self.document = json.loads(text) if path.suffix == ".json" else yaml.safe_load(text)
        resource = Resource(contents=self.document, specification=DRAFT202012)
        self.registry = Registry().with_resource("urn:description", resource)
        # Literal paths before those with a part to fill in: `/pods/all` is not `/pods/{id}`.
        paths = sorted(self.document["paths"], key=lambda p: (p.count("{"), p))
        self.paths = [(re.compile(re.sub(r"\{[^}]+\}", "[^/]+", p.rstrip("/")) + "/?$"), p) for p in paths]

    def _resolved(self, node: Any) -> Any:
        while isinstance(node, dict) and "$ref" in node:
            target: Any = self.document
            for part in node["$ref"].removeprefix("#/").split("/"):
                target = target[part.replace("~1", "/").replace("~0", "~")]
            node = target
        return node

    def _faults(self, schema: Any, value: Any) -> Iterator[str]:
        # References inside are relative to the whole document.
        whole = json.loads(json.dumps(schema).replace('"#/', '"urn:description#/'))
        validator = jsonschema.Draft202012Validator(whole, registry=self.registry)
        for error in validator.iter_errors(value):
            yield from self._said(error)

    def _said(self, error: jsonschema.ValidationError) -> Iterator[str]:
        at = ".".join("[]" if isinstance(part, int) else str(part) for part in error.absolute_path)
        if error.context:
            # Of the alternatives the one that comes closest tells most.
            deepest = max(error.context, key=lambda inner: len(inner.absolute_path))
            yield f"{at}: fits none of the alternatives ({deepest.message[:160]})"
        else:
            yield f"{at}: {error.message[:200]}"

    def faults(self, exchange: Exchange) -> tuple[str, list[str]] | None:
        """The path in the description and what does not fit it; None where the path is not described."""
        found = next((p for pattern, p in self.paths if pattern.match(exchange.path)), None)
        operation = self.document["paths"].get(found, {}).get(exchange.method.lower())
        if found is None or operation is None:
            return None
        faults = []
        body = self._resolved(operation.get("requestBody", {})).get("content", {}).get("application/json", {})
        ours = exchange.who == self.ours
        if ours and exchange.request is not None and "schema" in body:
            faults += [("request", fault) for fault in self._faults(body["schema"], exchange.request)]
        known = {p["name"] for p in map(self._resolved, operation.get("parameters", [])) if p["in"] == "query"}
        if ours and self.name != "vast":
            # Vast's list of parameters is incomplete; the others refuse what they do not know.
            faults += [
                ("request", f"parameter {name} is not described") for name in exchange.query if name not in known
            ]
        answers = operation.get("responses", {})
        answer = answers.get(str(exchange.status)) or answers.get(exchange.status) or answers.get("default")
        if answer is None:
            faults.append(("answer", f"status {exchange.status} is not described"))
        else:
            contents = self._resolved(answer).get("content", {})
            schema = contents.get(exchange.content_type, {}).get("schema")
            if contents and exchange.content_type not in contents:
                faults.append(("answer", f"{exchange.content_type or 'no type'} instead of {', '.join(contents)}"))
            elif schema is not None:
                faults += [("answer", fault) for fault in self._faults(schema, exchange.answer)]
        known_here = [(side, begin) for name, path, side, begin in KNOWN if (name, path) == (self.name, found)]
        kept = [
            f"{side} {fault}"
            for side, fault in faults
            if not any(side == s and fault.startswith(begin) for s, begin in known_here)
        ]
        return found, sorted(set(kept))
