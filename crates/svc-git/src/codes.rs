//! The problems that a repository can have.

use svc_diagnostics::Code;

pub(crate) static TOO_LARGE: Code =
    Code::error("git-file-too-large", "a file is larger than the limit");
pub(crate) static SUBMODULE: Code = Code::warning(
    "git-submodule",
    "a folder is a submodule, which is not fetched",
);
pub(crate) static LFS: Code = Code::error(
    "git-lfs-pointer",
    "a file was stored with Git LFS, so that the repository holds a pointer only",
);
pub(crate) static LINK: Code = Code::warning(
    "git-link-outside",
    "a symbolic link leads out of the exported folder",
);
pub(crate) static NAME: Code = Code::error(
    "git-unsafe-name",
    "the name of a file cannot be written safely",
);

/// Every code of this crate.
pub static CODES: &[&Code] = &[&TOO_LARGE, &SUBMODULE, &LFS, &LINK, &NAME];
