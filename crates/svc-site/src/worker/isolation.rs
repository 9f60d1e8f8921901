//! Where untrusted work runs: in child processes or in this process.

use std::sync::OnceLock;

use svc_render::{ComponentEngine, LocalEngine};

#[cfg(unix)]
use super::components::ChildEngine;
#[cfg(unix)]
use super::pool::Pool;

/// Where untrusted work runs.
#[derive(Debug)]
enum Isolation {
    /// In child processes of this program.
    #[cfg(unix)]
    Children {
        components: ChildEngine,
        images: Pool,
    },
    /// In this process, including components.
    Trusted(LocalEngine),
}

static ISOLATION: OnceLock<Isolation> = OnceLock::new();

/// Runs untrusted work in child processes from now on. The program must call [`run_if_child`](super::run_if_child) at
/// its start. Has no effect on systems other than Unix.
pub fn start() {
    #[cfg(unix)]
    if let Some(program) = current_program() {
        start_with(program);
    }
}

/// Same as [`start`] with another program, which must call [`run_if_child`](super::run_if_child) at its start; for
/// tests.
#[cfg(unix)]
pub fn start_with(program: std::path::PathBuf) {
    ISOLATION.get_or_init(|| {
        let processors = std::thread::available_parallelism().map_or(2, usize::from);
        let max = processors.clamp(2, 8);
        Isolation::Children {
            components: ChildEngine::new(Pool::new(program.clone(), max)),
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
pub(super) fn image_pool() -> Option<&'static Pool> {
    match ISOLATION.get()? {
        Isolation::Children { images, .. } => Some(images),
        Isolation::Trusted(_) => None,
    }
}

/// The executable of this process. On Linux `/proc/self/exe` stays valid when the file is replaced.
#[cfg(unix)]
fn current_program() -> Option<std::path::PathBuf> {
    let program = std::path::Path::new("/proc/self/exe");
    if cfg!(target_os = "linux") && program.exists() {
        return Some(program.to_owned());
    }
    std::env::current_exe().ok()
}
