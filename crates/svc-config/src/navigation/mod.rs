//! `navigation`: the pages of the site and their order.

mod children;
mod element;
mod keys;
mod language;
mod links;
mod listing;
mod page;
mod reference;
mod root;
pub(crate) mod tables;
mod types;

pub use language::LANGUAGE_CODES;
pub use reference::VersionRef;
pub use types::{Children, Directory, Element, ElementKind, Navigation, PageEntry, PageRef};

#[cfg(test)]
mod tests;
