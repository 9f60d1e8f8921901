//! The files of `packaging/`, checked by the programs that read them.

mod container;
mod helm;
mod proxies;
mod systemd;

use std::fs;
use std::path::PathBuf;

use svc_tests::sites;

/// Path of a file of `packaging/`.
fn path(name: &str) -> PathBuf {
    sites::workspace().join("packaging").join(name)
}

/// Text of a file of `packaging/`.
fn text(name: &str) -> String {
    let path = path(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
