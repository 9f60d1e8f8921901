//! What a client requests about a document, besides completion: one module each.

pub(crate) mod actions;
pub(crate) mod definition;
pub(crate) mod file_moves;
pub(crate) mod formatting;
pub(crate) mod headings;
pub(crate) mod hover;
pub(crate) mod links;
pub(crate) mod references;
pub(crate) mod rename;
pub(crate) mod symbols;
