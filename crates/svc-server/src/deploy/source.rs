//! From where the files of a project come.

use super::{FetchFailed, Reference, Snapshot, Snapshots};
use crate::settings::SourceSettings;

/// Takes a snapshot of a source. `tell` gets lines for the log.
///
/// # Errors
/// A sentence that says what is wrong with the source and what to do.
pub(super) fn fetch(
    source: &SourceSettings,
    _reference: &Reference,
    into: &Snapshots,
    tell: &dyn Fn(&str),
) -> Result<Snapshot, FetchFailed> {
    match source {
        SourceSettings::Folder { path, .. } => super::snapshots::of_folder(path, into, tell),
        SourceSettings::Git(_) => Err(FetchFailed("Git sources are not known yet".to_owned())),
    }
}
