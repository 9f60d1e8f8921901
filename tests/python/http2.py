"""Loads pages, and reads and writes slowly, over HTTP/2 with the Python package `h2`.

Arguments: port of the server, and the certificate to trust; without it, the connections are not
encrypted (prior knowledge). Prints one line with JSON for each case: its name and what was received.
The package checks that the frames, header fields and flow control of the server are valid.
"""

import json
import os
import socket
import ssl
import sys

import h2.config
import h2.connection
import h2.events
import h2.settings

TIMEOUT_SECONDS = 60
Codes = h2.settings.SettingCodes


class Client:
    """A connection, and what was received on each stream."""

    def __init__(self, port, certificate, settings=None, reads=True):
        sock = socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT_SECONDS)
        self.protocol = None
        if certificate:
            context = ssl.create_default_context(cafile=certificate)
            context.set_alpn_protocols(["h2", "http/1.1"])
            sock = context.wrap_socket(sock, server_hostname="localhost")
            self.protocol = sock.selected_alpn_protocol()
        self.sock = sock
        self.scheme = "https" if certificate else "http"
        # Whether it returns the flow-control window of what it has received.
        self.reads = reads
        self.h2 = h2.connection.H2Connection(h2.config.H2Configuration())
        if settings:
            own = h2.settings.Settings(client=True, initial_values=settings)
            self.h2.local_settings = own
            self.h2.max_inbound_frame_size = own.max_frame_size
            self.h2.decoder.max_allowed_table_size = own.header_table_size
        self.h2.initiate_connection()
        self.streams = {}
        self.pongs = []
        self.is_open = True
        self.code = None
        self.flush()

    def flush(self):
        self.sock.sendall(self.h2.data_to_send())

    def request(self, path, method="GET", fields=(), end=True):
        stream = self.h2.get_next_available_stream_id()
        head = [
            (":method", method),
            (":scheme", self.scheme),
            (":authority", "localhost"),
            (":path", path),
        ]
        self.streams[stream] = {"status": None, "bytes": 0, "end": None}
        self.h2.send_headers(stream, head + list(fields), end_stream=end)
        self.flush()
        return stream

    def receive(self):
        """Handles what the server sends next; `is_open` is false after its last byte."""
        try:
            data = self.sock.recv(65536)
        except (ConnectionResetError, ssl.SSLEOFError):
            data = b""
        if not data:
            self.is_open = False
            return
        for event in self.h2.receive_data(data):
            self.handle(event)
        self.flush()

    def handle(self, event):
        if isinstance(event, h2.events.ConnectionTerminated):
            self.code = int(event.error_code)
        elif isinstance(event, h2.events.PingAckReceived):
            self.pongs.append(event.ping_data.decode())
        stream = self.streams.get(getattr(event, "stream_id", None))
        if stream is None:
            return
        if isinstance(event, h2.events.ResponseReceived):
            stream["status"] = int(dict(event.headers)[b":status"])
        elif isinstance(event, h2.events.DataReceived):
            stream["bytes"] += len(event.data)
            if self.reads and event.flow_controlled_length:
                self.h2.acknowledge_received_data(
                    event.flow_controlled_length, event.stream_id
                )
        elif isinstance(event, h2.events.StreamEnded):
            stream["end"] = "end"
        elif isinstance(event, h2.events.StreamReset):
            stream["end"] = f"reset {int(event.error_code)}"

    def wait(self, streams):
        """Receives until the streams have ended, and returns them."""
        while self.is_open and any(self.streams[each]["end"] is None for each in streams):
            self.receive()
        return [self.streams[each] for each in streams]


def pages(connect):
    client = connect()
    paths = ["/", "/guides/start", "/picture.png", "/large.png", "/nowhere"] * 10
    streams = [client.request(path) for path in paths]
    found = client.wait(streams)
    return {
        "protocol": client.protocol,
        "statuses": [each["status"] for each in found],
        "ends": sorted({each["end"] for each in found}),
        "large": sorted({each["bytes"] for each in found[3::5]}),
    }


def head(connect):
    client = connect()
    return client.wait([client.request("/large.png", method="HEAD")])[0]


def settings(connect):
    # No dynamic table for header fields, large frames, and a window that changes while responses
    # are sent.
    client = connect(
        {Codes.HEADER_TABLE_SIZE: 0, Codes.MAX_FRAME_SIZE: 1 << 20, Codes.INITIAL_WINDOW_SIZE: 10}
    )
    streams = [client.request("/large.png") for _ in range(3)]
    while client.streams[streams[-1]]["bytes"] < 10:
        client.receive()
    client.h2.update_settings({Codes.INITIAL_WINDOW_SIZE: 1 << 20})
    client.flush()
    return [each["bytes"] for each in client.wait(streams)]


def ping(connect):
    client = connect()
    for number in range(20):
        client.h2.ping(f"ping {number:03}".encode())
    client.flush()
    while client.is_open and len(client.pongs) < 20:
        client.receive()
    return client.pongs[-1]


def trailers(connect):
    client = connect()
    stream = client.request("/", end=False)
    client.h2.send_data(stream, b"abc")
    client.h2.send_headers(stream, [("x-checksum", "1")], end_stream=True)
    client.flush()
    return client.wait([stream])[0]["status"]


def slow_reader(connect):
    client = connect({Codes.INITIAL_WINDOW_SIZE: 1}, reads=False)
    streams = [client.request("/large.png") for _ in range(20)]
    ends = {each["end"] for each in client.wait(streams)}
    # The connection is used again after the streams were reset.
    client.reads = True
    last = client.wait([client.request("/picture.png")])[0]
    return {"ends": sorted(map(str, ends)), "last": last["status"]}


def slow_writer(connect):
    client = connect()
    streams = [
        client.request("/", fields=[("content-length", "9")], end=False)
        for _ in range(20)
    ]
    for stream in streams:
        client.h2.send_data(stream, b"a")
    client.flush()
    return sorted({str(each["status"]) for each in client.wait(streams)})


def rapid_reset(connect):
    client = connect()
    try:
        for _ in range(5000):
            client.h2.reset_stream(client.request("/"), 8)
            client.flush()
        while client.is_open:
            client.receive()
    except (ConnectionResetError, BrokenPipeError, ssl.SSLError):
        client.is_open = False
    return {"open": client.is_open, "code": client.code in (None, 11)}


def main():
    port, *certificate = sys.argv[1:]

    def connect(settings=None, reads=True):
        return Client(int(port), certificate[0] if certificate else None, settings, reads)

    cases = [pages, head, settings, ping, trailers, slow_writer, rapid_reset]
    # It takes as long as the slowest reader may: about a minute.
    if "SVC_THOROUGH" in os.environ:
        cases.append(slow_reader)
    for case in cases:
        print(json.dumps([case.__name__, case(connect)]))


main()
