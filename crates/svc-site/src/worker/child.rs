//! The child process: sets its limits, then handles requests until its input ends.

use std::io::{self, Write as _};
use std::process::ExitCode;

use svc_render::ComponentRunner;

use super::images::ImageWorker;
use super::message::{self, RequestKind};

/// Stack size: SVG images and programs nest.
const STACK_SIZE: usize = 16 << 20;

/// Main function of a child.
pub(super) fn run() -> ExitCode {
    if limits::set().is_err() {
        return ExitCode::FAILURE;
    }
    let thread = std::thread::Builder::new().stack_size(STACK_SIZE);
    let result = thread.spawn(serve).ok().and_then(|job| job.join().ok());
    match result {
        Some(Ok(())) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn serve() -> io::Result<()> {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let mut components = ComponentRunner::default();
    let mut images = ImageWorker::default();
    while let Some((kind, contents)) = message::read(&mut input)? {
        limits::renew(kind)?;
        let response = match kind {
            RequestKind::Session => {
                components = ComponentRunner::default();
                continue;
            }
            RequestKind::Component => components.respond(&contents),
            kind => images.respond(kind, &contents),
        };
        message::write_response(&mut output, &response)?;
        output.flush()?;
    }
    Ok(())
}

#[cfg(target_os = "linux")]
mod limits {
    use std::io;

    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    use rustix::time::{ClockId, clock_gettime};

    use crate::worker::message::RequestKind;

    /// Bytes of address space for the program, its threads and its work.
    const MAX_ADDRESS_SPACE: u64 = 1 << 30;
    /// Standard input, output and error.
    const MAX_FILES: u64 = 3;
    /// CPU seconds for a component. The limit has whole seconds, and the current second has already
    /// begun.
    const MAX_COMPONENT_SECONDS: u64 = 2;
    /// CPU seconds for an image.
    const MAX_IMAGE_SECONDS: u64 = 5;

    /// Sets a limit, unless a lower one is already set.
    fn set_to(resource: Resource, max: u64) -> io::Result<()> {
        let present = getrlimit(resource).maximum;
        let max = Some(present.map_or(max, |present| present.min(max)));
        let limit = Rlimit {
            current: max,
            maximum: max,
        };
        Ok(setrlimit(resource, limit)?)
    }

    /// Sets the limits for the lifetime of the process.
    pub(super) fn set() -> io::Result<()> {
        set_to(Resource::As, MAX_ADDRESS_SPACE)?;
        set_to(Resource::Nofile, MAX_FILES)?;
        set_to(Resource::Fsize, 0)?;
        set_to(Resource::Core, 0)
    }

    /// Grants CPU time for the next request. The kernel kills the process when it exceeds it, even
    /// if the parent is gone.
    pub(super) fn renew(kind: RequestKind) -> io::Result<()> {
        let used = clock_gettime(ClockId::ProcessCPUTime).tv_sec;
        let used = u64::try_from(used).unwrap_or_default();
        let more = match kind {
            RequestKind::Session | RequestKind::Component => MAX_COMPONENT_SECONDS,
            _ => MAX_IMAGE_SECONDS,
        };
        let maximum = getrlimit(Resource::Cpu).maximum;
        let limit = Rlimit {
            current: Some(maximum.map_or(used + more, |max| max.min(used + more))),
            maximum,
        };
        Ok(setrlimit(Resource::Cpu, limit)?)
    }
}

#[cfg(not(target_os = "linux"))]
mod limits {
    use std::io;

    use crate::worker::message::RequestKind;

    /// Other systems do not enforce all of these limits; there the parent kills the child on
    /// timeout.
    pub(super) fn set() -> io::Result<()> {
        Ok(())
    }

    pub(super) fn renew(_: RequestKind) -> io::Result<()> {
        Ok(())
    }
}
