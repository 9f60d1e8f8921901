//! `svc rollback`.

use std::io;

use clap::Args;
use serde_json::{Value, json};

use super::control::{ControlReply, ServerArgs, format_deployment};
use super::output::print;
use crate::exit::Exit;

/// Roll back a project to an earlier deployment.
#[derive(Debug, Args)]
#[command(after_help = "Exit status: 0 live, 1 rejected, 2 the server does not respond.")]
pub(crate) struct Arguments {
    /// The project
    project: String,
    /// Id of the deployment. Default: the previous deployment
    deployment: Option<String>,
    #[command(flatten)]
    server: ServerArgs,
}

pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    let path = format!("/projects/{}/rollback", arguments.project);
    let body = json!({ "deployment": arguments.deployment });
    match arguments.server.request("POST", &path, &body)? {
        ControlReply::Response(response) => {
            let deployment = response.get("deployment").unwrap_or(&Value::Null);
            print(&format!("{}\n", format_deployment(deployment)))?;
            Ok(Exit::Success)
        }
        ControlReply::Rejected(exit) => Ok(exit),
    }
}
