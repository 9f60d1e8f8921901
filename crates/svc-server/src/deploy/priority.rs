//! Work that readers must not feel.

/// Lets threads of readers go before this one and those it starts, where the system can.
pub(super) fn lower() {
    // On Linux the number of a process names the calling thread here, and threads inherit it.
    #[cfg(target_os = "linux")]
    {
        let _ = rustix::process::setpriority_process(None, 10);
    }
}
