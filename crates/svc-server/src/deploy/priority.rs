//! Lowers the priority of background threads.

/// Lowers the priority of the current thread and the threads that it starts, if the operating
/// system supports it.
pub(super) fn lower() {
    // On Linux, process ID 0 selects the calling thread, and new threads inherit its priority.
    #[cfg(target_os = "linux")]
    {
        let _ = rustix::process::setpriority_process(None, 10);
    }
}
