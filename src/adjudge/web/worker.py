"""Gunicorn worker that slow clients cannot occupy.

Gunicorn's threads read a request while it arrives: a few clients that send theirs byte by byte hold
every thread, and nobody else is served. Here the loop that accepts connections collects each
request, and a thread is taken only once the request is there. Requests that do not arrive within
`ARRIVES_WITHIN` are refused. Large bodies (uploads of organisers) are not collected; they may hold
half of the threads, never all, and a client that is silent for `SILENCE` is hung up on.
"""

import re
import selectors
import socket
import struct
import time
from collections import deque
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from typing import Any

from gunicorn.workers.gthread import ThreadWorker

from adjudge.web import middleware

ARRIVES_WITHIN = 15.0  # seconds
SILENCE = 20  # seconds
LARGEST_HEAD = 128 * 1024
LARGEST_COLLECTED = 256 * 1024  # of head and body
_PORTION = 64 * 1024
# A refused client may still be sending; closing at once would discard the reply.
LINGERS = 2.0  # seconds
MOST_LINGERING = 500
_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d{1,18})[ \t]*\r\n", re.IGNORECASE)
# Bodies of unknown length, and clients that wait for a word before they send one.
_NOT_COLLECTED = re.compile(rb"\r\n(transfer-encoding|expect):", re.IGNORECASE)


@dataclass(eq=False)
class Arrival:
    """Request in arrival."""

    connection: Any
    deadline: float
    data: bytearray = field(default_factory=bytearray)

    @property
    def head_ends(self) -> int:
        """Offset of the body; −1 if still unknown."""
        end = self.data.find(b"\r\n\r\n")
        return end + 4 if end >= 0 else -1

    @property
    def is_large(self) -> bool:
        """Test whether the body is too large to be collected."""
        return bool(_NOT_COLLECTED.search(self._head())) or self._length() > LARGEST_COLLECTED

    @property
    def is_whole(self) -> bool:
        """Test whether head and body are complete."""
        return self.head_ends >= 0 and len(self.data) >= self._length()

    def _length(self) -> int:
        """Length of head and body."""
        said = _LENGTH.search(self._head())
        return self.head_ends + (int(said[1]) if said else 0)

    def _head(self) -> bytes:
        return bytes(self.data[: self.head_ends])


@dataclass(eq=False)
class Closing:
    """Connection being closed."""

    connection: Any
    deadline: float


class PatientWorker(ThreadWorker):  # type: ignore[misc]
    """Gunicorn's threaded worker, with requests collected before they occupy a thread."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.arriving: deque[Arrival] = deque()  # the earliest deadline first
        self.large: deque[Any] = deque()  # connections with large bodies that wait for a thread
        self.large_at_work: set[Any] = set()
        self.most_large = max(1, self.cfg.threads // 2)
        self.closing: deque[Closing] = deque()

    def init_process(self) -> None:
        """Initialise the worker process."""
        middleware.arm()
        super().init_process()

    def enqueue_req(self, conn: Any) -> None:
        """Collect the whole request of a connection before queueing it."""
        arrival = Arrival(conn, time.monotonic() + ARRIVES_WITHIN)
        if conn.initialized:
            arrival.data += conn.parser.unreader.take_buffered()
        else:
            _limit_silence(conn.sock)
        conn.sock.setblocking(False)
        self.arriving.append(arrival)
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self._arrives, arrival))
        if arrival.data:
            self._look_at(arrival)

    def _arrives(self, arrival: Arrival, client: Any) -> None:
        try:
            portion = client.recv(_PORTION)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            portion = b""
        if not portion:
            self._refuse(arrival, HTTPStatus.BAD_REQUEST)
            return
        arrival.data += portion
        self._look_at(arrival)

    def _look_at(self, arrival: Arrival) -> None:
        if arrival.head_ends < 0:
            if len(arrival.data) > LARGEST_HEAD:
                self._refuse(arrival, HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        elif arrival.is_large:
            self._leave(arrival)
            self.large.append(self._with_data(arrival))
            self._start_large()
        elif arrival.is_whole:
            self._leave(arrival)
            super().enqueue_req(self._with_data(arrival))

    def _with_data(self, arrival: Arrival) -> Any:
        """Connection whose parser first reads the collected data."""
        conn = arrival.connection
        conn.close = partial(self._close, conn)
        conn.init()
        conn.parser.unreader.unread(bytes(arrival.data))
        return conn

    def _start_large(self) -> None:
        while self.large and len(self.large_at_work) < self.most_large:
            conn = self.large.popleft()
            self.large_at_work.add(conn)
            super().enqueue_req(conn)

    def finish_request(self, conn: Any, future: "Future[Any]") -> None:
        """Release a thread."""
        self.large_at_work.discard(conn)
        self._start_large()
        super().finish_request(conn, future)

    def murder_pending(self) -> None:
        """Refuse requests that did not arrive in time."""
        super().murder_pending()
        now = time.monotonic()
        while self.arriving and self.arriving[0].deadline < now:
            self._refuse(self.arriving[0], HTTPStatus.REQUEST_TIMEOUT)
        while self.closing and self.closing[0].deadline < now:
            self._closed(self.closing[0])

    def _refuse(self, arrival: Arrival, status: HTTPStatus) -> None:
        """Respond with the reason, unless there was no request, and close the connection."""
        self._leave(arrival)
        self.nr_conns -= 1
        reply = f"HTTP/1.1 {status.value} {status.phrase}\r\nConnection: close\r\n"
        if arrival.data:
            with suppress(OSError):
                arrival.connection.sock.send(f"{reply}Content-Length: 0\r\n\r\n".encode())
        self._close(arrival.connection, graceful=bool(arrival.data))

    def _close(self, conn: Any, graceful: bool = False) -> None:
        """Close without waiting for the peer, unlike gunicorn, which would serve nobody
        meanwhile.
        """
        client = conn.sock
        with suppress(OSError):
            if graceful and self.alive and len(self.closing) < MOST_LINGERING:
                client.shutdown(socket.SHUT_WR)
                client.setblocking(False)
                closing = Closing(conn, time.monotonic() + LINGERS)
                self.poller.register(client, selectors.EVENT_READ, partial(self._drain, closing))
                self.closing.append(closing)
                return
        client.close()

    def _drain(self, closing: Closing, client: Any) -> None:
        try:
            if client.recv(_PORTION):
                return
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            pass
        self._closed(closing)

    def _closed(self, closing: Closing) -> None:
        self.closing.remove(closing)
        self.poller.unregister(closing.connection.sock)
        closing.connection.sock.close()

    def _leave(self, arrival: Arrival) -> None:
        self.arriving.remove(arrival)
        self.poller.unregister(arrival.connection.sock)


def _limit_silence(client: socket.socket) -> None:
    """Limit the time that reading and writing in a thread waits for the client."""
    seconds = struct.pack("ll", SILENCE, 0)
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, seconds)
    client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, seconds)
