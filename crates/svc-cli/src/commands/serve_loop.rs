//! What `serve` and `dev` have in common.

use std::io;
use std::net::SocketAddr;

use svc_server::{RunOptions, prepare, protection_notice, run_site, stop_signal, summary};

use super::{eprint_escaped, print};
use crate::exit::Exit;

/// Serves until the user stops it. `say` makes the first line from address and summary.
pub(super) fn run(
    options: RunOptions,
    addresses: &[SocketAddr],
    show_problems: bool,
    say: impl Fn(&str, &str) -> String,
) -> io::Result<Exit> {
    super::check_site_dir(&options.root)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        // Pages are drawn on these threads, and they nest.
        .thread_stack_size(8 << 20)
        .build()?;
    let served = runtime.block_on(async {
        let prepared = prepare(&options, addresses).await?;
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
        print(&say(&address, &line))?;
        run_site(prepared, options, stop, |line| {
            eprint_escaped(&format!("{line}\n"));
        })
        .await;
        Ok(Exit::Success)
    });
    // Work that nobody waits for any more does not hold up the end of the program.
    runtime.shutdown_timeout(svc_server::program::SHUTDOWN_TIMEOUT);
    served
}
