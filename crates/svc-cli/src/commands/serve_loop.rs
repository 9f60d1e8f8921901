//! Common code of `serve` and `dev`.

use std::io;
use std::net::SocketAddr;

use svc_server::{
    LogOptions, RunOptions, prepare, protection_notice, run_site, stop_signal, summary,
};

use super::color;
use crate::exit::Exit;

/// Serves until the user stops the program. `format_line` formats the first line from the URL and a summary.
pub(super) fn run(
    options: RunOptions,
    log: &LogOptions,
    addrs: &[SocketAddr],
    show_problems: bool,
    format_line: impl Fn(&str, &str) -> String,
) -> io::Result<Exit> {
    super::site::check_site_dir(&options.root)?;
    let log = log.init(match color::has_colors(&io::stderr()) {
        true => color::colorize,
        false => str::to_owned,
    });
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        // Pages are rendered on these threads, with deep recursion.
        .thread_stack_size(8 << 20)
        .build()?;
    let result = runtime.block_on(async {
        let prepared = prepare(&options, addrs).await?;
        if prepared.is_fatal() || show_problems {
            log.report(&prepared.render_text(), prepared.is_fatal());
        }
        if !show_problems && let Some(notice) = protection_notice(&prepared.diagnostics) {
            log.report(&notice, false);
        }
        if prepared.is_fatal() {
            return Ok(Exit::Problems);
        }
        let line = summary(&prepared.site, &prepared.diagnostics);
        let base = prepared.site.base_path().to_owned();
        let url = format!("http://{}{base}", prepared.server.local_addr()?);
        let stop = stop_signal();
        log.announce(&format_line(&url, &line));
        run_site(prepared, options, stop).await;
        Ok(Exit::Success)
    });
    // Background work must not delay the exit of the program.
    runtime.shutdown_timeout(svc_server::program::SHUTDOWN_TIMEOUT);
    result
}
