//! The problems that a repository can have.

use svc_diagnostics::DiagnosticCode;

pub(crate) static TOO_LARGE: DiagnosticCode =
    DiagnosticCode::error("git-file-too-large", "a file is larger than the limit");
pub(crate) static SUBMODULE: DiagnosticCode = DiagnosticCode::warning(
    "git-submodule",
    "a folder is a submodule, which is not fetched",
);
pub(crate) static LFS: DiagnosticCode = DiagnosticCode::error(
    "git-lfs-pointer",
    "a file was stored with Git LFS, so that the repository holds a pointer only",
);
pub(crate) static LINK: DiagnosticCode = DiagnosticCode::warning(
    "git-link-outside",
    "a symbolic link leads out of the exported folder",
);
pub(crate) static NAME: DiagnosticCode = DiagnosticCode::error(
    "git-unsafe-name",
    "the name of a file cannot be written safely",
);

/// Every code of this crate.
pub static CODES: &[&DiagnosticCode] = &[&TOO_LARGE, &SUBMODULE, &LFS, &LINK, &NAME];
