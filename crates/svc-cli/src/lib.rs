//! `svc`: checks, prints, builds and serves a documentation repository.
#![expect(clippy::print_stderr, reason = "a program speaks to its user")]

mod args;
mod commands;
mod exit;

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    let arguments = args::Arguments::parse();
    match commands::run(&arguments.command) {
        Ok(exit) => exit.into(),
        Err(error) => {
            eprintln!("svc: {error}");
            exit::Exit::Failed.into()
        }
    }
}
