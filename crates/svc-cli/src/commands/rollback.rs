//! `svc rollback`.

use std::io;

use clap::Args;
use serde_json::{Value, json};

use super::control::{ControlReply, ServerArgs, format_deployment};
use super::print;
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
    server: ServerArgs,
}

pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    let path = format!("/projects/{}/rollback", arguments.project);
    let body = json!({ "deployment": arguments.deployment });
    match arguments.server.request("POST", &path, &body)? {
        ControlReply::Response(answer) => {
            let deployment = answer.get("deployment").unwrap_or(&Value::Null);
            print(&format!("{}\n", format_deployment(deployment)))?;
            Ok(Exit::Success)
        }
        ControlReply::Rejected(exit) => Ok(exit),
    }
}
