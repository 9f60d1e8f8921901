//! A program that prints the URLs that it listens at, and is killed when it is dropped.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, ChildStdout, Command, Stdio};

/// A running program.
#[derive(Debug)]
pub struct Program {
    child: Child,
    out: BufReader<ChildStdout>,
}

impl Program {
    /// Starts a program.
    ///
    /// # Panics
    /// When the program does not exist.
    pub fn start(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("a program");
        let out = BufReader::new(child.stdout.take().expect("a pipe"));
        Self { child, out }
    }

    /// Reads the next line of output; empty when the program has exited.
    ///
    /// # Panics
    /// When the output is not UTF-8.
    pub fn next_line(&mut self) -> String {
        let mut line = String::new();
        self.out.read_line(&mut line).expect("a line");
        line
    }

    /// The URL in the next line of output.
    pub fn url(&mut self) -> String {
        url_in_line(&self.next_line()).to_owned()
    }

    /// Process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a signal, for example `-HUP`.
    ///
    /// # Panics
    /// When the program has exited.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill")
            .args([name, &self.child.id().to_string()])
            .status();
        assert!(sent.expect("kill").success());
    }

    /// Stops the program with a signal. Returns its exit status and the rest of its output, with
    /// errors if they are captured.
    pub fn end(mut self, name: &str) -> (Option<i32>, String) {
        self.signal(name);
        let mut output = String::new();
        let _ = self.out.read_to_string(&mut output);
        if let Some(mut errors) = self.child.stderr.take() {
            let _ = errors.read_to_string(&mut output);
        }
        (self.child.wait().expect("an end").code(), output)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The URL in a line of output, without `http://`.
///
/// # Panics
/// When the line contains no URL.
pub fn url_in_line(line: &str) -> &str {
    let rest = line.split_once("http://").map(|(_, rest)| rest);
    let url = rest.and_then(|rest| rest.split_whitespace().next());
    url.unwrap_or_else(|| panic!("no address: {line}"))
}
