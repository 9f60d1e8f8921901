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
