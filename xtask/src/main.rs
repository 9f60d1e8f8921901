//! Maintainer commands. `cargo xtask` lists them.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line program"
)]

mod commands;
mod sh;

use std::process::ExitCode;

/// One command: its name, one line for the list, what it does with the arguments after its name.
struct Command {
    name: &'static str,
    summary: &'static str,
    run: fn(&[String]) -> Result<(), String>,
}

static COMMANDS: &[Command] = &[
    Command {
        name: "test",
        summary: "everything the README promises: installs what is missing, then all checks and tests",
        run: commands::test::run,
    },
    Command {
        name: "ci",
        summary: "[STEP…] the steps of `test` by name: install fmt tidy clippy spec test",
        run: commands::ci::run,
    },
    Command {
        name: "tidy",
        summary: "layers, rooms, file headers, file sizes",
        run: commands::tidy::run,
    },
    Command {
        name: "codegen",
        summary: "[--check] writes docs/reference from the code, or says what is stale",
        run: commands::codegen::run,
    },
    Command {
        name: "gallery",
        summary: "[--out FOLDER] [--serve [THEME]] every component in every theme, as sites",
        run: commands::gallery::run,
    },
    Command {
        name: "spec",
        summary: "[--check] rows of the specification without an accepting or a refusing test",
        run: commands::spec::run,
    },
    Command {
        name: "compare",
        summary: "REV [DIR…] files of exported sites that differ from those of an earlier revision",
        run: commands::compare::run,
    },
    Command {
        name: "bench",
        summary: "[NAME…] the benchmarks of tests/bench with the release profile",
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
