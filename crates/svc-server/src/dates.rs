//! The days of the last changes in a folder that is served. Reading a long history takes seconds,
//! which readers do not wait for.

use std::io;
use std::path::Path;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use svc_diagnostics::Checked;
use svc_site::{LastModifiedSource, LoadOptions, Site};

/// How long a start waits for them.
const HISTORY_TIMEOUT: Duration = Duration::from_millis(150);

/// Where the days of a folder come from: the repository around it. What its history told is kept in
/// the folder for the data of the site, where there is one.
pub fn dates(root: &Path, data: Option<&Path>) -> LastModifiedSource {
    match data {
        Some(data) => LastModifiedSource::Dir {
            path: root.to_owned(),
            cache: data.join("dates"),
        },
        None => LastModifiedSource::Enclosing,
    }
}

/// A site whose history is still being read.
#[derive(Debug)]
pub(crate) struct PendingDates {
    site: Arc<Site>,
    /// Nothing when it is the same with its days.
    receiver: mpsc::Receiver<Option<Checked<Site>>>,
}

impl PendingDates {
    /// Loads a site; one that comes without its days is followed by one with them.
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
        let work = move || {
            let made = svc_site::rebuild_with_dates(&before, &root, &loading);
            // Nobody waits for it when the server has ended.
            let _ = send.send(made.ok().flatten());
        };
        // Without a thread there are no days before the next commit.
        let builder = thread::Builder::new().name("svc-days".into());
        let _ = builder.stack_size(8 << 20).spawn(work);
        match coming.receiver.recv_timeout(HISTORY_TIMEOUT) {
            Err(mpsc::RecvTimeoutError::Timeout) => return Ok((loaded, Some(coming))),
            Ok(Some(dated)) => loaded.value = Arc::new(dated.value),
            Ok(None) | Err(mpsc::RecvTimeoutError::Disconnected) => {}
        }
        Ok((loaded, None))
    }

    /// Waits for the history. Gives the site without its days, and the one with them unless they
    /// are the same.
    pub(crate) fn wait(self) -> Option<(Arc<Site>, Checked<Site>)> {
        Some((self.site, self.receiver.recv().ok()??))
    }
}
