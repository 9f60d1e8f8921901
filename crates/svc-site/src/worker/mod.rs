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
mod images;
mod message;
#[cfg(unix)]
mod pool;

use std::process::ExitCode;
use std::sync::OnceLock;

use svc_render::{ComponentEngine, LocalEngine};

pub(crate) use self::images::{OgImageInputs, check, ico, og_image, png, variant};
#[cfg(unix)]
use self::pool::Pool;

/// The only command line argument of a child.
const ARGUMENT: &str = "--svc-worker-process";

/// Why a call to a child failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallError {
    /// All children are busy.
    Busy,
    /// The call exceeded its time limit.
    Timeout,
    /// The call exceeded its memory limit.
    Memory,
    /// The child could not be started, or it exited.
    Lost,
}

/// Where untrusted work runs.
#[derive(Debug)]
enum Isolation {
    /// In child processes of this program.
    #[cfg(unix)]
    Children {
        components: components::ChildEngine,
        images: Pool,
    },
    /// In this process, including components.
    Trusted(LocalEngine),
}

static ISOLATION: OnceLock<Isolation> = OnceLock::new();

/// Runs the child process if this process was started as one. Must be called before the program
/// reads its arguments. When it returns `Some`, the program must exit with that code.
pub fn run_if_child() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    let is_child = arguments.next().is_some_and(|first| first == ARGUMENT);
    (is_child && arguments.next().is_none()).then(child::run)
}

/// Runs untrusted work in child processes from now on. The program must call [`run_if_child`] at
/// its start. Has no effect on systems other than Unix.
pub fn start() {
    #[cfg(unix)]
    if let Some(program) = current_program() {
        start_with(program);
    }
}

/// Same as [`start`] with another program, which must call [`run_if_child`] at its start; for
/// tests.
#[cfg(unix)]
pub fn start_with(program: std::path::PathBuf) {
    ISOLATION.get_or_init(|| {
        let processors = std::thread::available_parallelism().map_or(2, usize::from);
        let max = processors.clamp(2, 8);
        Isolation::Children {
            components: components::ChildEngine::new(Pool::new(program.clone(), max)),
            images: Pool::new(program, max),
        }
    });
}

/// Runs components in this process from now on, unless [`start`] was called. A component can block
/// a thread forever, so this is only for sites whose authors are trusted.
pub fn trust_components() {
    ISOLATION.get_or_init(|| Isolation::Trusted(LocalEngine));
}

/// The engine that runs components. `None` when components do not run.
pub(crate) fn engine() -> Option<&'static dyn ComponentEngine> {
    match ISOLATION.get()? {
        #[cfg(unix)]
        Isolation::Children { components, .. } => Some(components),
        Isolation::Trusted(engine) => Some(engine),
    }
}

/// The pool of children for images. `None` when images are rendered in this process.
#[cfg(unix)]
fn image_pool() -> Option<&'static Pool> {
    match ISOLATION.get()? {
        Isolation::Children { images, .. } => Some(images),
        Isolation::Trusted(_) => None,
    }
}

/// The executable of this process. On Linux `/proc/self/exe` stays valid when the file is replaced.
#[cfg(unix)]
fn current_program() -> Option<std::path::PathBuf> {
    let own = std::path::Path::new("/proc/self/exe");
    if cfg!(target_os = "linux") && own.exists() {
        return Some(own.to_owned());
    }
    std::env::current_exe().ok()
}
