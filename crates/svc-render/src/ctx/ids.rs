//! Element ids of a page.

use std::collections::{BTreeSet, HashMap, HashSet};

/// Ids of the elements of a page.
#[derive(Debug, Default)]
pub(crate) struct Ids {
    all: Vec<String>,
    /// Ids that the author set on HTML elements.
    author: HashSet<String>,
    /// Next number for each name.
    counters: HashMap<String, u32>,
    hooks: BTreeSet<&'static str>,
    groups: u32,
}

impl Ids {
    /// Returns an id that is unique on the page: `name`, `name-2`, `name-3`.
    pub(crate) fn unique(&mut self, name: &str) -> String {
        self.numbered(name, 2)
    }

    /// Returns an id of a parameter that is unique on the page: `name`, `name-1`, `name-2`.
    pub(crate) fn unique_field(&mut self, name: &str) -> String {
        self.numbered(name, 1)
    }

    fn numbered(&mut self, name: &str, first: u32) -> String {
        let name = if name.is_empty() { "section" } else { name };
        let Some(mut next) = self.counters.get(name).copied() else {
            self.counters.insert(name.to_owned(), first);
            self.all.push(name.to_owned());
            return name.to_owned();
        };
        let id = loop {
            let candidate = format!("{name}-{next}");
            next += 1;
            if !self.counters.contains_key(&candidate) {
                break candidate;
            }
        };
        self.counters.insert(name.to_owned(), next);
        self.counters.insert(id.clone(), first);
        self.all.push(id.clone());
        id
    }

    /// Adds an id that the author set on an HTML element.
    pub(crate) fn add_author(&mut self, id: &str) {
        self.all.push(id.to_owned());
        self.author.insert(id.to_owned());
    }

    /// Whether the author set this id on an HTML element.
    pub(crate) fn is_author(&self, id: &str) -> bool {
        self.author.contains(id)
    }

    /// Returns the style hook `id` for the first element that requests it; `None` for later ones,
    /// because ids are unique.
    pub(crate) fn hook(&mut self, id: &'static str) -> Option<&'static str> {
        self.hooks.insert(id).then_some(id)
    }

    /// Returns the number of a new group of radio buttons.
    pub(crate) fn next_group(&mut self) -> u32 {
        self.groups += 1;
        self.groups
    }

    /// All ids in the order of the page.
    pub(crate) fn into_vec(self) -> Vec<String> {
        self.all
    }
}
