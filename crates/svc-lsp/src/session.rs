//! The session with a client: the loop, the order of messages, and cancellation.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::thread;

use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use serde_json::Value;
use svc_site::LoadOptions;

use crate::dispatch::{self, MethodError};
use crate::transport::{self, Frame};
use crate::workspace::Workspace;

/// Maximum number of messages that wait; the client waits if there are more.
const MAX_QUEUED: usize = 1_024;
/// Maximum number of messages that are handled before changed documents are checked, so that a
/// client that never pauses gets diagnostics.
const MAX_DELAYED: usize = 64;

/// Options of a session.
pub struct Options {
    /// Version of the program, which clients show.
    pub version: String,
    /// Options for loading the site of a directory. The provider of remote documents is queried
    /// when the site is loaded; after edits only its cached documents are used.
    pub load: Box<dyn Fn(&Path) -> LoadOptions>,
}

impl fmt::Debug for Options {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Options")
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}

/// Serves a client until it sends `exit` or its messages end. Returns whether the client sent
/// `shutdown` before; if not, the program must exit with code 1 (`exit`, LSP 3.17).
///
/// # Errors
/// If the input cannot be read, or the output cannot be written.
pub fn run(
    input: impl BufRead + Send + 'static,
    output: &mut impl Write,
    options: Options,
) -> io::Result<bool> {
    let (sender, receiver) = sync_channel(MAX_QUEUED);
    // The thread ends with the input. It may still wait for input when the session ends; the end of
    // the process ends it then.
    thread::spawn(move || read_all(input, &sender));
    let mut session = Session {
        workspace: Workspace::new(options.load),
        version: options.version,
        phase: Phase::New,
        queue: Queue {
            receiver,
            drained: VecDeque::new(),
        },
        delayed: 0,
    };
    session.run(output)
}

/// What the thread that reads the input sends.
enum Event {
    Frame(Frame),
    Error(io::Error),
}

fn read_all(mut input: impl BufRead, sender: &SyncSender<Event>) {
    loop {
        let event = match transport::read(&mut input) {
            Ok(Some(frame)) => Event::Frame(frame),
            Ok(None) => return,
            Err(error) => Event::Error(error),
        };
        let is_last = matches!(event, Event::Error(_));
        if sender.send(event).is_err() || is_last {
            return;
        }
    }
}

/// Phase of the life of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    New,
    Ready,
    ShutDown,
}

/// Messages that have arrived.
struct Queue {
    receiver: Receiver<Event>,
    drained: VecDeque<Event>,
}

impl Queue {
    /// The next message if one has arrived. `Err` after the last one.
    fn next(&mut self) -> Result<Option<Event>, ()> {
        if let Some(event) = self.drained.pop_front() {
            return Ok(Some(event));
        }
        match self.receiver.try_recv() {
            Ok(event) => Ok(Some(event)),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => Err(()),
        }
    }

    /// Whether a cancellation of a request has arrived.
    fn is_canceled(&mut self, id: &RequestId) -> bool {
        while self.drained.len() < MAX_QUEUED
            && let Ok(event) = self.receiver.try_recv()
        {
            self.drained.push_back(event);
        }
        self.drained.iter().any(|event| match event {
            Event::Frame(Frame::Message(Message::Notification(notification))) => {
                notification.method == "$/cancelRequest"
                    && notification.params.get("id") == serde_json::to_value(id).ok().as_ref()
            }
            _ => false,
        })
    }
}

struct Session {
    workspace: Workspace,
    version: String,
    phase: Phase,
    queue: Queue,
    /// Messages since a document changed.
    delayed: usize,
}

impl Session {
    fn run(&mut self, output: &mut impl Write) -> io::Result<bool> {
        loop {
            if self.delayed >= MAX_DELAYED {
                self.check(output)?;
            }
            let event = match self.queue.next() {
                Ok(Some(event)) => event,
                Ok(None) if self.workspace.needs_check() => {
                    self.check(output)?;
                    continue;
                }
                Ok(None) => match self.queue.receiver.recv() {
                    Ok(event) => event,
                    Err(_) => return Ok(self.phase == Phase::ShutDown),
                },
                Err(()) => {
                    // A client that sends everything at once still gets diagnostics.
                    self.check(output)?;
                    return Ok(self.phase == Phase::ShutDown);
                }
            };
            match event {
                Event::Error(error) => return Err(error),
                Event::Frame(Frame::Invalid(code, message)) => {
                    transport::write_error(output, code, &message)?;
                }
                Event::Frame(Frame::Message(Message::Notification(notification))) => {
                    if notification.method == "exit" {
                        return Ok(self.phase == Phase::ShutDown);
                    }
                    self.notify(notification);
                }
                Event::Frame(Frame::Message(Message::Request(request))) => {
                    let response = self.respond(request);
                    transport::write(output, &response.into())?;
                }
                // The only request of the server is a registration; clients without it work too.
                Event::Frame(Frame::Message(Message::Response(_))) => {}
            }
            if self.workspace.needs_check() {
                self.delayed += 1;
            }
            self.flush(output)?;
        }
    }

