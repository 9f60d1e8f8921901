//! The reference platform's spellings of our names: the one table.

use crate::{
    codes::ALIAS,
    decode::{Cx, NodeRef},
};

/// An older spelling that means one of our names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alias {
    /// What repositories may say.
    pub old: &'static str,
    /// What it is called here.
    pub new: &'static str,
    /// What kind of name it is.
    pub kind: &'static str,
}

/// The name of the first theme.
pub(crate) static THEME: Alias = Alias {
    old: "mint",
    new: "svc",
    kind: "theme",
};
/// The configuration file.
pub(crate) static FILE: Alias = Alias {
    old: "mint.json",
    new: "docs.json",
    kind: "configuration file",
};
/// The extension key of OpenAPI documents.
pub(crate) static EXTENSION: Alias = Alias {
    old: "x-mint",
    new: "x-svc",
    kind: "OpenAPI extension",
};
/// The ignore file.
static IGNORE: Alias = Alias {
    old: ".mintignore",
    new: ".svcignore",
    kind: "ignore file",
};

/// All aliases.
pub static ALIASES: &[&Alias] = &[&THEME, &FILE, &EXTENSION, &IGNORE];

impl Cx {
    /// Notes that an older spelling is used.
    pub(crate) fn alias(&mut self, at: &NodeRef<'_>, alias: &Alias) {
        let message = format!("{} `{}` is read as `{}`", alias.kind, alias.old, alias.new);
        self.report(&ALIAS, at, message, format!("write `{}`", alias.new));
    }
}
