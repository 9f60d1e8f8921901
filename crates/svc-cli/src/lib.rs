//! `svc`: checks, prints, builds and serves a documentation repository. It is also a library, so that
//! the reference of its options can be generated.

mod areas;
mod args;
mod commands;
mod exit;

use std::process::ExitCode;

pub use areas::{Area, areas, diagnostic_codes};
pub use commands::check_links::CODES;

use clap::{CommandFactory as _, Parser as _};

/// Runs the program with the arguments of the process.
#[expect(clippy::print_stderr, reason = "a program prints to the terminal")]
pub fn main() -> ExitCode {
    if let Some(code) = svc_site::worker::run_if_child() {
        return code;
    }
    svc_site::worker::start();
    let arguments = args::Arguments::parse();
    match commands::run(&arguments.command) {
        Ok(exit) => exit.into(),
        Err(error) => {
            eprintln!("svc: {error}");
            exit::Exit::Failed.into()
        }
    }
}

/// The commands and options.
pub fn command() -> clap::Command {
    args::Arguments::command()
}
