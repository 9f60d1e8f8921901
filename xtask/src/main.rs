//! Maintainer commands.
fn main() {}
