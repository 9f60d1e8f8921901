//! The files and variables that the settings refer to.

use std::io;
use std::path::Path;

/// Access to the files and variables that the settings refer to.
#[derive(Clone, Copy)]
pub struct SettingsEnvironment<'a> {
    /// Directory of the settings file; relative paths are resolved against it.
    pub dir: &'a Path,
    /// Reads an environment variable; `None` if it is not set.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
    /// Reads a text file.
    pub read_text: &'a dyn Fn(&Path) -> io::Result<String>,
    /// Whether a directory exists.
    pub is_dir: &'a dyn Fn(&Path) -> bool,
    /// Whether a file is readable by every user of the machine.
    pub is_readable_by_all: &'a dyn Fn(&Path) -> bool,
}

impl std::fmt::Debug for SettingsEnvironment<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut out = f.debug_struct("SettingsEnvironment");
        out.field("dir", &self.dir).finish_non_exhaustive()
    }
}

/// The path as it is shown in messages.
pub(super) fn display_path(path: &Path) -> String {
    path.display().to_string()
}
