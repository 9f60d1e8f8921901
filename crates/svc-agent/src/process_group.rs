//! Process groups, which are killed as a whole.

use tokio::io::AsyncReadExt as _;
use tokio::process::{Child, Command};

/// A program as leader of a process group. The group is killed when the value is dropped.
pub(crate) struct ProcessGroup {
    #[cfg(unix)]
    leader: Option<rustix::process::Pid>,
}

impl ProcessGroup {
    /// Configures a command to start as leader of a new group.
    pub(crate) fn set_leader(command: &mut Command) {
        #[cfg(unix)]
        command.process_group(0);
        command.kill_on_drop(true);
    }

    /// The group of a program that was started as leader.
    pub(crate) fn new(child: &Child) -> Self {
        #[cfg(unix)]
        {
            let id = child.id().and_then(|id| i32::try_from(id).ok());
            let leader = id.and_then(rustix::process::Pid::from_raw);
            Self { leader }
        }
        #[cfg(not(unix))]
        {
            let _ = child;
            Self {}
        }
    }

    /// Sends SIGTERM to the group.
    pub(crate) fn terminate(&self) {
        #[cfg(unix)]
        if let Some(leader) = self.leader {
            let _ = rustix::process::kill_process_group(leader, rustix::process::Signal::TERM);
        }
    }

    /// Kills the group, also after its leader has exited.
    pub(crate) fn kill(&self) {
        #[cfg(unix)]
        if let Some(leader) = self.leader {
            let _ = rustix::process::kill_process_group(leader, rustix::process::Signal::KILL);
        }
    }

    /// Kills the group for the last time; its id may be reused afterwards.
    pub(crate) fn kill_and_forget(&mut self) {
        self.kill();
        #[cfg(unix)]
        {
            self.leader = None;
        }
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Maximum number of rounds: killed processes may have started others.
#[cfg(target_os = "linux")]
const MAX_ROUNDS: usize = 5;

/// Kills the processes of a run that left its group: those whose environment contains the directory
/// of the run. A process that has cleared its environment is not found; only a container can
/// contain it.
#[cfg(target_os = "linux")]
pub(crate) fn kill_stragglers(dir_name: &str) {
    for _ in 0..MAX_ROUNDS {
        if !kill_stragglers_once(dir_name) {
            return;
        }
    }
}

/// Returns whether a process was killed.
#[cfg(target_os = "linux")]
fn kill_stragglers_once(name: &str) -> bool {
    use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
    let marker = format!("/{name}/");
    let mut killed = false;
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    for entry in entries {
        let number = entry
            .file_name()
            .to_str()
            .and_then(|name| name.parse().ok());
        let Some(process) = number.and_then(Pid::from_raw) else {
            continue;
        };
        // Opened before its environment is read, because the id may be reused afterwards.
        let Ok(pidfd) = pidfd_open(process, PidfdFlags::empty()) else {
            continue;
        };
        let Ok(environment) = std::fs::read(entry.path().join("environ")) else {
            continue;
        };
        let mut windows = environment.windows(marker.len());
        if windows.any(|window| window == marker.as_bytes()) {
            killed |= pidfd_send_signal(pidfd, Signal::KILL).is_ok();
        }
    }
    killed
}

/// The environment of processes is only available on Linux.
#[cfg(not(target_os = "linux"))]
pub(crate) fn kill_stragglers(_: &str) {}

/// Reads an output to its end and returns its beginning.
pub(crate) async fn read_prefix(
    pipe: Option<impl tokio::io::AsyncRead + Unpin>,
    max: u64,
) -> String {
    let Some(mut pipe) = pipe else {
        return String::new();
    };
    let mut output = Vec::new();
    let _ = (&mut pipe).take(max).read_to_end(&mut output).await;
    let _ = tokio::io::copy(&mut pipe, &mut tokio::io::sink()).await;
    String::from_utf8_lossy(&output).into_owned()
}
