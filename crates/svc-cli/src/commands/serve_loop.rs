//! Common code of `serve` and `dev`.

use std::io;
use std::net::SocketAddr;

use svc_server::{RunOptions, prepare, protection_notice, run_site, stop_signal, summary};

use super::{eprint_escaped, print};
use crate::exit::Exit;

/// Serves until the user stops the program. `format_line` formats the first line from the URL and a summary.
pub(super) fn run(
    options: RunOptions,
    addrs: &[SocketAddr],
    show_problems: bool,
    format_line: impl Fn(&str, &str) -> String,
) -> io::Result<Exit> {
    super::check_site_dir(&options.root)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        // Pages are rendered on these threads, with deep recursion.
        .thread_stack_size(8 << 20)
        .build()?;
    let served = runtime.block_on(async {
        let prepared = prepare(&options, addrs).await?;
        if prepared.is_fatal() || show_problems {
            eprint_escaped(&prepared.render_text());
        }
        if !show_problems && let Some(notice) = protection_notice(&prepared.diagnostics) {
            eprint_escaped(&notice);
        }
        if prepared.is_fatal() {
            return Ok(Exit::Problems);
        }
        let line = summary(&prepared.site, &prepared.diagnostics);
        let base = prepared.site.base_path().to_owned();
        let address = format!("http://{}{base}", prepared.server.local_addr()?);
        let stop = stop_signal();
        print(&format_line(&address, &line))?;
        run_site(prepared, options, stop, |line| {
            eprint_escaped(&format!("{line}\n"));
        })
        .await;
        Ok(Exit::Success)
    });
    // Background work must not delay the exit of the program.
    runtime.shutdown_timeout(svc_server::program::SHUTDOWN_TIMEOUT);
    served
}
