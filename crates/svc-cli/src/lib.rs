//! `svc`: checks, prints, builds and serves a documentation repository. A library only so that the
//! reference of its options can be written from what it takes.

mod args;
mod commands;
mod exit;

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser as _};

/// Runs the program with the arguments that it was given.
#[expect(clippy::print_stderr, reason = "a program speaks to its user")]
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

/// Commands and options, as they are typed.
pub fn command() -> clap::Command {
    args::Arguments::command()
}
