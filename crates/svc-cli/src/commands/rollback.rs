//! `svc rollback`.

use std::io;

use clap::Args;
use serde_json::{Value, json};

use super::print;
use super::remote::{Asked, Server, line};
use crate::exit::Exit;

/// Show an earlier deployment of a project again.
#[derive(Debug, Args)]
#[command(after_help = "Exit status: 0 it is live, 1 refused, 2 no server answers.")]
pub(crate) struct Arguments {
    /// The project
    project: String,
    /// The id of the deployment; without it, the one before the present one
    deployment: Option<String>,
    #[command(flatten)]
    server: Server,
}

pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    let path = format!("/projects/{}/rollback", arguments.project);
    let body = json!({ "deployment": arguments.deployment });
    match arguments.server.ask("POST", &path, &body)? {
        Asked::Answer(answer) => {
            let deployment = answer.get("deployment").unwrap_or(&Value::Null);
            print(&format!("{}\n", line(deployment)))?;
            Ok(Exit::Good)
        }
        Asked::Refused(exit) => Ok(exit),
    }
}
