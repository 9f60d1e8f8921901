//! The child: sets its limits, then answers requests until its input ends.

use std::io::{self, Write as _};
use std::process::ExitCode;

use svc_render::ComponentRunner;

use super::images::ImageWorker;
use super::message::{self, RequestKind};

/// Bytes of the stack: drawings and programs nest.
const STACK_SIZE: usize = 16 << 20;

/// The life of a child.
pub(super) fn run() -> ExitCode {
    if limits::set().is_err() {
        return ExitCode::FAILURE;
    }
    let thread = std::thread::Builder::new().stack_size(STACK_SIZE);
    let served = thread.spawn(serve).ok().and_then(|one| one.join().ok());
    match served {
        Some(Ok(())) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn serve() -> io::Result<()> {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let mut components = ComponentRunner::default();
    let mut pictures = ImageWorker::default();
    while let Some((kind, contents)) = message::read(&mut input)? {
        limits::renew(kind)?;
        let response = match kind {
            RequestKind::Session => {
                components = ComponentRunner::default();
                continue;
            }
            RequestKind::Component => components.respond(&contents),
            kind => pictures.respond(kind, &contents),
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

    use super::RequestKind;

    /// Bytes of addresses: the program, its threads, and the work.
    const MAX_ADDRESS_SPACE: u64 = 1 << 30;
    /// Standard input, output and errors.
    const MAX_FILES: u64 = 3;
    /// Seconds of processor time for one component: a limit in whole seconds, of which the first one
    /// has begun.
    const MAX_COMPONENT_SECONDS: u64 = 2;
    /// Seconds of processor time for one drawing.
    const MAX_IMAGE_SECONDS: u64 = 5;

    /// Nobody may raise a limit that is lower already.
    fn set_to(resource: Resource, most: u64) -> io::Result<()> {
        let present = getrlimit(resource).maximum;
        let most = Some(present.map_or(most, |present| present.min(most)));
        let limit = Rlimit {
            current: most,
            maximum: most,
        };
        Ok(setrlimit(resource, limit)?)
    }

    /// Sets what holds as long as the process lives.
    pub(super) fn set() -> io::Result<()> {
        set_to(Resource::As, MAX_ADDRESS_SPACE)?;
        set_to(Resource::Nofile, MAX_FILES)?;
        set_to(Resource::Fsize, 0)?;
        set_to(Resource::Core, 0)
    }

    /// Gives the next request its processor time. The system ends the process after that, also when
    /// nobody is left who would kill it.
    pub(super) fn renew(kind: RequestKind) -> io::Result<()> {
        let used = clock_gettime(ClockId::ProcessCPUTime).tv_sec;
        let used = u64::try_from(used).unwrap_or_default();
        let more = match kind {
            RequestKind::Session | RequestKind::Component => MAX_COMPONENT_SECONDS,
            _ => MAX_IMAGE_SECONDS,
        };
        let maximum = getrlimit(Resource::Cpu).maximum;
        let limit = Rlimit {
            current: Some(maximum.map_or(used + more, |most| most.min(used + more))),
            maximum,
        };
        Ok(setrlimit(Resource::Cpu, limit)?)
    }
}

#[cfg(not(target_os = "linux"))]
mod limits {
    use std::io;

    use super::RequestKind;

    /// Other systems do not hold all of these limits; there the program kills a child by its clock.
    pub(super) fn set() -> io::Result<()> {
        Ok(())
    }

    pub(super) fn renew(_: RequestKind) -> io::Result<()> {
        Ok(())
    }
}
