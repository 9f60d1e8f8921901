//! Framing of messages (base protocol: a header with `Content-Length`, then JSON).

use std::io::{self, BufRead, Read as _, Write};

use lsp_server::{ErrorCode, Message};
use serde::de::IgnoredAny;
use serde_json::{Value, json};

/// Maximum size of a message in bytes; larger ones are skipped.
const MAX_MESSAGE_BYTES: u64 = 64 << 20;
/// Maximum length of a header line in bytes.
const MAX_HEADER_BYTES: u64 = 4_096;

/// A message, or why the bytes are none.
#[derive(Debug)]
pub(crate) enum Frame {
    /// A valid message.
    Message(Message),
    /// An invalid message: code and description of the error.
    Invalid(ErrorCode, String),
}

/// Reads the next message. Bytes that are not a header are skipped, so that a message with a wrong
/// length does not end the session. `None` at the end of the input.
///
/// # Errors
/// If the input cannot be read.
pub(crate) fn read(input: &mut impl BufRead) -> io::Result<Option<Frame>> {
    let Some(length) = read_header(input)? else {
        return Ok(None);
    };
    if length > MAX_MESSAGE_BYTES {
        io::copy(&mut input.take(length), &mut io::sink())?;
        let message = format!("the message exceeds the limit of {MAX_MESSAGE_BYTES} bytes");
        return Ok(Some(Frame::Invalid(ErrorCode::InvalidRequest, message)));
    }
    // Grows with the input, not with the announced length.
    let mut body = Vec::new();
    input.take(length).read_to_end(&mut body)?;
    if (body.len() as u64) < length {
        return Ok(None);
    }
    Ok(Some(match serde_json::from_slice(&body) {
        Ok(message) => Frame::Message(message),
        Err(_) => invalid(&body),
    }))
}

fn invalid(body: &[u8]) -> Frame {
    match serde_json::from_slice::<IgnoredAny>(body) {
        Ok(_) => Frame::Invalid(
            ErrorCode::InvalidRequest,
            "the message is neither a request nor a notification nor a response".to_owned(),
        ),
        Err(error) => Frame::Invalid(
            ErrorCode::ParseError,
            format!("the message is not JSON: {error}"),
        ),
    }
}

/// Reads up to the end of the next header with a length. `None` at the end of the input.
fn read_header(input: &mut impl BufRead) -> io::Result<Option<u64>> {
    let mut length = None;
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.take(MAX_HEADER_BYTES).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&line).to_ascii_lowercase();
        let text = text.trim_end();
        if text.is_empty() {
            match length {
                Some(length) => return Ok(Some(length)),
                None => continue,
            }
        }
        // The rest of a message that was longer than announced may precede the header.
        if let Some((_, value)) = text.rsplit_once("content-length:") {
            length = value.trim().parse().ok();
        }
    }
}

/// Writes a message.
///
/// # Errors
/// If the output cannot be written.
pub(crate) fn write(output: &mut impl Write, message: &Message) -> io::Result<()> {
    message.write(output)
}

/// Writes the response to a message without a readable id.
///
/// # Errors
/// If the output cannot be written.
pub(crate) fn write_error(
    output: &mut impl Write,
    code: ErrorCode,
    message: &str,
) -> io::Result<()> {
    let error = json!({ "code": code as i32, "message": message });
    let body = json!({ "jsonrpc": "2.0", "id": Value::Null, "error": error }).to_string();
    write!(output, "Content-Length: {}\r\n\r\n{body}", body.len())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(bytes: &[u8]) -> Vec<String> {
        let mut input = bytes;
        let mut out = Vec::new();
        while let Some(frame) = read(&mut input).expect("slices can be read") {
            out.push(match frame {
                Frame::Message(Message::Notification(notification)) => notification.method,
                Frame::Message(other) => format!("{other:?}"),
                Frame::Invalid(code, _) => format!("{code:?}"),
            });
        }
        out
    }

    fn framed(body: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    #[test]
    fn damaged_messages_do_not_end_the_session() {
        let good = framed(r#"{"jsonrpc":"2.0","method":"exit"}"#);
        for (bad, reported) in [
            ("", None),
            ("garbage\r\n\r\n", None),
            ("Content-Length: x\r\n\r\n", None),
            ("Content-Length: -1\r\n\r\n", None),
            ("Content-Length: 2\r\n\r\n{}", Some("InvalidRequest")),
            ("Content-Length: 2\r\n\r\n[1", Some("ParseError")),
            ("Content-Length: 3\r\n\r\n\u{e9}{", Some("ParseError")),
            (
                "Content-Length: 4\r\n\r\n{\"method\":\"a\"}\r\n",
                Some("ParseError"),
            ),
            (
                "Content-Length: 4\r\n\r\n{\"method\":\"a\"}",
                Some("ParseError"),
            ),
        ] {
            let all = read_all(format!("{bad}{good}").as_bytes());
            let expected: Vec<&str> = reported.into_iter().chain(["exit"]).collect();
            assert_eq!(all, expected, "{bad:?}");
        }
    }

    #[test]
    fn a_message_that_is_too_large_is_skipped() {
        let size = usize::try_from(MAX_MESSAGE_BYTES).expect("it fits") + 1;
        let bytes = format!("Content-Length: {size}\r\n\r\n{}", " ".repeat(size));
        let bytes = bytes + &framed(r#"{"jsonrpc":"2.0","method":"exit"}"#);
        assert_eq!(read_all(bytes.as_bytes()), ["InvalidRequest", "exit"]);
    }

    #[test]
    fn a_huge_announced_length_allocates_nothing() {
        let bytes = b"Content-Length: 18446744073709551615\r\n\r\nabc";
        assert_eq!(read_all(bytes), ["InvalidRequest"]);
        assert!(read_all(b"Content-Length: 60000000\r\n\r\nabc").is_empty());
    }
}
