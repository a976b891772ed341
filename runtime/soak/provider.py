"""A server on loopback that speaks OpenAI's chat completions, and misbehaves on order.

Real sockets, a thread of its own. Each request takes the next behaviour of the script; after the last one the
server answers by `answer`, or with an empty list of facts.
"""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Behaviour = Callable[["Handler"], None]


class Handler(BaseHTTPRequestHandler):
    """One request. `behave` writes the response, or doesn't."""

    protocol_version = "HTTP/1.1"
    server: Server
    asked: dict[str, Any]

    def do_POST(self) -> None:
        """Answer as the script says."""
        self.asked = json.loads(self.rfile.read(int(self.headers.get("Content-Length", "0"))))
        with self.server.lock:
            if self.server.keeps:
                self.server.requests.append(Request(self.path, dict(self.headers), self.asked))
            behaviour = self.server.script.pop(0) if self.server.script else self.server.otherwise
        try:
            behaviour(self)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def send(self, status: int, body: bytes, headers: Mapping[str, str] | None = None) -> None:
        """Write a whole response."""
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@dataclass
class Request:
    """What was asked."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def said(self) -> str:
        """All that the model was told, as one text."""
        return "\n".join(message["content"] for message in self.body["messages"])


class Server(ThreadingHTTPServer):
    """The server. `otherwise` is what it does where the script is at its end.

    Args:
        keeps: whether it keeps what it is asked in `requests`.
    """

    daemon_threads = True

    def __init__(self, *, keeps: bool = True) -> None:
        self.keeps = keeps
        self.script: list[Behaviour] = []
        self.requests: list[Request] = []
        self.lock = threading.Lock()
        self.over = threading.Event()
        self.otherwise: Behaviour = says({"facts": []})
        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def base_url(self) -> str:
        """Address of it, with the version."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def then(self, *behaviours: Behaviour) -> None:
        """Add behaviours to the script."""
        with self.lock:
            self.script += behaviours

    def handle_error(self, *_: object) -> None:
        """A client that goes away is no error here."""


@contextmanager
def serving(*, keeps: bool = True) -> Iterator[Server]:
    """Serve for the length of the block, and yield the server.

    Args:
        keeps: whether it keeps what it is asked.
    """
    server = Server(keeps=keeps)
    thread = threading.Thread(target=lambda: server.serve_forever(poll_interval=0.02), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.over.set()
        server.shutdown()
        server.server_close()
        thread.join()


def completion(content: object, *, finish: str = "stop", **message: object) -> bytes:
    """Return the body of a chat completion."""
    return json.dumps(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "choices": [
                {
                    "index": 0,
                    "finish_reason": finish,
                    "message": {"role": "assistant", "content": content, **message},
                }
            ],
            "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
        }
    ).encode()


# --- behaviours ------------------------------------------------------------------------------------


def says(answer: object, *, finish: str = "stop", **message: object) -> Behaviour:
    """Answer with a text, or with anything else as JSON."""
    content = answer if isinstance(answer, str) else json.dumps(answer)
    return lambda handler: handler.send(200, completion(content, finish=finish, **message))


def fails(status: int, body: bytes = b'{"error": {"message": "no", "code": "nope"}}', **headers: str) -> Behaviour:
    """Answer with an error; `retry_after="3"` becomes a header."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda handler: handler.send(status, body, named)


def sends(body: bytes, **headers: str) -> Behaviour:
    """Answer 200 with any bytes."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda handler: handler.send(200, body, named)


def breaks_off(handler: Handler) -> None:
    """Promise a body, send half of it, and close."""
    body = completion("[]")
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body[: len(body) // 2])
    handler.wfile.flush()
    handler.connection.shutdown(socket.SHUT_RDWR)
    handler.close_connection = True


def hangs_up(handler: Handler) -> None:
    """Close without a word."""
    handler.connection.shutdown(socket.SHUT_RDWR)
    handler.close_connection = True


def stays_silent(handler: Handler) -> None:
    """Say nothing until the server is over."""
    handler.server.over.wait(30)
    handler.close_connection = True


def drips(handler: Handler) -> None:
    """Send a byte now and then, without end, so that no silence is long."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000000")
    handler.end_headers()
    while not handler.server.over.is_set():
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.02)


def floods(handler: Handler) -> None:
    """Send without end, as fast as it goes."""
    handler.send_response(200)
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    while not handler.server.over.is_set():
        handler.wfile.write(chunk)


@dataclass
class Echo:
    """A model that does what the data tells it to: it repeats, as its answer, what stands after `ANSWER:`."""

    otherwise: Behaviour = field(default_factory=lambda: says({"facts": []}))

    def __call__(self, handler: Handler) -> None:
        """Answer one request."""
        data = handler.server.requests[-1].said
        _, marker, told = data.partition("ANSWER:")
        (says(told.split("\n", 1)[0]) if marker else self.otherwise)(handler)
