//! Worker processes for untrusted work.
//!
//! Components and images of a repository are untrusted input for large libraries, and a thread that
//! is stuck in one of them cannot be stopped. A process can. A program that serves sites calls
//! [`run_if_child`] first and then [`start`]; after that images and components are processed in
//! child processes of the same program: without environment, files and network, within resource
//! limits that each child sets before it reads any input, and killed on timeout.
//!
//! Without [`start`], for example in a program that embeds this crate, images are rendered on the
//! calling thread, and components do not run unless [`trust_components`] was called.

mod child;
mod components;
mod error;
mod images;
mod isolation;
mod message;
#[cfg(unix)]
mod pool;

use std::process::ExitCode;

pub(crate) use self::error::CallError;
pub(crate) use self::images::{OgImageInputs, check, ico, og_image, png, variant};
pub(crate) use self::isolation::engine;
#[cfg(unix)]
pub use self::isolation::start_with;
pub use self::isolation::{start, trust_components};
use self::message::ARGUMENT;

/// Runs the child process if this process was started as one. Must be called before the program
/// reads its arguments. When it returns `Some`, the program must exit with that code.
pub fn run_if_child() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    let is_child = arguments.next().is_some_and(|first| first == ARGUMENT);
    (is_child && arguments.next().is_none()).then(child::run)
}