    /// Checks what changed, and publishes the diagnostics.
    fn check(&mut self, output: &mut impl Write) -> io::Result<()> {
        self.update();
        self.flush(output)
    }

    fn update(&mut self) {
        self.delayed = 0;
        let workspace = &mut self.workspace;
        if catch_unwind(AssertUnwindSafe(|| workspace.check())).is_err() {
            self.workspace
                .log("the check failed; this is a bug in svc, not in the documents");
        }
    }

    fn flush(&mut self, output: &mut impl Write) -> io::Result<()> {
        for message in self.workspace.take_messages() {
            transport::write(output, &message)?;
        }
        Ok(())
    }

    fn notify(&mut self, notification: Notification) {
        if self.phase != Phase::Ready {
            return;
        }
        let Notification { method, params } = notification;
        let workspace = &mut self.workspace;
        let handle = || dispatch::notify(workspace, &method, params);
        match catch_unwind(AssertUnwindSafe(handle)) {
            Ok(Ok(())) => {}
            Ok(Err(error)) => self.workspace.log(&format!("{method}: {}", error.message)),
            Err(_) => self
                .workspace
                .log(&format!("{method} failed; this is a bug in svc")),
        }
    }

    fn respond(&mut self, request: Request) -> Response {
        let id = request.id.clone();
        match self.result_of(request) {
            Ok(result) => Response {
                id,
                response_result: Ok(result),
            },
            Err(error) => Response::new_err(id, error.code as i32, error.message),
        }
    }

    fn result_of(&mut self, request: Request) -> Result<Value, MethodError> {
        let Request { id, method, params } = request;
        match (self.phase, method.as_str()) {
            (Phase::New, "initialize") => {
                let result = dispatch::initialize(&mut self.workspace, params, &self.version)?;
                self.phase = Phase::Ready;
                return Ok(result);
            }
            (Phase::New, _) => {
                let message = "the first request must be `initialize`";
                return Err(MethodError::new(ErrorCode::ServerNotInitialized, message));
            }
            (Phase::Ready, "shutdown") => {
                self.phase = Phase::ShutDown;
                return Ok(Value::Null);
            }
            (_, "initialize") | (Phase::ShutDown, _) => {
                let message = format!("`{method}` is not valid in this phase of the session");
                return Err(MethodError::new(ErrorCode::InvalidRequest, message));
            }
            (Phase::Ready, _) => {}
        }
        if self.queue.is_canceled(&id) {
            let message = "the client canceled the request";
            return Err(MethodError::new(ErrorCode::RequestCanceled, message));
        }
        let needs_current_site = dispatch::needs_current_site(&method);
        if needs_current_site {
            self.workspace.expect_file_changes();
        }
        let is_stale = needs_current_site && self.workspace.needs_check();
        if is_stale || self.workspace.needs_load() {
            self.update();
        }
        let workspace = &mut self.workspace;
        let handle = || dispatch::respond(workspace, &method, params);
        catch_unwind(AssertUnwindSafe(handle)).unwrap_or_else(|_| {
            let message = format!("`{method}` failed; this is a bug in svc");
            Err(MethodError::new(ErrorCode::InternalError, message))
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_request_is_canceled_by_a_message_that_has_arrived() {
        let (sender, receiver) = sync_channel(MAX_QUEUED);
        let mut queue = Queue {
            receiver,
            drained: VecDeque::new(),
        };
        for id in [json!(5), json!("six")] {
            let cancel = Notification::new("$/cancelRequest".to_owned(), json!({ "id": id }));
            let frame = Frame::Message(Message::Notification(cancel));
            assert!(sender.send(Event::Frame(frame)).is_ok());
        }
        assert!(queue.is_canceled(&5.into()));
        assert!(queue.is_canceled(&"six".to_owned().into()));
        assert!(!queue.is_canceled(&6.into()));
        // The messages are still handled, in order.
        assert!(matches!(queue.next(), Ok(Some(Event::Frame(_)))));
        assert!(matches!(queue.next(), Ok(Some(Event::Frame(_)))));
        assert!(matches!(queue.next(), Ok(None)));
    }
}
