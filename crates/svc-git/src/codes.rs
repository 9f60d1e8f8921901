//! The problems that a repository can have.

use svc_diagnostics::DiagnosticCode;

pub(crate) static TOO_LARGE: DiagnosticCode =
    DiagnosticCode::error("git-file-too-large", "a file is larger than the limit");
pub(crate) static SUBMODULE: DiagnosticCode = DiagnosticCode::warning(
    "git-submodule",
    "a folder is a submodule; submodules are not fetched",
);
pub(crate) static LFS: DiagnosticCode = DiagnosticCode::error(
    "git-lfs-pointer",
    "a file is stored with Git LFS and only its pointer is in the repository",
);
pub(crate) static LINK: DiagnosticCode = DiagnosticCode::warning(
    "git-link-outside",
    "a symbolic link points outside of the exported folder",
);
pub(crate) static NAME: DiagnosticCode =
    DiagnosticCode::error("git-unsafe-name", "the name of a file is not safe to write");

/// Every code of this crate.
pub static CODES: &[&DiagnosticCode] = &[&TOO_LARGE, &SUBMODULE, &LFS, &LINK, &NAME];
