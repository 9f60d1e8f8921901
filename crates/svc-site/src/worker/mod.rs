//! Work that must end, in child processes of the same program.
//!
//! Programs of components and drawings of a repository are hostile input for large libraries, and a
//! thread that is busy in one of them cannot be stopped. A process can. A program that serves sites
//! calls [`run_if_child`] first of all and then [`start`]; from then on drawings and components run
//! in children: without environment, files and network, within limits that each child sets for
//! itself before it reads anything, and killed when they do not come back in time.
//!
//! Without [`start`], as in a library that embeds this crate, drawings are made within the calling
//! thread, and components are not run, unless [`trust_components`] says so.

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

/// The only argument of a child.
const ARGUMENT: &str = "--svc-worker-process";

/// Why a child gave no response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallError {
    /// All children are busy and stay so.
    Busy,
    /// It ran longer than its limit and was killed.
    Timeout,
    /// It needed more memory than its limit.
    Memory,
    /// It cannot be started, or it ended.
    Lost,
}

/// Where risky work is done.
#[derive(Debug)]
enum Isolation {
    /// In children of this program.
    #[cfg(unix)]
    Children {
        components: components::ChildEngine,
        images: Pool,
    },
    /// In this process, components included.
    Trusted(LocalEngine),
}

static ISOLATION: OnceLock<Isolation> = OnceLock::new();

/// Serves as a child when this process was started as one. The first call of a program, before it
/// reads its arguments: with a value, the program ends with it.
pub fn run_if_child() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    let asked = arguments.next().is_some_and(|first| first == ARGUMENT);
    (asked && arguments.next().is_none()).then(child::run)
}

/// Has children of this program do risky work from now on. The program calls [`run_if_child`] at
/// its start. Other systems than Unix have no children; their work is done as without this call.
pub fn start() {
    #[cfg(unix)]
    if let Some(program) = current_program() {
        start_with(program);
    }
}

/// As [`start`], with a program that calls [`run_if_child`] at its start: for tests, whose own
/// program does not.
#[cfg(unix)]
pub fn start_with(program: std::path::PathBuf) {
    ISOLATION.get_or_init(|| {
        let processors = std::thread::available_parallelism().map_or(2, usize::from);
        let most = processors.clamp(2, 8);
        Isolation::Children {
            components: components::ChildEngine::new(Pool::new(program.clone(), most)),
            images: Pool::new(program, most),
        }
    });
}

/// Runs components within this process from now on, where [`start`] was not called. A component can
/// keep a thread busy for ever there: only for sites whose authors are trusted.
pub fn trust_components() {
    ISOLATION.get_or_init(|| Isolation::Trusted(LocalEngine));
}

/// Where the programs of components run.
pub(crate) fn engine() -> Option<&'static dyn ComponentEngine> {
    match ISOLATION.get()? {
        #[cfg(unix)]
        Isolation::Children { components, .. } => Some(components),
        Isolation::Trusted(engine) => Some(engine),
    }
}

/// The children that draw; nothing where drawings are made in this process.
#[cfg(unix)]
fn image_pool() -> Option<&'static Pool> {
    match ISOLATION.get()? {
        Isolation::Children {
            images: pictures, ..
        } => Some(pictures),
        Isolation::Trusted(_) => None,
    }
}

/// The program of this process. On Linux it stays the same when its file is replaced.
#[cfg(unix)]
fn current_program() -> Option<std::path::PathBuf> {
    let own = std::path::Path::new("/proc/self/exe");
    if cfg!(target_os = "linux") && own.exists() {
        return Some(own.to_owned());
    }
    std::env::current_exe().ok()
}
