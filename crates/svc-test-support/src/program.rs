//! A program that is started, says in lines where it listens, and ends with the value.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, ChildStdout, Command, Stdio};

/// A running program.
#[derive(Debug)]
pub struct Program {
    child: Child,
    out: BufReader<ChildStdout>,
}

impl Program {
    /// Starts it.
    ///
    /// # Panics
    /// When there is no such program.
    pub fn start(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("a program");
        let out = BufReader::new(child.stdout.take().expect("a pipe"));
        Self { child, out }
    }

    /// The next line that it says; empty when it has ended.
    ///
    /// # Panics
    /// When it says no text.
    pub fn next_line(&mut self) -> String {
        let mut line = String::new();
        self.out.read_line(&mut line).expect("a line");
        line
    }

    /// The address in the next line.
    pub fn url(&mut self) -> String {
        url_in_line(&self.next_line()).to_owned()
    }

    /// The number of its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a signal: `-HUP`.
    ///
    /// # Panics
    /// When it has ended.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill")
            .args([name, &self.child.id().to_string()])
            .status();
        assert!(sent.expect("kill").success());
    }

    /// Ends it by a signal. Gives its status, and what else it said, errors too where they were
    /// piped.
    pub fn end(mut self, name: &str) -> (Option<i32>, String) {
        self.signal(name);
        let mut said = String::new();
        let _ = self.out.read_to_string(&mut said);
        if let Some(mut errors) = self.child.stderr.take() {
            let _ = errors.read_to_string(&mut said);
        }
        (self.child.wait().expect("an end").code(), said)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The address in a line that says where a program listens, without `http://`.
///
/// # Panics
/// When there is none.
pub fn url_in_line(line: &str) -> &str {
    let rest = line.split_once("http://").map(|(_, rest)| rest);
    let address = rest.and_then(|rest| rest.split_whitespace().next());
    address.unwrap_or_else(|| panic!("no address: {line}"))
}
