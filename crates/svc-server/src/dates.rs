//! Dates of the last changes in a served folder. Reading a long Git history takes seconds, so the
//! first responses do not wait for it.

use std::io;
use std::path::Path;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use svc_diagnostics::Checked;
use svc_site::{LastModifiedSource, LoadOptions, Site};

/// How long a start waits for the history.
const HISTORY_TIMEOUT: Duration = Duration::from_millis(150);

/// Source of the dates of a folder: the Git repository that contains it. The history is cached in
/// the data directory of the site, if there is one.
pub fn dates(root: &Path, data: Option<&Path>) -> LastModifiedSource {
    match data {
        Some(data) => LastModifiedSource::Dir {
            path: root.to_owned(),
            cache: data.join("dates"),
        },
        None => LastModifiedSource::Enclosing,
    }
}

/// A site whose Git history is still being read.
#[derive(Debug)]
pub(crate) struct PendingDates {
    site: Arc<Site>,
    /// Receives `None` if the dates do not change the site.
    receiver: mpsc::Receiver<Option<Checked<Site>>>,
}

impl PendingDates {
    /// Loads a site. If the history takes too long, the site is returned without dates, and one
    /// with dates follows.
    ///
    /// # Errors
    /// As [`svc_site::load`].
    pub(crate) fn load(
        root: &Path,
        loading: LoadOptions,
    ) -> io::Result<(Checked<Arc<Site>>, Option<Self>)> {
        let checked = svc_site::load(root, &loading.without_dates())?;
        let mut loaded = Checked {
            value: Arc::new(checked.value),
            diagnostics: checked.diagnostics,
        };
        if !loaded.value.shows_last_modified() {
            return Ok((loaded, None));
        }
        let (send, dated) = mpsc::channel();
        let coming = Self {
            site: Arc::clone(&loaded.value),
            receiver: dated,
        };
        let (before, root) = (Arc::clone(&coming.site), root.to_owned());
        let task = move || {
            let result = svc_site::rebuild_with_dates(&before, &root, &loading);
            // The receiver is gone if the server has stopped.
            let _ = send.send(result.ok().flatten());
        };
        // If the thread cannot be started, the dates appear with the next commit.
        let builder = thread::Builder::new().name("svc-days".into());
        let _ = builder.stack_size(8 << 20).spawn(task);
        match coming.receiver.recv_timeout(HISTORY_TIMEOUT) {
            Err(mpsc::RecvTimeoutError::Timeout) => return Ok((loaded, Some(coming))),
            Ok(Some(dated)) => loaded.value = Arc::new(dated.value),
            Ok(None) | Err(mpsc::RecvTimeoutError::Disconnected) => {}
        }
        Ok((loaded, None))
    }

    /// Waits for the history. Returns the site without dates and the site with dates; `None` if
    /// they are the same.
    pub(crate) fn wait(self) -> Option<(Arc<Site>, Checked<Site>)> {
        Some((self.site, self.receiver.recv().ok()??))
    }
}
