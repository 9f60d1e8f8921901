//! A program and all that it starts, ended as a whole.

use tokio::process::{Child, Command};

/// A program that leads a group of processes. The group ends with this value.
pub(crate) struct ProcessGroup {
    #[cfg(unix)]
    leader: Option<rustix::process::Pid>,
}

impl ProcessGroup {
    /// Has the program of a command lead a group of its own.
    pub(crate) fn set_leader(command: &mut Command) {
        #[cfg(unix)]
        command.process_group(0);
        command.kill_on_drop(true);
    }

    /// The group that a program leads.
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

    /// Asks all of it to end.
    pub(crate) fn terminate(&self) {
        #[cfg(unix)]
        if let Some(leader) = self.leader {
            let _ = rustix::process::kill_process_group(leader, rustix::process::Signal::TERM);
        }
    }

    /// Ends what is there of it, also after its leader has ended.
    pub(crate) fn kill(&self) {
        #[cfg(unix)]
        if let Some(leader) = self.leader {
            let _ = rustix::process::kill_process_group(leader, rustix::process::Signal::KILL);
        }
    }

    /// Ends it for the last time: its number may soon belong to others.
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

/// Rounds in which new processes are looked for: the ended ones may have started others.
#[cfg(target_os = "linux")]
const MAX_ROUNDS: usize = 5;

/// Ends the processes that a run left behind outside of its group: those whose environment still
/// names the folder of the run. One that has put that off is not found; only a container holds it.
#[cfg(target_os = "linux")]
pub(crate) fn kill_stragglers(name_of_folder: &str) {
    for _ in 0..MAX_ROUNDS {
        if !kill_stragglers_once(name_of_folder) {
            return;
        }
    }
}

/// Says whether there was one.
#[cfg(target_os = "linux")]
fn kill_stragglers_once(name: &str) -> bool {
    use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
    let marker = format!("/{name}/");
    let mut found = false;
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    for entry in entries {
        let number = entry
            .file_name()
            .to_str()
            .and_then(|name| name.parse().ok());
        let Some(process) = number.and_then(Pid::from_raw) else {
            continue;
        };
        // Held before it is looked at: the number may belong to another one afterwards.
        let Ok(held) = pidfd_open(process, PidfdFlags::empty()) else {
            continue;
        };
        let Ok(environment) = std::fs::read(entry.path().join("environ")) else {
            continue;
        };
        let mut places = environment.windows(marker.len());
        if places.any(|place| place == marker.as_bytes()) {
            found |= pidfd_send_signal(held, Signal::KILL).is_ok();
        }
    }
    found
}

/// Only Linux tells the environment of processes.
#[cfg(not(target_os = "linux"))]
pub(crate) fn kill_stragglers(_: &str) {}
