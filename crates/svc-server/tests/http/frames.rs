//! A minimal HTTP/2 client.

use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

pub(crate) const DATA: u8 = 0;
pub(crate) const HEADERS: u8 = 1;
pub(crate) const PRIORITY: u8 = 2;
pub(crate) const RST_STREAM: u8 = 3;
pub(crate) const SETTINGS: u8 = 4;
pub(crate) const PING: u8 = 6;
pub(crate) const GOAWAY: u8 = 7;
pub(crate) const WINDOW_UPDATE: u8 = 8;
pub(crate) const CONTINUATION: u8 = 9;
const ACK: u8 = 1;

/// A frame from the server.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) kind: u8,
    pub(crate) flags: u8,
    pub(crate) stream: u32,
    pub(crate) payload: Vec<u8>,
}

/// A connection with the same flow-control window for every stream.
pub(crate) struct Http2 {
    socket: TcpStream,
    next: u32,
}

impl Http2 {
    pub(crate) fn new(server: SocketAddr, window: u32) -> Self {
        let socket = TcpStream::connect(server).unwrap();
        let timeout = Some(Duration::from_secs(60));
        socket.set_read_timeout(timeout).unwrap();
        socket.set_nodelay(true).unwrap();
        let mut http2 = Self { socket, next: 1 };
        http2
            .socket
            .write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
            .unwrap();
        let mut settings = vec![0, 4];
        settings.extend(window.to_be_bytes());
        http2.send(SETTINGS, 0, 0, &settings).unwrap();
        http2
    }

    pub(crate) fn send(
        &mut self,
        kind: u8,
        flags: u8,
        stream: u32,
        payload: &[u8],
    ) -> io::Result<()> {
        let mut bytes = u32::try_from(payload.len()).unwrap().to_be_bytes()[1..].to_vec();
        bytes.extend([kind, flags]);
        bytes.extend(stream.to_be_bytes());
        bytes.extend(payload);
        self.socket.write_all(&bytes)
    }

    /// Requests a path, and returns the ID of the stream.
    pub(crate) fn get(&mut self, path: &str) -> u32 {
        let stream = self.next;
        self.next += 2;
        // Indexed `:method: GET` and `:scheme: http`, then `:path` and `:authority`.
        let mut block = vec![0x82, 0x86];
        for (name, value) in [(4, path), (1, "localhost")] {
            block.extend([name, u8::try_from(value.len()).unwrap()]);
            block.extend(value.as_bytes());
        }
        // END_STREAM and END_HEADERS.
        self.send(HEADERS, 4 | 1, stream, &block).unwrap();
        stream
    }

    pub(crate) fn ping(&mut self) -> io::Result<()> {
        self.send(PING, 0, 0, &[7; 8])
    }

    pub(crate) fn allow(&mut self, stream: u32, bytes: u32) -> io::Result<()> {
        self.send(WINDOW_UPDATE, 0, stream, &bytes.to_be_bytes())
    }

    /// The next frame; `None` if the server has closed the connection.
    pub(crate) fn frame(&mut self) -> Option<Frame> {
        let mut head = [0; 9];
        self.read(&mut head)?;
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
        let mut payload = vec![0; length as usize];
        self.read(&mut payload)?;
        let frame = Frame {
            kind: head[3],
            flags: head[4],
            stream: u32::from_be_bytes([head[5], head[6], head[7], head[8]]),
            payload,
        };
        if frame.kind == PING && frame.flags & ACK == 0 {
            let _ = self.send(PING, ACK, 0, &frame.payload);
        }
        Some(frame)
    }

    fn read(&mut self, bytes: &mut [u8]) -> Option<()> {
        match self.socket.read_exact(bytes) {
            Ok(()) => Some(()),
            Err(error) => {
                assert_ne!(error.kind(), io::ErrorKind::WouldBlock, "it does not end");
                None
            }
        }
    }

    /// Reads until a number of frames of a type were received.
    pub(crate) fn wait(&mut self, kind: u8, count: usize) -> Vec<Frame> {
        let mut frames = Vec::new();
        while frames.len() < count {
            let frame = self.frame().expect("the connection is open");
            if frame.kind == kind {
                frames.push(frame);
            }
        }
        frames
    }
}
