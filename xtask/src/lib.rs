//! What maintainer commands and tests share.

pub mod gallery;
