//! What can be wrong with the files of a repository.

use svc_diagnostics::Code;

pub(crate) static TOO_LARGE: Code =
    Code::error("source-too-large", "a text file is larger than the limit");
pub(crate) static TOO_MANY: Code = Code::fatal(
    "source-too-many-files",
    "the repository has more files than the limit",
);
pub(crate) static NOT_UTF8: Code =
    Code::warning("source-not-utf8", "a text file is not valid UTF-8");
pub(crate) static UNREADABLE: Code =
    Code::error("source-unreadable", "a file or folder cannot be read");
pub(crate) static LINK_OUTSIDE: Code = Code::warning(
    "source-link-outside",
    "a symbolic link leaves the repository",
);
pub(crate) static OLD_IGNORE: Code =
    Code::info("source-old-ignore-file", "an ignore file has the old name");
pub(crate) static BAD_NAME: Code =
    Code::warning("source-bad-name", "a file name is not valid UTF-8");
pub(crate) static DUPLICATE_PAGE: Code =
    Code::warning("source-duplicate-page", "two files make the same page");
pub(crate) static SAME_LETTERS: Code = Code::warning(
    "source-same-letters",
    "the files of two pages differ only in capital letters",
);
pub(crate) static UNCLOSED: Code = Code::error(
    "front-matter-unclosed",
    "the front matter has no closing line",
);
pub(crate) static NOT_A_MAP: Code = Code::error(
    "front-matter-not-a-map",
    "the front matter is not a list of keys and values",
);
pub(crate) static WRONG_TYPE: Code = Code::error(
    "front-matter-wrong-type",
    "a front matter field has the wrong type",
);
pub(crate) static UNKNOWN_MODE: Code = Code::warning(
    "front-matter-unknown-mode",
    "the page mode is not one of the known ones",
);
pub(crate) static UNKNOWN_KEY: Code = Code::info(
    "front-matter-unknown-key",
    "a front matter field is not known, and another one is spelled nearly alike",
);
pub(crate) static BAD_TOML: Code = Code::error(
    "front-matter-bad-toml",
    "a line of the front matter is not `key = value`",
);

/// Every code of this crate.
pub static CODES: &[&Code] = &[
    &TOO_LARGE,
    &TOO_MANY,
    &NOT_UTF8,
    &UNREADABLE,
    &LINK_OUTSIDE,
    &OLD_IGNORE,
    &BAD_NAME,
    &DUPLICATE_PAGE,
    &SAME_LETTERS,
    &UNCLOSED,
    &NOT_A_MAP,
    &WRONG_TYPE,
    &UNKNOWN_MODE,
    &UNKNOWN_KEY,
    &BAD_TOML,
];
