//! Features that parts of a module use, which determine where a component is rendered.

use std::collections::{BTreeMap, BTreeSet};

use crate::evaluate::is_engine_global;

/// Where a component is rendered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// By the evaluator: only plain values and markup.
    Plain,
    /// By the engine on the server only: JavaScript that the evaluator does not support.
    Engine,
    /// By the engine and then in the browser: it has state or event handlers, or uses browser APIs.
    Island,
}

/// Names and features that one top-level statement uses.
#[derive(Debug, Default)]
pub(super) struct StatementInfo {
    pub(super) names: BTreeSet<String>,
    pub(super) island: bool,
    pub(super) engine: bool,
}

impl StatementInfo {
    /// Records a name that is used as a value.
    pub(super) fn mention(&mut self, name: &str) {
        if BROWSER.contains(&name) {
            self.island = true;
        }
        if is_engine_global(name) {
            self.engine = true;
        }
        if !self.names.contains(name) {
            self.names.insert(name.to_owned());
        }
    }

    /// Records the name of a function that is called.
    pub(super) fn call(&mut self, name: &str) {
        let hook = name
            .strip_prefix("use")
            .is_some_and(|rest| rest.starts_with(char::is_uppercase));
        self.island |= hook;
    }
}

/// Names that exist only in a browser, or whose value changes with each read.
const BROWSER: &[&str] = &[
    "Date",
    "IntersectionObserver",
    "MutationObserver",
    "ResizeObserver",
    "cancelAnimationFrame",
    "clearInterval",
    "clearTimeout",
    "crypto",
    "document",
    "fetch",
    "localStorage",
    "location",
    "matchMedia",
    "navigator",
    "performance",
    "requestAnimationFrame",
    "sessionStorage",
    "setInterval",
    "setTimeout",
    "window",
];

/// Computes the level of each top-level name, including that of the names it uses.
pub(super) fn levels(statements: &BTreeMap<String, StatementInfo>) -> BTreeMap<&str, Level> {
    let own = |facts: &StatementInfo| match (facts.island, facts.engine) {
        (true, _) => Level::Island,
        (false, true) => Level::Engine,
        (false, false) => Level::Plain,
    };
    let mut levels: BTreeMap<&str, Level> = statements
        .iter()
        .map(|(name, facts)| (name.as_str(), own(facts)))
        .collect();
    // Each round propagates levels by one step. A level only rises and has three values, so the
    // loop ends.
    loop {
        let mut changed = false;
        for (name, facts) in statements {
            let needed = facts
                .names
                .iter()
                .filter_map(|other| levels.get(other.as_str()))
                .max()
                .copied()
                .unwrap_or(Level::Plain);
            if let Some(level) = levels.get_mut(name.as_str())
                && needed > *level
            {
                *level = needed;
                changed = true;
            }
        }
        if !changed {
            return levels;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_component_has_the_highest_level_of_its_parts() {
        let part = |names: &[&str], island| StatementInfo {
            names: names.iter().map(|&name| name.to_owned()).collect(),
            island,
            engine: false,
        };
        let statements = BTreeMap::from([
            ("A".to_owned(), part(&["B"], false)),
            ("B".to_owned(), part(&["C", "A"], false)),
            ("C".to_owned(), part(&[], true)),
            ("D".to_owned(), part(&["E"], false)),
        ]);
        let levels = levels(&statements);
        assert_eq!(levels.get("A"), Some(&Level::Island));
        assert_eq!(levels.get("B"), Some(&Level::Island));
        assert_eq!(levels.get("D"), Some(&Level::Plain));
    }

    #[test]
    fn hooks_are_recognized_by_name() {
        let mut facts = StatementInfo::default();
        facts.call("user");
        facts.call("use");
        assert!(!facts.island);
        facts.call("useThing");
        assert!(facts.island);
    }
}
