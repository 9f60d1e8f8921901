//! A program and all that it starts, ended as a whole.

use tokio::process::{Child, Command};

/// A program that leads a group of processes. The group ends with this value.
pub(crate) struct Group {
    #[cfg(unix)]
    leader: Option<rustix::process::Pid>,
}

impl Group {
    /// Has the program of a command lead a group of its own.
    pub(crate) fn lead(command: &mut Command) {
        #[cfg(unix)]
        command.process_group(0);
        command.kill_on_drop(true);
    }

    /// The group that a program leads.
    pub(crate) fn of(child: &Child) -> Self {
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
    pub(crate) fn ask(&self) {
        #[cfg(unix)]
        if let Some(leader) = self.leader {
            let _ = rustix::process::kill_process_group(leader, rustix::process::Signal::TERM);
        }
    }

    /// Ends what is there of it, also after its leader has ended.
    pub(crate) fn end(&self) {
        #[cfg(unix)]
        if let Some(leader) = self.leader {
            let _ = rustix::process::kill_process_group(leader, rustix::process::Signal::KILL);
        }
    }

    /// Ends it for the last time: its number may soon belong to others.
    pub(crate) fn end_for_good(&mut self) {
        self.end();
        #[cfg(unix)]
        {
            self.leader = None;
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.end();
    }
}

/// Rounds in which new processes are looked for: the ended ones may have started others.
#[cfg(target_os = "linux")]
const ROUNDS: usize = 5;

/// Ends the processes that a run left behind outside of its group: those whose environment still
/// names the folder of the run. One that has put that off is not found; only a container holds it.
#[cfg(target_os = "linux")]
pub(crate) fn sweep(name_of_folder: &str) {
    for _ in 0..ROUNDS {
        if !sweep_once(name_of_folder) {
            return;
        }
    }
}

/// Says whether there was one.
#[cfg(target_os = "linux")]
fn sweep_once(name: &str) -> bool {
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
pub(crate) fn sweep(_: &str) {}
