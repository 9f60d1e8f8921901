//! Maintainer commands. `cargo xtask` lists them.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line program"
)]

mod commands;
mod sh;

use std::process::ExitCode;

/// A command: name, summary for the list, and a function that gets the other arguments.
struct Command {
    name: &'static str,
    summary: &'static str,
    run: fn(&[String]) -> Result<(), String>,
}

static COMMANDS: &[Command] = &[
    Command {
        name: "test",
        summary: "run all checks and tests; installs missing programs first",
        run: commands::test::run,
    },
    Command {
        name: "ci",
        summary: "[STEP…] run steps of `test` by name: install fmt tidy clippy semver spec test",
        run: commands::ci::run,
    },
    Command {
        name: "tidy",
        summary: "check layers, components, file headers, file sizes and names",
        run: commands::tidy::run,
    },
    Command {
        name: "codegen",
        summary: "[--check] generate docs/reference from the code, or list stale files",
        run: commands::codegen::run,
    },
    Command {
        name: "gallery",
        summary: "[--out FOLDER] [--serve [THEME]] export every component in every theme",
        run: commands::gallery::run,
    },
    Command {
        name: "spec",
        summary: "[--check] list rows of the specification without an accepting or a refusing test",
        run: commands::spec::run,
    },
    Command {
        name: "compare",
        summary: "REV [DIR…] list files of exported sites that differ from an earlier revision",
        run: commands::compare::run,
    },
    Command {
        name: "dist",
        summary: "[--quick] build the archives, packages and lists of a release",
        run: commands::dist::run,
    },
    Command {
        name: "release",
        summary: "--dry-run check what a release needs, and build the packages of the crates",
        run: commands::release::run,
    },
    Command {
        name: "semver",
        summary: "[REVISION] list breaking changes of the published crates since the last release",
        run: commands::semver::run,
    },
    Command {
        name: "bench",
        summary: "[NAME…] run the benchmarks of tests/bench with the settings of the profile dist",
        run: commands::bench::run,
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let name = arguments.first().map(String::as_str);
    let Some(command) = COMMANDS.iter().find(|command| Some(command.name) == name) else {
        println!("cargo xtask COMMAND\n");
        for command in COMMANDS {
            println!("  {:8} {}", command.name, command.summary);
        }
        return if name.is_none() {
            ExitCode::SUCCESS
        } else {
            ExitCode::from(2)
        };
    };
    match (command.run)(&arguments[1..]) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask {}: {message}", command.name);
            ExitCode::FAILURE
        }
    }
}
