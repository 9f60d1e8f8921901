//! Diagnostic codes of this crate.

use svc_diagnostics::{DiagnosticCode, diagnostic_code};

pub(crate) static TOO_LARGE: DiagnosticCode =
    diagnostic_code!(error, "git-file-too-large", "a file exceeds the size limit");
pub(crate) static SUBMODULE: DiagnosticCode = diagnostic_code!(
    warning,
    "git-submodule",
    "a folder is a submodule; submodules are not fetched"
);
pub(crate) static LFS: DiagnosticCode = diagnostic_code!(
    error,
    "git-lfs-pointer",
    "a file is stored with Git LFS and only its pointer is in the repository"
);
pub(crate) static LINK: DiagnosticCode = diagnostic_code!(
    warning,
    "git-link-outside",
    "a symbolic link points outside of the exported folder"
);
pub(crate) static NAME: DiagnosticCode = diagnostic_code!(
    error,
    "git-unsafe-name",
    "the name of a file is not safe to write"
);

/// All codes of this crate.
pub static CODES: &[&DiagnosticCode] = &[&TOO_LARGE, &SUBMODULE, &LFS, &LINK, &NAME];
