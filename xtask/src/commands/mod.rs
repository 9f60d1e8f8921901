//! The commands, one file each.

pub(crate) mod bench;
pub(crate) mod ci;
pub(crate) mod codegen;
pub(crate) mod compare;
pub(crate) mod dist;
pub(crate) mod gallery;
pub(crate) mod release;
pub(crate) mod semver;
pub(crate) mod spec;
pub(crate) mod test;
pub(crate) mod tidy;
mod vocabulary;
