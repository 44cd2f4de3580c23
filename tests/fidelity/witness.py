"""A proxy between a client and the practice market that remembers what both said."""

import http.client
import json
import sys
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

# Between two machines, not between the two ends.
HOP_BY_HOP = {"connection", "transfer-encoding", "content-length", "host", "keep-alive"}


def document(body: bytes) -> Any:
    """The JSON of a body; None where there is none."""
    try:
        return json.loads(body)
    except ValueError:
        return None


@dataclass
class Exchange:
    """A request and its answer."""

    who: str
    method: str
    path: str
    query: dict[str, str]
    request: Any
    status: int
    content_type: str
    answer: Any


class Witness:
    """Listens on a free port of loopback and passes everything on to `target` (`127.0.0.1:PORT`)."""

    def __init__(self, target: str) -> None:
        self.seen: list[Exchange] = []
        self.who = ""
        witness = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def pass_on(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                headers = {k: v for k, v in self.headers.items() if k.lower() not in HOP_BY_HOP}
                market = http.client.HTTPConnection(target, timeout=30)
                market.request(self.command, self.path, body or None, headers)
                answer = market.getresponse()
                content = answer.read()
                url = urlsplit(self.path)
                witness.seen.append(
                    Exchange(
                        witness.who,
                        self.command,
                        url.path,
                        dict(parse_qsl(url.query)),
                        document(body),
                        answer.status,
                        (answer.headers.get("content-type") or "").split(";")[0],
                        document(content),
                    )
                )
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    if name.lower() not in HOP_BY_HOP:
                        self.send_header(name, value)
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = pass_on

            def log_message(self, format: str, *args: object) -> None:
                """Says nothing: the steps speak for themselves."""

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request: object, client_address: object) -> None:
                # A client that was ended closes its connection; nothing else is expected to go wrong.
                if not isinstance(sys.exc_info()[1], ConnectionError):
                    super().handle_error(request, client_address)

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
