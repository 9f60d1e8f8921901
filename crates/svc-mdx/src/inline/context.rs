//! State that the inline content of a page shares.

use std::collections::BTreeSet;

use crate::{Options, ParseDiagnostic};

use super::{
    arena::Arena,
    item::{Item, Opener},
    runs::Runs,
};

/// Data of the page that inline parsing requires.
#[derive(Debug)]
pub(crate) struct PageContext<'a> {
    pub(crate) options: &'a Options,
    pub(crate) definitions: BTreeSet<String>,
    pub(crate) footnotes: BTreeSet<String>,
    pub(crate) problems: Vec<ParseDiagnostic>,
    pub(crate) too_deep: bool,
    pub(super) scratch: Scratch,
}

/// Buffers that are reused for each piece of content.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    pub(super) items: Vec<Item>,
    pub(super) brackets: Vec<u32>,
    pub(super) arena: Arena,
    pub(super) ticks: Runs,
    pub(super) dollars: Runs,
    /// Buffers for pairing delimiters.
    pub(super) paired: Vec<Item>,
    pub(super) open: Vec<Opener>,
}

impl Scratch {
    /// Clears the buffers for the next piece of content.
    pub(super) fn clear(&mut self) {
        self.arena.clear();
        self.ticks.clear();
        self.dollars.clear();
    }
}

impl<'a> PageContext<'a> {
    /// Creates the context from the results of the first pass.
    pub(crate) fn new(
        options: &'a Options,
        definitions: BTreeSet<String>,
        footnotes: BTreeSet<String>,
        problems: Vec<ParseDiagnostic>,
    ) -> Self {
        Self {
            options,
            definitions,
            footnotes,
            problems,
            too_deep: false,
            scratch: Scratch::default(),
        }
    }
}
