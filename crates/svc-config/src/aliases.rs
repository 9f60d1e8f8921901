//! Accepted Mintlify spellings of svc names.

use crate::{
    codes::ALIAS,
    decode::{Cx, NodeRef},
};

/// An older spelling that is read as an svc name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alias {
    /// The spelling that is accepted.
    pub old: &'static str,
    /// The svc name.
    pub new: &'static str,
    /// The kind of name, for messages: `theme`, `OpenAPI extension`.
    pub kind: &'static str,
}

pub(crate) static THEME: Alias = Alias {
    old: "mint",
    new: "svc",
    kind: "theme",
};
pub(crate) static FILE: Alias = Alias {
    old: "mint.json",
    new: "docs.json",
    kind: "configuration file",
};
pub(crate) static EXTENSION: Alias = Alias {
    old: "x-mint",
    new: "x-svc",
    kind: "OpenAPI extension",
};
static IGNORE: Alias = Alias {
    old: ".mintignore",
    new: ".svcignore",
    kind: "ignore file",
};

/// All accepted aliases.
pub static ALIASES: &[&Alias] = &[&THEME, &FILE, &EXTENSION, &IGNORE];

impl Cx {
    /// Reports the use of an older spelling.
    pub(crate) fn alias(&mut self, at: &NodeRef<'_>, alias: &Alias) {
        let message = format!("{} `{}` is read as `{}`", alias.kind, alias.old, alias.new);
        self.report(&ALIAS, at, message, format!("write `{}`", alias.new));
        self.fix_text(at, alias.new);
    }
}
